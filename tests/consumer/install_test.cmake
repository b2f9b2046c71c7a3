# Installs redtune to WORK/first, checks the files, and moves them to WORK/moved, where the other tests use them. Arguments:
# BUILD (redtune's build folder), SOURCE (redtune's sources), WORK (a folder that is deleted and created), CONFIG.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(prefix ${WORK}/first)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --config "${CONFIG}")

# The installed headers include nothing but each other and the standard library.
file(GLOB_RECURSE headers ${prefix}/include/*.h ${prefix}/include/*.hpp)
foreach(header IN LISTS headers)
  file(STRINGS ${header} foreign REGEX "#include.*(sqlite3|cuda|nvrtc|nvml|CLI|fmt|nlohmann|toml|tuner/)")
  if(foreign)
    message(FATAL_ERROR "${header} includes what is not installed with it: ${foreign}")
  endif()
endforeach()

# No text names a folder of this machine.
file(GLOB_RECURSE package ${prefix}/lib*/*.cmake ${prefix}/lib*/*.pc)
list(LENGTH package count)
if(count LESS 5)
  message(FATAL_ERROR "the files of the package are: ${package}")
endif()
foreach(file IN LISTS headers package)
  file(READ ${file} text)
  foreach(path ${BUILD} ${SOURCE} ${prefix} /usr/ /lib/)
    string(REGEX REPLACE "[][+.*()^$?|]" "\\\\\\0" path_regex "${path}")
    if(text MATCHES "(^|[^a-z}])${path_regex}")
      message(FATAL_ERROR "${file} contains the path ${path}")
    endif()
  endforeach()
endforeach()

# Both kinds of shipped files are installed: winners for look-ups and recordings for replays.
foreach(kind winners recording)
  file(GLOB installed ${prefix}/share/redtune/*.${kind}.db)
  if(NOT installed)
    message(FATAL_ERROR "${prefix}/share/redtune has no *.${kind}.db")
  endif()
endforeach()

# The manual page and the completions of shells are installed.
foreach(generated man/man1/redtune.1 bash-completion/completions/redtune zsh/site-functions/_redtune
        fish/vendor_completions.d/redtune.fish)
  file(READ ${prefix}/share/${generated} text)
  if(NOT text MATCHES "redtune query")
    message(FATAL_ERROR "${prefix}/share/${generated} does not have the command redtune query")
  endif()
endforeach()

# The installed program finds the shipped files from its own folder after the prefix was moved.
file(RENAME ${prefix} ${WORK}/moved)
expect(0 "${WORK}/moved/share/redtune/[^/]*winners.db.*${WORK}/moved/share/redtune/[^/]*recording.db"
       ${no_other_data} ${WORK}/moved/bin/redtune db path --format csv)

# So does it find the charts of its report, if the build has them.
if(EXISTS ${BUILD}/share/redtune/vega.js)
  expect(0 "KiB; open it in a browser" ${no_other_data}
         ${WORK}/moved/bin/redtune report --op dot --size 1Mi -o ${WORK}/report.html)
endif()
