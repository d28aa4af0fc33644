# wave_dump: the pins of the manual's timing scenarios; docs/tools/pictures draws them. It runs the
# configuration `typical`, and is there when that is built.
if("typical" IN_LIST simulated)
  add_executable(wave_dump "${PROJECT_SOURCE_DIR}/docs/tools/wave_dump.cpp")
  target_link_libraries(wave_dump
    PRIVATE tessera_options tessera_model tessera_harness tessera_models CLI11::CLI11)
endif()
