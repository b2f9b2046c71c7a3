# Builds examples/query against the installed package as a user would, with each of the two libraries, and runs it.
# Arguments: PREFIX (where redtune is installed), EXAMPLE (examples/query), WORK (a folder that is deleted and created),
# MAKE_DATABASE (a program), CONFIG, GENERATOR, CXX.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
foreach(kind shared static)
  set(choice -DBUILD_SHARED_LIBS=OFF)
  if(kind STREQUAL shared)
    set(choice "")
  endif()
  run(${CMAKE_COMMAND} -S ${EXAMPLE} -B ${WORK}/${kind} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
      -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${PREFIX} ${choice})
  run(${CMAKE_COMMAND} --build ${WORK}/${kind} --config "${CONFIG}")
endforeach()

# The shared library finds the shipped data from its own folder; a program with the static one does so from the program's,
# or in the folders for data.
expect(0 "${shipped_match}" ${no_other_data} ${WORK}/shared/query ${shipped_size})
expect(4 "no tuned configuration" ${no_other_data} ${WORK}/static/query ${shipped_size})
file(COPY ${WORK}/static/query DESTINATION ${PREFIX}/bin)
expect(0 "${shipped_match}" ${no_other_data} ${PREFIX}/bin/query ${shipped_size})
expect(0 "${shipped_match}" ${no_other_data} XDG_DATA_DIRS=${PREFIX}/share ${WORK}/static/query ${shipped_size})

# A program that does not tune contains nothing of the tuner.
execute_process(COMMAND nm --demangle ${WORK}/static/query OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
if(NOT names MATCHES "redtune::lookup::" OR names MATCHES "redtune::(search|timing)::")
  message(FATAL_ERROR "the program with the static library should have look-ups, and no search")
endif()

# Both give the same answers from a database of the user's, and their exceptions reach the program.
run(${MAKE_DATABASE} ${WORK}/user.db)
set(environment ${CMAKE_COMMAND} -E env REDTUNE_DB=${WORK}/user.db REDTUNE_SYSTEM_DATA=${WORK}/none)
foreach(kind shared static)
  set(query ${environment} ${WORK}/${kind}/query)
  expect(0 "family +grid_stride_wide.*unroll = 4.*66 blocks of 256 threads.*expected +2 us, 2000 GB/s.*match +exact"
         ${query} 1000000 "NVIDIA H200")
  expect(0 "match +beyond, tuned at n = 1000000" ${query} 2000000 "NVIDIA H200")
  expect(0 "match +beyond, tuned at n = 1000000" ${query} 16Mi "NVIDIA H200")
  expect(4 "tuned devices are:.*NVIDIA H200" ${query} 1000000 "no such device")
  foreach(wrong abc 16abc -1)
    expect(2 "'${wrong}' is not a size" ${query} "${wrong}" "NVIDIA H200")
  endforeach()
endforeach()

# The wrong component is refused with the ones that there are.
file(WRITE ${WORK}/wrong/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES CXX)\n"
                                        "find_package(redtune REQUIRED COMPONENTS other)\n")
expect(1 "redtune has two components, static and shared.*\n? *other" ${CMAKE_COMMAND} -S ${WORK}/wrong -B ${WORK}/wrong/build
       -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${PREFIX})
