# The target `docs`, if doxygen is installed: writes the reference of the public headers to docs/html of the build folder.
# Whatever is public must be documented: doxygen's warnings fail the target.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
  set(DOXYGEN_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/docs)
  set(DOXYGEN_STRIP_FROM_INC_PATH ${CMAKE_CURRENT_SOURCE_DIR}/tuner/include ${CMAKE_CURRENT_BINARY_DIR}/include)
  set(DOXYGEN_USE_MDFILE_AS_MAINPAGE ${CMAKE_CURRENT_SOURCE_DIR}/docs/library.md)
  set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
  set(DOXYGEN_MACRO_EXPANSION YES)
  set(DOXYGEN_EXPAND_ONLY_PREDEF YES)
  set(DOXYGEN_PREDEFINED REDTUNE_EXPORT= __GNUC__)
  set(DOXYGEN_WARN_NO_PARAMDOC NO)
  set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
  set(DOXYGEN_QUIET YES)
  doxygen_add_docs(docs tuner/include ${CMAKE_CURRENT_BINARY_DIR}/include/redtune docs/library.md
                   COMMENT "Writing the reference of the public headers")
endif()
