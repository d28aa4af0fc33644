# gen_tests: tessera gen from inside. The others read what it writes with the tools that users have.
add_executable(gen_tests "${PROJECT_SOURCE_DIR}/tests/gen/gen_test.cpp")
target_link_libraries(gen_tests PRIVATE tessera_options tessera_gen GTest::gtest_main)
target_compile_definitions(gen_tests PRIVATE TESSERA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(gen_tests DISCOVERY_TIMEOUT 60)

add_test(NAME gen_schema
  COMMAND "${PROJECT_SOURCE_DIR}/tests/cli/schema_test.py" gen "$<TARGET_FILE:tessera>" "${PROJECT_SOURCE_DIR}")
set(parts tools)
if(TESSERA_NIGHT)  # many shapes, read by two Verilators, built and run: minutes each
  list(APPEND parts lint corners sim)
endif()
foreach(what IN LISTS parts)
  add_test(NAME gen_${what}
    COMMAND "${PROJECT_SOURCE_DIR}/tests/gen/generate_test.py" "$<TARGET_FILE:tessera>" "${PROJECT_SOURCE_DIR}" ${what})
  set_tests_properties(gen_${what} PROPERTIES TIMEOUT 1800)
endforeach()
