# channel_units_tests: the units of a programmed channel, each in several shapes in one model.
tessera_units(channel_unit_models "${PROJECT_SOURCE_DIR}/tests/channel_units")

file(GLOB channel_units_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/channel_units/*_test.cpp")
add_executable(channel_units_tests ${channel_units_sources})
target_link_libraries(channel_units_tests
  PRIVATE tessera_options tessera_harness channel_unit_models GTest::gtest_main)
gtest_discover_tests(channel_units_tests DISCOVERY_TIMEOUT 60)
