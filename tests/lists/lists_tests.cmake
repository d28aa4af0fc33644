# lists_tests: descriptor lists in memory, fetch and completion entries.
tessera_units(lists_units "${PROJECT_SOURCE_DIR}/tests/lists")

file(GLOB lists_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/lists/*.cpp")
add_executable(lists_tests ${lists_sources})
target_link_libraries(lists_tests PRIVATE tessera_options fmt::fmt lists_units GTest::gtest_main)
gtest_discover_tests(lists_tests DISCOVERY_TIMEOUT 60)
