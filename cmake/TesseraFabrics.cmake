# tessera_fabrics: tsr_channels, once per configuration of fabrics.json, as C++ models behind
# tb/sim/fabric.h (Fabrics(), MakeFabric()). TESSERA_FABRICS names those to build; empty: all, which takes
# long: 32 engines in one of them; none: none.
include_guard(GLOBAL)
set(TESSERA_FABRICS "shared;in_order;guarded;groups;held" CACHE STRING "Fabrics to build, of cmake/fabrics.json; empty: all")

set(fabrics_json "${CMAKE_CURRENT_LIST_DIR}/fabrics.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${fabrics_json}")
file(READ "${fabrics_json}" fabrics)

add_library(tessera_fabrics STATIC)
target_include_directories(tessera_fabrics PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/fabrics")
target_link_libraries(tessera_fabrics PUBLIC tessera_harness Threads::Threads)

set(declarations "")
set(entries "")
set(registry "${PROJECT_BINARY_DIR}/fabrics/fabrics.cpp")
string(JSON fabric_count LENGTH "${fabrics}")
math(EXPR fabric_last "${fabric_count} - 1")
foreach(name IN LISTS TESSERA_FABRICS)
  string(JSON known ERROR_VARIABLE unknown GET "${fabrics}" "${name}" Reads)
  if(unknown AND NOT name STREQUAL "none")
    message(FATAL_ERROR "TESSERA_FABRICS names '${name}', which is in no line of ${fabrics_json}")
  endif()
endforeach()
foreach(index RANGE ${fabric_last})
  string(JSON name MEMBER "${fabrics}" ${index})
  if(TESSERA_FABRICS AND NOT name IN_LIST TESSERA_FABRICS)
    continue()
  endif()
  set(arguments "")
  string(JSON optimise GET "${fabrics}" ${name} optimise)
  if(TESSERA_OPTIMISE)
    set(optimise "${TESSERA_OPTIMISE}")
  endif()
  string(JSON values GET "${fabrics}" ${name})
  string(JSON value_count LENGTH "${values}")
  math(EXPR value_last "${value_count} - 1")
  foreach(position RANGE ${value_last})
    string(JSON parameter MEMBER "${values}" ${position})
    if("${parameter}" STREQUAL "optimise")
      continue()
    endif()
    string(JSON ${parameter} GET "${values}" ${parameter})
    string(JSON type TYPE "${values}" ${parameter})
    if(type STREQUAL BOOLEAN)
      string(REPLACE ON 1 ${parameter} "${${parameter}}")
      string(REPLACE OFF 0 ${parameter} "${${parameter}}")
      list(APPEND arguments "-G${parameter}=1'b${${parameter}}")
    else()
      list(APPEND arguments "-G${parameter}=${${parameter}}")
    endif()
  endforeach()

  set(features "")
  if(TESSERA_TRACE)
    list(APPEND features TRACE_FST)
  endif()
  if(TESSERA_COVERAGE)
    list(APPEND features COVERAGE)
  endif()
  verilate(tessera_fabrics ${features}
    PREFIX Vtsr_fabric_${name}
    TOP_MODULE tsr_channels
    DIRECTORY "${PROJECT_BINARY_DIR}/verilated/fabric_${name}"
    SOURCES "${TESSERA_RTL}/verilator.vlt" ${rtl_packages} "${TESSERA_RTL}/top/tsr_channels.sv"
    VERILATOR_ARGS ${rtl_includes} --assert --x-initial unique --x-assign unique --threads 1
                   -Wno-fatal -Werror-USERERROR ${arguments}
    OPT_FAST ${optimise}
    OPT_SLOW -O0)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/fabric.cpp.in" "${PROJECT_BINARY_DIR}/fabrics/${name}.cpp" @ONLY)
  list(APPEND registry "${PROJECT_BINARY_DIR}/fabrics/${name}.cpp")
  string(APPEND declarations "FabricModel FabricModel_${name}();\n")
  string(APPEND entries "    FabricModel_${name}(),\n")
endforeach()

configure_file("${CMAKE_CURRENT_LIST_DIR}/fabrics.h.in" "${PROJECT_BINARY_DIR}/fabrics/fabrics.h" @ONLY)
configure_file("${CMAKE_CURRENT_LIST_DIR}/fabrics.cpp.in" "${PROJECT_BINARY_DIR}/fabrics/fabrics.cpp" @ONLY)
target_sources(tessera_fabrics PRIVATE ${registry})
get_target_property(warnings tessera_options INTERFACE_COMPILE_OPTIONS)
set_source_files_properties(${registry} PROPERTIES COMPILE_OPTIONS "${warnings}")
get_target_property(verilated_includes tessera_fabrics INTERFACE_INCLUDE_DIRECTORIES)
if(verilated_includes)
  target_include_directories(tessera_fabrics SYSTEM PUBLIC ${verilated_includes})
endif()
target_compile_definitions(tessera_fabrics INTERFACE
  VM_TRACE_FST=$<BOOL:${TESSERA_TRACE}> VM_COVERAGE=$<BOOL:${TESSERA_COVERAGE}>)
