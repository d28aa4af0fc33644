# The harness, for a bench of any of the tops. tb/README.md says what lives in which folder.
set(tb "${PROJECT_SOURCE_DIR}/tb")

# tessera_files: every file that is made, waveforms included.
file(GLOB tessera_files_sources CONFIGURE_DEPENDS "${tb}/files/*.cpp")
add_library(tessera_files STATIC ${tessera_files_sources})
target_link_libraries(tessera_files PRIVATE tessera_options)
set_target_properties(tessera_files PROPERTIES POSITION_INDEPENDENT_CODE ON)

# tessera_harness: everything that surrounds a model: bus models, monitors, benches.
file(GLOB tessera_harness_sources CONFIGURE_DEPENDS
  "${tb}/bus/*.cpp" "${tb}/monitor/*.cpp" "${tb}/run/*.cpp")
add_library(tessera_harness STATIC ${tessera_harness_sources})
target_link_libraries(tessera_harness PRIVATE tessera_options PUBLIC tessera_files fmt::fmt)

# tessera_model: the reference model and what is built on it: scoreboard, random cases, shrinker.
file(GLOB tessera_model_sources CONFIGURE_DEPENDS
  "${tb}/model/*.cpp" "${tb}/device/*.cpp" "${tb}/check/*.cpp" "${tb}/random/*.cpp" "${tb}/cover/*.cpp")
add_library(tessera_model STATIC ${tessera_model_sources})
target_link_libraries(tessera_model
  PRIVATE tessera_options
  PUBLIC tessera_harness fmt::fmt nlohmann_json::nlohmann_json)

# tessera_soak: random cases on the RTL, compared with the reference model, shrunk when they fail.
file(GLOB tessera_soak_sources CONFIGURE_DEPENDS "${tb}/soak/*.cpp")
add_library(tessera_soak STATIC ${tessera_soak_sources})
target_link_libraries(tessera_soak
  PRIVATE tessera_options
  PUBLIC tessera_model tessera_harness tessera_models)

# tessera_dma_bench: a tessera_dma, programmed by its registers.
file(GLOB tessera_dma_bench_sources CONFIGURE_DEPENDS "${tb}/dma/*.cpp")
add_library(tessera_dma_bench STATIC ${tessera_dma_bench_sources})
target_link_libraries(tessera_dma_bench PUBLIC tessera_options tessera_harness tessera_model)
