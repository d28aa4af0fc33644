# tessera_model: the reference model and what is built on it: scoreboard, random cases, shrinker.
file(GLOB tessera_model_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tb/model/*.cpp"
  "${PROJECT_SOURCE_DIR}/tb/check/*.cpp"
  "${PROJECT_SOURCE_DIR}/tb/random/*.cpp"
  "${PROJECT_SOURCE_DIR}/tb/cover/*.cpp")
add_library(tessera_model STATIC ${tessera_model_sources})
target_link_libraries(tessera_model
  PRIVATE tessera_options
  PUBLIC tessera_harness fmt::fmt nlohmann_json::nlohmann_json)
