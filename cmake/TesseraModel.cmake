# Models of the RTL: a top as a C++ class, and its pins by name.
#
#   tessera_model(LIBRARY top PREFIX class OPTIMISE option [WAVES ON] [DIRECTORY folder] [SOURCE file] [ARGUMENTS ...])
#       one class in a library that is there; WAVES: it can write waveforms if TESSERA_TRACE is NAMED
#   tessera_models(LIBRARY top JSON file BINDING template PREFIX classes CONFIG type INTERFACE type HEADER file
#                  LIST function MAKE function NOUN word [PARAMETERS struct] [ONLY names] [ARGUMENTS of Verilator])
#       a library with a class for each line of a JSON file, behind INTERFACE: LIST() and MAKE(name, seed); <top>.toml
#       says what is legal; the struct is made of it, and the binding has its values as @fields@
#   tessera_units(LIBRARY folder)
#       a library with a class V<name>_top for each FOLDER/*_top.sv, wrappers of small cells
#
# One library for many models builds faster than one a model. Beside each class stands <class>_Pins
# (pins/<class>.h, made by cmake/pins); pins/types.h has the types of the packages.

# Sources: packages in order, folders in which modules are found by name, so that a build reads only what it uses.
# The manifest is made by scripts/sources.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${TESSERA_RTL}/sources.json")
file(READ "${TESSERA_RTL}/sources.json" rtl_manifest)
# Models name the sources that they were made of, also one that is gone.
set(rtl_known "${PROJECT_BINARY_DIR}/verilated/sources.json")
set(rtl_before "")
if(EXISTS "${rtl_known}")
  file(READ "${rtl_known}" rtl_before)
endif()
if(NOT rtl_before STREQUAL rtl_manifest)
  file(REMOVE_RECURSE "${PROJECT_BINARY_DIR}/verilated")
  file(WRITE "${rtl_known}" "${rtl_manifest}")
endif()
function(tessera_manifest member output)
  set(listed "")
  string(JSON count LENGTH "${rtl_manifest}" ${member})
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON path GET "${rtl_manifest}" ${member} ${index})
    string(REGEX MATCH "^[^/]+" layer "${path}")
    if(NOT layer IN_LIST TESSERA_ABSENT)
      list(APPEND listed "${TESSERA_RTL}/${path}")
    endif()
  endforeach()
  set(${output} "${listed}" PARENT_SCOPE)
endfunction()
tessera_manifest(packages rtl_packages)
tessera_manifest(folders rtl_folders)
tessera_manifest(includes rtl_includes)
list(TRANSFORM rtl_includes PREPEND "+incdir+")
foreach(folder IN LISTS rtl_folders)
  list(APPEND rtl_includes -y "${folder}")
endforeach()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(pins_folder "${CMAKE_CURRENT_LIST_DIR}/pins")
file(GLOB pins_py CONFIGURE_DEPENDS "${pins_folder}/*.py")
set(generated "${PROJECT_BINARY_DIR}/generated")
set(pins_command "${CMAKE_COMMAND}" -E env "VERILATOR_ROOT=${VERILATOR_ROOT}" "${Python3_EXECUTABLE}" -B "${pins_folder}")

add_custom_command(OUTPUT "${generated}/pins/types.h"
  COMMAND ${pins_command} types --verilator "${VERILATOR_BIN}" --out "${generated}/pins/types.h" -- ${rtl_packages}
  DEPENDS ${pins_py} ${rtl_packages} COMMENT "Types of the RTL" VERBATIM)
add_custom_target(tessera_types DEPENDS "${generated}/pins/types.h")
# Whoever is compiled with our options may include the types.
target_include_directories(tessera_options INTERFACE "${generated}")
add_dependencies(tessera_options tessera_types)

function(tessera_model library top)
  cmake_parse_arguments(model "" "PREFIX;OPTIMISE;WAVES;DIRECTORY;SOURCE" "ARGUMENTS" ${ARGN})
  if(NOT model_SOURCE)
    file(GLOB model_SOURCE "${TESSERA_RTL}/*/${top}.sv")
  endif()
  if(NOT model_DIRECTORY)
    string(REGEX REPLACE "^Vtsr_" "" model_DIRECTORY "${model_PREFIX}")
    string(PREPEND model_DIRECTORY "${PROJECT_BINARY_DIR}/verilated/")
  endif()
  if(TESSERA_OPTIMISE)
    set(model_OPTIMISE "${TESSERA_OPTIMISE}")
  endif()
  set(features "")
  set(waves "${TESSERA_TRACE}")
  if(waves STREQUAL NAMED)
    set(waves "${model_WAVES}")
  endif()
  if(waves)
    list(APPEND features TRACE_FST)
  endif()
  if(TESSERA_COVERAGE)
    list(APPEND features COVERAGE)
  endif()
  set(sources "${TESSERA_RTL}/verilator.vlt" ${rtl_packages} "${model_SOURCE}")
  verilate(${library} ${features}
    PREFIX ${model_PREFIX}
    TOP_MODULE ${top}
    DIRECTORY "${model_DIRECTORY}"
    SOURCES ${sources}
    VERILATOR_ARGS ${rtl_includes} --assert --x-initial unique --x-assign unique --threads 1
                   -Wno-fatal -Werror-USERERROR ${model_ARGUMENTS}
    OPT_FAST ${model_OPTIMISE}
    OPT_SLOW -O0)
  tessera_joined(${library} ${model_PREFIX} "${model_DIRECTORY}" "${model_OPTIMISE}")
  set(header "${generated}/pins/${model_PREFIX}.h")
  add_custom_command(OUTPUT "${header}"
    COMMAND ${pins_command} model --verilator "${VERILATOR_BIN}" --top ${top} --prefix ${model_PREFIX}
            --out "${header}" -- ${sources} ${rtl_includes} ${model_ARGUMENTS}
    DEPENDS ${pins_py} "${model_DIRECTORY}/${model_PREFIX}.cmake" COMMENT "Pins of ${model_PREFIX}" VERBATIM)
  target_sources(${library} PRIVATE "${header}")
