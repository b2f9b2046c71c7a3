# Fills the folder cubins of the shipped data by calls of `redtune warm`; a script for `cmake -P` with these variables:
#   PROGRAM       the redtune program
#   DATA          the folder of the shipped data
#   CALLS         the options of each call, separated by blanks
#   NVRTC_FOLDER  a folder in which NVRTC may be, if the environment names none: beside the headers, as NVIDIA's wheels have it
#   NEED_NVRTC    whether it is an error if there is no NVRTC; else no kernels are compiled then
cmake_minimum_required(VERSION 3.25)

# Only the shipped winners count, not those or the kernels of whoever builds.
unset(ENV{REDTUNE_TEMPLATE_PATH})
set(ENV{REDTUNE_DB} ${DATA}/none.db)
set(ENV{REDTUNE_SYSTEM_DATA} ${DATA})
file(GLOB libraries ${NVRTC_FOLDER}/libnvrtc.so.*)
if(libraries AND NOT DEFINED ENV{REDTUNE_CUDA_LIB} AND NOT DEFINED ENV{REDTUNE_NVRTC})
  set(ENV{REDTUNE_CUDA_LIB} ${NVRTC_FOLDER})
endif()

set(no_compiler 3)  # the exit code of `redtune warm` if there is no NVRTC that compiles for the architecture
file(REMOVE_RECURSE ${DATA}/cubins)
foreach(call IN LISTS CALLS)
  separate_arguments(options UNIX_COMMAND "${call}")
  set(errors)
  if(NOT NEED_NVRTC)
    set(errors ERROR_VARIABLE message)
  endif()
  execute_process(COMMAND ${PROGRAM} warm --no-device-count --folder ${DATA}/cubins ${options}
                  RESULT_VARIABLE result ${errors})
  if(result EQUAL no_compiler AND NOT NEED_NVRTC)
    file(REMOVE_RECURSE ${DATA}/cubins)
    message(NOTICE "No kernels are compiled ahead, because there is no NVRTC for them (REDTUNE_CUDA_LIB names its folder)")
    return()
  endif()
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "redtune warm ${call} failed: ${result}\n${message}")
  endif()
endforeach()
