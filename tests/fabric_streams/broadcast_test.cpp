// tsr_stream_broadcast in several shapes at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "tests/fabric_streams/streams.h"
#include "units/Vbroadcast_top.h"

namespace tessera {
namespace {

using Unit = StreamUnit<Vbroadcast_top>;

constexpr int kMost = 8;
constexpr std::array<std::array<int, 2>, 4> kShapes = {{{8, 4}, {64, 2}, {1, 8}, {128, 1}}};
constexpr int kCells = static_cast<int>(kShapes.size());

int Outputs(int cell) { return kShapes[static_cast<size_t>(cell)][1]; }
std::string Name(int cell, int output) { return fmt::format("cell {} output {}", cell, output); }

class BroadcastUnit : public Unit {
 public:
  explicit BroadcastUnit(uint64_t seed) : Unit(seed) {
    for (int at = 0; at < kCells * kMost; ++at) {
      SetPinBit(model().enable_i, at, true);
      SetPinBit(model().isolate_i, at, false);
    }
  }
  void AddEnds(int cell, const StreamSourceOptions& source, const StreamSinkOptions& sink) {
    const int bytes = kShapes[static_cast<size_t>(cell)][0];
    sources_[cell] = &AddSource(cell, bytes, source);
    for (int i = 0; i < Outputs(cell); ++i) {
      sinks_[cell * kMost + i] = &AddSink(cell * kMost + i, bytes, sink, Keep::kAny, Null::kAny);
      ends_[cell * kMost + i] = &outputs().back();
    }
  }
  StreamSource& In(int cell) { return *sources_.at(cell); }
  StreamSink& Out(int cell, int output) { return *sinks_.at(cell * kMost + output); }
  OutputEnd& End(int cell, int output) { return *ends_.at(cell * kMost + output); }

 private:
  std::map<int, StreamSource*> sources_;
  std::map<int, StreamSink*> sinks_;
  std::map<int, OutputEnd*> ends_;
};

// True if `part` is `whole` with some left out.
bool InOrderOf(const std::vector<Packet>& part, const std::vector<Packet>& whole) {
  size_t at = 0;
  for (const Packet& packet : part) {
    while (at < whole.size() && whole[at] != packet) ++at;
    if (at++ >= whole.size()) return false;
  }
  return true;
}

TEST(StreamBroadcast, LatencyAndThroughput) {
  BroadcastUnit unit(1);
  for (int cell = 0; cell < kCells; ++cell) {
    unit.AddEnds(cell, {}, {});
    for (int i = 0; i < 10; ++i) unit.In(cell).Push(Packet(256), PieceEnd::kLast);
  }
  unit.Reset();
  unit.RunDry();
  for (int cell = 0; cell < kCells; ++cell) {
    const std::vector<StreamBeat>& in = unit.In(cell).beats();
    for (int i = 0; i < Outputs(cell); ++i) {
      const std::vector<StreamBeat>& out = unit.Out(cell, i).beats();
      ASSERT_EQ(out.size(), in.size()) << Name(cell, i);
      EXPECT_EQ(out[0].cycle - in[0].cycle, 1U) << Name(cell, i);
      EXPECT_EQ(out.back().cycle - out.front().cycle + 1, out.size()) << Name(cell, i);
    }
  }
  unit.ExpectNoViolations();
}

TEST(StreamBroadcast, AllTakersGetTheSameEachAtItsOwnPace) {
  constexpr int kSeeds = 20;
  ::testing::Test::RecordProperty("cases", kSeeds * kCells);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    BroadcastUnit unit(seed);
    Rng rng = Rng(seed).Stream("broadcast");
    for (int cell = 0; cell < kCells; ++cell) {
      unit.AddEnds(cell, {PacerSpec::Random(rng), RandomShape(rng)}, {PacerSpec::Random(rng)});
      PushRandom(unit.In(cell), rng, 30,
                 4 * static_cast<uint64_t>(kShapes[static_cast<size_t>(cell)][0]) + 8);
    }
    unit.Reset();
    unit.RunDry();
    for (int cell = 0; cell < kCells; ++cell) {
      const StreamSource& source = unit.In(cell);
      for (int i = 0; i < Outputs(cell); ++i) {
        const StreamSink& sink = unit.Out(cell, i);
        EXPECT_EQ(sink.bytes(), source.bytes()) << Name(cell, i);
        EXPECT_EQ(sink.beats().size(), source.beats().size()) << Name(cell, i);
        EXPECT_EQ(Ends(sink.beats()), Ends(source.beats())) << Name(cell, i);
      }
    }
    unit.ExpectNoViolations();
  }
}

// Takers come and go at any time: each gets whole packets, in order, and nobody's TVALID ever
// falls.
TEST(StreamBroadcast, TakersChangeBetweenPackets) {
  constexpr int kSeeds = 10;
  ::testing::Test::RecordProperty("cases", kSeeds * kCells);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    BroadcastUnit unit(seed);
    Rng rng = Rng(seed).Stream("takers");
    for (int cell = 0; cell < kCells; ++cell) {
      unit.AddEnds(cell, {PacerSpec::Random(rng), {}}, {PacerSpec::Random(rng)});
      for (int i = 0; i < 100; ++i) {
        unit.In(cell).Push(RandomBytes(rng, rng.Between(12, 200)), PieceEnd::kLast);
      }
    }
    unit.on_cycle = [&](uint64_t) {
      if (!rng.Chance(0.2)) return;
      const int at = static_cast<int>(rng.Below(kCells * kMost));
      SetPinBit(unit.model().enable_i, at, rng.Chance(0.5));
    };
    unit.Reset();
    unit.RunDry();
    for (int cell = 0; cell < kCells; ++cell) {
      const std::vector<Packet> all = Packets(unit.In(cell).bytes(), unit.In(cell).beats());
      for (int i = 0; i < Outputs(cell); ++i) {
        EXPECT_TRUE(InOrderOf(Packets(unit.Out(cell, i)), all)) << Name(cell, i);
        EXPECT_FALSE(unit.Out(cell, i).packet_open()) << Name(cell, i);
      }
    }
    unit.ExpectNoViolations();
  }
}

