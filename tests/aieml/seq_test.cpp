// Runtime sequences: what they lower to, word by word, what is refused and where, and a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sw/driver/tessera/aieml/transaction.hpp"
#include "tests/aieml/on_rtl.h"
#include "tests/aieml/seq_text.h"
#include "tools/aieml/seq/run.h"
#include "tools/aieml/txn/disassemble.h"
#include "tools/aieml/txn/play.h"

namespace tessera::seq {
namespace {

using driver::npu::AddressOf;

constexpr uint32_t kShimBd0 = 0x1d000, kQueueIn = 0x1d214, kQueueOut = 0x1d20c;

std::string Memcpy(const std::string& lists, const std::string& attributes = "id = 0 : i64",
                   const std::string& metadata = "in", const std::string& type = "4096xi32") {
  return fmt::format("aiex.npu.dma_memcpy_nd(%arg0{}) {{{}, metadata = @{}}} : memref<{}>\n", lists,
                     attributes, metadata, type);
}

// ---- Single operations

TEST(Seq, WritesInBothForms) {
  const Words full{0, 0, AddressOf(0, 2, 0x1f000), 0, 7, 24};
  EXPECT_EQ(Lowered("aiex.npu.write32 {address = 2224128 : ui32, value = 7 : ui32}\n"), full);
  EXPECT_EQ(Lowered("aiex.npu.write32 { row = 2 : i32, column = 0 : i32, address = 0x0001F000 : "
                    "ui32, value = 7 : ui32 }\n"),
            full);
  EXPECT_EQ(Lowered("%a = arith.constant 2224128 : i32\n%v = arith.constant 7 : i32\n"
                    "aiex.npu.write32(%a, %v) : i32, i32\n"),
            full);
  EXPECT_EQ(Lowered("aiex.npu.maskwrite32 {buffer = @buf, address = 1 : ui32, value = 0x9ABCDEF0 : "
                    "ui32, mask = 0x0F0F0F0F : ui32}\n"),
            (Words{3, 0, AddressOf(0, 2, 1028), 0, 0x9abcdef0, 0x0f0f0f0f, 28}));
  EXPECT_EQ(Lowered("aiex.npu.rtp_write(@buf, 2, 50)\n"),
            (Words{0, 0, AddressOf(0, 2, 1032), 0, 50, 24}));
  EXPECT_EQ(Lowered("%v = arith.constant -1 : i32\naiex.npu.rtp_write(@buf, 0, %v) : i32\n"),
            (Words{0, 0, AddressOf(0, 2, 1024), 0, 0xffffffff, 24}));
}

// Words of a memory tile with base address 0 are in the west neighbour: there is one, unless the
// array file says otherwise or the device is the whole array.
TEST(Seq, APartitionHasNeighbours) {
  const std::string text = Around(
      "aiex.npu.write32 {address = 0x1A0000 : ui32, value = 16 : ui32}\n"
      "aiex.npu.write32 {address = 0x1A0004 : ui32, value = 0 : ui32}\n"
      "aiex.npu.write32 {address = 0x1A001C : ui32, value = 0x80000000 : ui32}\n"
      "aiex.npu.write32 {address = 0x1A0634 : ui32, value = 0x80000000 : ui32}\n"
      "aiex.npu.write32 {address = 0x1A0604 : ui32, value = 0x80000000 : ui32}\n"
      "aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, "
      "direction = 0 : i32, row = 1 : i32, row_num = 1 : i32}\n");
  const std::string routes = R"("routes": [{"from": [0, 1, 0], "to": [[0, 1, 0]]}])";
  const auto run = [&](const std::string& device, const std::string& more) {
    std::string whole = text;
    whole.replace(whole.find("npu1_1col"), 9, device);
    return seq::Run("f.mlir", Lower(whole, "f.mlir"),
                    aieml::ParseHere("{" + routes + more + "}", "a.json"), false, 100);
  };
  EXPECT_EQ(run("npu1_1col", ""), 0);
  EXPECT_EQ(run("npu1_1col", R"(, "neighbours": [])"), 1);
  EXPECT_EQ(run("npu1_1col", R"(, "neighbours": ["east"])"), 1);
  EXPECT_EQ(run("npu1_1col", R"(, "neighbours": ["west"])"), 0);
  EXPECT_EQ(run("npu1", ""), 0);
  EXPECT_EQ(run("npu2", ""), 1);
  EXPECT_EQ(run("npu2", R"(, "neighbours": ["east", "west"])"), 0);
  EXPECT_THROW(array::Parse(R"({"neighbours": ["north"]})", "a.json"), array::Error);
}

TEST(Seq, BlocksOfConstantData) {
  EXPECT_EQ(Lowered("%0 = memref.get_global @data : memref<3xi32>\n"
                    "aiex.npu.blockwrite(%0) {address = 118816 : ui32} : memref<3xi32>\n"),
            (Words{1, 0, 0x1d020, 28, 1, 0xfffffffe, 3}));
}

TEST(Seq, SyncPatchPreempt) {
  const Words sync{128, 16, 0, 0x00010100};
  EXPECT_EQ(Lowered("aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, "
                    "direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}\n"),
            sync);
  EXPECT_EQ(Lowered("%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n"
                    "aiex.npu.sync(%c0, %c0, %c0, %c0, %c1, %c1) : i32, i32, i32, i32, i32, i32\n"),
            sync);
  EXPECT_EQ(Lowered("aiex.npu.dma_wait {symbol = @out}\n"), (Words{128, 16, 0, 0x01010100}));
  const Words patch{129, 48, 0, 0, 0, 0, 118820, 0, 1, 0, 16, 0};
  EXPECT_EQ(
      Lowered("aiex.npu.address_patch {addr = 118820 : ui32, arg_idx = 1 : i32, arg_plus = 16 "
              ": i32}\n"),
      patch);
  EXPECT_EQ(
      Lowered("%p = arith.constant 16 : i32\naiex.npu.address_patch(%p : i32) {addr = 118820 : "
              "ui32, arg_idx = 1 : i32}\n"),
      patch);
  EXPECT_EQ(Lowered("aiex.npu.preempt {level = 2 : ui8}\n"), (Words{0x206}));
}

TEST(Seq, QueuesInBothForms) {
  const Words push{0, 0, kQueueIn, 0, 0x80030005, 24};
  EXPECT_EQ(
      Lowered("aiex.npu.push_queue (0, 0, MM2S:0) {issue_token = true, repeat_count = 3 : i32, "
              "bd_id = 5 : i32}\n"),
      push);
  EXPECT_EQ(Lowered("%b = arith.constant 5 : i32\n%r = arith.constant 3 : i32\n"
                    "aiex.npu.push_queue(0, 0, MM2S : 0) bd_id %b repeat %r {issue_token = true} : "
                    "i32, i32\n"),
            push);
}

TEST(Seq, ControlPacketsAndLocks) {
  EXPECT_EQ(
      Lowered("aiex.control_packet {address = 0x21f020 : ui32, data = array<i32: 3, 4>, opcode "
              "= 2 : i32, stream_id = 9 : i32}\n"),
      (Words{1, 0x200, 0x21f020, 24, 3, 4}));
  EXPECT_EQ(Lowered("aiex.set_lock(%full, 5)\n"),
            (Words{0, 0, AddressOf(0, 2, 0x1f010), 0, 5, 24}));
  EXPECT_EQ(Lowered("aiex.dma_channel_reset(%tile_0_1, S2MM, 3)\n"),
            (Words{3, 0, AddressOf(0, 1, 0xa0618), 0, 2, 2, 28, 3, 0, AddressOf(0, 1, 0xa0618), 0,
                   0, 2, 28}));
}

// ---- dma_memcpy_nd

Words Copied(const Words& bd, uint32_t offset, uint32_t queue, uint32_t push) {
  Words words{1, 0, kShimBd0, 48};
  words.insert(words.end(), bd.begin(), bd.end());
  const Words rest{129, 48, 0, 0, 0, 0, kShimBd0 + 4, 0, 0, 0, offset, 0, 0, 0, queue, 0, push, 24};
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}

TEST(Seq, TheShimVectorOfTheDocuments) {
  EXPECT_EQ(
      Lowered(Memcpy("[0, 0, 0, 0][1, 2, 32, 32][0, 2048, 64, 1]")),
      Copied({2048, 0, 0, 0x02000000, 0x8200003f, 0x020007ff, 0, 0x02000000}, 0, kQueueIn, 0));
}

TEST(Seq, ACopyThroughConstantsWithToken) {
  EXPECT_EQ(
      Lowered("%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n"
              "%c64 = arith.constant 64 : i64\n" +
              Memcpy("[%c0,%c0,%c0,%c64][%c1,%c1,%c1,%c64][%c0,%c0,%c0,%c1]",
                     "id = 0 : i64, issue_token = true")),
      Copied({64, 0, 0, 0, 0x80000000, 0x02000000, 0, 0x02000000}, 256, kQueueIn, 0x80000000));
}

TEST(Seq, RowsWithoutGapsAreOneRun) {
  EXPECT_EQ(Lowered(Memcpy("[0, 0, 0, 0][1, 1, 2, 2048][0, 0, 2048, 1]")),
            Copied({4096, 0, 0, 0, 0x80000000, 0x02000000, 0, 0x02000000}, 0, kQueueIn, 0));
}

TEST(Seq, TheOutermostDimensionRepeatsAndIterates) {
  EXPECT_EQ(Lowered(Memcpy("[0, 0, 0, 0][4, 1, 1, 64][128, 0, 0, 1]")),
            Copied({64, 0, 0, 0, 0x80000000, 0x02000000, 3u << 20 | 127, 0x02000000}, 0, kQueueIn,
                   0x00030000));
  EXPECT_EQ(Lowered(Memcpy("[0, 0, 0, 0][4, 1, 1, 64][0, 0, 0, 1]")),
            Copied({64, 0, 0, 0, 0x80000000, 0x02000000, 0, 0x02000000}, 0, kQueueIn, 0x00030000));
}

TEST(Seq, SmallElementsCountInWords) {
  EXPECT_EQ(Lowered(Memcpy("[0, 0, 0, 8][1, 1, 2, 2040][0, 0, 4096, 1]", "id = 0 : i64", "in",
                           "61x112xi8")),
            Copied({1020, 0, 0, 510u << 20, 2u << 30 | 2u << 20 | 1023, 0x02000000, 0, 0x02000000},
                   8, kQueueIn, 0));
}

// A stride of one element means nothing, and stays in its field.
TEST(Seq, StridesOfOneElement) {
  EXPECT_EQ(Lowered(Memcpy("[0, 0, 0, 0][1, 1, 4, 1][0, 0, 100, 4194304]")),
            Copied({4, 0, 0, 1u << 20, 2u << 30 | 4u << 20 | 99, 0x02000000, 0, 0x02000000}, 0,
                   kQueueIn, 0));
  const Words task = Lowered(
      "%t = aiex.dma_configure_task(%tile_0_2, MM2S, 0) {\n"
      "  aie.dma_bd(%buf : memref<64xi32> offset = 0 len = 4 sizes = [4, 1] strides = [15, "
      "8193])\n  aie.end\n}\n");
  EXPECT_EQ(task[4 + 2], 14u << 13);
}

TEST(Seq, PacketsBurstsAndReceiving) {
  const std::string lists = "[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]";
  EXPECT_EQ(Lowered(Memcpy(lists + ", packet = <pkt_id = 2, pkt_type = 3>",
                           "id = 0 : i64, burst_length = 64 : i64"))[6],
            0x40130000u);
  EXPECT_EQ(Lowered(Memcpy(lists, "id = 0 : i64, burst_length = 128 : i64"))[8], 0x40000000u);
  EXPECT_EQ(Lowered(Memcpy(lists, "id = 0 : i64", "out")),
            Copied({64, 0, 0, 0, 0x80000000, 0x02000000, 0, 0x02000000}, 0, kQueueOut, 0x80000000));
}

TEST(Seq, CopiesThatAreRefused) {
  const auto lists = [](const std::string& text, const std::string& type = "4096xi32") {
    return Refused(Memcpy(text, "id = 0 : i64", "in", type));
  };
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 2, 1024][0, 0, 4096, 1]"),
            "f.mlir:25:51: the size of dimension 0 in words is 1024: legal is 1 to 1023");
  EXPECT_EQ(lists("[0, 0, 0, 0][65, 2, 2, 8][0, 16, 8, 1]"),
            "f.mlir:25:42: the size of dimension 3 is 65: legal is 1 to 64");
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 2, 2][0, 0, 2097152, 1]"),
            "f.mlir:25:60: the stride of dimension 1 in words is 2097152: legal is 0 to 1048576");
  EXPECT_EQ(lists("[0, 0, 0, 1][1, 1, 1, 8][0, 0, 0, 1]", "64xi8"),
            "f.mlir:25:39: the offset is 1 byte: legal is a multiple of 4");
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 2, 8][0, 0, 2, 1]", "64xi8"),
            "f.mlir:25:60: the stride of dimension 1 is 2 elements of 8 bits, 2 bytes: legal is a "
            "multiple of 4 bytes");
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 2]", "64xi8"),
            "f.mlir:25:63: the stride of dimension 0 is 2 elements of 8 bits, 2 bytes: legal is a "
            "multiple of 4 bytes, or 1 element");
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 1, 3][0, 0, 0, 1]", "64xi16"),
            "f.mlir:25:51: 3 elements of 16 bits are 48 bits: legal is a multiple of 32");
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 1, 1][0, 0, 0, 1]", "64xi16"),
            "f.mlir:25:51: 1 element of 16 bits is 16 bits: legal is a multiple of 32");
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 1, 3][0, 0, 0, 1]", "64xi64"),
            "f.mlir:25:1: an element of 64 bits: legal are 1 to 32");
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 0, 3][0, 0, 0, 1]"),
            "f.mlir:25:48: the size of dimension 1 is 0: legal is 1 to 4294967296");
  EXPECT_EQ(lists("[0, 0, 0, 0][1, 1, 2, 3][0, 0, 0, 1]"),
            "f.mlir:25:60: the stride of dimension 1 is 0: legal is 1 or more");
  EXPECT_EQ(lists("[0, 0, 0, 0][2, 1, 2, 3][-4, 0, 4, 1]"),
            "f.mlir:25:54: the stride of dimension 3 is -4: legal is 0 or more");
  EXPECT_EQ(lists("[0, 0, 0][1, 1, 2, 3][0, 0, 0, 1]"),
            "f.mlir:25:29: a list of 3: legal are 4, outermost first");
  const std::string one = "[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]";
  EXPECT_EQ(Refused(Memcpy(one, "id = 16 : i64")), "f.mlir:25:74: id is 16: legal is 0 to 15");
  EXPECT_NE(Refused(Memcpy(one + ", packet = <pkt_id = 32, pkt_type = 2>"))
                .find("the packet id is 32: legal is 0 to 31"),
            std::string::npos);
  EXPECT_NE(Refused(Memcpy(one + ", packet = <pkt_id = 2, pkt_type = 8>"))
                .find("the packet type is 8: legal is 0 to 7"),
            std::string::npos);
  EXPECT_NE(Refused(Memcpy(one, "id = 0 : i64, burst_length = 512 : i64"))
                .find("the burst length is 512: legal are 0 for the largest, 64, 128, 256"),
            std::string::npos);
  EXPECT_NE(Refused(Memcpy(one, "id = 0 : i64, d0_zero_before = 1 : i64"))
                .find("d0_zero_before is 1: legal is 0 to 0"),
            std::string::npos);
  EXPECT_NE(Refused(Memcpy(one, "id = 0 : i64", "nothing")).find("no aie.shim_dma_allocation"),
            std::string::npos);
}

