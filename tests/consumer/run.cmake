# Functions of the scripts in this folder.

# run(COMMAND...) runs a command that must succeed and sets `output` to what it printed.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\nfailed with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect(RESULT REGEX COMMAND...) checks the command's exit code and output.
function(expect result regex)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE actual OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT actual EQUAL result OR NOT output MATCHES "${regex}")
    message(FATAL_ERROR "${ARGN}\nended with ${actual} instead of ${result}, or its output lacks '${regex}':\n${output}")
  endif()
endfunction()

# Programs that start with these variables find data nowhere but relative to themselves or to the shared library.
set(no_other_data ${CMAKE_COMMAND} -E env --unset=REDTUNE_SYSTEM_DATA --unset=LD_LIBRARY_PATH REDTUNE_DB=/none/redtune.db
    XDG_DATA_HOME=/none XDG_DATA_DIRS=/none)
# The winner of this size ships.
set(shipped_size 33554432 "NVIDIA H200")
set(shipped_match "match +exact, tuned at n = 33554432")
