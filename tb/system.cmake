# tessera_system: random runs of whole fabrics (tsr_channels), compared with the reference model.
include_guard(GLOBAL)
include(TesseraFabrics)
file(GLOB tessera_system_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/system/*.cpp")
add_library(tessera_system STATIC ${tessera_system_sources})
target_link_libraries(tessera_system
  PRIVATE tessera_options
  PUBLIC tessera_soak tessera_model tessera_harness tessera_fabrics)