// ---- Descriptors and tasks

std::string WriteBd(const std::string& change, const std::string& to) {
  std::string text =
      "aiex.npu.writebd {bd_id = 7 : i32, buffer_length = 32 : i32, buffer_offset = 128 : i32, "
      "column "
      "= 0 : i32, row = 0 : i32, d0_stride = 0 : i32, d0_size = 8 : i32, d0_zero_after = 0 : i32, "
      "d0_zero_before = 0 : i32, d1_stride = 7 : i32, d1_size = 2 : i32, d1_zero_after = 0 : i32, "
      "d1_zero_before = 0 : i32, d2_size = 0 : i32, d2_stride = 15 : i32, d2_zero_after = 0 : i32, "
      "d2_zero_before = 0 : i32, ddr_id = 0 : i32, enable_packet = 0 : i32, iteration_current = 0 "
      ": "
      "i32, iteration_stride = 0 : i32, iteration_size = 0 : i32, lock_acq_enable = 0 : i32, "
      "lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, lock_rel_id = 0 : i32, lock_rel_val = 0 : "
      "i32, "
      "next_bd = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : i32, "
      "use_next_bd = 0 : i32, valid_bd = 1 : i32}\n";
  const size_t at = text.find(change);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, change.size(), to);
}

TEST(Seq, DescriptorsWrittenField) {
  EXPECT_EQ(Lowered(WriteBd("bd_id = 7", "bd_id = 7")),
            (Words{1, 0, 0x1d0e0, 48, 32, 128, 0, 8u << 20, 2u << 30 | 2u << 20 | 7, 0x0200000f, 0,
                   1u << 25}));
  const std::pair<const char*, const char*> kWrong[] = {
      {"bd_id = 7", "bd_id = 17"},
      {"iteration_size = 0", "iteration_size = 128"},
      {"d0_stride = 0", "d0_stride = 2097356"},
      {"d1_size = 2", "d1_size = 1024"},
      {"d2_size = 0", "d2_size = 100"},
      {"d2_zero_before = 0", "d2_zero_before = 1"},
      {"packet_id = 0", "packet_id = 32"},
      {"row = 0", "row = 6"},
  };
  for (const auto& [good, bad] : kWrong) {
    const std::string text = Refused(WriteBd(good, bad));
    const std::string_view name(bad);
    EXPECT_NE(text.find(fmt::format("{} is ", name.substr(0, name.find(' ')))), std::string::npos)
        << text;
  }
  EXPECT_NE(Refused(WriteBd("valid_bd = 1", "x = 1")).find("\"valid_bd\" is missing"),
            std::string::npos);
}

