# What users meet: job files, soak runs, the program `tessera`.
include("${PROJECT_SOURCE_DIR}/tb/soak.cmake")

# tessera_job: job files as values.
file(GLOB tessera_job_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/job/*.cpp")
add_library(tessera_job STATIC ${tessera_job_sources})
target_link_libraries(tessera_job
  PRIVATE tessera_options
  PUBLIC tessera_model nlohmann_json::nlohmann_json)

# tessera_show, of tb/show, brings a command of its own when it is there.
include("${PROJECT_SOURCE_DIR}/tb/show.cmake" OPTIONAL)

# Many channels on a port: jobs run on them too.
include(TesseraFabrics)

# tessera_cli: the commands; tessera: the program.
find_package(PNG REQUIRED)
file(GLOB tessera_cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/tessera/*.cpp")
list(REMOVE_ITEM tessera_cli_sources "${PROJECT_SOURCE_DIR}/tb/tessera/main.cpp")
add_library(tessera_cli STATIC ${tessera_cli_sources})
target_compile_definitions(tessera_cli PRIVATE TESSERA_VERSION="${PROJECT_VERSION}")
target_link_libraries(tessera_cli
  PRIVATE tessera_options PNG::PNG
  PUBLIC tessera_job tessera_soak tessera_bench_parts tessera_models tessera_fabrics
         CLI11::CLI11)
if(TARGET tessera_show AND EXISTS "${PROJECT_SOURCE_DIR}/tb/show/show_command.h")
  target_compile_definitions(tessera_cli PRIVATE TESSERA_HAS_SHOW)
  target_link_libraries(tessera_cli PRIVATE tessera_show)
endif()

if(NOT TESSERA_FABRICS STREQUAL "none" AND EXISTS "${PROJECT_SOURCE_DIR}/tb/system.cmake")  # random cases of many channels
  include("${PROJECT_SOURCE_DIR}/tb/system.cmake")
  target_compile_definitions(tessera_cli PRIVATE TESSERA_HAS_SYSTEM)
  target_link_libraries(tessera_cli PRIVATE tessera_system)
endif()

add_executable(tessera "${PROJECT_SOURCE_DIR}/tb/tessera/main.cpp")
target_link_libraries(tessera PRIVATE tessera_options tessera_cli)

include("${PROJECT_SOURCE_DIR}/tb/lib.cmake")
