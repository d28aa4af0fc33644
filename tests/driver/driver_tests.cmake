# driver_tests: the driver on a mock of the registers, without RTL.
file(GLOB driver_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/driver/*_test.cpp"
  "${PROJECT_SOURCE_DIR}/tb/board/processor.cpp" "${PROJECT_SOURCE_DIR}/tb/board/cache_model.cpp")
# Of the harness it takes the models of a transfer and of the device and nothing else, so it builds in no time.
file(GLOB driver_model_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tb/model/*.cpp" "${PROJECT_SOURCE_DIR}/tb/device/*.cpp")
add_library(driver_mock STATIC ${driver_model_sources}
  "${PROJECT_SOURCE_DIR}/tests/driver/mock_device.cpp")
target_link_libraries(driver_mock PRIVATE tessera_options PUBLIC fmt::fmt)
add_executable(driver_tests ${driver_test_sources})
target_link_libraries(driver_tests PRIVATE tessera_options driver_mock GTest::gtest_main)
target_compile_definitions(driver_tests PRIVATE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# Firmware for every processor whose compiler is there, and the emulated processor that runs it. The tests of the
# others skip and say so.
find_library(TESSERA_UNICORN unicorn)
set(firmware_folder "${PROJECT_BINARY_DIR}/firmware")
if(TESSERA_UNICORN)
  target_link_libraries(driver_tests PRIVATE ${TESSERA_UNICORN})
  target_compile_definitions(driver_tests PRIVATE TESSERA_FIRMWARE="${firmware_folder}")
else()
  message(STATUS "No Unicorn (libunicorn-dev): no tests of firmware on emulated processors")
  get_target_property(driver_sources driver_tests SOURCES)
  list(FILTER driver_sources EXCLUDE REGEX "(firmware_test|processor|cache_model)")
  set_target_properties(driver_tests PROPERTIES SOURCES "${driver_sources}")
endif()
file(GLOB driver_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/sw/driver/tessera/*.hpp")
set(firmware_files "")
foreach(pair IN ITEMS "aarch64 aarch64-linux-gnu-g++" "cortex-r5 arm-none-eabi-g++" "riscv64 riscv64-unknown-elf-g++")
  separate_arguments(pair)
  list(GET pair 0 processor)
  list(GET pair 1 compiler)
  find_program(TESSERA_CXX_${processor} ${compiler})
  if(NOT TESSERA_CXX_${processor})
    continue()
  endif()
  foreach(program IN ITEMS "tile_and_wait -Os 4096" "operations -O2 0" "day -Os 0" "standalone -Os 0")
    separate_arguments(program)
    list(GET program 0 name)
    list(GET program 1 optimisation)
    list(GET program 2 limit)
    set(output "${firmware_folder}/${name}_${processor}.elf")
    add_custom_command(OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${firmware_folder}"
      COMMAND "${PROJECT_SOURCE_DIR}/sw/firmware/build.sh" ${processor}
        "${PROJECT_SOURCE_DIR}/sw/firmware/${name}.cpp" "${output}" ${optimisation} ${limit}
      DEPENDS "${PROJECT_SOURCE_DIR}/sw/firmware/build.sh" "${PROJECT_SOURCE_DIR}/sw/firmware/${name}.cpp"
        "${PROJECT_SOURCE_DIR}/sw/firmware/runtime.hpp" ${driver_headers}
      VERBATIM)
    list(APPEND firmware_files "${output}")
  endforeach()
endforeach()
add_custom_target(firmware DEPENDS ${firmware_files})
add_dependencies(driver_tests firmware)
gtest_discover_tests(driver_tests DISCOVERY_TIMEOUT 60)

# Constants that are wrong do not compile, and the message names the rule.
add_test(NAME driver_compile_errors
  COMMAND "${PROJECT_SOURCE_DIR}/tests/driver/compile_errors.py" "${CMAKE_CXX_COMPILER}")
set_tests_properties(driver_compile_errors PROPERTIES TIMEOUT 300)

# The device-tree fragment of sw/host.
add_test(NAME driver_registers_in_c
  COMMAND "${CMAKE_CXX_COMPILER}" -x c -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I "${PROJECT_SOURCE_DIR}"
          "${PROJECT_SOURCE_DIR}/tests/driver/registers_in_c.c")
add_test(NAME driver_device_tree COMMAND "${PROJECT_SOURCE_DIR}/tests/driver/device_tree.py")
set_tests_properties(driver_device_tree PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60)

# A simulated board: the driver's bus on the verilated tessera_dma. driver_rtl_tests: every call of the driver on it.
add_library(tessera_board STATIC "${PROJECT_SOURCE_DIR}/tb/board/board.cpp")
target_link_libraries(tessera_board PRIVATE tessera_options PUBLIC tessera_dma_bench tessera_dmas)
file(GLOB driver_rtl_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/driver/rtl/*_test.cpp")
add_executable(driver_rtl_tests ${driver_rtl_sources})
target_link_libraries(driver_rtl_tests PRIVATE tessera_options tessera_board tessera_dma_random GTest::gtest_main)
gtest_discover_tests(driver_rtl_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)

# firmware_run: firmware on every emulated processor, with the RTL at its registers; see --help.
if(TESSERA_UNICORN)
  add_executable(firmware_run "${PROJECT_SOURCE_DIR}/tests/driver/firmware_run.cpp"
    "${PROJECT_SOURCE_DIR}/tb/board/processor.cpp" "${PROJECT_SOURCE_DIR}/tb/board/cache_model.cpp")
  target_link_libraries(firmware_run PRIVATE tessera_options tessera_board ${TESSERA_UNICORN} CLI11::CLI11)
  target_compile_definitions(firmware_run PRIVATE TESSERA_FIRMWARE="${firmware_folder}")
  add_dependencies(firmware_run firmware)
  add_test(NAME firmware_run COMMAND firmware_run)
  set_tests_properties(firmware_run PROPERTIES TIMEOUT 300)
endif()

# The programs of the manual (examples/driver): each runs on the simulated device and checks every byte.
file(GLOB driver_programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/driver/*.cpp")
foreach(source IN LISTS driver_programs)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(driver_${name} "${source}")
  target_link_libraries(driver_${name} PRIVATE tessera_options tessera_board)
  add_test(NAME driver_example_${name} COMMAND driver_${name})
  set_tests_properties(driver_example_${name} PROPERTIES TIMEOUT 60 PASS_REGULAR_EXPRESSION "every byte is right")
  list(APPEND driver_example_targets driver_${name})
endforeach()
add_custom_target(driver_examples DEPENDS ${driver_example_targets})
