# Finds every third-party library. Header-only forms are used where a distribution ships no
# static library, so that the portable build needs nothing but the C library.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
if(REDTUNE_CLI)
  find_package(CLI11 REQUIRED)
endif()
find_package(tomlplusplus REQUIRED)

add_library(redtune_headers INTERFACE)
# tuner/core/fmt_library.cpp compiles fmt once; it depends on the internals of fmt 9.1.
if(NOT fmt_VERSION MATCHES "^9\\.1\\.")
  target_compile_definitions(redtune_headers INTERFACE FMT_HEADER_ONLY=1)
endif()
target_include_directories(redtune_headers SYSTEM INTERFACE
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>
  $<TARGET_PROPERTY:nlohmann_json::nlohmann_json,INTERFACE_INCLUDE_DIRECTORIES>
  $<$<BOOL:${REDTUNE_CLI}>:$<TARGET_PROPERTY:CLI11::CLI11,INTERFACE_INCLUDE_DIRECTORIES>>)
target_compile_definitions(redtune_headers INTERFACE TOML_HEADER_ONLY=1)

if(REDTUNE_PORTABLE)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
find_library(REDTUNE_SQLITE_LIBRARY sqlite3 REQUIRED)
find_library(REDTUNE_XXHASH_LIBRARY xxhash REQUIRED)
find_path(REDTUNE_SQLITE_INCLUDE sqlite3.h REQUIRED)
find_path(REDTUNE_XXHASH_INCLUDE xxhash.h REQUIRED)
set(REDTUNE_LINK_LIBRARIES ${REDTUNE_SQLITE_LIBRARY} ${REDTUNE_XXHASH_LIBRARY} m)
# The libraries that a user of the installed static library links; the linker of a C program does not add C++'s by itself.
# The portable library contains SQLite and xxHash.
set(REDTUNE_INSTALLED_LINK_LIBRARIES stdc++ m)
if(NOT REDTUNE_PORTABLE)
  list(PREPEND REDTUNE_INSTALLED_LINK_LIBRARIES sqlite3 xxhash)
endif()

# The build needs only CUDA's headers, because libcuda, NVRTC and NVML are opened at run time. NVIDIA's Python wheels
# have the headers in nvidia/cu13/include; give that folder as REDTUNE_CUDA_INCLUDE.
set(REDTUNE_CUDA_INCLUDE "" CACHE PATH "Folder with cuda.h, nvrtc.h and nvml.h")
# A build of the Python package requires NVIDIA's wheels, which are in one of several folders of the build's Python.
if(SKBUILD)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c "import nvidia; print(';'.join(path + '/cu13/include' for path in nvidia.__path__))"
    OUTPUT_VARIABLE wheel_hints OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(cuda_hints ${REDTUNE_CUDA_INCLUDE} $ENV{CUDA_HOME}/include $ENV{CUDA_PATH}/include /usr/local/cuda/include
    /usr/local/cuda/targets/x86_64-linux/include ${wheel_hints})
foreach(header cuda nvrtc nvml)
  find_path(REDTUNE_${header}_INCLUDE ${header}.h HINTS ${cuda_hints})
  if(NOT REDTUNE_${header}_INCLUDE)
    message(FATAL_ERROR "${header}.h was not found. Install the CUDA toolkit, or run scripts/redtune, which takes "
                        "the headers from NVIDIA's Python wheels, or give their folder: -DREDTUNE_CUDA_INCLUDE=DIR")
  endif()
  list(APPEND REDTUNE_CUDA_INCLUDE_DIRS ${REDTUNE_${header}_INCLUDE})
endforeach()
list(REMOVE_DUPLICATES REDTUNE_CUDA_INCLUDE_DIRS)
target_include_directories(redtune_headers SYSTEM INTERFACE ${REDTUNE_CUDA_INCLUDE_DIRS})
