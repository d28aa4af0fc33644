#!/usr/bin/env bash
# Builds a program for one processor, without any library, and says how large it is.
#   build.sh PROCESSOR SOURCE OUTPUT [OPTIMISATION [LIMIT]]
#     PROCESSOR     aarch64, cortex-r5 or riscv64
#     OPTIMISATION  -O2 by default
#     LIMIT         bytes of code and constants; none by default
# Fails if anything is left undefined, or more than LIMIT is needed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
processor=$1 source=$2 output=$3 optimisation=${4:--O2} limit=${5:-0}
case "$processor" in
  aarch64) prefix=aarch64-linux-gnu-; flags=(-mcpu=cortex-a72 -mno-outline-atomics -fno-pic -no-pie) ;;
  cortex-r5) prefix=arm-none-eabi-; flags=(-mcpu=cortex-r5 -mthumb -mfloat-abi=soft) ;;
  riscv64) prefix=riscv64-unknown-elf-; flags=(-march=rv64imac -mabi=lp64 -mcmodel=medany -Wl,--no-relax) ;;
  *) echo "build.sh: unknown processor '$processor'; known: aarch64, cortex-r5, riscv64" >&2; exit 2 ;;
esac
# Functions in `extern "C"` blocks are the entries; what they do not use goes.
mapfile -t names < <(grep -oE '^(extern "C" )?uint32_t [a-z_]+\(' "$source" | grep -oE '[a-z_]+\($' | tr -d '(')
entries=(-Wl,-e,"${names[0]}")
for name in "${names[@]}"; do entries+=(-Wl,-u,"$name"); done
"${prefix}g++" -std=c++20 "$optimisation" -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
  -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-stack-protector -ffunction-sections -fdata-sections -Wall -Wextra -Wconversion \
  -Werror "${flags[@]}" -I"$root" -nostdlib -static -Wl,-Ttext=0x10000000 -Wl,--build-id=none -Wl,--no-warn-rwx-segments \
  -Wl,--gc-sections "${entries[@]}" "$source" -o "$output"
undefined=$("${prefix}nm" -u "$output")
[ -z "$undefined" ] || { echo "build.sh: undefined: $undefined" >&2; exit 1; }
"${prefix}size" "$output" | awk -v p="$processor" -v o="$optimisation" -v s="$(basename "$source" .cpp)" \
  -v l="$limit" 'NR == 2 { printf "%s %s %s: %d bytes of code and constants, %d of data\n", p, s, o, $1, $2 + $3; if (l > 0 && $1 > l) { print "build.sh: the limit is " l " bytes"; exit 1 } }'
