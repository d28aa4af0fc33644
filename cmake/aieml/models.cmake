# The models of tessera_aieml.
tessera_models(tessera_aiemls tessera_aieml
  JSON "${CMAKE_CURRENT_LIST_DIR}/aiemls.json" BINDING "${CMAKE_CURRENT_LIST_DIR}/tessera_aieml.cpp.in" PREFIX Vtsr_aieml_
  ONLY ${TESSERA_AIEMLS} CONFIG aieml::TileConfig INTERFACE aieml::TileRtl HEADER tb/aieml/tile_rtl.h LIST Tiles MAKE MakeTile
  NOUN "build of tessera_aieml" PARAMETERS TileParameters ARGUMENTS "${CMAKE_CURRENT_LIST_DIR}/probe.vlt")
target_link_libraries(tessera_aiemls INTERFACE tessera_harness)  # not before verilating
set_target_properties(tessera_aiemls PROPERTIES EXCLUDE_FROM_ALL ON)  # the tests take them
