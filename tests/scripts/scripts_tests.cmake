# script_signals: scripts that are ended by a signal.
add_test(NAME script_signals COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/signals_test.py")

# script_rom: contents of ROMs out of text.
add_test(NAME script_rom COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/rom_test.py" "${PROJECT_SOURCE_DIR}")

# script_start_program: register writes as a parameter.
add_test(NAME script_start_program COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/start_program_test.py")

# script_arguments: wrong words, before anything is installed.
add_test(NAME script_arguments COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/arguments_test.py")

# script_soak: what scripts/soak runs, and how it ends.
add_test(NAME script_soak COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/soak_test.py")

# script_cluster: a night in shards, here and by Slurm on a cluster of one node.
add_test(NAME script_cluster COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/cluster_test.py")

# script_mutants: places of planted faults, and what is drawn.
add_test(NAME script_mutants COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/mutants_test.py")

# script_whole: files that scripts write, on a full disk.
add_test(NAME script_whole COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/whole_test.py")

# script_figures: figures of pages and the sources that they were measured on.
add_test(NAME script_figures COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/figures_test.py")

# script_venv: callers of one Python environment at the same time.
add_test(NAME script_venv COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/venv_test.py")

# script_cache: what passed before with the same inputs.
add_test(NAME script_cache COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/cache_test.py")

# script_parameters: the descriptions of the tops, and what is made of them.
add_test(NAME script_parameters COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/parameters_test.py" "${PROJECT_SOURCE_DIR}" "${CMAKE_CXX_COMPILER}")

# script_layers: sources use those that their place allows.
add_test(NAME script_layers COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/layers_test.py")

# script_products: a build without the products beside the core; by night it is also made.
set(products_built "")
if(TESSERA_NIGHT)
  set(products_built built)
endif()
add_test(NAME script_products COMMAND "${PROJECT_SOURCE_DIR}/tests/scripts/products_test.py" "${PROJECT_SOURCE_DIR}" ${products_built})
set_tests_properties(script_products PROPERTIES TIMEOUT 1800)
