# aieml_tests: transaction binaries, runtime sequences, the simulated array and its server; no RTL.
# aieml_fuzz: the fuzzers, as long as one likes.
file(GLOB aieml_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/aieml/*_test.cpp")
add_executable(aieml_tests ${aieml_test_sources} "${PROJECT_SOURCE_DIR}/tests/aieml/facts.cpp" "${PROJECT_SOURCE_DIR}/tests/aieml/fuzz.cpp")
target_link_libraries(aieml_tests PRIVATE tessera_options tessera_npu GTest::gtest_main)
target_compile_definitions(aieml_tests PRIVATE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(aieml_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
add_executable(aieml_fuzz "${PROJECT_SOURCE_DIR}/tests/aieml/fuzz_main.cpp" "${PROJECT_SOURCE_DIR}/tests/aieml/fuzz.cpp")
target_link_libraries(aieml_fuzz PRIVATE tessera_options tessera_npu)

# Its commands, among the tests of the others.
target_sources(cli_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests/aieml/cli/cli_test.cpp")

# Clients of the server, on the array and on the RTL.
set(served_dma "")
if("${TESSERA_DMAS}" STREQUAL "" OR "basic" IN_LIST TESSERA_DMAS)
  set(served_dma basic)
endif()
add_test(NAME aieml_serve
  COMMAND "${PROJECT_SOURCE_DIR}/tests/aieml/cli/serve_test.py" "$<TARGET_FILE:tessera>" "${PROJECT_SOURCE_DIR}" gcc ${served_dma})
set_tests_properties(aieml_serve PROPERTIES TIMEOUT 300)

include(tests/aieml/rtl/rtl.cmake)
