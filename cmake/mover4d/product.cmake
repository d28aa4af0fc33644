# Programmable 4-D data movers: tessera_mover4d.
set(TESSERA_MOVERS "" CACHE STRING "Builds of tessera_mover4d, of cmake/mover4d/movers.json; empty: all; none: nothing of 4-D data movers")
tessera_product(mover4d OPTION TESSERA_MOVERS TOPS tessera_mover4d)
