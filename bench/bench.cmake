# tessera_limit: what a transfer costs at least.
add_library(tessera_limit STATIC "${PROJECT_SOURCE_DIR}/bench/limit.cpp")
target_link_libraries(tessera_limit PRIVATE tessera_options PUBLIC tessera_model)

# tessera_bench_parts: the performance bench: its rows, measuring, reports.
file(GLOB tessera_bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
list(REMOVE_ITEM tessera_bench_sources "${PROJECT_SOURCE_DIR}/bench/limit.cpp")
add_library(tessera_bench_parts STATIC ${tessera_bench_sources})
target_link_libraries(tessera_bench_parts
  PRIVATE tessera_options
  PUBLIC tessera_limit tessera_dma_bench tessera_dmas tessera_harness tessera_models nlohmann_json::nlohmann_json)
