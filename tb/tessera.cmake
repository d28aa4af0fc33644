# What users meet: job files, the program `tessera`.
# tessera_job: job files as values.
file(GLOB tessera_job_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tb/job/*.cpp")
add_library(tessera_job STATIC ${tessera_job_sources})
target_link_libraries(tessera_job
  PRIVATE tessera_options
  PUBLIC tessera_model nlohmann_json::nlohmann_json)

# tessera_show, of tb/show, registers a command of its own when it is there.
include("${PROJECT_SOURCE_DIR}/tb/show.cmake" OPTIONAL)
