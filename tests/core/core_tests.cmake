# core_tests: readers and writers of the core, each in several shapes in one model.
tessera_units(core_units "${PROJECT_SOURCE_DIR}/tests/core")

file(GLOB core_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/core/*.cpp")
add_executable(core_tests ${core_test_sources})
target_link_libraries(core_tests PRIVATE tessera_options tessera_random core_units GTest::gtest_main)
gtest_discover_tests(core_tests DISCOVERY_TIMEOUT 60)
