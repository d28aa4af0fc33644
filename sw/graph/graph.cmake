# tessera_graph: ADF graphs and host streams, above the driver and the simulation library.
file(GLOB graph_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/sw/graph/*.cpp")
# The pictures of tools are compiled into it, so that an installed library stands alone.
file(GLOB graph_pictures CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/timeline/*.cpp" "${PROJECT_SOURCE_DIR}/tools/pictures/*.cpp")
add_library(tessera_graph STATIC ${graph_sources} ${graph_pictures})
target_include_directories(tessera_graph PUBLIC
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/sw/graph>" "$<INSTALL_INTERFACE:include/tessera/adf>")
target_link_libraries(tessera_graph
  PRIVATE $<BUILD_INTERFACE:tessera_options> $<BUILD_INTERFACE:fmt::fmt> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
  PUBLIC tessera_sim)
target_compile_features(tessera_graph PUBLIC cxx_std_20)
target_link_options(tessera_graph INTERFACE -rdynamic)  # names of kernels' functions
