# driver_tests: the driver on a mock of the registers, without RTL.
file(GLOB driver_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/driver/*_test.cpp")
# Of the harness it takes the meaning of a transfer and nothing else, so it builds in no time.
file(GLOB driver_model_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/model/*.cpp")
add_library(driver_mock STATIC ${driver_model_sources}
  "${PROJECT_SOURCE_DIR}/tests/driver/mock_device.cpp"
  "${PROJECT_SOURCE_DIR}/tests/driver/mock_channel.cpp")
target_link_libraries(driver_mock PRIVATE tessera_options PUBLIC fmt::fmt)
add_executable(driver_tests ${driver_test_sources})
target_link_libraries(driver_tests PRIVATE tessera_options driver_mock GTest::gtest_main)
gtest_discover_tests(driver_tests DISCOVERY_TIMEOUT 60)

# Constants that are wrong do not compile, and the message names the rule.
add_test(NAME driver_compile_errors
  COMMAND "${PROJECT_SOURCE_DIR}/tests/driver/compile_errors.py" "${CMAKE_CXX_COMPILER}")
set_tests_properties(driver_compile_errors PROPERTIES TIMEOUT 300)
