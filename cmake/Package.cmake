# `cpack -G DEB` in the build folder makes a Debian package of everything that is installed. Make it from the portable build
# (preset release), whose libraries contain SQLite and xxHash. scripts/test-package installs it in a bare Debian.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME redtune)
set(CPACK_PACKAGE_CONTACT "redtune maintainers <maintainers@redtune.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "autotuner for GPU reductions, with its library")
set(CPACK_PACKAGE_DESCRIPTION "redtune finds the fastest configuration of a reduction (sum, minimum, argmax and others) for a GPU and keeps it in a
database. This package has the program, the static and the shared library with headers, and the results for an NVIDIA H200. Look-ups
need no GPU, driver or CUDA toolkit; tuning needs NVIDIA's driver and NVRTC.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)  # gzip does not find how alike the compiled kernels are
# dpkg-shlibdeps finds the packages of the libraries that the program and the shared library link.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
