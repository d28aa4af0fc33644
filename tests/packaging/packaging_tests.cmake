# The lists of sources for other tools: what lies in the folders, and read by the tools themselves.
add_test(NAME packaging_lists COMMAND "${PROJECT_SOURCE_DIR}/scripts/sources" --check)
add_test(NAME packaging_fusesoc COMMAND "${PROJECT_SOURCE_DIR}/tests/packaging/fusesoc_test.sh" "${PROJECT_SOURCE_DIR}")
set_tests_properties(packaging_fusesoc PROPERTIES TIMEOUT 1200)