TEST(StreamBroadcast, NotEnabledHoldsNobodyUp) {
  BroadcastUnit unit(4);
  unit.AddEnds(0, {}, {});
  unit.End(0, 2).hold = true;
  SetPinBit(unit.model().enable_i, 2, false);
  unit.In(0).Push(Packet(1000), PieceEnd::kLast);
  unit.Reset();
  unit.RunDry();
  EXPECT_EQ(unit.Out(0, 1).bytes().size(), 1000U);
  EXPECT_TRUE(unit.Out(0, 2).bytes().empty());
}

// A taker that is stuck inside a packet stops the others until it is isolated; it comes back with
// the packet that begins after that.
TEST(StreamBroadcast, IsolatingAStuckTaker) {
  BroadcastUnit unit(5);
  unit.AddEnds(0, {}, {});
  for (int i = 0; i < 8; ++i) unit.In(0).Push(Packet(80, static_cast<uint8_t>(i)), PieceEnd::kLast);
  unit.Reset();
  unit.Run(5);
  unit.End(0, 2).hold = true;
  unit.Run(100);
  const uint64_t stuck_at = unit.Out(0, 1).beats_taken();
  EXPECT_LT(stuck_at, 10U);
  EXPECT_TRUE(PinBit(unit.model().taker_o, 2));
  EXPECT_TRUE(PinBit(unit.model().m_tvalid, 2));
  SetPinBit(unit.model().isolate_i, 2, true);
  unit.model().eval();
  EXPECT_FALSE(PinBit(unit.model().m_tvalid, 2));  // at once
  unit.Run(15);
  EXPECT_EQ(unit.Out(0, 1).beats_taken(), stuck_at + 14);  // the first of these shows the next beat
  EXPECT_FALSE(PinBit(unit.model().taker_o, 2));
  unit.End(0, 2).hold = false;
  SetPinBit(unit.model().isolate_i, 2, false);
  unit.RunDry();
  EXPECT_EQ(unit.Out(0, 1).bytes(), unit.In(0).bytes());
  EXPECT_EQ(unit.Out(0, 3).bytes(), unit.In(0).bytes());
  // Behind what it had of the first packet only whole packets, up to the last one.
  std::vector<Packet> packets = Packets(unit.Out(0, 2));
  ASSERT_GE(packets.size(), 2U);
  for (size_t i = 1; i < packets.size(); ++i) EXPECT_EQ(packets[i].size(), 80U);
  EXPECT_EQ(packets.back().back(), 7);
  EXPECT_LT(unit.Out(0, 2).bytes().size(), unit.In(0).bytes().size());
}

}  // namespace
}  // namespace tessera
