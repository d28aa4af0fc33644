# tessera_mover_bench: a tessera_mover4d, started by host code.
file(GLOB tessera_mover_bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/mover4d/*.cpp")
add_library(tessera_mover_bench STATIC ${tessera_mover_bench_sources})
target_link_libraries(tessera_mover_bench PUBLIC tessera_options tessera_harness tessera_model)
