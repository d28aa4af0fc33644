// tsr_dest_split in several shapes at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "tests/fabric_streams/streams.h"
#include "units/Vdest_top.h"

namespace tessera {
namespace {

constexpr int kMost = 16;
struct Shape {
  int bytes, outputs;
};
constexpr std::array<Shape, 3> kShapes = {{{4, 3}, {8, 16}, {64, 1}}};
constexpr int kCells = static_cast<int>(kShapes.size());

const Shape& ShapeOf(int cell) { return kShapes[static_cast<size_t>(cell)]; }
std::string Name(int cell, int output) { return fmt::format("cell {} output {}", cell, output); }

// TDEST of a beat is its first byte.
class DestUnit : public StreamUnit<Vdest_top> {
 public:
  explicit DestUnit(uint64_t seed) : StreamUnit(seed) {
    on_sample = [this] {
      if (!model().rst_ni) return;
      for (int cell = 0; cell < kCells; ++cell) {
        drops[static_cast<size_t>(cell)] += PinBit(model().drop_o, cell) ? 1 : 0;
        EXPECT_FALSE(PinBit(model().side_wrong_o, cell)) << "cell " << cell;
      }
    };
  }
  void AddEnds(int cell, const StreamSourceOptions& source, const StreamSinkOptions& sink) {
    AddSource(cell, ShapeOf(cell).bytes, source);
    for (int i = 0; i < ShapeOf(cell).outputs; ++i) {
      sinks_[cell * kMost + i] =
          &AddSink(cell * kMost + i, ShapeOf(cell).bytes, sink, Keep::kAny, Null::kAny);
      ends_[cell * kMost + i] = &outputs().back();
    }
  }
  StreamSource& In(int cell) { return source(static_cast<size_t>(cell)); }
  StreamSink& Out(int cell, int output) { return *sinks_.at(cell * kMost + output); }
  OutputEnd& End(int cell, int output) { return *ends_.at(cell * kMost + output); }

  std::array<int, kCells> drops = {};

 private:
  std::map<int, StreamSink*> sinks_;
  std::map<int, OutputEnd*> ends_;
};

Packet RandomPacket(Rng& rng, uint8_t dest, uint64_t bytes) {
  Packet packet = RandomBytes(rng, bytes);
  packet[0] = dest;
  return packet;
}

// Beats in the middle of a packet name other outputs, and none.
TEST(DestSplit, WholePacketsGoWhereTheirFirstBeatSays) {
  constexpr int kSeeds = 20;
  ::testing::Test::RecordProperty("cases", kSeeds * kCells);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    DestUnit unit(seed);
    Rng rng = Rng(seed).Stream("dest");
    std::map<int, std::vector<Packet>> expected;
    std::array<int, kCells> drops = {};
    for (int cell = 0; cell < kCells; ++cell) {
      const auto [bytes, outputs] = ShapeOf(cell);
      unit.AddEnds(cell, {PacerSpec::Random(rng), {}}, {PacerSpec::Random(rng)});
      for (int i = 0; i < 60; ++i) {
        // A destination that is not there, also one that is there but for its high bits.
        const int away = rng.Chance(0.5) ? outputs : 16 * static_cast<int>(rng.Between(1, 15));
        const int dest = static_cast<int>(rng.Below(static_cast<uint64_t>(outputs)));
        const int named = rng.Chance(0.2) ? dest + away : dest;
        Packet packet = RandomPacket(rng, static_cast<uint8_t>(named),
                                     rng.Between(1, 5 * static_cast<uint64_t>(bytes)));
        for (size_t at = static_cast<size_t>(bytes); at < packet.size();
             at += static_cast<size_t>(bytes)) {
          packet[at] = static_cast<uint8_t>(rng.Below(static_cast<uint64_t>(outputs) + 1));
        }
        if (named < outputs) {
          expected[cell * kMost + named].push_back(packet);
        } else {
          ++drops[static_cast<size_t>(cell)];
        }
        unit.In(cell).Push(packet, PieceEnd::kLast);
      }
    }
    unit.Reset();
    unit.RunDry();
    for (int cell = 0; cell < kCells; ++cell) {
      for (int i = 0; i < ShapeOf(cell).outputs; ++i) {
        EXPECT_EQ(Packets(unit.Out(cell, i)), expected[cell * kMost + i]) << Name(cell, i);
        EXPECT_FALSE(unit.Out(cell, i).packet_open()) << Name(cell, i);
      }
      EXPECT_EQ(unit.drops[static_cast<size_t>(cell)], drops[static_cast<size_t>(cell)]);
    }
    unit.ExpectNoViolations();
  }
}

TEST(DestSplit, APacketForNobodyIsTakenWhileTheOutputIsHeld) {
  DestUnit unit(2);
  Rng rng(2);
  unit.AddEnds(0, {}, {});
  unit.End(0, 1).hold = true;
  unit.In(0).Push(RandomPacket(rng, 1, 4), PieceEnd::kLast);
  unit.In(0).Push(RandomPacket(rng, 9, 40), PieceEnd::kLast);
  unit.Reset();
  unit.Run(50);
  EXPECT_TRUE(unit.In(0).empty());
  EXPECT_EQ(unit.drops[0], 1);
  unit.End(0, 1).hold = false;
  unit.RunDry();
  EXPECT_EQ(Packets(unit.Out(0, 1)).size(), 1U);
  unit.ExpectNoViolations();
}

TEST(DestSplit, LatencyAndThroughput) {
  DestUnit unit(3);
  Rng rng(3);
  for (int cell = 0; cell < kCells; ++cell) {
    unit.AddEnds(cell, {}, {});
    for (int i = 0; i < 20; ++i) {
      unit.In(cell).Push(RandomPacket(rng, 0, 4 * static_cast<uint64_t>(ShapeOf(cell).bytes)),
                         PieceEnd::kLast);
    }
  }
  unit.Reset();
  unit.RunDry();
  for (int cell = 0; cell < kCells; ++cell) {
    const std::vector<StreamBeat>& in = unit.In(cell).beats();
    const std::vector<StreamBeat>& out = unit.Out(cell, 0).beats();
    ASSERT_EQ(out.size(), 80U) << Name(cell, 0);
    EXPECT_EQ(out[0].cycle - in[0].cycle, 1U) << Name(cell, 0);
    EXPECT_EQ(out.back().cycle - out.front().cycle, 79U) << Name(cell, 0);
  }
  unit.ExpectNoViolations();
}

}  // namespace
}  // namespace tessera
