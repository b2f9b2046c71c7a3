# Adds both forms of the library, redtune (static) and redtune_shared, from one compilation of the layers. Inside of a
# build they are also called redtune::static and redtune::shared. redtune::redtune is the one that BUILD_SHARED_LIBS
# chooses; a find_package() of the installed library chooses it as cmake/redtuneConfig.cmake.in says.
function(redtune_add_library target type export_name)
  add_library(${target} ${type})
  add_library(redtune::${export_name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME redtune EXPORT_NAME ${export_name})
  foreach(layer IN LISTS library_layers)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${layer}>)
  endforeach()
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/tuner/include>
    $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # The libraries in REDTUNE_LINK_LIBRARIES are absolute paths, which no installed file may contain.
  target_link_libraries(${target} PRIVATE
    $<BUILD_INTERFACE:redtune_options> "$<BUILD_INTERFACE:${REDTUNE_LINK_LIBRARIES}>"
    "$<INSTALL_INTERFACE:${REDTUNE_INSTALLED_LINK_LIBRARIES}>" ${CMAKE_DL_LIBS} Threads::Threads)
endfunction()

redtune_add_library(redtune STATIC static)
if(REDTUNE_PORTABLE)
  # The static library contains SQLite and xxHash, so that its users need neither.
  add_custom_command(TARGET redtune POST_BUILD VERBATIM
    COMMAND sh -c "printf 'open %s\\naddlib %s\\naddlib %s\\nsave\\nend\\n' \"$@\" | '${CMAKE_AR}' -M" sh
            $<TARGET_FILE_NAME:redtune> ${REDTUNE_SQLITE_LIBRARY} ${REDTUNE_XXHASH_LIBRARY}
    WORKING_DIRECTORY $<TARGET_FILE_DIR:redtune>)
endif()

redtune_add_library(redtune_shared SHARED shared)
set(exports ${CMAKE_CURRENT_SOURCE_DIR}/cmake/exports.map)
set_target_properties(redtune_shared PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${exports})
target_link_options(redtune_shared PRIVATE LINKER:--version-script=${exports})
if(NOT REDTUNE_SANITIZE)
  target_link_options(redtune_shared PRIVATE LINKER:--no-undefined)
endif()

if(BUILD_SHARED_LIBS)
  add_library(redtune::redtune ALIAS redtune_shared)
  set(unchosen redtune)
else()
  add_library(redtune::redtune ALIAS redtune)
  set(unchosen redtune_shared)
endif()
if(NOT REDTUNE_INSTALL)
  set_target_properties(${unchosen} PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
