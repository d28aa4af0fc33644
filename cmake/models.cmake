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

set(TESSERA_MOVERS "" CACHE STRING "Builds of tessera_mover4d, of cmake/movers.json; empty: all; none: none")
tessera_models(tessera_movers tessera_mover4d
  JSON "${folder}/movers.json" BINDING "${folder}/mover.cpp.in" PREFIX Vtsr_mover_ ONLY ${TESSERA_MOVERS}
  CONFIG MoverConfig INTERFACE Mover HEADER tb/mover/mover.h LIST Movers MAKE MakeMover NOUN "build of tessera_mover4d"
  PARAMETERS MoverParameters)
target_link_libraries(tessera_movers INTERFACE tessera_harness)  # not before verilating

set(TESSERA_AIEMLS "" CACHE STRING "Builds of tessera_aieml, of cmake/aiemls.json; empty: all; none: none")
tessera_models(tessera_aiemls tessera_aieml
  JSON "${folder}/aiemls.json" BINDING "${folder}/tessera_aieml.cpp.in" PREFIX Vtsr_aieml_ ONLY ${TESSERA_AIEMLS}
  CONFIG aieml::TileConfig INTERFACE aieml::TileRtl HEADER tb/aieml/tile_rtl.h LIST Tiles MAKE MakeTile
  NOUN "build of tessera_aieml" PARAMETERS TileParameters)
target_link_libraries(tessera_aiemls INTERFACE tessera_harness)  # not before verilating
set_target_properties(tessera_aiemls PROPERTIES EXCLUDE_FROM_ALL ON)  # the tests take them
