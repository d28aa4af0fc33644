# tessera_units: small cells of the RTL as C++ models for unit tests.
#
#   tessera_units(LIBRARY FOLDER)
#
# Each FOLDER/*_top.sv becomes the class V<name>_top. A top is a wrapper that holds a cell with many
# parameter sets at once, behind pins that are arrays: one model instead of one a set keeps the time to
# compile small. All tops of a folder go into one library.
function(tessera_units library folder)
  file(GLOB tops CONFIGURE_DEPENDS "${folder}/*_top.sv")
  set(dummy "${PROJECT_BINARY_DIR}/models/${library}.cpp")
  file(CONFIGURE OUTPUT "${dummy}" CONTENT "// The models of ${library} are verilated.\n")
  add_library(${library} STATIC "${dummy}")
  set(features "")
  if(TESSERA_TRACE)
    list(APPEND features TRACE_FST)
  endif()
  if(TESSERA_COVERAGE)
    list(APPEND features COVERAGE)
  endif()
  foreach(top IN LISTS tops)
    get_filename_component(name "${top}" NAME_WE)
    verilate(${library} ${features}
      PREFIX V${name}
      TOP_MODULE ${name}
      DIRECTORY "${PROJECT_BINARY_DIR}/verilated/${library}/${name}"
      SOURCES "${TESSERA_RTL}/verilator.vlt" ${rtl_packages} "${top}"
      VERILATOR_ARGS ${rtl_includes} -y "${folder}" --assert --x-initial unique --x-assign unique
                     --threads 1 -Wno-fatal -Werror-USERERROR
      OPT_FAST -O1
      OPT_SLOW -O0)
  endforeach()
  get_target_property(verilated_includes ${library} INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(${library} SYSTEM PUBLIC ${verilated_includes})
  target_link_libraries(${library} PUBLIC Threads::Threads)
  target_compile_definitions(${library} INTERFACE
    VM_TRACE_FST=$<BOOL:${TESSERA_TRACE}> VM_COVERAGE=$<BOOL:${TESSERA_COVERAGE}>)
endfunction()
