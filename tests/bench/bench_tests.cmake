# bench_tests: the arithmetic of the performance bench. bench_quick: a subset of its rows against the baseline.
file(GLOB bench_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/bench/*_test.cpp")
add_executable(bench_tests ${bench_test_sources})
target_link_libraries(bench_tests PRIVATE tessera_options tessera_bench_command GTest::gtest_main)
target_compile_definitions(bench_tests PRIVATE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(bench_tests DISCOVERY_TIMEOUT 60)

add_test(NAME bench_quick COMMAND tessera bench --quick --check WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(bench_quick PROPERTIES TIMEOUT 600)
