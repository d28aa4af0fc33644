# fabric_streams_tests: the stream side of the fabric, cell by cell.
tessera_units(fabric_streams_units "${PROJECT_SOURCE_DIR}/tests/fabric_streams")

file(GLOB fabric_streams_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fabric_streams/*_test.cpp")
add_executable(fabric_streams_tests ${fabric_streams_sources})
target_link_libraries(fabric_streams_tests
  PRIVATE tessera_options tessera_harness fabric_streams_units GTest::gtest_main)
gtest_discover_tests(fabric_streams_tests DISCOVERY_TIMEOUT 60)
