# Pictures of the manual can be made, and pages hold the tables of parameters of today.
set(pictures "${PROJECT_SOURCE_DIR}/docs/tools/pictures")
add_test(NAME manual_pictures COMMAND "${pictures}" --check)

# The first command of the README, from nothing. Not under sanitizers or coverage: it has a build of its own.
if(TESSERA_NIGHT AND NOT TESSERA_SANITIZE AND NOT TESSERA_COVERAGE)
  add_test(NAME demo COMMAND "${PROJECT_SOURCE_DIR}/tests/docs/demo_test.sh" "${PROJECT_SOURCE_DIR}")
  set_tests_properties(demo PROPERTIES TIMEOUT 1800)
endif()

# The manual as a site: all that is generated is made, and no link and no anchor leads nowhere.
add_test(NAME manual_site COMMAND "${PROJECT_SOURCE_DIR}/scripts/site" "${PROJECT_BINARY_DIR}/site")
set_tests_properties(manual_site PROPERTIES TIMEOUT 600)

# Every command and every example of the manual, with what it says they print: minutes, so by night.
if(TESSERA_NIGHT AND "typical" IN_LIST simulated)
  add_test(NAME manual_commands
    COMMAND "${PROJECT_SOURCE_DIR}/tests/docs/commands.py" "${PROJECT_BINARY_DIR}")
  set_tests_properties(manual_commands PROPERTIES TIMEOUT 600)
endif()

# wave_dump: the pins of the manual's timing scenarios; docs/tools/pictures draws them. It runs the
# configuration `typical`, and is there when that is built.
if("typical" IN_LIST simulated)
  add_executable(wave_dump "${PROJECT_SOURCE_DIR}/docs/tools/wave_dump.cpp")
  target_link_libraries(wave_dump
    PRIVATE tessera_options tessera_model tessera_harness tessera_models CLI11::CLI11)
  add_test(NAME manual_waves COMMAND "${pictures}" --check --waves $<TARGET_FILE:wave_dump>)
endif()
