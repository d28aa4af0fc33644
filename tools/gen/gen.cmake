# tessera_gen: folders with generated tops. What they are written from is embedded at build time.
set(gen_embedded "${PROJECT_BINARY_DIR}/generated/gen/embedded.cpp")
add_custom_command(OUTPUT "${gen_embedded}"
  COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/gen/embed.py" --source "${PROJECT_SOURCE_DIR}"
          --rtl "${TESSERA_RTL}" --out "${gen_embedded}" --depfile "${gen_embedded}.d" --products ${TESSERA_PRODUCTS}
  DEPENDS "${PROJECT_SOURCE_DIR}/tools/gen/embed.py" "${PROJECT_SOURCE_DIR}/tools/gen/register_map.py"
          "${PROJECT_SOURCE_DIR}/cmake/header.py" "${PROJECT_SOURCE_DIR}/cmake/parameters.py"
  DEPFILE "${gen_embedded}.d" COMMENT "What tessera gen writes from" VERBATIM)

file(GLOB tessera_gen_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/gen/*.cpp")
list(REMOVE_ITEM tessera_gen_sources "${PROJECT_SOURCE_DIR}/tools/gen/gen_command.cpp")
add_library(tessera_gen STATIC ${tessera_gen_sources} "${gen_embedded}")
target_compile_definitions(tessera_gen PRIVATE TESSERA_VERSION="${PROJECT_VERSION}")
target_link_libraries(tessera_gen
  PRIVATE tessera_options
  PUBLIC tessera_job fmt::fmt nlohmann_json::nlohmann_json)
tessera_table(tessera_gen gen_products TYPE gen::Product FUNCTION gen::Products HEADER tools/gen/product.h)
tessera_table(tessera_gen absent_tops TYPE gen::AbsentTop FUNCTION gen::AbsentTops HEADER tools/gen/product.h)