endfunction()

# The sources of a model in few files: each of the many that Verilator writes costs two seconds for its headers alone.
function(tessera_joined library prefix folder optimise)
  include("${folder}/${prefix}_copy.cmake")
  get_target_property(sources ${library} SOURCES)
  set(optimise_FAST "${optimise}")
  set(optimise_SLOW -O0)
  # Sanitizers are for our sources: generated ones would take ten times as long to compile, and several
  # times with all that a debugger can know.
  set(plain "")
  if(TESSERA_SANITIZE)
    set(plain " -fno-sanitize=all -g1")
  endif()
  foreach(kind IN ITEMS FAST SLOW)
    set(parts ${${prefix}_CLASSES_${kind}} ${${prefix}_SUPPORT_${kind}})
    list(REMOVE_ITEM sources ${parts})
    set(number 0)
    set(text "")
    set(size 0)
    list(GET parts -1 last)
    foreach(part IN LISTS parts)
      get_filename_component(name "${part}" NAME)
      string(APPEND text "#include \"../${name}\"\n")
      file(SIZE "${part}" bytes)
      math(EXPR size "${size} + ${bytes}")
      if(size GREATER 2000000 OR part STREQUAL last)
        set(joined "${folder}/joined/${prefix}_${kind}_${number}.cpp")
        file(CONFIGURE OUTPUT "${joined}" CONTENT "${text}" @ONLY)
        set_source_files_properties("${joined}" PROPERTIES OBJECT_DEPENDS "${parts}"
          COMPILE_FLAGS "${optimise_${kind}}${plain}")
        list(APPEND sources "${joined}")
        math(EXPR number "${number} + 1")
        set(text "")
        set(size 0)
      endif()
    endforeach()
  endforeach()
  set_target_properties(${library} PROPERTIES SOURCES "${sources}")
endfunction()

# What all libraries of models have in common, once their models are in.
function(tessera_model_library library)
  get_target_property(verilated_includes ${library} INTERFACE_INCLUDE_DIRECTORIES)
  if(verilated_includes)
    target_include_directories(${library} SYSTEM PUBLIC ${verilated_includes})
  endif()
  target_include_directories(${library} PUBLIC "${generated}")
  target_link_libraries(${library} PUBLIC Threads::Threads)
  target_link_libraries(${library} INTERFACE tessera_files)
  add_dependencies(${library} tessera_types)
  # The library of waveforms reaches its files by functions of ours.
  get_target_property(sources ${library} SOURCES)
  list(FILTER sources INCLUDE REGEX "verilated_fst_c\\.cpp$")
  if(sources)
    set_source_files_properties(${sources} PROPERTIES
      COMPILE_OPTIONS "-include;${PROJECT_SOURCE_DIR}/tb/files/wave_calls.h"
      OBJECT_DEPENDS "${PROJECT_SOURCE_DIR}/tb/files/wave_calls.h")
  endif()
  # Whoever reads a model's header must read it as the library did.
  target_compile_definitions(${library} INTERFACE VM_COVERAGE=$<BOOL:${TESSERA_COVERAGE}>)
endfunction()

