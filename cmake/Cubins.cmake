# The target redtune_cubins compiles kernels into share/redtune/cubins of the build folder, where a program finds them
# before it needs NVRTC, and from where they are installed (component cubins). It needs NVRTC, takes minutes, and is not
# part of the default build. A wheel of the Python package has kernels too; pyproject.toml says which.
set(REDTUNE_CUBIN_TUNED_ARCHITECTURES sm_90 CACHE STRING
    "Architectures for which redtune_cubins compiles all problems that are tuned, also rows: those of the shipped devices")
set(REDTUNE_CUBIN_ARCHITECTURES sm_80 sm_86 sm_89 sm_90 sm_100 sm_120 CACHE STRING
    "Architectures for which redtune_cubins compiles REDTUNE_CUBIN_PROBLEMS")
set(REDTUNE_CUBIN_PROBLEMS sum:f32 max:f32 CACHE STRING
    "What redtune_cubins compiles for whole arrays, as OPERATOR:TYPES or OPERATOR:TYPES:OUTPUT; all: all problems that are \
tuned, also rows")
set(REDTUNE_CUBIN_REGIMES cold warm back_to_back CACHE STRING "Regimes of the calls for which redtune_cubins compiles")
set(REDTUNE_CUBINS_NEED_NVRTC ON CACHE BOOL "Whether redtune_cubins fails if there is no NVRTC; else it compiles nothing then")

# One entry for each call of `redtune warm`: its options, separated by blanks.
set(warm_calls "")
# Adds a call that compiles the kernels of these architectures and, if options follow, of these problems only.
function(redtune_warm architectures)
  string(REGEX REPLACE "[; ]+" "," architectures "${architectures}")
  if(architectures)
    list(JOIN ARGN " " options)
    string(STRIP "--arch ${architectures} ${options}" call)
    set(warm_calls ${warm_calls} ${call} PARENT_SCOPE)
  endif()
endfunction()

redtune_warm("${REDTUNE_CUBIN_TUNED_ARCHITECTURES}")
if(REDTUNE_CUBIN_PROBLEMS STREQUAL "all")
  redtune_warm("${REDTUNE_CUBIN_ARCHITECTURES}")
else()
  foreach(problem IN LISTS REDTUNE_CUBIN_PROBLEMS)
    if(NOT problem MATCHES "^([a-z0-9_]+):([a-z0-9,]+)(:([a-z0-9]+))?$")
      message(FATAL_ERROR "REDTUNE_CUBIN_PROBLEMS has '${problem}'; allowed are 'all', or a list of operators with their "
                          "types and, if it is not the default, the type of the result: sum:f32,f64;sum:f16:f16")
    endif()
    set(output "")
    if(CMAKE_MATCH_4)
      set(output --output ${CMAKE_MATCH_4})
    endif()
    redtune_warm("${REDTUNE_CUBIN_ARCHITECTURES}" --shape whole --op ${CMAKE_MATCH_1} --dtype ${CMAKE_MATCH_2} ${output})
  endforeach()
endif()
list(JOIN REDTUNE_CUBIN_REGIMES "," regimes)
list(TRANSFORM warm_calls APPEND " --regime ${regimes}")
add_custom_target(redtune_cubins
  COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:redtune_cli> -D "DATA=${shipped_data}" -D "CALLS=${warm_calls}"
          -D "NVRTC_FOLDER=${REDTUNE_nvrtc_INCLUDE}/../lib" -D NEED_NVRTC=${REDTUNE_CUBINS_NEED_NVRTC}
          -P ${PROJECT_SOURCE_DIR}/cmake/CompileCubins.cmake
  COMMENT "Compiling the kernels that ship"
  USES_TERMINAL VERBATIM)
add_dependencies(redtune_cubins redtune_cli)
