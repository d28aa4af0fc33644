# tessera_soak: random cases on the RTL, compared with the reference model, shrunk when they fail.
file(GLOB tessera_soak_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/soak/*.cpp")
add_library(tessera_soak STATIC ${tessera_soak_sources})
target_link_libraries(tessera_soak
  PRIVATE tessera_options
  PUBLIC tessera_model tessera_harness tessera_models)
