# aieml_tests: transaction binaries, runtime sequences, the simulated array; no RTL.
file(GLOB aieml_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/aieml/*_test.cpp")
add_executable(aieml_tests ${aieml_test_sources})
target_link_libraries(aieml_tests PRIVATE tessera_options fmt::fmt GTest::gtest_main)
target_compile_definitions(aieml_tests PRIVATE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(aieml_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
