# Installs both libraries with the headers, the program, the shipped data, a package that find_package(redtune) finds, and
# redtune.pc for pkg-config. No installed text contains an absolute path, so the prefix may be moved.
include(CMakePackageConfigHelpers)

install(TARGETS redtune redtune_shared EXPORT redtuneTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(REDTUNE_CLI)
  install(TARGETS redtune_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The program writes its manual page and the completions of shells itself.
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/share/generated)
  file(MAKE_DIRECTORY ${generated})
  add_custom_command(TARGET redtune_cli POST_BUILD VERBATIM
    COMMAND sh -c "'$<TARGET_FILE:redtune_cli>' man >redtune.1 && '$<TARGET_FILE:redtune_cli>' completion bash >redtune && \
'$<TARGET_FILE:redtune_cli>' completion zsh >_redtune && '$<TARGET_FILE:redtune_cli>' completion fish >redtune.fish"
    WORKING_DIRECTORY ${generated})
  install(FILES ${generated}/redtune.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${generated}/redtune DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${generated}/_redtune DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${generated}/redtune.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY tuner/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/include/redtune/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/redtune)
install(DIRECTORY ${shipped_data}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/redtune PATTERN cubins EXCLUDE)
# The compiled kernels, if the target redtune_cubins was built.
# redtune takes none from a folder that others may write to, whatever the umask is.
install(DIRECTORY ${shipped_data}/cubins DESTINATION ${CMAKE_INSTALL_DATADIR}/redtune COMPONENT cubins OPTIONAL
        DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(FILES LICENSE cmake/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/redtune)
install(EXPORT redtuneTargets NAMESPACE redtune:: DESTINATION ${package})
set(installed_data ${CMAKE_INSTALL_DATADIR}/redtune)
configure_package_config_file(cmake/redtuneConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/redtuneConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS installed_data)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/redtuneConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/redtuneConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/redtuneConfigVersion.cmake
        DESTINATION ${package})

# pkg-config knows the folder of redtune.pc as ${pcfiledir}.
foreach(folder LIBDIR INCLUDEDIR DATADIR)
  file(RELATIVE_PATH pc_${folder} ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_${folder}})
endforeach()
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
set(pc_private ${REDTUNE_INSTALLED_LINK_LIBRARIES} ${CMAKE_DL_LIBS})
list(TRANSFORM pc_private PREPEND -l)
list(JOIN pc_private " " pc_private)
configure_file(cmake/redtune.pc.in ${CMAKE_CURRENT_BINARY_DIR}/redtune.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/redtune.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  # All that `cmake --install` installs. scripts/redtune builds it, so that the folder it made can be installed.
  add_custom_target(redtune_installed DEPENDS redtune redtune_shared $<TARGET_NAME_IF_EXISTS:redtune_cli>)
endif()
