# tessera_options: what every C++ target of this repository is compiled with. Verilated code is not:
# it takes no warnings of ours.
add_library(tessera_options INTERFACE)
target_include_directories(tessera_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(tessera_options INTERFACE -Wall -Wextra -Wconversion)
if(TESSERA_WERROR)  # not for everybody: what a compiler warns of differs by its version and by -O
  target_compile_options(tessera_options INTERFACE -Werror)
endif()

if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(TESSERA_COVERAGE)
  target_compile_options(tessera_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(tessera_options INTERFACE --coverage)
endif()
