# tessera_bench_aieml: the rows of tessera_aieml.
add_library(tessera_bench_aieml STATIC "${PROJECT_SOURCE_DIR}/bench/aieml/tiles.cpp")
target_link_libraries(tessera_bench_aieml PRIVATE tessera_options PUBLIC tessera_bench_parts tessera_aieml_bench tessera_aiemls)
tessera_entry(suites "{AllTileRows, MeasureTile}" HEADER bench/aieml/tiles.h LIBRARY tessera_bench_aieml)
