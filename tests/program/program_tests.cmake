# program_tests: the units of the programming side, each in several shapes in one model.
tessera_units(program_units "${PROJECT_SOURCE_DIR}/tests/program")

file(GLOB program_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/program/*.cpp")
add_executable(program_tests ${program_test_sources}
                             "${PROJECT_SOURCE_DIR}/tb/dma/native.cpp")
target_link_libraries(program_tests PRIVATE tessera_options tessera_random program_units
                                            GTest::gtest_main)
gtest_discover_tests(program_tests DISCOVERY_TIMEOUT 60)
