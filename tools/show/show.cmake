# tessera_show: explains a transfer without running RTL: numbers, text, JSON, picture, page.
foreach(pair IN ITEMS configs:cmake/configs.json dmas:cmake/dmas.json page:tools/show/page.html style:tools/show/page.css
                      script:tools/show/page.js)
  string(REGEX MATCH "^([a-z]+):(.*)$" pair "${pair}")
  set(show_file "${PROJECT_SOURCE_DIR}/${CMAKE_MATCH_2}")
  file(READ "${show_file}" show_${CMAKE_MATCH_1})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${show_file}")
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/tools/show/embedded.h.in" "${PROJECT_BINARY_DIR}/show/embedded.h"
               @ONLY)

file(GLOB tessera_show_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/show/*.cpp")
add_library(tessera_show STATIC ${tessera_show_sources})
target_include_directories(tessera_show PRIVATE "${PROJECT_BINARY_DIR}")
target_link_libraries(tessera_show
  PRIVATE tessera_options
  PUBLIC tessera_job tessera_terminal tessera_pictures tessera_limit tessera_random fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
