// tsr_pkt_merge in several shapes at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "tests/fabric_streams/streams.h"
#include "units/Vmerge_top.h"

namespace tessera {
namespace {

using Unit = StreamUnit<Vmerge_top>;

constexpr int kMost = 8;
struct Shape {
  int bytes, inputs;
  bool header;
};
constexpr std::array<Shape, 7> kShapes = {{{4, 4, true},
                                           {8, 3, true},
                                           {8, 3, false},
                                           {64, 8, true},
                                           {1, 4, false},
                                           {128, 2, true},
                                           {16, 1, true}}};
constexpr int kCells = static_cast<int>(kShapes.size());

std::string Name(int cell) {
  const Shape& shape = kShapes[static_cast<size_t>(cell)];
  return fmt::format("cell {}: {} bytes, {} inputs, header {}", cell, shape.bytes, shape.inputs,
                     shape.header);
}

// Headers of the inputs: id is the input, the rest is noise without its parity.
uint32_t RawHeader(int cell, int input) {
  const Rng rng = Rng(77).Stream("header", static_cast<uint64_t>(cell * kMost + input));
  return (static_cast<uint32_t>(Rng(rng)()) & ~31U) | static_cast<uint32_t>(input);
}

class MergeUnit : public Unit {
 public:
  explicit MergeUnit(uint64_t seed) : Unit(seed) {
    for (int at = 0; at < kCells * kMost; ++at) {
      model().header_i[static_cast<size_t>(at)] = RawHeader(at / kMost, at % kMost);
      SetPinBit(model().enable_i, at, true);
    }
  }
  void AddEnds(int cell, const StreamSourceOptions& source, const StreamSinkOptions& sink,
               Keep keep = Keep::kAny, Null null = Null::kAny) {
    const Shape& shape = kShapes[static_cast<size_t>(cell)];
    for (int i = 0; i < shape.inputs; ++i) {
      sources_[cell * kMost + i] = &AddSource(cell * kMost + i, shape.bytes, source);
    }
    sinks_[cell] = &AddSink(cell, shape.bytes, sink, keep, null);
  }
  StreamSource& In(int cell, int input) { return *sources_.at(cell * kMost + input); }
  StreamSink& Out(int cell) { return *sinks_.at(cell); }

