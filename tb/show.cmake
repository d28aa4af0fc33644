# tessera_show: explains a transfer without running RTL: numbers, text, JSON, picture, page.
file(GLOB tessera_show_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/show/*.cpp")
add_library(tessera_show STATIC ${tessera_show_sources})
target_link_libraries(tessera_show
  PRIVATE tessera_options
  PUBLIC tessera_model fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
