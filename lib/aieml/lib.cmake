# tessera_aieml: registers of AI Engine-ML tiles, and a simulated array of them. Of the harness it takes nothing.
file(GLOB tessera_aieml_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lib/aieml/*.cpp")
add_library(tessera_aieml STATIC ${tessera_aieml_sources})
target_link_libraries(tessera_aieml PRIVATE tessera_options PUBLIC fmt::fmt)
