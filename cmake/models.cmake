# The models of this repository: a top and the file that lists its configurations.
set(folder "${CMAKE_CURRENT_LIST_DIR}")

set(TESSERA_CONFIGS "" CACHE STRING "Configurations to build, of cmake/configs.json; empty: all")
tessera_models(tessera_models tsr_engine_pair
  JSON "${folder}/configs.json" BINDING "${folder}/engine_pair.cpp.in" PREFIX Vtsr_ ONLY ${TESSERA_CONFIGS}
  CONFIG Config INTERFACE Dut HEADER tb/sim/dut.h LIST Configs MAKE MakeDut NOUN configuration)
set(simulated ${tessera_models_names})

set(TESSERA_DMAS "" CACHE STRING "Builds of tessera_dma, of cmake/dmas.json; empty: all; none: none")
tessera_models(tessera_dmas tessera_dma
  JSON "${folder}/dmas.json" BINDING "${folder}/tessera_dma.cpp.in" PREFIX Vtsr_dma_ ONLY ${TESSERA_DMAS}
  CONFIG DmaConfig INTERFACE Dma HEADER tb/dma/dma.h LIST Dmas MAKE MakeDma NOUN "build of tessera_dma"
  PARAMETERS DmaParameters ARGUMENTS "${folder}/probe.vlt")
target_link_libraries(tessera_dmas INTERFACE tessera_harness)  # not before verilating
