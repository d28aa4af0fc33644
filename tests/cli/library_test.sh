#!/usr/bin/env bash
# Installs the library, moves it, and builds and runs the examples against it by the lines of docs/library.md:
# by CMake, by pkg-config, from Python. Then the same as a package of a distribution has it, below /usr.
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

cmake -S "$source/examples/graph" -B "$folder/graphs" -DCMAKE_PREFIX_PATH="$HOME/tessera" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" >"$folder/log"
cmake --build "$folder/graphs" --target fir host_poll >>"$folder/log" || { cat "$folder/log"; false; }
for name in fir host_poll; do
  (cd "$folder/graphs" && TESSERA_GRAPH=native "./$name") | grep 'numbers are right$' >/dev/null
  if "$HOME/tessera/bin/tessera" config list | grep -w graph >/dev/null; then
    (cd "$folder/graphs" && "./$name") | grep 'numbers are right$' >/dev/null
  fi
done
ok "graphs and host streams build with find_package"

# A package of a distribution: /usr below a folder of its own. What was built is the same there.
cmake -S "$source" -B "$folder/usr" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DTESSERA_TESTS=OFF \
  -DTESSERA_CONFIGS=typical -DTESSERA_DMAS=none -DTESSERA_MOVERS=none -DTESSERA_AIEMLS=none \
  -DCMAKE_CXX_COMPILER="$cxx" >"$folder/log" 2>&1 || { cat "$folder/log"; false; }
cp -a "$build/tessera" "$build"/libtessera_{sim,graph}.so* "$folder/usr"
DESTDIR="$folder/package" cmake --install "$folder/usr" >"$folder/log" || { cat "$folder/log"; false; }
package=$folder/package/usr
library=$(dirname "$(find "$package" -name libtessera_sim.so)")
if [ -f /etc/debian_version ] && [ "$library" != "$package/lib/$("$cc" -print-multiarch)" ]; then
  echo "the library is in $library"
  false
fi
for name in cmake/tessera/tesseraConfig.cmake cmake/tessera/tesseraTargets.cmake pkgconfig/tessera.pc; do
  [ -s "$library/$name" ] || { echo "$library/$name is not there"; false; }
done
! grep -rlF "$folder" "$library/cmake" "$library/pkgconfig" || { echo "these files name a folder of the build"; false; }
[ -x "$package/bin/tessera" ]
[ -s "$package/include/tessera/sim.hpp" ]
ok "with the prefix /usr and DESTDIR it goes to the folders of the system"

flags=$(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --cflags --libs tessera)
"$cc" "$source/examples/library/copy.c" -o "$folder/copy" $flags
(cd "$folder" && ./copy) | grep '^1000 bytes written' >/dev/null
cmake -S "$source/examples/library" -B "$folder/packaged" -DCMAKE_PREFIX_PATH="$package" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc" >"$folder/log"
cmake --build "$folder/packaged" --target window >>"$folder/log" || { cat "$folder/log"; false; }
"$folder/packaged/window" | grep '^ff 00 01 02 03 04$' >/dev/null
ok "from there CMake and pkg-config find it"
echo "$passed passed, 0 failed"
