# What users meet: job files, the commands, the program `tessera`.
include(GNUInstallDirs)
find_package(PNG REQUIRED)
set(tools "${PROJECT_SOURCE_DIR}/tools")
set(TESSERA_COMMANDS "" CACHE STRING "Commands of the program tessera; empty: all")

# A command of the program, and the library that has it.
function(tessera_command name function library)
  if("${TESSERA_COMMANDS}" STREQUAL "" OR name IN_LIST TESSERA_COMMANDS)
    tessera_entry(core_commands ${function} LIBRARY ${library})
  else()
    tessera_entry(absent_commands "{\"${name}\", \"TESSERA_COMMANDS=${TESSERA_COMMANDS}\"}")
  endif()
endfunction()

# tessera_job: job files as values.
file(GLOB tessera_job_sources CONFIGURE_DEPENDS "${tools}/job/*.cpp")
add_library(tessera_job STATIC ${tessera_job_sources})
target_link_libraries(tessera_job
  PRIVATE tessera_options
  PUBLIC tessera_model nlohmann_json::nlohmann_json)

# tessera_pictures: SVG; what the channels of a run did over time.
file(GLOB tessera_pictures_sources CONFIGURE_DEPENDS "${tools}/pictures/*.cpp")
add_library(tessera_pictures STATIC ${tessera_pictures_sources})
target_link_libraries(tessera_pictures PRIVATE tessera_options PUBLIC fmt::fmt nlohmann_json::nlohmann_json)

# tessera_terminal: words of the command line; colours, progress, exit statuses.
file(GLOB tessera_terminal_sources CONFIGURE_DEPENDS "${tools}/terminal/*.cpp")
add_library(tessera_terminal STATIC ${tessera_terminal_sources})
target_link_libraries(tessera_terminal PRIVATE tessera_options PUBLIC tessera_files fmt::fmt CLI11::CLI11)

# tessera_prepare: jobs on the hardware that they name, without running them.
file(GLOB tessera_prepare_sources CONFIGURE_DEPENDS "${tools}/prepare/*.cpp")
add_library(tessera_prepare STATIC ${tessera_prepare_sources})
foreach(kind IN ITEMS configs dmas)  # also those that are not built
  set(named_${kind} " ")
  file(READ "${PROJECT_SOURCE_DIR}/cmake/${kind}.json" json)
  string(JSON count LENGTH "${json}")
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON name MEMBER "${json}" ${index})
    string(JSON simulate ERROR_VARIABLE unsaid GET "${json}" ${name} simulate)
    if(unsaid OR simulate)
      string(APPEND named_${kind} "${name} ")
    endif()
  endforeach()
endforeach()
target_compile_definitions(tessera_prepare PRIVATE
  TESSERA_NAMED_CONFIGS="${named_configs}" TESSERA_NAMED_DMAS="${named_dmas}")
target_link_libraries(tessera_prepare
  PRIVATE tessera_options PNG::PNG
  PUBLIC tessera_job tessera_terminal tessera_dma_bench tessera_models tessera_dmas)

# The commands of the core, in the order of `tessera --help`.
file(GLOB tessera_run_sources CONFIGURE_DEPENDS "${tools}/run/*.cpp")
add_library(tessera_run STATIC ${tessera_run_sources})
target_link_libraries(tessera_run
  PRIVATE tessera_options PUBLIC tessera_prepare tessera_pictures tessera_limit CLI11::CLI11)
tessera_command(run cli::RegisterRun tessera_run)
tessera_command(check cli::RegisterCheck tessera_run)

include("${tools}/show/show.cmake")
tessera_command(show cli::RegisterShow tessera_show)

add_library(tessera_config STATIC "${tools}/config/config_command.cpp")
target_link_libraries(tessera_config PRIVATE tessera_options tessera_prepare CLI11::CLI11)
tessera_command(config cli::RegisterConfig tessera_config)

add_library(tessera_bench_command STATIC "${tools}/bench/command.cpp" "${tools}/bench/plot.cpp")
tessera_table(tessera_bench_command suites TYPE bench::Suite FUNCTION bench::Suites HEADER bench/programs.h)
target_link_libraries(tessera_bench_command
  PRIVATE tessera_options
  PUBLIC tessera_bench_parts tessera_pictures tessera_terminal CLI11::CLI11)
tessera_command(bench cli::RegisterBench tessera_bench_command)

add_library(tessera_soak_command STATIC "${tools}/soak/soak_command.cpp")
target_link_libraries(tessera_soak_command PRIVATE tessera_options tessera_prepare tessera_soak CLI11::CLI11)
tessera_command(soak cli::RegisterSoak tessera_soak_command)

include("${tools}/gen/gen.cmake")
add_library(tessera_gen_command STATIC "${tools}/gen/gen_command.cpp")
target_link_libraries(tessera_gen_command PRIVATE tessera_options tessera_gen tessera_terminal CLI11::CLI11)
tessera_command(gen cli::RegisterGen tessera_gen_command)

add_library(tessera_completion STATIC "${tools}/completion/completion_command.cpp")
target_link_libraries(tessera_completion PRIVATE tessera_options tessera_prepare tessera_show CLI11::CLI11)
tessera_command(completion cli::RegisterCompletion tessera_completion)

# tessera_program: all commands, those of products too; tessera: the program.
add_library(tessera_program STATIC "${tools}/program/program.cpp")
target_compile_definitions(tessera_program PRIVATE TESSERA_VERSION="${PROJECT_VERSION}")
target_link_libraries(tessera_program PRIVATE tessera_options tessera_terminal tessera_files CLI11::CLI11)
tessera_table(tessera_program core_commands
  TYPE cli::Command FUNCTION cli::CoreCommands HEADER tools/program/commands.h)
tessera_table(tessera_program commands
  TYPE cli::Command FUNCTION cli::ProductCommands HEADER tools/program/commands.h)
tessera_table(tessera_program absent_commands
  TYPE cli::AbsentCommand FUNCTION cli::AbsentCommands HEADER tools/program/commands.h)
add_executable(tessera "${tools}/program/main.cpp")
target_link_libraries(tessera PRIVATE tessera_options tessera_program)
add_custom_command(TARGET tessera POST_BUILD  # for editors
  COMMAND tessera run --schema > "${PROJECT_BINARY_DIR}/job.schema.json" VERBATIM)
install(TARGETS tessera RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
