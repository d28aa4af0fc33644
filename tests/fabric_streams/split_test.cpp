// tsr_pkt_split in several shapes at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "tests/fabric_streams/streams.h"
#include "units/Vsplit_top.h"

namespace tessera {
namespace {

using Unit = StreamUnit<Vsplit_top>;

constexpr int kMost = 8;
struct Shape {
  int bytes, outputs;
  bool strip, parity;
};
constexpr std::array<Shape, 7> kShapes = {{{4, 4, true, false},
                                           {4, 4, false, true},
                                           {8, 3, true, true},
                                           {16, 2, false, false},
                                           {64, 8, true, false},
                                           {128, 1, true, false},
                                           {8, 2, false, false}}};
constexpr int kCells = static_cast<int>(kShapes.size());

std::string Name(int cell) {
  const Shape& shape = kShapes[static_cast<size_t>(cell)];
  return fmt::format("cell {}: {} bytes, {} outputs, strip {}", cell, shape.bytes, shape.outputs,
                     shape.strip);
}

// One source and all outputs for each cell; output i takes the ids i and i + 16 unless set
// otherwise.
class SplitUnit : public Unit {
 public:
  explicit SplitUnit(uint64_t seed) : Unit(seed) {
    for (int cell = 0; cell < kCells; ++cell) {
      for (int i = 0; i < kMost; ++i) SetRow(cell, i, static_cast<uint8_t>(i), 15, true);
    }
  }
  void SetRow(int cell, int output, uint8_t id, uint8_t mask, bool enable) {
    const int at = cell * kMost + output;
    PinBytes(model().id_i)[at] = id;
    PinBytes(model().mask_i)[at] = mask;
    SetPinBit(model().enable_i, at, enable);
  }
  void AddEnds(int cell, const StreamSourceOptions& source, const StreamSinkOptions& sink,
               Keep keep = Keep::kAny, Null null = Null::kWithLast) {
    const Shape& shape = kShapes[static_cast<size_t>(cell)];
    AddSource(cell, shape.bytes, source);
    for (int i = 0; i < shape.outputs; ++i) {
      sinks_[cell * kMost + i] = &AddSink(cell * kMost + i, shape.bytes, sink, keep, null);
    }
  }
  StreamSink& Out(int cell, int output) { return *sinks_.at(cell * kMost + output); }

