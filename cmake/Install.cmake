# Installs the library with its headers, the program, the shipped data, and a package that find_package(redtune) finds.
include(CMakePackageConfigHelpers)

install(TARGETS redtune EXPORT redtuneTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(REDTUNE_CLI)
  install(TARGETS redtune_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY tuner/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/include/redtune/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/redtune)
install(DIRECTORY ${shipped_data}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/redtune)
install(EXPORT redtuneTargets NAMESPACE redtune:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/redtune)
configure_package_config_file(cmake/redtuneConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/redtuneConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/redtune)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/redtuneConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/redtuneConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/redtuneConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/redtune)
