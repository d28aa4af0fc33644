# show_tests: what `tessera show` says, against enumeration, tables worked out by hand and the RTL.
file(GLOB show_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/show/*_test.cpp")
add_executable(show_tests ${show_test_sources})
target_link_libraries(show_tests PRIVATE tessera_options tessera_show tessera_models GTest::gtest_main)
target_compile_definitions(show_tests PRIVATE TESSERA_ROOT="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(show_tests DISCOVERY_TIMEOUT 60)

# show_only: the command without the rest of the program, which needs models.
add_executable(show_only "${PROJECT_SOURCE_DIR}/tests/show/show_main.cpp")
target_link_libraries(show_only PRIVATE tessera_options tessera_show)
