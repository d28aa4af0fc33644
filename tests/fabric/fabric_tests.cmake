# fabric_tests: many channels on shared ports (tsr_channels), every configuration of fabrics.json that
# is built, with more than 2,000 random runs of whole fabrics.
# fabric_random: more such runs, with shrinking; see --help.
file(GLOB fabric_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fabric/*_test.cpp")
add_executable(fabric_tests ${fabric_test_sources} "${PROJECT_SOURCE_DIR}/tests/fabric/fixture.cpp")
target_link_libraries(fabric_tests PRIVATE tessera_options tessera_system GTest::gtest_main)
gtest_discover_tests(fabric_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)

add_executable(fabric_random "${PROJECT_SOURCE_DIR}/tests/fabric/fabric_random.cpp")
target_link_libraries(fabric_random PRIVATE tessera_options tessera_system CLI11::CLI11)
