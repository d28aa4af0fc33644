# What `tessera gen` does with tessera_mover4d.
file(GLOB mover4d_gen_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/mover4d/*.cpp")
tessera_entry(gen_products "Mover4d()" HEADER tools/mover4d/mover4d.h SOURCES ${mover4d_gen_sources})
