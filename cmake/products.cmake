# Products beside the core. What belongs to one lies in folders of its name; it is in a build unless its list of models is `none`.
#
#   tessera_product(NAME OPTION variable [COMMANDS names] [TOPS names])
#       in cmake/NAME/product.cmake: a product, the variable that lists its models, what the program `tessera` lacks without it
#   tessera_entry(TABLE initialiser [HEADER header] [LIBRARY target] [SOURCES files])
#       an element of a table of the core, from a folder of a product; what the library of the table links or compiles for it
#   tessera_table(LIBRARY TABLE TYPE type FUNCTION name HEADER header)
#       puts a table into a library that is there, when all products are: a function that returns the elements
#
# TESSERA_PRODUCTS has those of this build, TESSERA_ABSENT the names of the others.
set(TESSERA_PRODUCTS "")
set(TESSERA_ABSENT "")

function(tessera_entry table initialiser)
  cmake_parse_arguments(entry "" "HEADER;LIBRARY" "SOURCES" ${ARGN})
  set_property(GLOBAL APPEND_STRING PROPERTY tessera_${table}_elements "      ${initialiser},\n")
  if(entry_HEADER)
    set_property(GLOBAL APPEND_STRING PROPERTY tessera_${table}_includes "#include \"${entry_HEADER}\"\n")
  endif()
  set_property(GLOBAL APPEND PROPERTY tessera_${table}_libraries ${entry_LIBRARY})
  set_property(GLOBAL APPEND PROPERTY tessera_${table}_sources ${entry_SOURCES})
endfunction()

function(tessera_table library table)
  cmake_parse_arguments(table "" "TYPE;FUNCTION;HEADER" "" ${ARGN})
  foreach(part IN ITEMS elements includes libraries sources)
    get_property(table_${part} GLOBAL PROPERTY tessera_${table}_${part})
  endforeach()
  set(source "${PROJECT_BINARY_DIR}/generated/tables/${table}.cpp")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/table.cpp.in" "${source}" @ONLY)
  target_sources(${library} PRIVATE "${source}" ${table_sources})
  target_link_libraries(${library} PRIVATE ${table_libraries})
endfunction()

macro(tessera_product name)
  cmake_parse_arguments(product "" "OPTION" "COMMANDS;TOPS" ${ARGN})
  if(NOT "${${product_OPTION}}" STREQUAL "none")
    list(APPEND TESSERA_PRODUCTS ${name})
  else()
    list(APPEND TESSERA_ABSENT ${name})
    foreach(command IN LISTS product_COMMANDS)
      tessera_entry(absent_commands "{\"${command}\", \"${product_OPTION}=none\"}")
    endforeach()
    foreach(top IN LISTS product_TOPS)
      tessera_entry(absent_tops "{\"${top}\", \"${product_OPTION}\"}")
    endforeach()
  endif()
endmacro()

file(GLOB products CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*/product.cmake")
foreach(product IN LISTS products)
  include("${product}")
endforeach()
