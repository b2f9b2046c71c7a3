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

# The comparison with CUB that `redtune report` shows.
configure_file(docs/results/h200-cub.csv ${shipped_data}/nvidia-h200.bench.csv COPYONLY)

# The script with the charts of `redtune report`, next to the data. The build works without it, and the command then says
# how to get it.
set(REDTUNE_CHARTS ${CMAKE_CURRENT_SOURCE_DIR}/build/vega/vega.js CACHE FILEPATH
    "Vega, Vega-Lite and vega-embed in one script, which scripts/install-dependencies gets")
if(EXISTS ${REDTUNE_CHARTS})
  configure_file(${REDTUNE_CHARTS} ${shipped_data}/vega.js COPYONLY)
else()
  file(REMOVE ${shipped_data}/vega.js)
  message(STATUS "No ${REDTUNE_CHARTS}: `redtune report` will not work")
endif()

# How datasette shows a database; `scripts/datasette-metadata` writes the file.
configure_file(db/datasette.json ${shipped_data}/datasette.json COPYONLY)
