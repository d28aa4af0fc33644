# tessera_bench: the performance bench. bench_tests: its arithmetic.
include(TesseraFabrics)
file(GLOB tessera_bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
list(REMOVE_ITEM tessera_bench_sources "${PROJECT_SOURCE_DIR}/bench/main.cpp")
add_library(tessera_bench_parts STATIC ${tessera_bench_sources})
target_link_libraries(tessera_bench_parts
  PRIVATE tessera_options
  PUBLIC tessera_model tessera_harness tessera_models tessera_fabrics nlohmann_json::nlohmann_json CLI11::CLI11)
target_compile_definitions(tessera_bench_parts PRIVATE TESSERA_BENCH_DIR="${PROJECT_SOURCE_DIR}/bench")

add_executable(tessera_bench "${PROJECT_SOURCE_DIR}/bench/main.cpp")
target_link_libraries(tessera_bench PRIVATE tessera_options tessera_bench_parts)

if(TESSERA_TESTS)
  add_test(NAME tessera_bench COMMAND tessera_bench --quick --check)
  set_tests_properties(tessera_bench PROPERTIES TIMEOUT 600)

  file(GLOB bench_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/test/*_test.cpp")
  add_executable(bench_tests ${bench_test_sources})
  target_link_libraries(bench_tests PRIVATE tessera_options tessera_bench_parts GTest::gtest_main)
  gtest_discover_tests(bench_tests DISCOVERY_TIMEOUT 60)
endif()
