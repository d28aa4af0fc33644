# tessera_models: tsr_engine_pair, once per configuration of configs.json, as C++ models behind
# tb/sim/dut.h (Configs(), MakeDut()). One library: that builds faster than one a model.
#
# The class of configuration <name> is Vtsr_<name>; its `Dut` is VerilatedDut<Vtsr_<name>> of
# tb/sim/verilated_dut.h.

set(configs_json "${CMAKE_CURRENT_LIST_DIR}/configs.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${configs_json}")
file(READ "${configs_json}" configs)

# Sources in the order of the layers. Modules are found by name in the folders, so that a build reads
# only what it uses; packages cannot be.
file(GLOB rtl_packages CONFIGURE_DEPENDS "${TESSERA_RTL}/pkg/*.sv" "${TESSERA_RTL}/frontend/*/gen/*_pkg.sv")
set(packages_left ${rtl_packages})
set(rtl_packages "")
while(packages_left)  # each after those that it imports
  list(LENGTH packages_left before)
  foreach(package IN LISTS packages_left)
    file(STRINGS "${package}" imports REGEX "^ *import +[a-z_]+::")
    list(TRANSFORM imports REPLACE "^ *import +([a-z_]+)::.*" "${TESSERA_RTL}/pkg/\\1.sv")
    set(ready TRUE)
    foreach(imported IN LISTS imports)
      if(imported IN_LIST packages_left)
        set(ready FALSE)
      endif()
    endforeach()
    if(ready)
      list(APPEND rtl_packages "${package}")
    endif()
  endforeach()
  list(REMOVE_ITEM packages_left ${rtl_packages})
  list(LENGTH packages_left after)
  if(after EQUAL before)
    message(FATAL_ERROR "packages that import each other: ${packages_left}")
  endif()
endwhile()
set(rtl_folders pkg prim engine channel frontend frontend/native frontend/native/gen fabric top)
set(rtl_includes "+incdir+${TESSERA_RTL}/prim")
foreach(folder IN LISTS rtl_folders)
  if(IS_DIRECTORY "${TESSERA_RTL}/${folder}")
    list(APPEND rtl_includes -y "${TESSERA_RTL}/${folder}")
  endif()
endforeach()

set(simulated "")
string(JSON config_count LENGTH "${configs}")
math(EXPR config_last "${config_count} - 1")
foreach(index RANGE ${config_last})
  string(JSON name MEMBER "${configs}" ${index})
  string(JSON simulate GET "${configs}" ${name} simulate)
  if(simulate AND (TESSERA_CONFIGS STREQUAL "" OR name IN_LIST TESSERA_CONFIGS))
    list(APPEND simulated ${name})
  endif()
endforeach()
foreach(name IN LISTS TESSERA_CONFIGS)
  if(NOT name IN_LIST simulated)
    message(FATAL_ERROR "TESSERA_CONFIGS names '${name}', which is no simulated configuration of ${configs_json}")
  endif()
endforeach()

add_library(tessera_models STATIC)
target_include_directories(tessera_models PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(tessera_models PUBLIC Threads::Threads)

set(registry "${PROJECT_BINARY_DIR}/models/models.cpp")
set(declarations "")
set(entries "")
foreach(name IN LISTS simulated)
  set(arguments "")
  foreach(parameter AddrWidth DataWidth StreamWidth MaxBurst Outstanding Walk Bounds Loopback)
    string(JSON ${parameter} GET "${configs}" ${name} ${parameter})
    string(JSON type TYPE "${configs}" ${name} ${parameter})
    if(type STREQUAL BOOLEAN)
      string(REPLACE ON 1 value "${${parameter}}")
      string(REPLACE OFF 0 value "${value}")
      list(APPEND arguments "-G${parameter}=1'b${value}")
      string(REPLACE 1 true ${parameter} "${value}")
      string(REPLACE 0 false ${parameter} "${${parameter}}")
    else()
      list(APPEND arguments "-G${parameter}=${${parameter}}")
    endif()
  endforeach()
  string(JSON optimise GET "${configs}" ${name} optimise)
  if(TESSERA_OPTIMISE)
    set(optimise "${TESSERA_OPTIMISE}")
  endif()

  set(features "")
  if(TESSERA_TRACE)
    list(APPEND features TRACE_FST)
  endif()
  if(TESSERA_COVERAGE)
    list(APPEND features COVERAGE)
  endif()
  verilate(tessera_models ${features}
    PREFIX Vtsr_${name}
    TOP_MODULE tsr_engine_pair
    DIRECTORY "${PROJECT_BINARY_DIR}/verilated/${name}"
    SOURCES "${TESSERA_RTL}/verilator.vlt" ${rtl_packages} "${TESSERA_RTL}/top/tsr_engine_pair.sv"
    VERILATOR_ARGS ${rtl_includes} --assert --x-initial unique --x-assign unique --threads 1
                   -Wno-fatal -Werror-USERERROR ${arguments}
    OPT_FAST ${optimise}
    OPT_SLOW -O0)

  math(EXPR DataBytes "${DataWidth} / 8")
  math(EXPR StreamBytes "${StreamWidth} / 8")
  configure_file("${CMAKE_CURRENT_LIST_DIR}/model.cpp.in" "${PROJECT_BINARY_DIR}/models/${name}.cpp" @ONLY)
  list(APPEND registry "${PROJECT_BINARY_DIR}/models/${name}.cpp")
  string(APPEND declarations "Model Model_${name}();\n")
  string(APPEND entries "    Model_${name}(),\n")
endforeach()

configure_file("${CMAKE_CURRENT_LIST_DIR}/models.h.in" "${PROJECT_BINARY_DIR}/models/models.h" @ONLY)
configure_file("${CMAKE_CURRENT_LIST_DIR}/models.cpp.in" "${PROJECT_BINARY_DIR}/models/models.cpp" @ONLY)
target_sources(tessera_models PRIVATE ${registry})
# Our warnings are for our sources: verilated code has its own manners.
get_target_property(warnings tessera_options INTERFACE_COMPILE_OPTIONS)
set_source_files_properties(${registry} PROPERTIES COMPILE_OPTIONS "${warnings}")
get_target_property(verilated_includes tessera_models INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(tessera_models SYSTEM PUBLIC ${verilated_includes})
# Whoever reads a model's header must read it as the library did.
target_compile_definitions(tessera_models INTERFACE
  VM_TRACE_FST=$<BOOL:${TESSERA_TRACE}> VM_COVERAGE=$<BOOL:${TESSERA_COVERAGE}>)
if(TESSERA_COVERAGE)
  # Where coverage goes unless the environment says otherwise; see tb/sim/covered.h.
  target_compile_definitions(tessera_models PRIVATE TESSERA_COVERAGE_DIR="${PROJECT_BINARY_DIR}/coverage")
endif()
