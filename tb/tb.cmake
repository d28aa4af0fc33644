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

# tessera_model: the reference model, of a transfer and of a programmed device, and what compares with it.
file(GLOB tessera_model_sources CONFIGURE_DEPENDS
  "${tb}/model/*.cpp" "${tb}/device/*.cpp" "${tb}/check/*.cpp")
add_library(tessera_model STATIC ${tessera_model_sources})
target_link_libraries(tessera_model PRIVATE tessera_options PUBLIC tessera_harness fmt::fmt)

# tessera_random: random cases, their shrinking, their coverage.
file(GLOB tessera_random_sources CONFIGURE_DEPENDS "${tb}/random/*.cpp" "${tb}/cover/*.cpp")
add_library(tessera_random STATIC ${tessera_random_sources})
target_link_libraries(tessera_random
  PRIVATE tessera_options
  PUBLIC tessera_model nlohmann_json::nlohmann_json)

# tessera_soak: random cases on the RTL, compared with the reference model, shrunk when they fail.
file(GLOB tessera_soak_sources CONFIGURE_DEPENDS "${tb}/soak/*.cpp")
add_library(tessera_soak STATIC ${tessera_soak_sources})
target_link_libraries(tessera_soak
  PRIVATE tessera_options
  PUBLIC tessera_random tessera_harness tessera_models)

# tessera_dma_bench: a tessera_dma, programmed by its registers.
set(tessera_dma_bench_sources "")
foreach(part IN ITEMS cut_locks dma_bench native software who_waits woven_compare woven_model)
  list(APPEND tessera_dma_bench_sources "${tb}/dma/${part}.cpp")
endforeach()
add_library(tessera_dma_bench STATIC ${tessera_dma_bench_sources})
target_link_libraries(tessera_dma_bench PUBLIC tessera_options tessera_harness tessera_model)

# tessera_dma_random: random programs on it.
file(GLOB tessera_dma_random_sources CONFIGURE_DEPENDS "${tb}/dma/*.cpp")
list(REMOVE_ITEM tessera_dma_random_sources ${tessera_dma_bench_sources})
add_library(tessera_dma_random STATIC ${tessera_dma_random_sources})
target_link_libraries(tessera_dma_random PUBLIC tessera_dma_bench tessera_random)
