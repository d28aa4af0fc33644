#!/usr/bin/env bash
# Installs the library, moves it, and builds and runs the examples against it by the lines of docs/library.md:
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

# Where it was installed is not where it is used.
cmake --install "$build" --prefix "$folder/first" >"$folder/log" || { cat "$folder/log"; false; }
export HOME="$folder/home"
mkdir -p "$HOME"
mv "$folder/first" "$HOME/tessera"
library=$(dirname "$(find "$HOME/tessera" -name libtessera_sim.so)")
unset LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH

# The lines of the page, as they stand there.
mkdir "$folder/page"
ln -s "$source/examples" "$folder/page/examples"
awk '/^## Examples/ {on = 1} on && /^    / {print substr($0, 5)}' "$source/docs/library.md" >"$folder/lines"
[ "$(wc -l <"$folder/lines")" -ge 5 ] || { echo "docs/library.md has no lines to run"; false; }
sed -i 's,^python3 ,/usr/bin/python3 ,' "$folder/lines"  # NumPy is the system's
(cd "$folder/page" && bash -euo pipefail "$folder/lines" >"$folder/said" 2>&1) || { cat "$folder/said"; false; }
grep '^ff 00 01 02 03 04$' "$folder/said" >/dev/null
grep '^1000 bytes written' "$folder/said" >/dev/null
grep '\[ *0 *4 *8\]' "$folder/said" >/dev/null
ok "the lines of the page: CMake, pkg-config, Python"

cmake -S "$source/examples/library" -B "$folder/examples" -DCMAKE_PREFIX_PATH="$HOME/tessera" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_STANDARD=17 \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" -DCMAKE_C_FLAGS="-std=c99 -Wall -Wextra -Werror" >"$folder/log"
cmake --build "$folder/examples" >>"$folder/log" || { cat "$folder/log"; false; }
ok "the examples have no warnings in C++17 and C99"

for file in "$source"/examples/library/*.{cpp,c,py}; do
  [ "$(wc -l <"$file")" -lt 40 ] || { echo "$file has 40 lines or more"; false; }
done
ok "examples are under 40 lines"

if grep -rnE 'Verilated|Vtsr|fmt/|nlohmann|"tb/' "$HOME/tessera/include"; then
  echo "the public headers show what is inside"
  false
fi
ok "headers show nothing of what is inside"

hidden=$(nm -DC --defined-only "$library/libtessera_sim.so" |
         awk '$2 != "A" {$1 = $2 = ""; print}' |
         grep -vE '^ +(tessera_|(typeinfo( name)? for |vtable for )?tessera::sim::)' || true)
[ -z "$hidden" ] || { echo "the library shows what is inside: $hidden"; false; }
ok "the library shows its interface alone"

"$HOME/tessera/bin/tessera" config list | grep typical >/dev/null
ok "the installed program runs"
echo "$passed passed, 0 failed"
