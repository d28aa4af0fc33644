// What a text says beside its sequence: programs of DMAs, packet flows, switch boxes, and what is
// passed over.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/aieml/on_rtl.h"
#include "tests/aieml/seq_text.h"
#include "tools/aieml/seq/run.h"

namespace tessera::seq {
namespace {

// A device of one column with these declarations, whose sequence copies 32 words in by MM2S 0 and
// out by S2MM 0.
std::string Text(const std::string& device, const std::string& packet = "") {
  return "module {\n  aie.device(npu1_1col) {\n"
         "    %t00 = aie.tile(0, 0)\n    %t01 = aie.tile(0, 1)\n    %t02 = aie.tile(0, 2)\n"
         "    aie.shim_dma_allocation @in(%t00, MM2S, 0)\n"
         "    aie.shim_dma_allocation @out(%t00, S2MM, 0)\n" +
         device +
         "    aie.runtime_sequence @seq(%a: memref<32xi32>, %o: memref<32xi32>) {\n"
         "      aiex.npu.dma_memcpy_nd(%o[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, "
         "metadata = @out} : memref<32xi32>\n"
         "      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]" +
         packet +
         ") {id = 0 : i64, metadata = @in} : memref<32xi32>\n"
         "      aiex.npu.dma_wait {symbol = @out}\n    }\n  }\n}\n";
}

// What a run prints; the words that come out are those that went in.
std::string Ran(const std::string& text, int status = 0) {
  const array::ArrayFile file = aieml::ParseHere(
      R"({"compute_rows": 1,
          "arguments": [{"bytes": 128, "ramp": 5}, {"bytes": 128, "equals": {"argument": 0}}]})",
      "a.json");
  testing::internal::CaptureStdout();
  try {
    EXPECT_EQ(seq::Run("f.mlir", Lower(text, "f.mlir"), file, false, 1000), status);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

std::string RefusedText(const std::string& text) {
  try {
    (void)Lower(text, "f.mlir");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kFlows =
    "    aie.flow(%t00, DMA : 0, %t01, DMA : 0)\n    aie.flow(%t01, DMA : 0, %t00, DMA : 0)\n";

// Two buffers in turn, in a loop that never ends: 32 words in pieces of 8.
std::string Program(const std::string& operation, const std::string& tile) {
  return fmt::format(
      "    %b0 = aie.buffer({1}) : memref<8xi32>\n    %b1 = aie.buffer({1}) : memref<8xi32>\n"
      "    %free = aie.lock({1}, 0) {{init = 2 : i32}}\n    %full = aie.lock({1}, 1)\n"
      "    %m = {0}({1}) {{\n"
      "      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)\n"
      "    ^bb1:  // 2 preds\n"
      "      aie.use_lock(%free, AcquireGreaterEqual, 1)\n"
      "      aie.dma_bd(%b0 : memref<8xi32>, 0, 8) {{bd_id = 0 : i32, next_bd_id = 1 : i32}}\n"
      "      aie.use_lock(%full, Release, 1)\n      aie.next_bd ^bb2\n"
      "    ^bb2:\n"
      "      aie.use_lock(%free, AcquireGreaterEqual, 1)\n"
      "      aie.dma_bd(%b1 : memref<8xi32>, 0, 8)\n"
      "      aie.use_lock(%full, Release, 1)\n      aie.next_bd ^bb1\n"
      "    ^bb3:\n"
      "      %1 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)\n"
      "    ^bb4:\n"
      "      aie.use_lock(%full, AcquireGreaterEqual, 1)\n"
      "      aie.dma_bd(%b0 : memref<8xi32>, 0, 8)\n"
      "      aie.use_lock(%free, Release, 1)\n      aie.next_bd ^bb5\n"
      "    ^bb5:\n"
      "      aie.use_lock(%full, AcquireGreaterEqual, 1)\n"
      "      aie.dma_bd(%b1 : memref<8xi32>, 0, 8)\n"
      "      aie.use_lock(%free, Release, 1)\n      aie.next_bd ^bb4\n"
      "    ^bb6:\n      aie.end\n    }}\n",
      operation, tile);
}

TEST(SeqDevice, ProgramsOfDmasRun) {
  const std::string told = Ran(Text(kFlows + Program("aie.memtile_dma", "%t01")));
  EXPECT_EQ(told.find("passed over"), std::string::npos) << told;
  std::string flows = kFlows;
  for (size_t at; (at = flows.find("%t01")) != std::string::npos;) flows.replace(at, 4, "%t02");
  Ran(Text(flows + Program("aie.mem", "%t02")));
}

// The other form of a program: a region for each descriptor, in a loop unless it says otherwise.
TEST(SeqDevice, ProgramsOfRegionsRun) {
  const std::string locks =
      "    %b0 = aie.buffer(%t01) : memref<8xi32>\n    %b1 = aie.buffer(%t01) : memref<8xi32>\n"
      "    %free = aie.lock(%t01, 0) {init = 2 : i32}\n    %full = aie.lock(%t01, 1)\n";
  const auto region = [](const char* take, const char* give, const char* buffer) {
    return fmt::format(
        "{{\n        aie.use_lock(%{}, AcquireGreaterEqual, 1)\n"
        "        aie.dma_bd(%{} : memref<8xi32>, 0, 8)\n        aie.use_lock(%{}, Release, 1)\n    "
        "  "
        "}}",
        take, buffer, give);
  };
  const auto program = [&](const std::string& more) {
    return locks + "    %m = aie.memtile_dma(%t01) {\n      %0 = aie.dma(S2MM, 0)" + more + " [" +
           region("free", "full", "b0") + ", " + region("free", "full", "b1") +
           "]\n      %1 = aie.dma(MM2S, 0) [" + region("full", "free", "b0") + ", " +
           region("full", "free", "b1") + "]\n      aie.end\n    }\n";
  };
  Ran(Text(kFlows + program("")));
  Ran(Text(kFlows + program(" {loop = false, repeat_count = 1 : i32}")));
  Ran(Text(kFlows + program(" {loop = false}")), 1);
}

// Packets of a program, in the form with an operation of their own.
TEST(SeqDevice, DescriptorsOfAProgramSendPackets) {
  std::string program = Program("aie.memtile_dma", "%t01");
  for (size_t at = 0, n = 0; (at = program.find("      aie.dma_bd", at)) != std::string::npos;
       ++n) {
    const std::string packet = "      aie.dma_bd_packet(0x2, 0x5)\n";
    if (n >= 2) program.insert(at, packet);
    at += packet.size() + 10;
  }
  const auto flow = [](int id) {
    return fmt::format(
        "    aie.flow(%t00, DMA : 0, %t01, DMA : 0)\n    aie.packet_flow({}) {{\n"
        "      aie.packet_source<%t01, DMA : 0>\n      aie.packet_dest<%t00, DMA : 0>\n    }}\n",
        id);
  };
  Ran(Text(flow(5) + program));
  Ran(Text(flow(6) + program), 1);
}

TEST(SeqDevice, AProgramMayEndAndRepeat) {
  const std::string program =
      "    %b = aie.buffer(%t01) : memref<8xi32>\n"
      "    %free = aie.lock(%t01, 0) {init = 1 : i32}\n    %full = aie.lock(%t01, 1)\n"
      "    %m = aie.memtile_dma(%t01) {\n"
      "      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2, repeat_count = 3)\n    ^bb1:\n"
      "      aie.use_lock(%free, AcquireGreaterEqual, 1)\n"
      "      aie.dma_bd(%b : memref<8xi32>, 0, 8)\n"
      "      aie.use_lock(%full, Release, 1)\n      aie.next_bd ^bb4\n"
      "    ^bb2:\n      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4, repeat_count = 3)\n    ^bb3:\n"
      "      aie.use_lock(%full, AcquireGreaterEqual, 1)\n"
      "      aie.dma_bd(%b : memref<8xi32>, 0, 8)\n"
      "      aie.use_lock(%free, Release, 1)\n      aie.next_bd ^bb4\n"
      "    ^bb4:\n      aie.end\n    }\n";
  Ran(Text(kFlows + program));
  // What is wrong in a program is told with its place.
  std::string wrong = program;
  wrong.replace(wrong.find("memref<8xi32>, 0, 8"), 19, "memref<8xi32>, 0, 9");
  EXPECT_EQ(RefusedText(Text(kFlows + wrong)),
            "f.mlir:17:7: the last element is 8: legal is below 8");
  wrong = program;
  wrong.replace(wrong.find("aie.next_bd ^bb4"), 16, "aie.next_bd ^bb9");
  EXPECT_EQ(RefusedText(Text(kFlows + wrong)), "f.mlir:19:19: there is no block ^bb9");
}

// A stream of packets goes where the id of each leads it.
TEST(SeqDevice, PacketFlowsLeadPackets) {
  const std::string back = "    aie.flow(%t01, DMA : 0, %t00, DMA : 0)\n";
  const auto flow = [](int id, int channel, const char* more = "") {
    return fmt::format(
        "    aie.packet_flow({:#x}) {{\n      aie.packet_source<%t00, DMA : 0>\n"
        "      aie.packet_dest<%t01, DMA : {}>\n    }}{}\n",
        id, channel, more);
  };
  const std::string program = Program("aie.memtile_dma", "%t01");
  const std::string third = ", packet = <pkt_id = 3, pkt_type = 0>";
  Ran(Text(back + flow(2, 1) + flow(3, 0) + program, third));
  // To another channel, or with its header: nothing right comes out.
  Ran(Text(back + flow(2, 0) + flow(3, 2) + program, third), 1);
  Ran(Text(back + flow(3, 0, " {keep_pkt_header = true}") + program, third), 1);
}

// Flows to and from the control port of a tile; tokens that leave the array need none.
TEST(SeqDevice, PacketFlowsOfTheControlPort) {
  const auto flow = [](const char* from, const char* to) {
    return fmt::format(
        "    aie.packet_flow(0x1) {{\n      aie.packet_source<{}>\n      aie.packet_dest<{}>\n    "
        "}}\n",
        from, to);
  };
  const Sequence sequence = Lower(Text(flow("%t00, DMA : 1", "%t02, TileControl : 0") +
                                       flow("%t02, TileControl : 0", "%t00, DMA : 1") +
                                       flow("%t02, TileControl : 0", "%t00, South : 0")),
                                  "f.mlir");
  ASSERT_EQ(sequence.flows.size(), 2u);
  EXPECT_TRUE(sequence.flows[0].to.control);
  EXPECT_TRUE(sequence.flows[1].from.control);
  EXPECT_TRUE(sequence.passed.empty());
}

TEST(SeqDevice, SwitchBoxesLeadStreams) {
  const std::string circuits =
      "    %s0 = aie.switchbox(%t00) {\n      aie.connect<South : 3, North : 0>\n"
      "      aie.connect<North : 0, South : 2>\n    }\n"
      "    %x = aie.shim_mux(%t00) {\n      aie.connect<DMA : 0, North : 3>\n"
      "      aie.connect<North : 2, DMA : 0>\n    }\n"
      "    %s1 = aie.switchbox(%t01) {\n      aie.connect<South : 0, DMA : 0>\n"
      "      aie.connect<DMA : 0, South : 0>\n    }\n"
      "    aie.wire(%s0 : North, %s1 : South)\n";
  const std::string program = Program("aie.memtile_dma", "%t01");
  const std::string told = Ran(Text(circuits + program));
  EXPECT_EQ(told.find("passed over"), std::string::npos) << told;
  const std::string packets =
      "    %s0 = aie.switchbox(%t00) {\n      %0 = aie.amsel<2> (1)\n"
      "      %1 = aie.masterset(North : 5, %0)\n"
      "      aie.packet_rules(South : 3) {\n        aie.rule(31, 3, %0)\n      }\n"
      "      aie.connect<North : 0, South : 2>\n    }\n"
      "    %x = aie.shim_mux(%t00) {\n      aie.connect<DMA : 0, North : 3>\n"
      "      aie.connect<North : 2, DMA : 0>\n    }\n"
      "    %s1 = aie.switchbox(%t01) {\n      %0 = aie.amsel<0> (0)\n"
      "      %1 = aie.masterset(DMA : 0, %0)\n"
      "      aie.packet_rules(South : 5) {\n        aie.rule(30, 2, %0)\n      }\n"
      "      aie.connect<DMA : 0, South : 0>\n    }\n";
  const std::string third = ", packet = <pkt_id = 3, pkt_type = 0>";
  Ran(Text(packets + program, third));
  std::string wrong = circuits;
  wrong.replace(wrong.find("North : 0>"), 10, "North : 9>");
  EXPECT_EQ(RefusedText(Text(wrong + program)),
            "f.mlir:9:38: there is no master port North 9 in the switch of tile (0,0): legal are "
            "0 to 5");
}

// One text may have both: what a flow names goes by it, all else through the switches.
TEST(SeqDevice, FlowsAndSwitchBoxesOfOneText) {
  const std::string back =
      "    %s0 = aie.switchbox(%t00) {\n      aie.connect<North : 0, South : 2>\n    }\n"
      "    %x = aie.shim_mux(%t00) {\n      aie.connect<North : 2, DMA : 0>\n    }\n"
      "    %s1 = aie.switchbox(%t01) {\n      aie.connect<DMA : 0, South : 0>\n    }\n";
  const std::string flow = "    aie.flow(%t00, DMA : 0, %t01, DMA : 0)\n";
  const std::string packets =
      "    aie.packet_flow(0x3) {\n      aie.packet_source<%t00, DMA : 0>\n"
      "      aie.packet_dest<%t01, DMA : 0>\n    }\n";
  const std::string program = Program("aie.memtile_dma", "%t01");
  const std::string third = ", packet = <pkt_id = 3, pkt_type = 0>";
  Ran(Text(flow + back + program));
  Ran(Text(packets + back + program, third));
  Ran(Text(packets + program, third), 1);  // nothing leads back
}

// What has no part in a run is named.
TEST(SeqDevice, WhatIsPassedOverIsNamed) {
  const std::string told =
      Ran(Text(kFlows + Program("aie.memtile_dma", "%t01") +
               "    aie.core(%t02) {\n      aie.end\n    }\n"
               "    aie.cascade_flow(%t02, %t02)\n    aie.cascade_flow(%t02, %t02)\n"));
  EXPECT_NE(told.find("passed over: 2 aie.cascade_flow, 1 aie.core\n"), std::string::npos) << told;
}

}  // namespace
}  // namespace tessera::seq
