# tessera_limit: what a transfer costs, and what at least.
set(tessera_limit_sources limit.cpp nest.cpp bursts.cpp count.cpp)
list(TRANSFORM tessera_limit_sources PREPEND "${PROJECT_SOURCE_DIR}/bench/")
add_library(tessera_limit STATIC ${tessera_limit_sources})
target_link_libraries(tessera_limit PRIVATE tessera_options PUBLIC tessera_model)

# tessera_bench_parts: the performance bench: its rows, measuring, reports.
file(GLOB tessera_bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
list(REMOVE_ITEM tessera_bench_sources ${tessera_limit_sources})
add_library(tessera_bench_parts STATIC ${tessera_bench_sources})
target_link_libraries(tessera_bench_parts
  PRIVATE tessera_options
  PUBLIC tessera_limit tessera_dma_bench tessera_dmas tessera_harness tessera_models nlohmann_json::nlohmann_json)
