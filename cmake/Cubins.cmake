# The target redtune_cubins compiles the kernels of the shipped winners into share/redtune/cubins of the build folder,
# where a program finds them before it needs NVRTC, and from where they are installed (component cubins). It needs NVRTC,
# takes minutes, and is not part of the default build.
set(REDTUNE_CUBIN_ARCHITECTURES sm_90 CACHE STRING
    "Architectures that redtune_cubins compiles for: a list such as sm_80;sm_86;sm_89;sm_90;sm_100;sm_120")

string(REGEX REPLACE "[; ]+" "," cubin_architectures "${REDTUNE_CUBIN_ARCHITECTURES}")
# REDTUNE_DB names no file, so that only the shipped winners count, not those of whoever builds.
add_custom_target(redtune_cubins
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${shipped_data}/cubins
  COMMAND ${CMAKE_COMMAND} -E env --unset=REDTUNE_TEMPLATE_PATH REDTUNE_DB=${CMAKE_CURRENT_BINARY_DIR}/none.db
          REDTUNE_SYSTEM_DATA=${shipped_data}
          $<TARGET_FILE:redtune_cli> warm --arch ${cubin_architectures} --folder ${shipped_data}/cubins
  COMMENT "Compiling the kernels of the shipped winners for ${cubin_architectures}"
  USES_TERMINAL VERBATIM)
add_dependencies(redtune_cubins redtune_cli)
