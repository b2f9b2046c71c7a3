# Builds a project that has redtune inside, by add_subdirectory() with the shared library and by FetchContent with the static
# one, and runs its program. Both use one build folder, so that redtune compiles once. Arguments: SOURCE (redtune's sources),
# WORK (the build folder, which is kept), CUDA (a folder with CUDA's headers), GENERATOR, CXX, LAUNCHER.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
foreach(way add_subdirectory FetchContent)
  set(shared OFF)
  if(way STREQUAL add_subdirectory)
    set(shared ON)
  endif()
  # Big units and no optimisation: the shortest time to compile.
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${WORK} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
      -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DREDTUNE_CUDA_INCLUDE=${CUDA}
      -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=100
      -DFETCHCONTENT_SOURCE_DIR_REDTUNE=${SOURCE} -DFETCHCONTENT_FULLY_DISCONNECTED=ON
      -DWAY=${way} -DBUILD_SHARED_LIBS=${shared})
  run(${CMAKE_COMMAND} --build ${WORK})
  expect(0 "${shipped_match}" ${no_other_data} ${WORK}/query ${shipped_size})
endforeach()

# An installation of the project has nothing of redtune.
file(REMOVE_RECURSE ${WORK}/installed)
run(${CMAKE_COMMAND} --install ${WORK} --prefix ${WORK}/installed)
file(GLOB_RECURSE installed RELATIVE ${WORK}/installed ${WORK}/installed/*)
if(NOT installed STREQUAL "bin/query")
  message(FATAL_ERROR "the project installed: ${installed}")
endif()
