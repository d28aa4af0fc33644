# The reusable harness (tb/sim, tb/bus, tb/monitor, tb/run) as one static library.
# Include from the top CMakeLists.txt after find_package(fmt).
add_library(tessera_harness STATIC
  ${CMAKE_CURRENT_LIST_DIR}/bus/axi_errors.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bus/axi_memory.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bus/axi_servers.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bus/axis.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bus/memory.cpp
  ${CMAKE_CURRENT_LIST_DIR}/bus/pacer.cpp
  ${CMAKE_CURRENT_LIST_DIR}/monitor/axi_monitor.cpp
  ${CMAKE_CURRENT_LIST_DIR}/monitor/axis_monitor.cpp
  ${CMAKE_CURRENT_LIST_DIR}/monitor/engine_monitor.cpp
  ${CMAKE_CURRENT_LIST_DIR}/run/bench.cpp
  ${CMAKE_CURRENT_LIST_DIR}/run/bench_dump.cpp
  ${CMAKE_CURRENT_LIST_DIR}/run/job_feeder.cpp
  ${CMAKE_CURRENT_LIST_DIR}/run/wave.cpp)
target_compile_features(tessera_harness PUBLIC cxx_std_20)
target_include_directories(tessera_harness PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
target_link_libraries(tessera_harness PUBLIC fmt::fmt)
