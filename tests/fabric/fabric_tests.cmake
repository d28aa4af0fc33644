# fabric_tests: many channels on shared ports (tsr_channels), every configuration of fabrics.json.
include(TesseraFabrics)
file(GLOB fabric_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fabric/*_test.cpp")
add_executable(fabric_tests ${fabric_test_sources} "${PROJECT_SOURCE_DIR}/tests/fabric/fixture.cpp")
target_link_libraries(fabric_tests
  PRIVATE tessera_options tessera_model tessera_harness tessera_fabrics GTest::gtest_main)
gtest_discover_tests(fabric_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
