# Builds examples/query with what pkg-config says, and runs it. Arguments: PREFIX (where redtune is installed; it has
# redtune.pc in PC), EXAMPLE (examples/query), WORK (a folder that is deleted and created), CC, CXX, PKG_CONFIG.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(pkg_config ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${PC} ${PKG_CONFIG})

run(${pkg_config} --cflags --libs redtune)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${CXX} -std=c++20 ${EXAMPLE}/main.cpp ${flags} -o ${WORK}/shared)
run(${pkg_config} --variable=libdir redtune)
string(STRIP "${output}" libdir)
expect(0 "${shipped_match}" ${no_other_data} LD_LIBRARY_PATH=${libdir} ${WORK}/shared ${shipped_size})
expect(127 "libredtune\\.so\\.0" ${no_other_data} ${WORK}/shared ${shipped_size})

# A static link takes the archive, and of other libraries what --static lists. The driver of C links it, because the list
# names the C++ library too.
run(${pkg_config} --cflags redtune)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${CXX} -std=c++20 ${flags} -c ${EXAMPLE}/main.cpp -o ${WORK}/main.o)
run(${pkg_config} --static --libs redtune)
string(REPLACE "-lredtune" "-l:libredtune.a" output "${output}")
separate_arguments(flags UNIX_COMMAND "${output}")
run(${CC} ${WORK}/main.o ${flags} -o ${WORK}/static)
run(${pkg_config} --variable=datadir redtune)
string(STRIP "${output}" data)
expect(0 "${shipped_match}" ${no_other_data} REDTUNE_SYSTEM_DATA=${data} ${WORK}/static ${shipped_size})

# The prefix can be given, as packagers do.
run(${pkg_config} --define-variable=prefix=/other --cflags --libs redtune)
if(NOT output MATCHES "^-I/other/include -L/other/lib[^ ]* -lredtune")
  message(FATAL_ERROR "with another prefix pkg-config prints: ${output}")
endif()
