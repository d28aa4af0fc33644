# cli_tests: job files and the program `tessera`, as a user meets them.
file(GLOB cli_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cli/*_test.cpp")
add_executable(cli_tests ${cli_test_sources})
target_link_libraries(cli_tests
  PRIVATE tessera_options tessera_job tessera_models GTest::gtest_main)
target_compile_definitions(cli_tests PRIVATE
  TESSERA_PROGRAM="$<TARGET_FILE:tessera>" TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
add_dependencies(cli_tests tessera)
gtest_discover_tests(cli_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
