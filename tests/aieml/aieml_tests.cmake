# aieml_tests: transaction binaries, runtime sequences, the simulated array and its server; what runs on an array also runs on
# one of RTL, as `Rtl.` and its name.
# aieml_fuzz: the fuzzers, as long as one likes.
file(GLOB aieml_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/aieml/*_test.cpp")
add_executable(aieml_tests ${aieml_test_sources} "${PROJECT_SOURCE_DIR}/tests/aieml/facts.cpp" "${PROJECT_SOURCE_DIR}/tests/aieml/fuzz.cpp")
target_link_libraries(aieml_tests PRIVATE tessera_options tessera_npu GTest::gtest_main)
target_compile_definitions(aieml_tests PRIVATE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(aieml_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
# The images that an array of RTL needs.
set(array_rtl --rtl)
foreach(image IN ITEMS memory shim compute)
  if(NOT image IN_LIST tessera_aiemls_names)
    message(STATUS "No array of RTL in the tests: the build ${image} of tessera_aieml is not among TESSERA_AIEMLS")
    set(array_rtl "")
  endif()
endforeach()
if(array_rtl)
  gtest_discover_tests(aieml_tests TEST_PREFIX Rtl. TEST_LIST aieml_tests_on_rtl DISCOVERY_TIMEOUT 60
    TEST_FILTER "Txn.*Run*:Seq.*Run*:Seq.APartition*:SeqDevice.*:ArrayTest.*:Controls.*:EventsTest.*:ControlPackets.*:ProtocolTest.*:ServerTest.*"
    PROPERTIES TIMEOUT 300 ENVIRONMENT TESSERA_ARRAY_RTL=1)
endif()
add_executable(aieml_fuzz "${PROJECT_SOURCE_DIR}/tests/aieml/fuzz_main.cpp" "${PROJECT_SOURCE_DIR}/tests/aieml/fuzz.cpp")
target_link_libraries(aieml_fuzz PRIVATE tessera_options tessera_npu)

# Its commands, among the tests of the others.
target_sources(cli_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests/aieml/cli/cli_test.cpp")
target_link_libraries(cli_tests PRIVATE tessera_npu)

# Clients of the server, on the array and on the RTL.
set(served_dma "")
if("${TESSERA_DMAS}" STREQUAL "" OR "basic" IN_LIST TESSERA_DMAS)
  set(served_dma basic)
endif()
add_test(NAME aieml_serve
  COMMAND "${PROJECT_SOURCE_DIR}/tests/aieml/cli/serve_test.py" "$<TARGET_FILE:tessera>" "${PROJECT_SOURCE_DIR}" gcc ${array_rtl} ${served_dma})
set_tests_properties(aieml_serve PROPERTIES TIMEOUT 300)

include(tests/aieml/rtl/rtl.cmake)
