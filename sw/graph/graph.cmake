# tessera_graph: ADF graphs and host streams, above the driver and the simulation library.
set(graph_folder "${PROJECT_SOURCE_DIR}/sw/graph")
file(GLOB graph_sources CONFIGURE_DEPENDS "${graph_folder}/*.cpp")
# The pictures of tools are compiled into it, so that an installed library stands alone.
file(GLOB graph_pictures CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/pictures/*.cpp")
add_library(tessera_graph SHARED ${graph_sources} ${graph_pictures})
target_include_directories(tessera_graph PUBLIC
  "$<BUILD_INTERFACE:${graph_folder};${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include/tessera/adf>")
target_link_libraries(tessera_graph
  PRIVATE $<BUILD_INTERFACE:tessera_options> $<BUILD_INTERFACE:fmt::fmt> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
          ${CMAKE_DL_LIBS}
  PUBLIC tessera_sim)
target_compile_features(tessera_graph PUBLIC cxx_std_20)
target_link_options(tessera_graph INTERFACE -rdynamic)  # names of kernels' functions
set_target_properties(tessera_graph PROPERTIES
  INSTALL_RPATH "\$ORIGIN" BUILD_WITH_INSTALL_RPATH ON EXPORT_NAME graph VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

install(TARGETS tessera_graph EXPORT tesseraTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(folder IN ITEMS adf CL tessera)
  install(DIRECTORY "${graph_folder}/${folder}" DESTINATION include/tessera/adf)
endforeach()
install(FILES "${graph_folder}/adf.h" "${graph_folder}/hls_stream.h" "${graph_folder}/ap_axi_sdata.h" "${graph_folder}/ap_int.h"
  DESTINATION include/tessera/adf)
# Of the driver what is in this build.
set(absent "")
foreach(product IN LISTS TESSERA_ABSENT)
  list(APPEND absent PATTERN ${product} EXCLUDE)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/sw/driver/tessera" DESTINATION include/tessera/adf/sw/driver ${absent})
