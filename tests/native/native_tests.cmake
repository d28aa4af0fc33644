# native_tests: the registers of tessera_dma, on AXI4-Lite.
tessera_units(native_units "${PROJECT_SOURCE_DIR}/tests/native")

file(GLOB native_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/native/*.cpp")
add_executable(native_tests ${native_sources})
target_link_libraries(native_tests
  PRIVATE tessera_options tessera_harness native_units GTest::gtest_main)
gtest_discover_tests(native_tests DISCOVERY_TIMEOUT 60)
