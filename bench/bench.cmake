# tessera_bench_parts: the performance bench: its rows, what they cost at least, measuring, reports.
file(GLOB tessera_bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
add_library(tessera_bench_parts STATIC ${tessera_bench_sources})
target_link_libraries(tessera_bench_parts
  PRIVATE tessera_options
  PUBLIC tessera_model tessera_dma_bench tessera_dmas tessera_harness tessera_models nlohmann_json::nlohmann_json)
