# AI Engine-ML: tessera_aieml, and the tools for programs of its software.
set(TESSERA_AIEMLS "" CACHE STRING "Builds of tessera_aieml, of cmake/aieml/aiemls.json; empty: all; none: nothing of AI Engine-ML")
tessera_product(aieml OPTION TESSERA_AIEMLS COMMANDS txn seq serve)
