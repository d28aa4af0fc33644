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
# Tools look into models by the library of Verilator, which otherwise comes with one.
if(NOT tessera_models_names AND NOT tessera_dmas_names)
  target_sources(tessera_dmas PRIVATE "${VERILATOR_ROOT}/include/verilated.cpp" "${VERILATOR_ROOT}/include/verilated_threads.cpp")
  target_include_directories(tessera_dmas SYSTEM PUBLIC "${VERILATOR_ROOT}/include" "${VERILATOR_ROOT}/include/vltstd")
endif()
