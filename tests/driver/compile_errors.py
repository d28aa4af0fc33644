#!/usr/bin/env python3
"""Compiles programs with constants that are wrong: each must fail, with a message that names the rule.

    compile_errors.py [compiler]
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """#include "sw/driver/tessera/driver.hpp"
using namespace tessera::driver;
constexpr Capabilities Without(uint32_t feature) {{
  Capabilities build;
  build.features &= ~feature;
  return build;
}}
{text}
"""
TILING = """constexpr tiling_parameters kTiling{{{fields}}};
constexpr Placeable kMade = Lowered<kTiling, {arguments}>();"""
GOOD = ".buffer_dimension = {64, 64}, .tiling_dimension = {8, 8}"


def tiling(fields, arguments="16"):
    return TILING.format(fields=fields, arguments=arguments)


# What is written, and words of the message. None: it compiles.
CASES = [
    (tiling(GOOD), None),
    (tiling(GOOD + ", .offset = {-1, -1}, .tile_traversal = {{0, 8, 9}, {1, 8, 9}}"), None),
    (tiling(GOOD, "12"), "element_bits must be 4, 8, 16 ... 512"),
    (tiling(".buffer_dimension = {64, 64}, .tiling_dimension = {8}"), "must name the same number of dimensions"),
    (tiling(".buffer_dimension = {64, 0}, .tiling_dimension = {8, 8}"), "buffer_dimension: a dimension is 0"),
    (tiling(".buffer_dimension = {64, 64}, .tiling_dimension = {0, 8}"), "tiling_dimension: a dimension of the tile is 0"),
    (tiling(GOOD + ", .boundary_dimension = {65, 64}"), "boundary_dimension: a boundary must be 1 up to"),
    (tiling(GOOD + ", .offset = {1, 0}", "4"), "must be whole groups"),
    (tiling(GOOD + ", .offset = {2, 0}", "8, kLargestBuild, Format::kWord32"), "must be whole groups"),
    (tiling(GOOD + ", .tile_traversal = {{2, 8, 2}}"), "names a dimension that the buffer does not have"),
    (tiling(GOOD + ", .tile_traversal = {{0, 8, 0}}"), "a wrap is 0"),
    (tiling(GOOD + ", .packet_port_id = 32"), "packet_port_id must be -1 or 0 to 31"),
    (tiling(".buffer_dimension = {0x80000000u, 0x80000000u}, .tiling_dimension = {8, 8}"),
     "more bytes than strides can say"),
    (tiling(GOOD + ", .tile_traversal = {{0, 1 << 30, 2}}"), "moves a dimension with edges by 2^29 elements or more"),
    (tiling(GOOD + ", .tile_traversal = {{0, 1 << 30, 4}}"), "a coordinate needs more than 32 bits"),
    (tiling(GOOD + ", .offset = {-1, 0}", "16, Without(registers::global_block::CapFeatures::kBoundsMask)"), "this build has no bounds"),
    (tiling(GOOD + ", .tile_traversal = {{0, 8, 9}}", "16, Without(registers::global_block::CapFeatures::kWalkMask)"), "this build has no traversal"),
    (tiling(GOOD + ", .tile_traversal = {{0, 4, 8}, {1, 8, 4}, {0, 16, 2}}", "16, Without(registers::global_block::CapFeatures::kWalkMask)"),
     "need more than four loops"),
    (tiling(GOOD + ", .packet_port_id = 1", "16, Without(registers::global_block::CapFeatures::kPacketHeadersMask)"), "this build has no packet headers"),
    ("Channel<MmioBus, 3>* c; uint32_t n = sizeof(*c);", "a power of two from 2 to 256"),
    ("MemoryPool<48> p(nullptr, 0, 0);", "the alignment of a memory pool is a power of two"),
    ("void f() { uint64_t x = 0; Copy(x, 8, kLargestBuild); Descriptor().Check(kLargestBuild); }", "nodiscard"),
]


def check(case, compiler):
    text, words = case
    result = subprocess.run([compiler, "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", f"-I{ROOT}", "-x", "c++", "-"],
                            input=PROGRAM.format(text=text), capture_output=True, text=True)
    if words is None:
        return "" if result.returncode == 0 else f"must compile:\n{text}\n{result.stderr}"
    if result.returncode == 0:
        return f"must not compile:\n{text}\n"
    return "" if words in result.stderr else f"the message has no '{words}':\n{text}\n{result.stderr}"


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "g++"
    with ThreadPoolExecutor(2) as pool:
        wrong = [text for text in pool.map(lambda case: check(case, compiler), CASES) if text]
    print("\n".join(wrong) + f"{len(CASES) - len(wrong)} of {len(CASES)} programs do what they must")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
