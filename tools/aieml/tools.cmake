# Transaction binaries, runtime sequences, the simulated array and its server.

# tessera_npu: all of it that needs no tessera_dma.
set(tessera_npu_sources "")
foreach(folder IN ITEMS rtl array txn seq serve)
  file(GLOB folder_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/aieml/${folder}/*.cpp")
  list(APPEND tessera_npu_sources ${folder_sources})
endforeach()
add_library(tessera_npu STATIC ${tessera_npu_sources})
target_link_libraries(tessera_npu
  PRIVATE tessera_options
  PUBLIC tessera_aieml tessera_aiemls tessera_harness tessera_terminal tessera_files fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
tessera_entry(commands txn::RegisterTxn HEADER tools/aieml/txn/txn_command.h LIBRARY tessera_npu)
tessera_entry(commands seq::RegisterSeq HEADER tools/aieml/seq/seq_command.h LIBRARY tessera_npu)

# tessera_serve: the server, also of a tessera_dma.
file(GLOB tessera_serve_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/aieml/serve/command/*.cpp")
add_library(tessera_serve STATIC ${tessera_serve_sources})
target_link_libraries(tessera_serve PRIVATE tessera_options PUBLIC tessera_npu tessera_run)
tessera_entry(commands serve::RegisterServe HEADER tools/aieml/serve/command/serve_command.h LIBRARY tessera_serve)
