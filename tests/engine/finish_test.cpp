// Finish rules of the write engine, one test for a sentence of the norm.
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

class Finish : public EngineTest {
 protected:
  void SetUp() override {
    if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  }
};
TESSERA_EVERY_CONFIG(Finish);

TEST_P(Finish, ByLengthIgnoresTlastAndTakesSeveralPackets) {
  Proves({"finish.length"});
  for (PieceEnd end : {PieceEnd::kLast, PieceEnd::kNullLast, PieceEnd::kBeat, PieceEnd::kOpen}) {
    Run(Writes({Copy(kWriteBase + 3, 50)}, {{7, end}, {1, end}, {30, end}, {12, end}}));
  }
}

TEST_P(Finish, WhatALengthLeavesOfABeatIsTheNextOnesBeginning) {
  Proves({"finish.length.residue"});
  for (uint32_t first = 1; first <= 2 * static_cast<uint32_t>(std::min(stream(), 16)); ++first) {
    Run(Writes(
        {Copy(kWriteBase, first), Copy(kWriteBase + 0x100, 5), Copy(kWriteBase + 0x200, 21)},
        {{first + 26 + 3, PieceEnd::kLast}}));  // the last leaves three bytes, or a beat untaken
    Run(Writes({Copy(kWriteBase, first), OnLast(Copy(kWriteBase + 0x100, 50)),
                Copy(kWriteBase + 0x200, 4)},
               {{first + 20, PieceEnd::kLast}, {4, PieceEnd::kLast}}));
  }
}

TEST_P(Finish, OnTlastEndsWithTheElementThatCarriesIt) {
  Proves({"finish.last"});
  for (uint32_t packet = 1; packet <= 40; packet += 3) {
    for (PieceEnd end : {PieceEnd::kLast, PieceEnd::kNullLast}) {
      Run(Writes({OnLast(Copy(kWriteBase + 1, 40)), OnLast(Copy(kWriteBase + 0x100, 40))},
                 {{packet, end}, {40, end}}));
    }
  }
}

TEST_P(Finish, OnTlastWithAnExtentThatNoPacketFills) {
  Proves({"finish.last", "field.length"});
  Transfer t = OnLast(Copy(kWriteBase + 1, ~0u));
  t.count = {~0u, 5, 1, 1};
  Run(Writes({t, OnLast(Copy(kWriteBase + 0x10000, 10))},
             {{500, PieceEnd::kLast}, {10, PieceEnd::kLast}}));
}

TEST_P(Finish, MoreThanFitsIsOverlong) {
  Proves({"finish.overlong"});
  for (uint32_t extent : {1u, 2u, 15u, 16u, 17u, 64u}) {
    for (uint64_t more : {1u, 2u, 8u, 100u}) {
      for (PieceEnd end : {PieceEnd::kLast, PieceEnd::kNullLast}) {
        Run(Writes({OnLast(Copy(kWriteBase + 2, extent)), OnLast(Copy(kWriteBase + 0x100, 9))},
                   {{extent + more, end}, {9, end}}));
      }
    }
  }
}

TEST_P(Finish, PacketThatEndsInsideAnElement) {
  Proves({"finish.partial-element"});
  const int elem = Elem(4);
  for (uint64_t packet = 1; packet <= 3 * static_cast<uint64_t>(elem); ++packet) {
    Transfer t;
    t.elem = elem;
    t.base = kWriteBase + 1;
    t.count[0] = 6;
    t.stride[0] = 9;
    Run(Writes({OnLast(t), OnLast(Copy(kWriteBase + 0x100, 9))},
               {{packet, PieceEnd::kLast}, {9, PieceEnd::kLast}}));
    if (!config().bounds) continue;
    t.bound[0] = 1;
    Run(Writes({OnLast(t), OnLast(Copy(kWriteBase + 0x100, 9))},
               {{packet, PieceEnd::kLast}, {9, PieceEnd::kLast}}));
  }
}

TEST_P(Finish, NullBytesCarryNothing) {
  Proves({"finish.null-bytes", "finish.sparse-keep"});
  for (double sparse : {0.0, 0.3, 1.0}) {
    for (double null : {0.0, 0.5}) {
      Case value =
          Writes({OnLast(Copy(kWriteBase + 1, 60)), Copy(kWriteBase + 0x100, 30),
                  OnLast(Copy(kWriteBase + 0x200, 30))},
                 {{60, PieceEnd::kNullLast}, {30, PieceEnd::kLast}, {40, PieceEnd::kLast}});
      value.shape.sparse = sparse;
      value.shape.null = null;
      Run(value);
    }
  }
}

