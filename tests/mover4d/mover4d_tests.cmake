# mover_tests: tessera_mover4d, started by host code, every build of movers.json.
tessera_units(mover_units "${PROJECT_SOURCE_DIR}/tests/mover4d")

file(GLOB mover_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/mover4d/*_test.cpp")
add_executable(mover_tests ${mover_test_sources})
target_link_libraries(mover_tests
  PRIVATE tessera_options tessera_mover_bench tessera_movers mover_units GTest::gtest_main)
gtest_discover_tests(mover_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)

# tessera gen of tessera_mover4d, among the other tests of gen and of the program.
target_sources(gen_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests/mover4d/gen/gen_test.cpp")
target_sources(cli_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests/mover4d/gen/input_test.cpp")

# Both C headers of registers in one program beside the C library.
add_test(NAME mover_registers_in_c
  COMMAND "${CMAKE_CXX_COMPILER}" -x c -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I "${PROJECT_SOURCE_DIR}"
          "${PROJECT_SOURCE_DIR}/tests/mover4d/registers_in_c.c")
