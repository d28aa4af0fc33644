# show_tests: what `tessera show` says, against enumeration, tables worked out by hand and the RTL.
file(GLOB show_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/show/*_test.cpp")
add_executable(show_tests ${show_test_sources})
target_link_libraries(show_tests PRIVATE tessera_options tessera_show engine_cases GTest::gtest_main)
gtest_discover_tests(show_tests DISCOVERY_TIMEOUT 60)