// As upstream texts have it: no size of dimension 2, and the offset of the buffer as its compiler
// puts it into the words. A shim has it in bytes of which the two low bits mean nothing, a compute
// tile in bytes, a memory tile in words.
TEST(Seq, DescriptorsOfOlderTexts) {
  EXPECT_EQ(Lowered(WriteBd("d2_size = 0 : i32, ", "")), Lowered(WriteBd("valid", "valid")));
  EXPECT_EQ(Lowered(WriteBd("buffer_offset = 128", "buffer_offset = 2"))[5], 2u);
  const auto tile = [](const std::string& row, const std::string& offset) {
    std::string text = WriteBd("row = 0", "row = " + row);
    text.replace(text.find("offset = 128"), 12, "offset = " + offset);
    return Lowered(text);
  };
  EXPECT_EQ(tile("1", "2")[5], 2u);  // the vector of the documents
  EXPECT_EQ(tile("1", "524287")[5], 0x7ffffu);
  EXPECT_EQ(tile("2", "128")[4], 32u << 14 | 32);
  EXPECT_EQ(tile("2", "130")[4], 32u << 14 | 32);
  std::string large = WriteBd("row = 0", "row = 1");
  large.replace(large.find("offset = 128"), 12, "offset = 524288");
  EXPECT_EQ(Refused(large), "f.mlir:25:78: buffer_offset is 524288: legal is 0 to 524287");
}

