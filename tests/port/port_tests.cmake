# port_tests: ports between engines and the bus, each in several shapes in one model.
tessera_units(port_units "${PROJECT_SOURCE_DIR}/tests/port")

file(GLOB port_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/port/*.cpp")
add_executable(port_tests ${port_test_sources})
target_link_libraries(port_tests PRIVATE tessera_options tessera_model port_units GTest::gtest_main)
gtest_discover_tests(port_tests DISCOVERY_TIMEOUT 60)