 private:
  std::map<int, StreamSource*> sources_;
  std::map<int, StreamSink*> sinks_;
};

// The packets of each input as they must come out; a packet's first byte names its input.
std::vector<std::vector<Packet>> Expected(MergeUnit& unit, int cell) {
  const Shape& shape = kShapes[static_cast<size_t>(cell)];
  std::vector<std::vector<Packet>> expected;
  for (int i = 0; i < shape.inputs; ++i) {
    std::vector<Packet> packets = Packets(unit.In(cell, i).bytes(), unit.In(cell, i).beats());
    if (shape.header) {
      const uint32_t raw = RawHeader(cell, i);
      for (Packet& packet : packets) packet = WithHeader(HeaderWord(raw, raw), packet);
    }
    expected.push_back(packets);
  }
  return expected;
}

// The input that a packet came from.
int InputOf(const Packet& packet, const Shape& shape) {
  return packet.empty() ? -1 : packet[0] & (shape.header ? 31 : 15);
}

void PushPackets(StreamSource& source, Rng& rng, int input, int packets, uint64_t longest) {
  for (int i = 0; i < packets; ++i) {
    Packet packet = RandomBytes(rng, rng.Between(1, longest));
    packet[0] = static_cast<uint8_t>((packet[0] & 0xf0) | input);
    source.Push(packet, rng.Chance(0.2) ? PieceEnd::kNullLast : PieceEnd::kLast);
  }
}

TEST(PacketMerge, PacketsComeOutWholeAndInOrder) {
  constexpr int kSeeds = 20;
  ::testing::Test::RecordProperty("cases", kSeeds * kCells);
  for (uint64_t seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    MergeUnit unit(seed);
    Rng rng = Rng(seed).Stream("merge");
    for (int cell = 0; cell < kCells; ++cell) {
      const Shape& shape = kShapes[static_cast<size_t>(cell)];
      unit.AddEnds(cell, {PacerSpec::Random(rng), RandomShape(rng)}, {PacerSpec::Random(rng)});
      for (int i = 0; i < shape.inputs; ++i) {
        PushPackets(unit.In(cell, i), rng, i, 30, 3 * static_cast<uint64_t>(shape.bytes));
      }
    }
    const bool toggles = seed % 2 == 1;
    unit.on_cycle = [&](uint64_t cycle) {
      for (int at = 0; at < kCells * kMost; ++at) {
        SetPinBit(unit.model().enable_i, at, !toggles || cycle > 3000 || rng.Chance(0.5));
      }
    };
    unit.Reset();
    unit.Run(3100);
    unit.RunDry();
    for (int cell = 0; cell < kCells; ++cell) {
      const Shape& shape = kShapes[static_cast<size_t>(cell)];
      std::vector<std::vector<Packet>> seen(static_cast<size_t>(shape.inputs));
      for (const Packet& packet : Packets(unit.Out(cell))) {
        const int input = InputOf(packet, shape);
        ASSERT_TRUE(input >= 0 && input < shape.inputs) << Name(cell);
        seen[static_cast<size_t>(input)].push_back(packet);
      }
      EXPECT_TRUE(seen == Expected(unit, cell)) << Name(cell);
      EXPECT_FALSE(unit.Out(cell).packet_open()) << Name(cell);
    }
    unit.ExpectNoViolations();
  }
}

// Full beats until TLAST go in and come out; nothing idles between packets, whoever they are from.
TEST(PacketMerge, LatencyThroughputAndTurns) {
  MergeUnit unit(2);
  Rng rng(2);
  constexpr uint64_t kPackets = 40, kBeats = 3;
  for (int cell = 0; cell < kCells; ++cell) {
    const Shape& shape = kShapes[static_cast<size_t>(cell)];
    unit.AddEnds(cell, {}, {}, Unit::Keep::kFullUntilLast, Unit::Null::kNone);
    for (int i = 0; i < shape.inputs; ++i) {
      for (uint64_t packet = 0; packet < kPackets; ++packet) {
        Packet bytes = RandomBytes(rng, kBeats * static_cast<uint64_t>(shape.bytes));
        bytes[0] = static_cast<uint8_t>(i);
        unit.In(cell, i).Push(bytes, PieceEnd::kLast);
      }
    }
  }
  unit.Reset();
  unit.RunDry();
  for (int cell = 0; cell < kCells; ++cell) {
    const Shape& shape = kShapes[static_cast<size_t>(cell)];
    const std::vector<StreamBeat>& out = unit.Out(cell).beats();
    ASSERT_FALSE(out.empty());
    EXPECT_EQ(out[0].cycle - unit.In(cell, 0).beats()[0].cycle, shape.header ? 2U : 1U)
        << Name(cell);
    EXPECT_EQ(out.back().cycle - out.front().cycle + 1, out.size())
        << Name(cell) << ": no idle cycle";
    EXPECT_EQ(out.size(),
              kPackets * static_cast<uint64_t>(shape.inputs) * (kBeats + (shape.header ? 1U : 0U)));
    int turn = 0;
    for (const Packet& packet : Packets(unit.Out(cell))) {
      EXPECT_EQ(InputOf(packet, shape), turn) << Name(cell);
      turn = (turn + 1) % shape.inputs;
    }
  }
  unit.ExpectNoViolations();
}

// Packets of one beat from everybody: in turns all the same, without an idle cycle.
TEST(PacketMerge, TurnsOfOneBeat) {
  MergeUnit unit(3);
  constexpr int kCell = 2;  // 8 bytes, 3 inputs, no header
  unit.AddEnds(kCell, {}, {});
  for (int i = 0; i < 3; ++i) {
    for (int n = 0; n < 50; ++n)
      unit.In(kCell, i).Push(Packet{static_cast<uint8_t>(i)}, PieceEnd::kLast);
  }
  unit.Reset();
  unit.RunDry();
  const std::vector<StreamBeat>& out = unit.Out(kCell).beats();
  ASSERT_EQ(out.size(), 150U);
  EXPECT_EQ(out.back().cycle - out.front().cycle, 149U);
  for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(unit.Out(kCell).bytes()[i], i % 3);
}

// Alone, an input has every cycle.
TEST(PacketMerge, AloneIsNotHeldUp) {
  MergeUnit unit(4);
  constexpr int kCell = 2;
  unit.AddEnds(kCell, {}, {});
  for (int n = 0; n < 50; ++n) unit.In(kCell, 1).Push(Packet(5), PieceEnd::kLast);
  unit.Reset();
  unit.RunDry();
  const std::vector<StreamBeat>& out = unit.Out(kCell).beats();
  ASSERT_EQ(out.size(), 50U);
  EXPECT_EQ(out.back().cycle - out.front().cycle, 49U);
  EXPECT_EQ(out[0].cycle - unit.In(kCell, 1).beats()[0].cycle, 1U);
}

TEST(PacketMerge, EmptyPacketIsAHeaderAlone) {
  MergeUnit unit(5);
  for (const int cell : {0, 1, 3, 5, 6}) {
    unit.AddEnds(cell, {}, {}, Unit::Keep::kFullUntilLast, Unit::Null::kNone);
    unit.In(cell, 0).Push({}, PieceEnd::kLast);
    unit.In(cell, 0).Push(Packet(3), PieceEnd::kLast);
  }
  unit.Reset();
  unit.RunDry();
  for (const int cell : {0, 1, 3, 5, 6}) {
    const uint32_t raw = RawHeader(cell, 0);
    const std::vector<Packet> packets = Packets(unit.Out(cell));
    ASSERT_EQ(packets.size(), 2U) << Name(cell);
    EXPECT_EQ(packets[0], WithHeader(HeaderWord(raw, raw), {})) << Name(cell);
    EXPECT_EQ(packets[1], WithHeader(HeaderWord(raw, raw), Packet(3))) << Name(cell);
  }
  unit.ExpectNoViolations();
}

}  // namespace
}  // namespace tessera