// Buffers without an address are placed as the public compiler places them: by size into banks in
// turn, bank 0 behind the stack of a core; one behind the other if that does not fit.
TEST(Seq, BuffersArePlaced) {
  const auto placed = [](const std::string& declarations, const std::string& names) {
    std::string text = Around("");
    const std::string before = "    aie.runtime_sequence";
    text.insert(text.find(before), declarations);
    std::string operations;
    for (const char name : names)
      operations += fmt::format("aiex.npu.rtp_write(@{}, 0, 0)\n", name);
    text.insert(text.find("{\n", text.find(before)) + 2, operations);
    std::vector<uint32_t> addresses;
    try {
      const auto words = Lower(text, "f.mlir").program.Binary(1, 6, 1, 3);
      for (size_t n = 0; n < names.size(); ++n) {
        addresses.push_back(driver::npu::OffsetOf(words[4 + 6 * n + 2]));
      }
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
    return addresses;
  };
  const auto buffer = [](char name, const std::string& tile, int words, const char* more = "") {
    return fmt::format(
        "    %{0} = aie.buffer(%tile_0_{1}) {{sym_name = \"{0}\"{3}}} : "
        "memref<{2}xi32>\n",
        name, tile, words, more);
  };
  // The tile (0,2) has a core and, at 1024, the buffer of 64 words.
  EXPECT_EQ(placed(buffer('a', "2", 64) + buffer('b', "2", 4096) + buffer('c', "2", 100), "abc"),
            (Words{0xc000, 0x4000, 0x8000}));
  EXPECT_EQ(placed(buffer('a', "2", 64, ", mem_bank = 1 : i32") + buffer('b', "2", 32), "ab"),
            (Words{0x4000, 0x500}));
  // A memory tile, in eight banks; at 64 is the buffer of 4096 words.
  EXPECT_EQ(placed(buffer('a', "1", 8) + buffer('b', "1", 16384), "ab"), (Words{0x20000, 0x10000}));
  // Larger than a bank: one behind the other, by size.
  EXPECT_EQ(
      placed("    %t3 = aie.tile(0, 3)\n    aie.core(%t3) {\n      aie.end\n    } {stack_size = "
             "2048 : i32}\n    %a = aie.buffer(%t3) {sym_name = \"a\"} : memref<10xi32>\n    "
             "%b = aie.buffer(%t3) {sym_name = \"b\"} : memref<8192xi32>\n",
             "ab"),
      (Words{0x8800, 0x800}));
}

TEST(Seq, BuffersThatDoNotFitAreRefused) {
  std::string text = Around("");
  text.insert(text.find("    aie.runtime_sequence"),
              "    %big = aie.buffer(%tile_0_2) {sym_name = \"big\"} : memref<16384xi32>\n");
  try {
    (void)Lower(text, "f.mlir");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "f.mlir:24:22: the buffers of tile (0,2) and a stack of 1024 bytes take 66816 bytes: "
              "legal are 65536");
  }
}

