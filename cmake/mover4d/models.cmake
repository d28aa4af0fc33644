# The models of tessera_mover4d.
tessera_models(tessera_movers tessera_mover4d
  JSON "${CMAKE_CURRENT_LIST_DIR}/movers.json" BINDING "${CMAKE_CURRENT_LIST_DIR}/mover.cpp.in" PREFIX Vtsr_mover_
  ONLY ${TESSERA_MOVERS} CONFIG MoverConfig INTERFACE Mover HEADER tb/mover4d/mover.h LIST Movers MAKE MakeMover
  NOUN "build of tessera_mover4d" PARAMETERS MoverParameters)
target_link_libraries(tessera_movers INTERFACE tessera_harness)  # not before verilating
