# tessera_bench_mover4d: the rows of tessera_mover4d.
add_library(tessera_bench_mover4d STATIC "${PROJECT_SOURCE_DIR}/bench/mover4d/movers.cpp")
target_link_libraries(tessera_bench_mover4d PRIVATE tessera_options PUBLIC tessera_bench_parts tessera_mover_bench tessera_movers)
tessera_entry(suites "{AllMoverRows, MeasureMover}" HEADER bench/mover4d/movers.h LIBRARY tessera_bench_mover4d)
