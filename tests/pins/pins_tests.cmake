# pins_tests: types and pins of the RTL in C++ are those of the SystemVerilog (cmake/pins).
tessera_units(pins_units "${PROJECT_SOURCE_DIR}/tests/pins")
add_executable(pins_tests "${PROJECT_SOURCE_DIR}/tests/pins/pins_test.cpp")
target_link_libraries(pins_tests PRIVATE tessera_options pins_units GTest::gtest_main)
gtest_discover_tests(pins_tests DISCOVERY_TIMEOUT 60)

# A package that is edited changes the C++; both forms that Verilator writes say the same.
add_test(NAME pins_generator
  COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/pins/generator_test.py" "${PROJECT_SOURCE_DIR}"
          "${VERILATOR_BIN}" "${VERILATOR_ROOT}")
set_tests_properties(pins_generator PROPERTIES TIMEOUT 120)