TEST_P(Finish, SparseKeepOfASharedBeatIsOfTheFirst) {
  Proves({"finish.sparse-keep"});
  for (uint32_t bytes = 1; bytes <= 5; ++bytes) {
    std::vector<Transfer> chain;
    for (uint64_t k = 0; k < 40; ++k) chain.push_back(Copy(kWriteBase + 16 * k, bytes));
    Case value = Writes(chain, {{40 * bytes, PieceEnd::kLast}});
    value.shape.sparse = 0.7;
    Run(value);  // the records, too, are those of the model
  }
}

TEST_P(Finish, LastByLengthIsThatOfTheLastByteOfItsBeat) {
  Proves({"finish.length"});
  const uint32_t width = static_cast<uint32_t>(config().stream_bytes);
  for (uint32_t first = 1; first <= width; ++first) {
    const uint32_t rest = width - first;  // of the beat with TLAST, for the second transfer
    Run(Writes({Copy(kWriteBase, first), Copy(kWriteBase + 0x100, rest),
                Copy(kWriteBase + 0x200, 2 * width)},
               {{width, PieceEnd::kLast}, {2 * width, PieceEnd::kBeat}}));
  }
}

TEST_P(Finish, PacketOfNoBytes) {
  Proves({"finish.null-bytes", "finish.last"});
  Run(Writes({OnLast(Copy(kWriteBase, 10)), OnLast(Copy(kWriteBase, 10))},
             {{0, PieceEnd::kLast}, {3, PieceEnd::kLast}}));
}

TEST_P(Finish, FullExtentWaitsForTheTlastThatFollows) {
  Proves({"finish.last"});
  Run(Writes({OnLast(Copy(kWriteBase, 16)), OnLast(Copy(kWriteBase + 64, 16))},
             {{16, PieceEnd::kNullLast}, {16, PieceEnd::kNullLast}}));
}

TEST_P(Finish, StreamStaysUntouchedUntilATransferIsThere) {
  Proves({"finish.tready-low"});
  Case value = Writes({Copy(kWriteBase, 16), Copy(kWriteBase + 64, 16)}, {{64, PieceEnd::kLast}});
  value.write_offer = PacerSpec::Parse("list=00000000000000000000000000000000000000001");
  struct Hook : EngineBench::Hook {
    void OnCycle(EngineBench& bench, const Tick& tick) override {
      if (tick.reset || bench.feeder(Direction::kWrite).running() > 0) return;
      const PairPorts& pins = bench.dut();
      // The feeder has sampled: nothing is running from here on, or a transfer is just being
      // accepted.
      if (pins.s_axis.ready && !pins.write.transfer.valid) ++ready_while_idle;
    }
    uint64_t ready_while_idle = 0;
  } hook;
  Run(value, &hook);
  EXPECT_EQ(hook.ready_while_idle, 0u);
}

TEST_P(Finish, ARecordComesOnlyAfterTheLastWriteResponse) {
  Proves({"done.write"});
  Case value = Writes({Copy(kWriteBase + 1, 100), OnLast(Copy(kWriteBase + 0x200, 100)),
                       Copy(kWriteBase + 0x300, 3)},
                      {{100, PieceEnd::kLast}, {77, PieceEnd::kLast}, {3, PieceEnd::kLast}});
  value.memory = AxiMemoryOptions::Latency(40);
  value.memory.b = PacerSpec::Parse("p=0.2");
  struct Hook : EngineBench::Hook {
    void OnCycle(EngineBench& bench, const Tick&) override {
      const PairPorts& pins = bench.dut();
      if (!pins.write.done.valid) return;
      const uint64_t taken_now = pins.write.done.ready ? 1 : 0;  // the feeder has sampled
      const bool alone = bench.feeder(Direction::kWrite).running() + taken_now == 1;
      if (alone && bench.axi_monitor().open_writes() > 0) {
        ++early;
      }
    }
    uint64_t early = 0;
  } hook;
  Run(value, &hook);
  EXPECT_EQ(hook.early, 0u);
}

}  // namespace
}  // namespace tessera
