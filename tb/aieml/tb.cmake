# tessera_aieml_bench: a tessera_aieml, programmed by its registers.
file(GLOB tessera_aieml_bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/aieml/*.cpp")
add_library(tessera_aieml_bench STATIC ${tessera_aieml_bench_sources})
target_link_libraries(tessera_aieml_bench PUBLIC tessera_options tessera_harness)