function(tessera_models library top)
  cmake_parse_arguments(models "" "JSON;BINDING;PREFIX;CONFIG;INTERFACE;HEADER;LIST;MAKE;NOUN;PARAMETERS" "ONLY;ARGUMENTS" ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${models_JSON}")
  file(READ "${models_JSON}" json)
  set(folder "${PROJECT_BINARY_DIR}/models/${library}")
  file(GLOB toml "${TESSERA_RTL}/*/${top}.toml")
  set(described "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/parameters.py")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${toml}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/parameters.py")
  if(models_PARAMETERS)
    execute_process(COMMAND ${described} header "${toml}" ${models_PARAMETERS} "${generated}/parameters/${top}.h"
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
  add_library(${library} STATIC)
  target_include_directories(${library} PRIVATE "${PROJECT_SOURCE_DIR}" "${folder}")

  set(names "")
  string(JSON count LENGTH "${json}")
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON name MEMBER "${json}" ${index})
    string(JSON simulate ERROR_VARIABLE unsaid GET "${json}" ${name} simulate)
    string(JSON named ERROR_VARIABLE unnamed GET "${json}" ${name} named)  # built only if it is named
    if(NOT unnamed AND named AND NOT name IN_LIST models_ONLY)
      continue()
    endif()
    string(JSON night ERROR_VARIABLE always GET "${json}" ${name} night)  # built if it is named, and by night
    if(NOT always AND night AND NOT TESSERA_NIGHT AND NOT name IN_LIST models_ONLY)
      continue()
    endif()
    if((unsaid OR simulate) AND (NOT models_ONLY OR name IN_LIST models_ONLY))
      list(APPEND names ${name})
    endif()
  endforeach()
  foreach(name IN LISTS models_ONLY)
    if(NOT name IN_LIST names AND NOT name STREQUAL "none")
      message(FATAL_ERROR "'${name}' is no simulated ${models_NOUN} of ${models_JSON}")
    endif()
  endforeach()

  set(sources "${folder}/${library}.cpp")
  set(declarations "")
  set(entries "")
  foreach(name IN LISTS names)
    set(arguments ${models_ARGUMENTS})
    set(waves OFF)  # unless the line says otherwise
    string(JSON values GET "${json}" ${name})
    string(JSON count LENGTH "${values}")
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON parameter MEMBER "${values}" ${index})
      string(JSON value GET "${values}" ${parameter})
      string(JSON type TYPE "${values}" ${parameter})
      if(NOT parameter MATCHES "^[A-Z]")  # what is said of the model, not to it
        set(${parameter} "${value}")
      elseif(type STREQUAL BOOLEAN AND value)
        list(APPEND arguments "-G${parameter}=1'b1")
        set(${parameter} true)
      elseif(type STREQUAL BOOLEAN)
        list(APPEND arguments "-G${parameter}=1'b0")
        set(${parameter} false)
      else()
        list(APPEND arguments "-G${parameter}=${value}")
        set(${parameter} "${value}")
      endif()
    endforeach()
    set(prefix "${models_PREFIX}${name}")
    execute_process(COMMAND ${described} build "${toml}" "${models_JSON}" ${name} OUTPUT_VARIABLE fields COMMAND_ERROR_IS_FATAL ANY)
    tessera_model(${library} ${top} PREFIX ${prefix} OPTIMISE ${optimise} WAVES ${waves} ARGUMENTS ${arguments})
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/model.h.in" "${folder}/${prefix}_model.h" @ONLY)
    configure_file("${models_BINDING}" "${folder}/${name}.cpp" @ONLY)
    list(APPEND sources "${folder}/${name}.cpp")
    string(APPEND declarations "Model<${models_CONFIG}, ${models_INTERFACE}> Model_${prefix}();\n")
    string(APPEND entries "    Model_${prefix}(),\n")
  endforeach()

  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/registry.h.in" "${folder}/${library}.h" @ONLY)
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/registry.cpp.in" "${folder}/${library}.cpp" @ONLY)
  target_sources(${library} PRIVATE ${sources})
  # Our warnings are for our sources: verilated code has its own manners.
  get_target_property(warnings tessera_options INTERFACE_COMPILE_OPTIONS)
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${warnings}")
  tessera_model_library(${library})
  if(TESSERA_COVERAGE)
    # Where coverage goes unless the environment says otherwise; see tb/sim/covered.h.
    target_compile_definitions(${library} PRIVATE TESSERA_COVERAGE_DIR="${PROJECT_BINARY_DIR}/coverage")
  endif()
  set(${library}_names "${names}" PARENT_SCOPE)
endfunction()

function(tessera_units library folder)
  file(GLOB tops CONFIGURE_DEPENDS "${folder}/*_top.sv")
  set(source "${PROJECT_BINARY_DIR}/models/${library}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// The models of ${library} are verilated.\n")
  add_library(${library} STATIC "${source}")
  foreach(source IN LISTS tops)
    get_filename_component(top "${source}" NAME_WE)
    tessera_model(${library} ${top} PREFIX V${top} OPTIMISE -O1
                  DIRECTORY "${PROJECT_BINARY_DIR}/verilated/${library}/${top}" SOURCE "${source}" ARGUMENTS -y "${folder}")
    set(prefix "V${top}")
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/model.h.in" "${PROJECT_BINARY_DIR}/models/units/V${top}.h" @ONLY)
  endforeach()
  target_include_directories(${library} PRIVATE "${PROJECT_SOURCE_DIR}" PUBLIC "${PROJECT_BINARY_DIR}/models")
  target_compile_definitions(${library} INTERFACE "TESSERA_COVERAGE_DIR=\"${PROJECT_BINARY_DIR}/coverage\"")
  tessera_model_library(${library})
endfunction()
