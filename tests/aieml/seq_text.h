// Text of runtime sequences for tests: a device around operations; what it lowers to, or why it is
// refused.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tools/aieml/seq/parser.h"

namespace tessera::seq {

using Words = std::vector<uint32_t>;

// A device with what the operations need, around them.
inline std::string Around(
    const std::string& operations,
    const std::string& arguments = "%arg0: memref<4096xi32>, %arg1: memref<4096xi32>") {
  return "module {\n  aie.device(npu1_1col) {\n"
         "    memref.global \"public\" @in : memref<64xi32>\n"
         "    memref.global \"private\" constant @data : memref<3xi32> = dense<[1, -2, 3]>\n"
         "    %tile_0_0 = aie.tile(0, 0)\n    %tile_0_1 = aie.tile(0, 1)\n"
         "    %tile_0_2 = aie.tile(0, 2)\n"
         "    %buf = aie.buffer(%tile_0_2) {address = 1024 : i32, sym_name = \"buf\"} : "
         "memref<64xi32>\n"
         "    %mem = aie.buffer(%tile_0_1) {address = 64 : i32, sym_name = \"mem\"} : "
         "memref<4096xi32>\n"
         "    %full = aie.lock(%tile_0_2, 1) {init = 0 : i32, sym_name = \"full\"}\n"
         "    %free = aie.lock(%tile_0_2, 0) {init = 1 : i32}\n"
         "    %mlock = aie.lock(%tile_0_1, 3)\n"
         "    aie.core(%tile_0_2) {\n      %c0 = arith.constant 0 : index\n      aie.end\n    }\n"
         "    aie.bd_chain @chain(%a: memref<4096xi32>) {\n"
         "      aie.dma_bd(%a : memref<4096xi32>, 0, 16)\n      aie.next_bd ^bd1\n    ^bd1:\n"
         "      aie.dma_bd(%a : memref<4096xi32>, 16, 16)\n      aie.end\n    }\n"
         "    aie.runtime_sequence @seq(" +
         arguments + ") {\n" + operations +
         "    }\n    aie.shim_dma_allocation @in(MM2S, 0, 0)\n"
         "    aie.shim_dma_allocation @out (%tile_0_0, S2MM, 1)\n  }\n}\n";
}

// The words of the operations, without the header.
inline Words Lowered(
    const std::string& operations,
    const std::string& arguments = "%arg0: memref<4096xi32>, %arg1: memref<4096xi32>") {
  const auto all = Lower(Around(operations, arguments), "f.mlir").program.Binary(1, 6, 1, 3);
  return {all.begin() + 4, all.end()};
}

inline std::string Refused(
    const std::string& operations,
    const std::string& arguments = "%arg0: memref<4096xi32>, %arg1: memref<4096xi32>") {
  try {
    (void)Lower(Around(operations, arguments), "f.mlir");
  } catch (const Error& error) {
    std::string text = error.what();
    EXPECT_NE(text.find("legal"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
    return text;
  }
  return "accepted";
}

}  // namespace tessera::seq
