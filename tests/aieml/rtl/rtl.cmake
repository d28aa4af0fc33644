# aieml_rtl_tests: tessera_aieml beside the behavioural model of the same tile.
# aieml_random: random programs on both, one seed after the other; with --arrays random sequences on arrays of both.
file(GLOB aieml_rtl_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/aieml/rtl/*_test.cpp")
set(aieml_pair_sources pair random_program random_array)
list(TRANSFORM aieml_pair_sources PREPEND "${PROJECT_SOURCE_DIR}/tests/aieml/rtl/")
list(TRANSFORM aieml_pair_sources APPEND ".cpp")
add_library(aieml_pair STATIC ${aieml_pair_sources})
target_link_libraries(aieml_pair PUBLIC tessera_options tessera_npu tessera_aieml_bench tessera_random fmt::fmt)
# The decoders alone.
tessera_units(aieml_units "${PROJECT_SOURCE_DIR}/tests/aieml/rtl")
add_executable(aieml_rtl_tests ${aieml_rtl_sources} "${PROJECT_SOURCE_DIR}/tests/aieml/facts.cpp")
target_link_libraries(aieml_rtl_tests PRIVATE aieml_pair aieml_units GTest::gtest_main)
gtest_discover_tests(aieml_rtl_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
add_executable(aieml_random "${PROJECT_SOURCE_DIR}/tests/aieml/rtl/aieml_random.cpp")
target_link_libraries(aieml_random PRIVATE aieml_pair tessera_soak CLI11::CLI11)
