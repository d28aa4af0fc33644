# engine_tests: directed tests and sweeps of the engine pair on every configuration that is built.
# engine_random: random cases against the reference model, with shrinking; see --help.
file(GLOB engine_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/engine/*_test.cpp")
add_executable(engine_tests ${engine_test_sources})
target_link_libraries(engine_tests PRIVATE tessera_options tessera_soak GTest::gtest_main)
target_compile_definitions(engine_tests
  PRIVATE TESSERA_FOUND_CASES="${PROJECT_SOURCE_DIR}/tests/engine/found")
gtest_discover_tests(engine_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)

add_executable(engine_random "${PROJECT_SOURCE_DIR}/tests/engine/engine_random.cpp")
target_link_libraries(engine_random PRIVATE tessera_options tessera_soak CLI11::CLI11)
# 400 cases of each configuration: more than 30,000 transfers.
foreach(shard RANGE 3)
  add_test(NAME engine_random_${shard}
    COMMAND engine_random --cases 400 --shard ${shard}/4 --quiet --out "${PROJECT_BINARY_DIR}/failures")
  set_tests_properties(engine_random_${shard} PROPERTIES TIMEOUT 900)
endforeach()
