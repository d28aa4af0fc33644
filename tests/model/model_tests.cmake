# model_tests: everything about the reference model that needs no RTL.
file(GLOB model_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/model/*_test.cpp")
add_executable(model_tests ${model_test_sources})
target_link_libraries(model_tests PRIVATE tessera_options tessera_random GTest::gtest_main)
gtest_discover_tests(model_tests DISCOVERY_TIMEOUT 60)
