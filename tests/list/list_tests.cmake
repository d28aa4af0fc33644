# list_tests: lists of descriptors in memory for all channels of a port, in several shapes in one model.
tessera_units(list_units "${PROJECT_SOURCE_DIR}/tests/list")

file(GLOB list_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/list/*.cpp")
add_executable(list_tests ${list_test_sources})
target_link_libraries(list_tests PRIVATE tessera_options tessera_model fmt::fmt list_units
                                         GTest::gtest_main)
gtest_discover_tests(list_tests DISCOVERY_TIMEOUT 60)
