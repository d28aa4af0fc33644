# dma_tests: tessera_dma driven by its registers, every build of dmas.json.
file(GLOB dma_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/dma/*_test.cpp")
add_executable(dma_tests ${dma_test_sources})
target_link_libraries(dma_tests PRIVATE tessera_options tessera_dma_random tessera_dmas GTest::gtest_main)
target_compile_definitions(dma_tests PRIVATE "TESSERA_DOCS=\"${PROJECT_SOURCE_DIR}/docs\""
          "TESSERA_FOUND_RUNS=\"${PROJECT_SOURCE_DIR}/tests/dma/found.txt\"")
gtest_discover_tests(dma_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)

# dma_random: random programs, one seed after the other; see --help.
add_executable(dma_random "${PROJECT_SOURCE_DIR}/tests/dma/dma_random.cpp")
target_link_libraries(dma_random PRIVATE tessera_options tessera_dma_random tessera_dmas tessera_soak CLI11::CLI11)
