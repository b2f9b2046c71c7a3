# The target redtune_cubins compiles kernels into share/redtune/cubins of the build folder, where a program finds them
# before it needs NVRTC, and from where they are installed (component cubins). It needs NVRTC, takes minutes, and is not
# part of the default build.
set(REDTUNE_CUBIN_TUNED_ARCHITECTURES sm_90 CACHE STRING
    "Architectures for which redtune_cubins compiles all problems that are tuned, also rows: those of the shipped devices")
set(REDTUNE_CUBIN_ARCHITECTURES sm_80 sm_86 sm_89 sm_90 sm_100 sm_120 CACHE STRING
    "Architectures for which redtune_cubins compiles REDTUNE_CUBIN_PROBLEMS")
set(REDTUNE_CUBIN_PROBLEMS sum:f32 max:f32 CACHE STRING
    "Operators with their types that redtune_cubins compiles for whole arrays; all: all problems that are tuned, also rows")

# REDTUNE_DB names no file, so that only the shipped winners count, not those of whoever builds.
set(warm ${CMAKE_COMMAND} -E env --unset=REDTUNE_TEMPLATE_PATH REDTUNE_DB=${CMAKE_CURRENT_BINARY_DIR}/none.db
         REDTUNE_SYSTEM_DATA=${shipped_data}
         $<TARGET_FILE:redtune_cli> warm --no-device-count --folder ${shipped_data}/cubins)
set(warm_commands)
# Adds a command that compiles the kernels of these architectures and, if options follow, of these problems only.
function(redtune_warm architectures)
  string(REGEX REPLACE "[; ]+" "," architectures "${architectures}")
  if(architectures)
    set(warm_commands ${warm_commands} COMMAND ${warm} --arch ${architectures} ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

redtune_warm("${REDTUNE_CUBIN_TUNED_ARCHITECTURES}")
if(REDTUNE_CUBIN_PROBLEMS STREQUAL "all")
  redtune_warm("${REDTUNE_CUBIN_ARCHITECTURES}")
else()
  foreach(problem IN LISTS REDTUNE_CUBIN_PROBLEMS)
    if(NOT problem MATCHES "^([a-z0-9_]+):([a-z0-9,]+)$")
      message(FATAL_ERROR "REDTUNE_CUBIN_PROBLEMS has '${problem}'; allowed are 'all', or a list of operators with their "
                          "types: sum:f32,f16;max:f32")
    endif()
    redtune_warm("${REDTUNE_CUBIN_ARCHITECTURES}" --shape whole --op ${CMAKE_MATCH_1} --dtype ${CMAKE_MATCH_2})
  endforeach()
endif()
add_custom_target(redtune_cubins
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${shipped_data}/cubins
  ${warm_commands}
  COMMENT "Compiling the kernels that ship"
  USES_TERMINAL VERBATIM)
add_dependencies(redtune_cubins redtune_cli)
