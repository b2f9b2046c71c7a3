# A script with the arguments BUILD (redtune's build folder), SOURCE (the example), WORK (a folder that is deleted and
# created), MAKE_DATABASE (a program), CONFIG, GENERATOR, CXX.
set(prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\nfailed with ${result}:\n${output}")
  endif()
endfunction()

# expect(RESULT REGEX COMMAND...) checks the command's exit code and output.
function(expect result regex)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE actual OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT actual EQUAL result OR NOT output MATCHES "${regex}")
    message(FATAL_ERROR "${ARGN}\nended with ${actual} instead of ${result}, or its output lacks '${regex}':\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --config "${CONFIG}")
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK}/build --config "${CONFIG}")

# The installed headers include nothing but each other and the standard library.
file(GLOB_RECURSE headers ${prefix}/include/*.h ${prefix}/include/*.hpp)
foreach(header IN LISTS headers)
  file(STRINGS ${header} foreign REGEX "#include.*(sqlite3|cuda|nvrtc|nvml|CLI|fmt|nlohmann|toml|tuner/)")
  if(foreign)
    message(FATAL_ERROR "${header} includes what is not installed with it: ${foreign}")
  endif()
endforeach()

run(${MAKE_DATABASE} ${WORK}/user.db)
set(environment ${CMAKE_COMMAND} -E env REDTUNE_DB=${WORK}/user.db REDTUNE_SYSTEM_DATA=${WORK}/none)
expect(0 "family +grid_stride_wide.*unroll = 4.*66 blocks of 256 threads.*expected +2 us, 2000 GB/s.*match +exact"
       ${environment} ${WORK}/build/query 1000000 "NVIDIA H200")
expect(0 "match +beyond, tuned at n = 1000000" ${environment} ${WORK}/build/query 2000000 "NVIDIA H200")
expect(4 "tuned devices are:.*NVIDIA H200" ${environment} ${WORK}/build/query 1000000 "no such device")
expect(0 "match +beyond, tuned at n = 1000000" ${environment} ${WORK}/build/query 16Mi "NVIDIA H200")
foreach(wrong abc 16abc -1)
  expect(2 "'${wrong}' is not a size" ${environment} ${WORK}/build/query "${wrong}" "NVIDIA H200")
endforeach()
# Both kinds of shipped files are installed: winners for look-ups and recordings for replays.
foreach(kind winners recording)
  file(GLOB installed ${prefix}/share/redtune/*.${kind}.db)
  if(NOT installed)
    message(FATAL_ERROR "${prefix}/share/redtune has no *.${kind}.db")
  endif()
endforeach()
# The installed program finds the shipped files from its own folder, also after the prefix was moved.
file(RENAME ${prefix} ${WORK}/moved)
expect(0 "${WORK}/moved/share/redtune/[^/]*winners.db.*${WORK}/moved/share/redtune/[^/]*recording.db"
       ${CMAKE_COMMAND} -E env --unset=REDTUNE_SYSTEM_DATA REDTUNE_DB=${WORK}/user.db
       ${WORK}/moved/bin/redtune db path --format csv)
