# channel_tests: the parts of a programmed channel, unit by unit.
tessera_units(channel_units "${PROJECT_SOURCE_DIR}/tests/channel")

file(GLOB channel_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/channel/*.cpp")
add_executable(channel_tests ${channel_test_sources})
target_link_libraries(channel_tests
  PRIVATE tessera_options tessera_model tessera_harness channel_units GTest::gtest_main)
gtest_discover_tests(channel_tests DISCOVERY_TIMEOUT 60)
