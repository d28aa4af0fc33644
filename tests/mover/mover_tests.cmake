# mover_tests: tessera_mover4d, started by host code, every build of movers.json.
tessera_units(mover_units "${PROJECT_SOURCE_DIR}/tests/mover")

file(GLOB mover_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/mover/*_test.cpp")
add_executable(mover_tests ${mover_test_sources})
target_link_libraries(mover_tests
  PRIVATE tessera_options tessera_mover_bench tessera_movers mover_units GTest::gtest_main)
gtest_discover_tests(mover_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
