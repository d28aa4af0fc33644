# tessera_harness: everything that surrounds a model: bus models, monitors, the engine bench.
file(GLOB tessera_harness_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tb/bus/*.cpp"
  "${PROJECT_SOURCE_DIR}/tb/monitor/*.cpp"
  "${PROJECT_SOURCE_DIR}/tb/run/*.cpp")
add_library(tessera_harness STATIC ${tessera_harness_sources})
target_link_libraries(tessera_harness PRIVATE tessera_options PUBLIC fmt::fmt)
