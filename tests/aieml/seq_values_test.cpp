// Runtime sequences: loops, arithmetic on constants, loads of PDIs, control packets.
#include "tests/aieml/seq_text.h"
#include "tools/aieml/seq/run.h"
#include "tools/aieml/txn/disassemble.h"

namespace tessera::seq {
namespace {

Words Write(uint32_t address, uint32_t value) { return {0, 0, address, 0, value, 24}; }
Words Joined(const std::vector<Words>& parts) {
  Words all;
  for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// ---- Loops

TEST(SeqLoops, ABodyOnceATurn) {
  EXPECT_EQ(Lowered("%c0 = arith.constant 0 : index\n%c3 = arith.constant 3 : index\n"
                    "%c1 = arith.constant 1 : index\n"
                    "scf.for %arg2 = %c0 to %c3 step %c1 {\n"
                    "  aiex.npu.write32 {address = 2224128 : ui32, value = 7 : ui32}\n}\n"),
            Joined({Write(2224128, 7), Write(2224128, 7), Write(2224128, 7)}));
}

// The variable, through casts and arithmetic, in offsets of a copy and values of writes.
TEST(SeqLoops, TheVariableIsAConstantOfItsTurn) {
  const Words words = Lowered(
      "%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n%c64 = arith.constant 64 : i64\n"
      "%i0 = arith.constant 0 : index\n%i4 = arith.constant 4 : index\n%i2 = arith.constant 2 : "
      "index\n"
      "scf.for %arg2 = %i0 to %i4 step %i2 {\n"
      "  %0 = arith.index_cast %arg2 : index to i64\n"
      "  %1 = arith.muli %0, %c64 overflow<nsw> : i64\n"
      "  aiex.npu.dma_memcpy_nd(%arg0[%c0, %c0, %c0, %1][%c1, %c1, %c1, %c64][%c0, %c0, %c0, %c1]) "
      "{id = 0 : i64, metadata = @in} : memref<4096xi32>\n  scf.yield\n}\n");
  ASSERT_EQ(words.size(), 2u * (12 + 12 + 6));
  EXPECT_EQ(words[12 + 10], 0u);         // the offset of the patch
  EXPECT_EQ(words[30 + 12 + 10], 512u);  // 2 * 64 words
}

TEST(SeqLoops, LoopsInLoops) {
  const Words words = Lowered(
      "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n%c2 = arith.constant 2 : i32\n"
      "%base = arith.constant 2224128 : i32\n%c16 = arith.constant 16 : i32\n"
      "scf.for %i = %c0 to %c2 step %c1 : i32 {\n  scf.for %j = %c0 to %c2 step %c1 : i32 {\n"
      "    %0 = arith.muli %i, %c2 : i32\n    %1 = arith.addi %0, %j : i32\n"
      "    %2 = arith.muli %1, %c16 : i32\n    %3 = arith.addi %base, %2 : i32\n"
      "    aiex.npu.write32(%3, %1) : i32, i32\n  }\n}\n");
  EXPECT_EQ(words,
            Joined({Write(2224128, 0), Write(2224144, 1), Write(2224160, 2), Write(2224176, 3)}));
}

TEST(SeqLoops, NoTurnAtAll) {
  EXPECT_EQ(Lowered("%c4 = arith.constant 4 : index\n%c1 = arith.constant 1 : index\n"
                    "scf.for %i = %c4 to %c4 step %c1 {\n  aiex.npu.frobnicate {a = 1}\n}\n"
                    "aiex.npu.preempt {level = 1 : ui8}\n"),
            (Words{0x106}));
}

TEST(SeqLoops, ATaskATurn) {
  const Words words = Lowered(
      "%c0 = arith.constant 0 : index\n%c40 = arith.constant 40 : index\n%c1 = arith.constant 1 : "
      "index\n"
      "scf.for %i = %c0 to %c40 step %c1 {\n"
      "  %t = aiex.dma_configure_task(%tile_0_2, S2MM, 0) {\n"
      "    aie.dma_bd(%buf : memref<64xi32>, 0, 64)\n    aie.end\n  } {issue_token = true}\n"
      "  aiex.dma_start_task(%t)\n  aiex.dma_await_task(%t)\n  aiex.dma_free_task(%t)\n}\n");
  EXPECT_EQ(words.size(), 40u * (10 + 6 + 4));  // more turns than descriptors: each is freed
}

TEST(SeqLoops, WhatIsRefused) {
  const std::string constants =
      "%c0 = arith.constant 0 : index\n%c9 = arith.constant 900000 : index\n"
      "%c1 = arith.constant 1 : index\n";
  const auto loop = [&](const std::string& text) { return Refused(constants + text); };
  EXPECT_EQ(loop("scf.for %i = %c0 to %c9 step %c0 {\n}\n"),
            "f.mlir:28:30: the step is 0: legal is 1 or more");
  EXPECT_EQ(loop("scf.for %i = %c0 to %c9 step %c1 {\n}\n"),
            "f.mlir:28:1: the loops have more than 20000 turns: legal are fewer");
  EXPECT_EQ(loop("scf.for %i = %c0 to %arg0 step %c1 {\n}\n"),
            "f.mlir:28:21: %arg0 is known only when the sequence runs, or is no number: legal is a "
            "constant");
  EXPECT_EQ(loop("scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %c0) -> (index) {\n}\n"),
            "f.mlir:28:34: \"iter_args\" is not expected: legal is \"{\": values that a loop hands "
            "on are not read");
  EXPECT_EQ(
      loop("scf.for %i = %c0 to %c1 step %c1 {\n  aiex.npu.frobnicate {a = 1}\n}\n").substr(0, 25),
      "f.mlir:29:3: the operatio");
  EXPECT_EQ(loop("scf.for %i = %c0 to %c1 step %c1 : f32 {\n}\n"),
            "f.mlir:28:36: the type \"f32\": legal are index and i1 to i64");
  // A name of the body is none behind it.
  EXPECT_EQ(loop("scf.for %i = %c0 to %c1 step %c1 {\n}\naiex.npu.write32(%i, %i) : i32, i32\n")
                .substr(0, 39),
            "f.mlir:30:18: %i has no definition that");
}

TEST(SeqLoops, Arithmetic) {
  const auto value = [](const std::string& text) {
    const Words words = Lowered(
        "%a = arith.constant 2224128 : i32\n%x = arith.constant 23 : i32\n"
        "%y = arith.constant -5 : i32\n%z = arith.constant 0 : i32\n%v = " +
        text + "\naiex.npu.write32(%a, %v) : i32, i32\n");
    return words.at(4);
  };
  EXPECT_EQ(value("arith.addi %x, %y : i32"), 18u);
  EXPECT_EQ(value("arith.subi %y, %x : i32"), static_cast<uint32_t>(-28));
  EXPECT_EQ(value("arith.muli %x, %x : i32"), 529u);
  EXPECT_EQ(value("arith.divui %a, %x : i32"), 2224128u / 23);
  EXPECT_EQ(value("arith.divsi %x, %y : i32"), static_cast<uint32_t>(-4));
  EXPECT_EQ(value("arith.remui %a, %x : i32"), 2224128u % 23);
  EXPECT_EQ(value("arith.remsi %x, %y : i32"), 3u);
  EXPECT_EQ(value("arith.trunci %x : i32 to i4"), 7u);
  EXPECT_EQ(value("arith.trunci %x : i32 to i3"), 0xffffffffu);
  EXPECT_EQ(value("arith.extui %y : i8 to i32"), 251u);
  EXPECT_EQ(value("arith.extsi %y : i8 to i32"), static_cast<uint32_t>(-5));
  const auto wrong = [](const std::string& text) {
    return Refused(
        "%x = arith.constant 23 : i64\n%y = arith.constant -5 : i64\n%z = arith.constant "
        "0 : i64\n%h = arith.constant 0x100000000000000 : i64\n%v = " +
        text + "\n");
  };
  EXPECT_EQ(wrong("arith.divui %x, %z : i64"),
            "f.mlir:29:22: a division by 0: legal is another number");
  EXPECT_EQ(wrong("arith.divui %x, %y : i64"),
            "f.mlir:29:6: a division of a negative number: legal are those that fit, signed");
  EXPECT_EQ(wrong("arith.muli %h, %h : i64"),
            "f.mlir:29:6: the result does not fit: legal are 64 bits");
  EXPECT_EQ(wrong("arith.addi %x, %arg0 : i64").substr(0, 19), "f.mlir:29:21: %arg0");
  EXPECT_EQ(wrong("arith.addi %x, %x : i65"),
            "f.mlir:29:26: the type \"i65\": legal are index and i1 to i64");
}

// Data of 200,000 words, 99 times: more than a binary may have.
TEST(SeqLoops, TheBinaryHasAnEnd) {
  std::string text = Around(
      "%c0 = arith.constant 0 : index\n%c99 = arith.constant 99 : index\n"
      "%c1 = arith.constant 1 : index\n%0 = memref.get_global @data : memref<200000xi32>\n"
      "scf.for %i = %c0 to %c99 step %c1 {\n"
      "  aiex.npu.blockwrite(%0) {address = 0 : ui32} : memref<200000xi32>\n}\n");
  const std::string own = "memref<3xi32> = dense<[1, -2, 3]>";
  text.replace(text.find(own), own.size(), "memref<200000xi32> = dense<7>");
  try {
    (void)Lower(text, "f.mlir");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "f.mlir:30:3: the binary has more than 67108864 bytes: legal are fewer");
  }
}

// ---- Loads of PDIs

TEST(SeqPdi, EveryForm) {
  EXPECT_EQ(Lowered("aiex.npu.load_pdi {id = 4 : i32}\n"), (Words{4u << 16 | 8, 0, 0, 0}));
  EXPECT_EQ(
      Lowered(
          "aiex.npu.load_pdi {id = 7 : i32, size = 4096 : i32, address = 0xabc12345678 : ui64}\n"),
      (Words{7u << 16 | 8, 4096, 0x12345678, 0xabc}));
  EXPECT_EQ(Lowered("aiex.npu.load_pdi (%arg0) {id = 3 : i32} : memref<?xi32>\n"),
            (Words{3u << 16 | 8, 0, 0, 0}));
}

std::string WithDevices(const std::string& operation) {
  std::string text = Around(operation);
  const std::string own = "aie.device(npu1_1col) {";
  text.replace(text.find(own), own.size(), "aie.device(npu1_1col) @main {");
  text.insert(text.find("  aie.device"), "  aie.device(npu1) @add_two {\n  }\n");
  return text;
}

TEST(SeqPdi, DevicesByName) {
  const auto words =
      Lower(WithDevices("aiex.npu.load_pdi { device_ref = @add_two, id = 1 : i32 }\n"), "f.mlir")
          .program.Binary(1, 6, 1, 3);
  EXPECT_EQ(Words(words.begin() + 4, words.end()), (Words{1u << 16 | 8, 0, 0, 0}));
  try {
    (void)Lower(WithDevices("aiex.npu.load_pdi {device_ref = @other}\n"), "f.mlir");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "f.mlir:27:33: there is no aie.device @other: legal are @add_two, @main");
  }
}

TEST(SeqPdi, WhatIsRefused) {
  EXPECT_EQ(Refused("aiex.npu.load_pdi {size = 4 : i32}\n").substr(0, 42),
            "f.mlir:25:1: the attribute \"id\" is missing");
  EXPECT_EQ(Refused("aiex.npu.load_pdi {id = 65536 : i32}\n"),
            "f.mlir:25:25: id is 65536: legal is 0 to 65535");
  EXPECT_EQ(Refused("aiex.npu.load_pdi {id = 1 : i32, address = -4 : i64}\n"),
            "f.mlir:25:44: address is negative: legal is 0 or more");
  EXPECT_EQ(
      Refused("aiex.npu.load_pdi {device_ref = @x}\n"),
      "f.mlir:25:33: there is no aie.device @x: legal are devices of the file, and none has a "
      "name");
}

TEST(SeqPdi, ARunPassesItOver) {
  const Sequence sequence =
      Lower(Around("aiex.npu.load_pdi {id = 1 : i32}\naiex.set_lock(%full, 5)\n"), "f.mlir");
  EXPECT_EQ(seq::Run("f.mlir", sequence, {}, false, 100), 0);
  const auto words = sequence.program.Binary(1, 6, 1, 3);
  EXPECT_NO_THROW(txn::Check("f", words));
  EXPECT_NE(txn::Disassemble("f", words).find("     4  load PDI     1, 0 bytes at 0x0\n"),
            std::string::npos);
}

// ---- Control packets

TEST(SeqControl, Writes) {
  EXPECT_EQ(
      Lowered("aiex.control_packet {address = 126976 : ui32, data = array<i32: 2>, opcode = 0 "
              ": i32, stream_id = 0 : i32}\n"),
      (Words{1, 0, 126976, 20, 2}));
  EXPECT_EQ(
      Lowered("aiex.control_packet {address = 2224160 : ui32, data = array<i32: 3, 4, -5, 6>, "
              "mcast_pkt_id = 5 : ui32, opcode = 2 : i32, stream_id = 9 : i32}\n"),
      (Words{1, 0x200, 2224160, 32, 3, 4, 0xfffffffb, 6}));
}

TEST(SeqControl, AReadReadsEveryRegisterOnce) {
  EXPECT_EQ(
      Lowered("aiex.control_packet {address = 1024 : ui32, length = 2 : i32, opcode = 1 : i32, "
              "stream_id = 2 : i32}\n"),
      (Words{4, 0, 1024, 0, 0, 0, 28, 4, 0, 1028, 0, 0, 0, 28}));
}

TEST(SeqControl, WhatIsRefused) {
  const auto packet = [](const std::string& rest) {
    return Refused("aiex.control_packet {address = 1024 : ui32, " + rest + "}\n");
  };
  EXPECT_EQ(packet("opcode = 1 : i32, stream_id = 2 : i32").substr(0, 46),
            "f.mlir:25:1: the attribute \"length\" is missing");
  EXPECT_EQ(packet("length = 5 : i32, opcode = 1 : i32, stream_id = 2 : i32"),
            "f.mlir:25:54: length is 5: legal is 1 to 4");
  EXPECT_EQ(packet("data = array<i32: 1>, opcode = 4 : i32, stream_id = 2 : i32"),
            "f.mlir:25:76: opcode is 4: legal is 0 to 3");
  EXPECT_EQ(packet("data = array<i32: 1>, opcode = 0 : i32, stream_id = 32 : i32"),
            "f.mlir:25:97: stream_id is 32: legal is 0 to 31");
  EXPECT_EQ(packet("data = array<i32: 1, 2, 3, 4, 5>, opcode = 0 : i32, stream_id = 2 : i32"),
            "f.mlir:25:1: a control packet with 5 words: legal are 1 to 4");
  EXPECT_EQ(packet("opcode = 0 : i32, stream_id = 2 : i32"),
            "f.mlir:25:1: a control packet with 0 words: legal are 1 to 4");
}

}  // namespace
}  // namespace tessera::seq
