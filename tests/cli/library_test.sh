#!/usr/bin/env bash
# Installs the library and builds and runs the examples against what was installed, as a user does:
# by CMake, by pkg-config, from Python.
#   library_test.sh SOURCE BUILD CXX CC CONFIGS
set -euo pipefail
source=$1 build=$2 cxx=$3 cc=$4 configs=$5
if [[ " $configs " != *" typical "* ]]; then
  echo "configuration typical is not built"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0
ok() { passed=$((passed + 1)); echo "ok: $1"; }
trap 'echo "$passed passed, 1 failed"' ERR

cmake --install "$build" --prefix "$folder/usr" >"$folder/log" || { cat "$folder/log"; false; }
library=$(dirname "$(find "$folder/usr" -name libtessera_sim.so)")
export LD_LIBRARY_PATH="$library"

cmake -S "$source/examples/library" -B "$folder/examples" -DCMAKE_PREFIX_PATH="$folder/usr" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_STANDARD=17 \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" -DCMAKE_C_FLAGS="-std=c99 -Wall -Wextra -Werror" >"$folder/log"
cmake --build "$folder/examples" >>"$folder/log" || { cat "$folder/log"; false; }
"$folder/examples/window" | grep '^ff 00 01 02 03 04$' >/dev/null
ok "C++ example, by find_package"
"$folder/examples/copy" | grep '^1000 bytes written' >/dev/null
ok "C example, by find_package"

export PKG_CONFIG_PATH="$library/pkgconfig"
# shellcheck disable=SC2046
"$cc" -std=c99 $(pkg-config --define-variable=prefix="$folder/usr" --cflags tessera) \
  "$source/examples/library/copy.c" -o "$folder/copy" \
  $(pkg-config --define-variable=prefix="$folder/usr" --libs tessera)
"$folder/copy" >/dev/null
ok "C example, by pkg-config"

/usr/bin/python3 "$source/examples/library/transpose.py" "$library/libtessera_sim.so" | grep '\[ *0 *4 *8\]' >/dev/null
ok "Python example"

for file in "$source"/examples/library/*.{cpp,c,py}; do
  [ "$(wc -l <"$file")" -lt 40 ] || { echo "$file has 40 lines or more"; false; }
done
ok "examples are under 40 lines"

if grep -rnE 'Verilated|Vtsr|fmt/|nlohmann|"tb/' "$folder/usr/include"; then
  echo "the public headers show what is inside"
  false
fi
ok "headers show nothing of what is inside"

hidden=$(nm -DC --defined-only "$library/libtessera_sim.so" |
         awk '$2 != "A" {$1 = $2 = ""; print}' |
         grep -vE '^ +(tessera_|(typeinfo( name)? for |vtable for )?tessera::sim::)' || true)
[ -z "$hidden" ] || { echo "the library shows what is inside: $hidden"; false; }
ok "the library shows its interface alone"

"$folder/usr/bin/tessera" config list | grep typical >/dev/null
ok "the installed program runs"
echo "$passed passed, 0 failed"
