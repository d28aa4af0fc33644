# cli_tests: job files and the program `tessera`, as a user meets them.
# soak_tests: tessera soak with RTL that is broken on purpose; it is a program of that name itself.
# library_tests: the simulation library from outside.
file(GLOB cli_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cli/*_test.cpp")
list(REMOVE_ITEM cli_test_sources "${PROJECT_SOURCE_DIR}/tests/cli/library_test.cpp"
                                  "${PROJECT_SOURCE_DIR}/tests/cli/soak_test.cpp")
add_executable(cli_tests ${cli_test_sources})
target_link_libraries(cli_tests
  PRIVATE tessera_options tessera_job tessera_models tessera_dmas PNG::PNG GTest::gtest_main)
target_compile_definitions(cli_tests PRIVATE
  TESSERA_PROGRAM="$<TARGET_FILE:tessera>" TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# Lets a file operation of the program fail.
enable_language(C)
add_library(cli_fault MODULE "${PROJECT_SOURCE_DIR}/tests/cli/fault.c")
target_link_libraries(cli_fault PRIVATE ${CMAKE_DL_LIBS})
target_compile_definitions(cli_tests PRIVATE TESSERA_FAULT_LIBRARY="$<TARGET_FILE:cli_fault>"
  $<$<BOOL:${TESSERA_SANITIZE}>:TESSERA_SANITIZED>)
add_dependencies(cli_tests tessera cli_fault)
gtest_discover_tests(cli_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)

add_executable(soak_tests "${PROJECT_SOURCE_DIR}/tests/cli/soak_test.cpp")
target_link_libraries(soak_tests PRIVATE tessera_options tessera_program tessera_soak GTest::gtest)
target_include_directories(soak_tests PRIVATE "${PROJECT_BINARY_DIR}/models/tessera_models")
list(GET simulated 0 soak_model)
if(typical IN_LIST simulated)  # a loopback has no stream whose damage shows
  set(soak_model typical)
endif()
target_compile_definitions(soak_tests PRIVATE TESSERA_MODEL=Model_Vtsr_${soak_model}
  TESSERA_PROGRAM="$<TARGET_FILE:soak_tests>" TESSERA_FAULT_LIBRARY="$<TARGET_FILE:cli_fault>"
  $<$<BOOL:${TESSERA_SANITIZE}>:TESSERA_SANITIZED>)
add_dependencies(soak_tests cli_fault)
gtest_discover_tests(soak_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)

add_executable(library_tests "${PROJECT_SOURCE_DIR}/tests/cli/library_test.cpp")
target_link_libraries(library_tests PRIVATE tessera_options tessera_sim GTest::gtest_main)
gtest_discover_tests(library_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)

# The library as users install it, and the examples on it.
list(JOIN simulated " " simulated_words)
add_test(NAME cli_library
  COMMAND "${PROJECT_SOURCE_DIR}/tests/cli/library_test.sh" "${PROJECT_SOURCE_DIR}"
          "${PROJECT_BINARY_DIR}" "${CMAKE_CXX_COMPILER}" gcc "${simulated_words}")
set_tests_properties(cli_library PROPERTIES TIMEOUT 600)

# The schema of job files agrees with the parser: two minutes, so by night.
if(TESSERA_NIGHT)
  add_test(NAME cli_schema
    COMMAND "${PROJECT_SOURCE_DIR}/tests/cli/schema_test.py" run "$<TARGET_FILE:tessera>" "${PROJECT_SOURCE_DIR}")
  set_tests_properties(cli_schema PROPERTIES TIMEOUT 300)
endif()

# A short run of the fuzzer of job files; tests/cli/fuzz/run 1000000 is the long one.
find_program(TESSERA_FUZZ_CLANG clang++-14)
if(TESSERA_FUZZ_CLANG)
  add_test(NAME cli_fuzz
    COMMAND "${PROJECT_SOURCE_DIR}/tests/cli/fuzz/run" 20000 "${PROJECT_BINARY_DIR}/fuzz")
  set_tests_properties(cli_fuzz PROPERTIES TIMEOUT 900)
endif()
