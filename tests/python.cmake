# The tests of the Python package (python/tests) and its examples, with the package of the build folder.
set(python_environment PYTHONPATH=${PROJECT_BINARY_DIR}/python PYTHONDONTWRITEBYTECODE=1
    REDTUNE_CACHE=${REDTUNE_TEST_KERNELS})

# redtune_python_test(NAME [ENVIRONMENT VARIABLE=VALUE...] [LABEL NAME] COMMAND ARGUMENT...)
function(redtune_python_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "ENVIRONMENT;COMMAND")
  add_test(NAME ${name} COMMAND ${REDTUNE_PYTHON_EXECUTABLE} ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${python_environment};${arg_ENVIRONMENT}")
  if(arg_LABEL)
    set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL})
  endif()
endfunction()

set(pytest -m pytest -q -p no:cacheprovider ${PROJECT_SOURCE_DIR}/python/tests)
redtune_python_test(python_tests COMMAND ${pytest} -m "not simulated and not gpu")
redtune_python_test(python_simulated_tests COMMAND ${pytest} -m simulated
                    ENVIRONMENT LD_LIBRARY_PATH=$<TARGET_FILE_DIR:simulated_driver>)
foreach(example look_up inspect_database)
  redtune_python_test(python_example_${example} COMMAND ${PROJECT_SOURCE_DIR}/examples/python/${example}.py)
  set_tests_properties(python_example_${example} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
if(EXISTS /dev/nvidiactl)
  redtune_python_test(python_gpu_tests LABEL gpu COMMAND ${pytest} -m gpu)
  foreach(example sum_torch cupy_streams softmax_rows)
    redtune_python_test(python_example_${example} LABEL gpu COMMAND ${PROJECT_SOURCE_DIR}/examples/python/${example}.py)
    set_tests_properties(python_example_${example} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()
