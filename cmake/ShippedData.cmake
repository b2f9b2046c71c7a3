# Unpacks the shipped databases, db/data/*.tar.xz, into share/redtune of the build folder, where a program in the build
# folder looks for them and from where they are installed.
file(GLOB archives CONFIGURE_DEPENDS db/data/*.winners.tar.xz db/data/*.recording.tar.xz)
set(shipped_data ${CMAKE_CURRENT_BINARY_DIR}/share/redtune)
file(GLOB unpacked_before ${shipped_data}/*.db)
if(unpacked_before)
  file(REMOVE ${unpacked_before})
endif()
foreach(archive IN LISTS archives)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${archive})
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${shipped_data})
endforeach()
