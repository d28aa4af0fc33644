# bus_tests: the harness itself (bus models, monitors, bench), without any RTL.
file(GLOB bus_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/bus/*_test.cpp")
add_executable(bus_tests ${bus_test_sources})
target_link_libraries(bus_tests PRIVATE tessera_options tessera_harness GTest::gtest_main)
gtest_discover_tests(bus_tests DISCOVERY_TIMEOUT 60)