 private:
  std::map<int, StreamSink*> sinks_;
};

constexpr int kDropped = -1, kShort = -2, kParity = -3;

struct Routed {
  int output;
  uint32_t header;
  Packet packet;  // as it comes out
};

// Where each packet of a source's beats must go, by the header comment of tsr_pkt_split.
std::vector<Routed> Route(const StreamSource& source, const Shape& shape) {
  std::vector<Routed> routed;
  Packet packet;
  bool open = false, is_short = false;
  for (const StreamBeat& beat : source.beats()) {
    if (beat.count == 0 && !beat.last) continue;
    if (!open) {
      is_short = (beat.keep.word[0] & 15) != 15;
      packet.clear();
    }
    open = !beat.last;
    const auto first = source.bytes().begin() + static_cast<std::ptrdiff_t>(beat.first);
    packet.insert(packet.end(), first, first + beat.count);
    if (open) continue;
    Routed result{kShort, 0, packet};
    if (!is_short) {
      for (size_t i = 0; i < 4; ++i) result.header |= static_cast<uint32_t>(packet[i]) << (8 * i);
      const int id = static_cast<int>(result.header & 15);
      result.output = id < shape.outputs ? id : kDropped;
      if (shape.parity && std::popcount(result.header) % 2 == 0) result.output = kParity;
      if (shape.strip) result.packet.erase(result.packet.begin(), result.packet.begin() + 4);
    }
    routed.push_back(result);
  }
  return routed;
}

void PushPackets(StreamSource& source, Rng& rng, int packets, uint64_t longest, bool whole) {
  for (int i = 0; i < packets; ++i) {
    if (!whole && rng.Chance(0.1)) {
      source.Push(RandomBytes(rng, rng.Below(4)), PieceEnd::kLast);
      continue;
    }
    uint32_t header =
        HeaderWord(static_cast<uint32_t>(rng.Below(whole ? 1 : 12)), static_cast<uint32_t>(rng()));
    if (!whole && rng.Chance(0.2)) header ^= 1U << 31;
    const Packet packet = WithHeader(header, RandomBytes(rng, rng.Below(longest + 1)));
    source.Push(packet, !whole && rng.Chance(0.3) ? PieceEnd::kNullLast : PieceEnd::kLast);
  }
}

struct Drop {
  uint32_t header;
  bool is_short, parity;
};

TEST(PacketSplit, LatencyAndThroughput) {
  SplitUnit unit(1);
  Rng rng(1);
  for (int cell = 0; cell < kCells; ++cell) {
    unit.AddEnds(cell, {}, {}, Unit::Keep::kFullUntilLast, Unit::Null::kNone);
    const uint64_t bytes = static_cast<uint64_t>(kShapes[static_cast<size_t>(cell)].bytes);
    for (int i = 0; i < 20; ++i) {
      unit.source(static_cast<size_t>(cell))
          .Push(WithHeader(HeaderWord(0), RandomBytes(rng, 4 * bytes - 5)), PieceEnd::kLast);
    }
  }
  unit.Reset();
  unit.RunDry();
  for (int cell = 0; cell < kCells; ++cell) {
    const std::vector<StreamBeat>& in = unit.source(static_cast<size_t>(cell)).beats();
    const std::vector<StreamBeat>& out = unit.Out(cell, 0).beats();
    ASSERT_EQ(in.size(), 80U) << Name(cell);
    ASSERT_FALSE(out.empty());
    EXPECT_EQ(in.back().cycle - in.front().cycle, 79U) << Name(cell) << ": one beat a cycle";
    const bool strip = kShapes[static_cast<size_t>(cell)].strip;
    EXPECT_EQ(out[0].cycle - in[0].cycle, strip ? 2U : 1U) << Name(cell);
    EXPECT_EQ(Packets(unit.Out(cell, 0)).size(), 20U);
  }
  unit.ExpectNoViolations();
}

TEST(PacketSplit, DenseStaysDense) {
  SplitUnit unit(2);
  Rng rng(2);
  for (int cell = 0; cell < kCells; ++cell) {
    // A header alone becomes a null beat with TLAST when it is stripped.
    unit.AddEnds(cell, {}, {PacerSpec::Probability(0.6)}, Unit::Keep::kFullUntilLast);
    PushPackets(unit.source(static_cast<size_t>(cell)), rng, 60,
                3 * static_cast<uint64_t>(kShapes[static_cast<size_t>(cell)].bytes), true);
  }
  unit.Reset();
  unit.RunDry();
  for (int cell = 0; cell < kCells; ++cell) {
    EXPECT_EQ(Packets(unit.Out(cell, 0)).size(), 60U) << Name(cell);
  }
  unit.ExpectNoViolations();
}

TEST(PacketSplit, EveryPacketGoesWhereItsHeaderSaysOrIsReported) {
  constexpr int kSeeds = 20;
  ::testing::Test::RecordProperty("cases", kSeeds * kCells);
  for (uint64_t seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    SplitUnit unit(seed);
    Rng rng = Rng(seed).Stream("split");
    for (int cell = 0; cell < kCells; ++cell) {
      StreamShape shape = RandomShape(rng);
      shape.partial *= 0.3;
      shape.sparse *= 0.3;
      unit.AddEnds(cell, {PacerSpec::Random(rng), shape}, {PacerSpec::Random(rng)});
      PushPackets(unit.source(static_cast<size_t>(cell)), rng, 60,
                  3 * static_cast<uint64_t>(kShapes[static_cast<size_t>(cell)].bytes), false);
    }
    std::vector<std::vector<Drop>> drops(kCells);
    unit.on_cycle = [&](uint64_t) {
      const Vsplit_top& m = unit.model();
      for (int cell = 0; cell < kCells; ++cell) {
        if (!PinBit(m.drop_o, cell)) continue;
        drops[static_cast<size_t>(cell)].push_back({m.drop_header_o[static_cast<size_t>(cell)],
                                                    PinBit(m.drop_short_o, cell),
                                                    PinBit(m.drop_parity_o, cell)});
      }
    };
    unit.Reset();
    for (std::vector<Drop>& list : drops) list.clear();
    unit.RunDry();
    for (int cell = 0; cell < kCells; ++cell) {
      const Shape& shape = kShapes[static_cast<size_t>(cell)];
      const StreamSource& source = unit.source(static_cast<size_t>(cell));
      std::vector<std::vector<Packet>> expected(static_cast<size_t>(shape.outputs));
      std::vector<Routed> lost;
      for (const Routed& routed : Route(source, shape)) {
        if (routed.output >= 0) {
          expected[static_cast<size_t>(routed.output)].push_back(routed.packet);
        } else {
          lost.push_back(routed);
        }
      }
      for (int i = 0; i < shape.outputs; ++i) {
        EXPECT_TRUE(expected[static_cast<size_t>(i)] == Packets(unit.Out(cell, i)))
            << Name(cell) << ", output " << i;
        EXPECT_FALSE(unit.Out(cell, i).packet_open()) << Name(cell) << ", output " << i;
      }
      const std::vector<Drop>& seen = drops[static_cast<size_t>(cell)];
      ASSERT_EQ(seen.size(), lost.size()) << Name(cell);
      for (size_t i = 0; i < lost.size(); ++i) {
        EXPECT_EQ(seen[i].is_short, lost[i].output == kShort) << Name(cell);
        if (seen[i].is_short) continue;
        EXPECT_EQ(seen[i].header, lost[i].header) << Name(cell);
        EXPECT_EQ(seen[i].parity, lost[i].output == kParity) << Name(cell);
      }
    }
    unit.ExpectNoViolations();
  }
}

// The output of the example in the manual.
TEST(PacketSplit, Example) {
  SplitUnit unit(3);
  unit.AddEnds(2, {}, {});
  StreamSource& source = unit.source(0);
  const Packet payload = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(HeaderWord(1), 0x00000001U);
  EXPECT_EQ(HeaderWord(9), 0x80000009U);
  source.Push(WithHeader(HeaderWord(1), payload), PieceEnd::kLast);
  source.Push(WithHeader(HeaderWord(9), payload), PieceEnd::kLast);
  source.Push(WithHeader(HeaderWord(2), payload), PieceEnd::kLast);
  int dropped = 0;
  unit.on_cycle = [&](uint64_t) {
    if (!PinBit(unit.model().drop_o, 2)) return;
    ++dropped;
    EXPECT_EQ(unit.model().drop_header_o[2], 0x80000009U);
  };
  unit.Reset();
  dropped = 0;
  unit.RunDry();
  EXPECT_EQ(dropped, 1);
  EXPECT_TRUE(unit.Out(2, 0).bytes().empty());
  EXPECT_EQ(unit.Out(2, 1).bytes(), payload);
  EXPECT_EQ(unit.Out(2, 1).beats()[0].keep, FirstLanes(8));
  EXPECT_EQ(unit.Out(2, 1).beats()[1].keep, FirstLanes(2));
  EXPECT_EQ(unit.Out(2, 2).bytes(), payload);
}

// The table may change at any time: a packet that has begun goes on to where it began.
TEST(PacketSplit, TableChangesBetweenPacketsOnly) {
  for (const int cell : {0, 1, 2}) {
    SplitUnit unit(4);
    Rng rng(4);
    unit.AddEnds(cell, {PacerSpec::Probability(0.5), {}}, {PacerSpec::Probability(0.5)});
    StreamSource& source = unit.source(0);
    std::map<Packet, int> pushed;
    for (int i = 0; i < 200; ++i) {
      const Packet packet = WithHeader(HeaderWord(1), RandomBytes(rng, 40));
      source.Push(packet, PieceEnd::kLast);
      ++pushed[kShapes[static_cast<size_t>(cell)].strip ? Packet(packet.begin() + 4, packet.end())
                                                        : packet];
    }
    unit.on_cycle = [&](uint64_t) {
      for (int i = 0; i < 4; ++i) unit.SetRow(cell, i, 1, 31, rng.Chance(0.5));
    };
    unit.Reset();
    unit.RunDry();
    size_t whole = 0;
    for (int i = 0; i < kShapes[static_cast<size_t>(cell)].outputs; ++i) {
      for (const Packet& packet : Packets(unit.Out(cell, i))) {
        EXPECT_EQ(pushed[packet]--, 1) << Name(cell);
        ++whole;
      }
      EXPECT_FALSE(unit.Out(cell, i).packet_open());
    }
    EXPECT_GT(whole, 100U);
    unit.ExpectNoViolations();
  }
}

// A packet for nobody passes while its would-be neighbours stand still, behind two beats for
// one of them.
TEST(PacketSplit, UnknownIdHoldsNobodyUp) {
  SplitUnit unit(5);
  unit.AddEnds(0, {}, {PacerSpec::Never()});
  StreamSource& source = unit.source(0);
  source.Push(WithHeader(HeaderWord(0), Packet(8)), PieceEnd::kLast);
  for (int i = 0; i < 50; ++i) source.Push(WithHeader(HeaderWord(7), Packet(100)), PieceEnd::kLast);
  unit.Reset();
  unit.RunDry();
  EXPECT_TRUE(source.empty());
}

}  // namespace
}  // namespace tessera
