# Graphs run natively, and on the RTL where build `graph` of tessera_dma is there.
set(graph_on_rtl OFF)
if("graph" IN_LIST tessera_dmas_names)
  set(graph_on_rtl ON)
endif()

# graph_tests: misuse of every call, connections, constraints, host streams, random graphs.
file(GLOB graph_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/graph/*_test.cpp")
add_executable(graph_tests ${graph_test_sources})
target_link_libraries(graph_tests PRIVATE tessera_options tessera_graph GTest::gtest_main)
target_compile_definitions(graph_tests PRIVATE TESSERA_GRAPH_ON_RTL=$<BOOL:${graph_on_rtl}>)
gtest_discover_tests(graph_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)

# Examples of graphs: each runs natively and on the RTL, and both must write the same files.
file(GLOB graph_programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/graph/*.cpp")
foreach(source IN LISTS graph_programs)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(graph_${name} "${source}")
  target_link_libraries(graph_${name} PRIVATE tessera_options tessera_graph)
  list(APPEND graph_example_targets graph_${name})
  if(graph_on_rtl)
    add_test(NAME graph_example_${name}
      COMMAND "${PROJECT_SOURCE_DIR}/tests/graph/both.py" "$<TARGET_FILE:graph_${name}>")
  else()
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/graph/${name}")
    add_test(NAME graph_example_${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/graph/${name}"
      COMMAND "${CMAKE_COMMAND}" -E env TESSERA_GRAPH=native "$<TARGET_FILE:graph_${name}>")
  endif()
  set_tests_properties(graph_example_${name} PROPERTIES TIMEOUT 120)
endforeach()
add_custom_target(graph_examples DEPENDS ${graph_example_targets})

# The header of host streams is C.
add_test(NAME graph_streams_in_c
  COMMAND "${CMAKE_CXX_COMPILER}" -x c -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I "${PROJECT_SOURCE_DIR}/sw/graph"
          "${PROJECT_SOURCE_DIR}/tests/graph/streams_in_c.c")