TEST(Seq, ACopyStaysInItsMemref) {
  const auto refused = [](const std::string& lists) { return Refused(Memcpy(lists)); };
  EXPECT_EQ(Refused(Memcpy("[0, 0, 0, 0][1, 1, 1, 4096][0, 0, 0, 1]") +
                    Memcpy("[0, 0, 0, 4095][1, 1, 1, 1][0, 0, 0, 1]", "id = 1 : i64")),
            "accepted");
  EXPECT_EQ(refused("[0, 0, 0, 1][1, 1, 1, 4096][0, 0, 0, 1]"),
            "f.mlir:25:1: the last element of the copy is 4096: legal is below 4096, the elements "
            "of its memref");
  EXPECT_EQ(refused("[0, 0, 0, 0][4, 1, 2, 32][1365, 0, 2, 1]"),
            "f.mlir:25:1: the last element of the copy is 4128: legal is below 4096, the elements "
            "of its memref");
}

TEST(Seq, DevicesThatExist) {
  const auto with = [](const std::string& device) {
    std::string text = Around("");
    text.replace(text.find("npu1_1col"), 9, device);
    try {
      return fmt::to_string(Lower(text, "f.mlir").device.columns);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(with("npu1"), "4");
  EXPECT_EQ(with("npu1_4col"), "4");
  EXPECT_EQ(with("npu2"), "8");
  EXPECT_EQ(with("npu2_7col"), "7");
  for (const char* none : {"npu1_5col", "npu2_9col", "npu3", "npu1_0col", "xcvc1902", "npu"}) {
    EXPECT_EQ(with(none),
              fmt::format("f.mlir:2:14: the device is {}: legal are npu1, npu1_1col to npu1_4col, "
                          "npu2, npu2_1col to npu2_8col",
                          none));
  }
}

TEST(Seq, ATaskWithLocksOfAComputeTile) {
  const Words words = Lowered(
      "%t = aiex.dma_configure_task(%tile_0_2, S2MM, 0) {\n"
      "  %c1 = arith.constant 1 : i32\n"
      "  aie.use_lock(%free, AcquireGreaterEqual, %c1)\n"
      "  aie.dma_bd(%buf : memref<64xi32> offset = 0 len = 64) {bd_id = 3 : i32}\n"
      "  aie.use_lock(%full, Release, 1)\n  aie.end\n} {issue_token = true, repeat_count = 2 : "
      "i32}\n"
      "aiex.dma_start_task(%t)\naiex.dma_await_task(%t)\naiex.dma_free_task(%t)\n");
  EXPECT_EQ(words, (Words{1,
                          0x200,
                          AddressOf(0, 2, 0x1d060),
                          40,
                          0x100u << 14 | 64,
                          0,
                          0,
                          0,
                          0,
                          1u << 25 | 1u << 18 | 1u << 13 | 1u << 12 | 0x7fu << 5,
                          0,
                          0,
                          AddressOf(0, 2, 0x1de04),
                          0,
                          0x80020003,
                          24,
                          128,
                          16,
                          2u << 8,
                          0x00010100}));
}

TEST(Seq, ATaskOfAMemoryTileWithPadding) {
  const Words words = Lowered(
      "%t = aiex.dma_configure_task(%tile_0_1, MM2S, 1) {\n"
      "  aie.dma_bd(%mem : memref<64x64xi8>, 0, 4096, [<size = 61, stride = 56>, <size = 56, "
      "stride = "
      "1>], [<const_pad_before = 2, const_pad_after = 1>, <const_pad_before = 4, const_pad_after = "
      "4>])\n  aie.end\n}\naiex.dma_start_task(%t)\n");
  EXPECT_EQ(words,
            (Words{1, 0x100, AddressOf(0, 1, 0xa0000 + 24 * 0x20), 48, 1024,
                   1u << 26 | (0x80000 + 64) / 4, 14u << 17, 2u << 27 | 61u << 17 | 13, 0,
                   1u << 23 | 1u << 17, 0, 1u << 31, 0, 0, AddressOf(0, 1, 0xa063c), 0, 24, 24}));
}

TEST(Seq, ChainsOfDescriptors) {
  const Words words = Lowered(
      "%t = aiex.dma_start_bd_chain_for @chain(%arg1) : (memref<4096xi32>) for @out {issue_token = "
      "true}\naiex.dma_await_task(%t)\n");
  ASSERT_EQ(words.size(), 2u * (12 + 12) + 6 + 4);
  EXPECT_EQ(words[11], 1u << 25 | 1u << 26 | 1u << 27);  // leads to descriptor 1
  EXPECT_EQ(words[12 + 8], 1u);                          // argument 1
  EXPECT_EQ(words[24 + 11], 1u << 25);
  EXPECT_EQ(words[36 + 10], 64u);  // the offset of the second
  EXPECT_EQ(words[48 + 4], 0x80000000u);
}

TEST(Seq, IterationsOfTasks) {
  const Words words = Lowered(
      "%t = aiex.dma_configure_task_for @in {\n"
      "  aie.dma_bd(%arg0 : memref<8192xi16> offset = 0 len = 2048 sizes = [1, 1, 2048] strides = "
      "[0, "
      "0, 1]) {iteration = #aie.bd_iteration<size = 4, stride = 512, current = 0>}\n"
      "  aie.end\n} {issue_token = true, repeat_count = 3 : i32}\naiex.dma_start_task(%t)\n",
      "%arg0: memref<8192xi16>");
  EXPECT_EQ(words[4], 1024u);
  EXPECT_EQ(words[10], 3u << 20 | 255);
  EXPECT_EQ(words.back(), 24u);
  EXPECT_EQ(words[words.size() - 2], 0x80030000u);
}

TEST(Seq, TasksThatAreRefused) {
  const auto task = [](const std::string& bd, const std::string& rest = "") {
    return Refused("%t = aiex.dma_configure_task(%tile_0_2, S2MM, 0) {\n" + bd +
                   "\n  aie.end\n}\n" + rest);
  };
  const std::string good = "aie.dma_bd(%buf : memref<64xi32>, 0, 64)";
  EXPECT_EQ(task(good), "accepted");
  EXPECT_NE(task(good, "aiex.dma_await_task(%t)\n").find("issues no token"), std::string::npos);
  EXPECT_NE(task(good, "aiex.dma_free_task(%t)\naiex.dma_start_task(%t)\n").find("freed"),
            std::string::npos);
  EXPECT_NE(task("aie.dma_bd(%buf : memref<64xi32>, 0, 64) {bd_id = 16 : i32}")
                .find("bd_id is 16: legal is 0 to 15"),
            std::string::npos);
  EXPECT_NE(
      task("aie.dma_bd(%buf : memref<64xi32>, 0, 64, [<size = 8, stride = 8>, <size = 4, stride "
           "= 1>])")
          .find("the length is 64 words, and the dimensions have 32"),
      std::string::npos);
  EXPECT_NE(task("aie.dma_bd(%buf : memref<64xi8>, 0, 3)").find("legal is a multiple of"),
            std::string::npos);
  EXPECT_NE(task("aie.dma_bd(%buf : memref<64xi32>, 0, 20000)").find("legal is 1 to 16383"),
            std::string::npos);
  EXPECT_NE(task("aie.dma_bd(%arg0 : memref<64xi32>, 0, 64)").find("no buffer of the tile"),
            std::string::npos);
  EXPECT_NE(task("aie.dma_bd(%mem : memref<64xi32>, 0, 64)").find("a buffer of tile (0,1)"),
            std::string::npos);
  EXPECT_NE(
      task("aie.use_lock(%free, Acquire, 1)\naie.use_lock(%full, AcquireGreaterEqual, 1)\n" + good)
          .find("a second acquire"),
      std::string::npos);
  EXPECT_NE(task("aie.use_lock(%mlock, Acquire, 1)\n" + good).find("a lock of tile (0,1)"),
            std::string::npos);
  EXPECT_NE(
      task("aie.dma_bd(%buf : memref<64xi32>, 0, 64, [<size = 8, stride = 8>, <size = 8, stride "
           "= 1>], [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 1, "
           "const_pad_after = 0>])")
          .find("padding: legal on a memory tile"),
      std::string::npos);
  EXPECT_NE(
      task(good + "\n  aie.next_bd ^bd1\n^bd1:\n  " + good + "\n  aie.next_bd ^bd1\n^bd2:\n" + good)
          .find("never ends"),
      std::string::npos);
  EXPECT_NE(task("").find("a task without a descriptor"), std::string::npos);
}

TEST(Seq, PatternsStayInTheirBuffer) {
  const auto task = [](const std::string& bd) {
    return Refused("%t = aiex.dma_configure_task(%tile_0_2, S2MM, 0) {\n" + bd + "\naie.end\n}\n");
  };
  EXPECT_EQ(task("aie.dma_bd(%buf : memref<64xi32> offset = 32 len = 32)"), "accepted");
  EXPECT_NE(task("aie.dma_bd(%buf : memref<64xi32> offset = 33 len = 32)")
                .find("the last element is 64: legal is below 64"),
            std::string::npos);
  EXPECT_NE(
      task("aie.dma_bd(%buf : memref<64xi32> offset = 0 len = 8 sizes = [2, 4] strides = [61, 1])")
          .find("the last element is 64: legal is below 64"),
      std::string::npos);
}

TEST(Seq, OtherInputIsRefusedWithItsPlace) {
  EXPECT_EQ(Refused("  aiex.npu.frobnicate {a = 1}\n").substr(0, 61),
            "f.mlir:25:3: the operation \"aiex.npu.frobnicate\" is not known");
  EXPECT_EQ(Refused("aiex.npu.write32 {address = 2 : ui32, value = 7 : ui32}\n"),
            "f.mlir:25:1: the address is 0x2: legal is a multiple of 4");
  EXPECT_EQ(Refused("aiex.npu.write32 {address = 0x2000000 : ui32, value = 7 : ui32}\n"),
            "f.mlir:25:1: the column is 1: legal is 0 to 0");
  const std::string patch = "aiex.npu.address_patch {arg_idx = 1 : i32, addr = ";
  EXPECT_NE(Refused(patch + "218820 : ui32, arg_plus = 16 : i32}\n").find("addr is 0x356c4"),
            std::string::npos);
  EXPECT_NE(Refused(patch + "118820 : ui32, arg_plus = 6 : i32}\n").find("arg_plus is 6"),
            std::string::npos);
  EXPECT_EQ(Refused("aiex.npu.write32(%no, %no) : i32, i32\n").substr(0, 41),
            "f.mlir:25:18: %no has no definition that ");
  EXPECT_EQ(
      Refused("aiex.npu.push_queue (0, 0, MM2S:2) {issue_token = true, repeat_count = 3 : i32, "
              "bd_id = 5 : i32}\n"),
      "f.mlir:25:1: the channel is 2: legal is 0 to 1");
  EXPECT_NE(Refused("aiex.npu.push_queue (0, 0, MM2S:0) {issue_token = true, repeat_count = 256 : "
                    "i32, bd_id = 5 : i32}\n")
                .find("the repeat count is 256: legal is 0 to 255"),
            std::string::npos);
  EXPECT_NE(Refused("aiex.npu.push_queue \"a\nb\"\n").find("\"a.b\" is not expected"),
            std::string::npos);
  // A size without a digit is no size.
  EXPECT_NE(
      Refused("aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, "
              "metadata = @in} : memref< xi32>\n")
          .find("legal are 1 to 32"),
      std::string::npos);
  EXPECT_THROW((void)Lower("", "f.mlir"), Error);
  EXPECT_THROW((void)Lower("module { aie.device(npu1) {", "f.mlir"), Error);
  EXPECT_THROW((void)Lower("\"builtin.module\"() ({", "f.mlir"), Error);
}

TEST(Seq, AddressesOfBuffersAreThoseOfWordsInTheTile) {
  const auto with = [](const std::string& buffer, const std::string& operation) {
    std::string text = Around(operation);
    const std::string old = "address = 1024 : i32, sym_name = \"buf\"} : memref<64xi32>";
    text.replace(text.find(old), old.size(), buffer);
    try {
      (void)Lower(text, "f.mlir");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(with("address = 1 : i32, sym_name = \"buf\"} : memref<64xi32>",
                 "aiex.npu.rtp_write(@buf, 2, 50)\n"),
            "f.mlir:25:1: the address of the buffer is 1: legal is a multiple of 4");
  EXPECT_EQ(with("address = 0 : i32, sym_name = \"buf\"} : memref<9999999xi32>",
                 "aiex.npu.rtp_write(@buf, 262144, 50)\n"),
            "f.mlir:25:1: the address in the tile is 1048576: legal is 0 to 1048572");
}

// ---- A run

TEST(Seq, ASequenceRunsOnTheFlowsOfItsText) {
  const std::string text =
      "module {\n  aie.device(npu1_1col) {\n"
      "    %t00 = aie.tile(0, 0)\n    %t01 = aie.tile(0, 1)\n"
      "    %b = aie.buffer(%t01) {address = 0 : i32} : memref<256xi32>\n"
      "    %room = aie.lock(%t01, 0) {init = 1 : i32}\n    %full = aie.lock(%t01, 1)\n"
      "    aie.flow(%t00, DMA : 0, %t01, DMA : 0)\n    aie.flow(%t01, DMA : 0, %t00, DMA : 1)\n"
      "    aie.shim_dma_allocation @in(MM2S, 0, 0)\n    aie.shim_dma_allocation @out(S2MM, 1, 0)\n"
      "    aiex.runtime_sequence @seq(%a: memref<256xi32>, %o: memref<256xi32>) {\n"
      "      %r = aiex.dma_configure_task(%t01, S2MM, 0) {\n"
      "        aie.use_lock(%room, AcquireGreaterEqual, 1)\n"
      "        aie.dma_bd(%b : memref<256xi32>, 0, 256)\n"
      "        aie.use_lock(%full, Release, 1)\n        aie.end\n      }\n"
      "      %s = aiex.dma_configure_task(%t01, MM2S, 0) {\n"
      "        aie.use_lock(%full, AcquireGreaterEqual, 1)\n"
      "        aie.dma_bd(%b : memref<256xi32>, 0, 256, [<size = 16, stride = 1>, <size = 16, "
      "stride = "
      "16>])\n        aie.end\n      }\n"
      "      aiex.dma_start_task(%r)\n      aiex.dma_start_task(%s)\n"
      "      aiex.npu.dma_memcpy_nd(%o[0, 0, 0, 0][1, 1, 16, 16][0, 0, 1, 16]) {id = 1 : i64, "
      "metadata "
      "= @out} : memref<256xi32>\n"
      "      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 0 : i64, "
      "metadata "
      "= @in} : memref<256xi32>\n"
      "      aiex.npu.dma_wait {symbol = @out}\n    }\n  }\n}\n";
  const Sequence sequence = Lower(text, "f.mlir");
  EXPECT_EQ(sequence.flows.size(), 2u);
  array::ArrayFile file = aieml::ParseHere(
      R"({"arguments": [{"bytes": 1024, "ramp": 1}, {"bytes": 1024, "equals": {"argument": 0}}]})",
      "a.json");
  EXPECT_EQ(seq::Run("f.mlir", sequence, file, false, 2000), 0);
  file.arguments[1].plus = 1;
  EXPECT_EQ(seq::Run("f.mlir", sequence, file, false, 2000), 1);
}

// A binary has no routes and no values of locks: the array file of the example has them.
TEST(Seq, TheBinaryOfTheExampleRunsOnItsArrayFile) {
  const std::string folder = TESSERA_SOURCE_DIR "/examples/aieml/";
  const Sequence sequence =
      Lower(array::ReadFile(folder + "reorder.mlir", 1 << 20), "reorder.mlir");
  const Device& device = sequence.device;
  const auto words =
      sequence.program.Binary(device.columns, device.rows, device.memory_rows, device.generation);
  array::ArrayFile file = array::Load(folder + "reorder_binary.json");
  file.rtl = aieml::OnRtl();
  array::Machine machine = array::Build(file);
  EXPECT_EQ(txn::Play("reorder.bin", words, file, machine, {2000, 0}), 0);
}

}  // namespace
}  // namespace tessera::seq
