# redtune_embed(OUT FILE): writes a C++ file that holds templates/, kernels_src/, db/schema/, tuner/emit/text/ and
# tuner/report/page/ as strings (see tuner/core/embedded_files.h) and remakes it when one of them changes.
function(redtune_embed out file)
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
       templates/*.cuh kernels_src/*.cuh db/schema/*.sql tuner/emit/text/*.in
       tuner/report/page/*)
  list(SORT inputs)
  string(REPLACE ";" "," joined "${inputs}")
  add_custom_command(
    OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -DOUT=${file} -DROOT=${CMAKE_CURRENT_SOURCE_DIR} -DINPUTS=${joined}
            -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/WriteEmbedded.cmake
    DEPENDS ${inputs} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/WriteEmbedded.cmake
    VERBATIM)
  set(${out} ${file} PARENT_SCOPE)
endfunction()
