// tsr_stream_cdc between clocks without relation, with resets of one side.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "tests/fabric_streams/streams.h"
#include "units/Vcdc_top.h"

namespace tessera {
namespace {

struct Shape {
  int bytes, depth, stages;
  bool async, packets;
};
constexpr std::array<Shape, 7> kShapes = {{{4, 8, 2, true, true},
                                           {8, 16, 3, true, true},
                                           {64, 4, 2, true, true},
                                           {1, 8, 2, true, false},
                                           {8, 64, 4, true, true},
                                           {128, 8, 2, true, true},
                                           {8, 8, 2, false, true}}};
constexpr int kAsyncCells = 6;

// A clock: when its next edge comes, in picoseconds.
struct Clock {
  uint64_t period = 1000;
  uint64_t next = 0;
  double jitter = 0.0;  // share of the period by which an edge may come early or late
  uint64_t cycle = 0;
  bool reset = true;
};

// The ends of both sides, each on its own clock.
class CdcUnit {
 public:
  CdcUnit(uint64_t seed, const Clock& s, const Clock& m) : rng_(seed), unit_(seed), s_(s), m_(m) {
    std::memset(PinBytes(unit_.model().s_tvalid), 0, sizeof(unit_.model().s_tvalid));
    std::memset(PinBytes(unit_.model().m_tready), 0, sizeof(unit_.model().m_tready));
    unit_.model().s_clk_i = 0;
    unit_.model().m_clk_i = 0;
  }
  void AddEnds(int cell, const StreamSourceOptions& source, const StreamSinkOptions& sink) {
    const int bytes = kShapes[static_cast<size_t>(cell)].bytes;
    const uint64_t index = static_cast<uint64_t>(cell);
    inputs_.emplace_back(cell, bytes, source, rng_.Stream("source", index), &violations_);
    outputs_.emplace_back(cell, bytes, sink, rng_.Stream("sink", index), &violations_,
                          AxisMonitorOptions::Keep::kAny, AxisMonitorOptions::Null::kAny);
  }
  StreamSource& source(size_t number) { return inputs_.at(number).source; }
  StreamSink& sink(size_t number) { return outputs_.at(number).sink; }
  size_t ends() const { return inputs_.size(); }
  Clock& s() { return s_; }
  Clock& m() { return m_; }
  Vcdc_top& model() { return unit_.model(); }
  const ViolationList& violations() const { return violations_; }

  // Called after the samples of an edge of the source's or the sink's clock.
  std::function<void()> on_s, on_m;

  // The next edge of either clock, or of both.
  void Step() {
    const uint64_t now = std::min(s_.next, m_.next);
    const bool s_edge = s_.next == now, m_edge = m_.next == now;
    Vcdc_top& model = unit_.model();
    model.s_rst_ni = !s_.reset;
    model.m_rst_ni = !m_.reset;
    for (const InputEnd& end : inputs_) end.Put(model);
    for (const OutputEnd& end : outputs_) end.Put(model);
    unit_.Evaluate();
    for (InputEnd& end : inputs_) end.Get(model);
    for (OutputEnd& end : outputs_) end.Get(model);
    if (s_edge) {
      for (InputEnd& end : inputs_) end.Sample({s_.cycle, s_.reset});
      if (on_s) on_s();
    }
    if (m_edge) {
      for (OutputEnd& end : outputs_) end.Sample({m_.cycle, m_.reset});
      if (!m_.reset) sides_wrong_ += model.side_wrong_o != 0;
      if (on_m) on_m();
    }
    if (s_edge) model.s_clk_i = 1;
    if (m_edge) model.m_clk_i = 1;
    unit_.Evaluate();
    if (s_edge) {
      Advance(s_);
      for (InputEnd& end : inputs_) end.Drive({s_.cycle, s_.reset});
    }
    if (m_edge) {
      Advance(m_);
      for (OutputEnd& end : outputs_) end.Drive({m_.cycle, m_.reset});
    }
    model.s_clk_i = 0;
    model.m_clk_i = 0;
    unit_.Evaluate();
  }
  void Run(uint64_t time) {
    for (const uint64_t end = Now() + time; Now() < end;) Step();
  }
  void Reset() {
    s_.reset = m_.reset = true;
    Run(12 * std::max(s_.period, m_.period));
    s_.reset = m_.reset = false;
  }
  void RunDry() {
    uint64_t moved = 0, still = 0;
    for (uint64_t i = 0; still < 8000; ++i) {
      Step();
      uint64_t now = 0;
      for (const OutputEnd& end : outputs_) now += end.sink.beats_taken();
      for (const InputEnd& end : inputs_) now += end.source.beats_accepted();
      still = now == moved ? still + 1 : 0;
      moved = now;
      ASSERT_LT(i, 3000000U) << "no end";
    }
  }
  uint64_t sides_wrong() const { return sides_wrong_; }  // cycles
  uint64_t Now() const { return std::min(s_.next, m_.next); }

 private:
  void Advance(Clock& clock) {
    ++clock.cycle;
    clock.next += clock.period;
    if (clock.jitter == 0.0) return;
    const uint64_t range = static_cast<uint64_t>(static_cast<double>(clock.period) * clock.jitter);
    clock.next += rng_.Below(2 * range + 1);
    clock.next -= range;
  }

  Rng rng_;
  VerilatedUnit<Vcdc_top> unit_;
  ViolationList violations_;
  Clock s_, m_;
  std::deque<InputEnd> inputs_;
  std::deque<OutputEnd> outputs_;
  uint64_t sides_wrong_ = 0;
};

struct Ratio {
  Clock s, m;
};
// Equal with all phases, almost equal, far apart either way, jittering.
const std::array<Ratio, 11> kRatios = {{{{1000, 0}, {1000, 0}},
                                        {{1000, 0}, {1000, 1}},
                                        {{1000, 0}, {1000, 999}},
                                        {{1000, 0}, {1000, 500}},
                                        {{1000, 0}, {1001, 300}},
                                        {{1000, 0}, {999, 300}},
                                        {{1000, 0}, {331, 7}},
                                        {{331, 0}, {1000, 7}},
                                        {{1000, 0}, {7919, 3}},
                                        {{7919, 0}, {1000, 3}},
                                        {{1000, 0, 0.4}, {1100, 0, 0.4}}}};

std::string Name(const Ratio& ratio, size_t cell) {
  return fmt::format("clocks {} and {} ps, cell {}", ratio.s.period, ratio.m.period, cell);
}

TEST(StreamCdc, BeatsComeOutAsTheyWentIn) {
  constexpr int kSeeds = 3;
  ::testing::Test::RecordProperty("cases", kSeeds * kAsyncCells * static_cast<int>(kRatios.size()));
  for (const Ratio& ratio : kRatios) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      CdcUnit unit(seed, ratio.s, ratio.m);
      Rng rng = Rng(seed).Stream("cdc", ratio.s.period * 10000 + ratio.m.period);
      for (int cell = 0; cell < kAsyncCells; ++cell) {
        const uint64_t bytes = static_cast<uint64_t>(kShapes[static_cast<size_t>(cell)].bytes);
        unit.AddEnds(cell, {PacerSpec::Random(rng), RandomShape(rng)}, {PacerSpec::Random(rng)});
        PushRandom(unit.source(static_cast<size_t>(cell)), rng, 40, 6 * bytes);
      }
      unit.Reset();
      unit.RunDry();
      for (size_t cell = 0; cell < kAsyncCells; ++cell) {
        const StreamSource& source = unit.source(cell);
        const StreamSink& sink = unit.sink(cell);
        ASSERT_EQ(sink.beats().size(), source.beats().size()) << Name(ratio, cell);
        for (size_t i = 0; i < sink.beats().size(); ++i) {
          EXPECT_EQ(sink.beats()[i].keep, source.beats()[i].keep) << Name(ratio, cell);
          EXPECT_EQ(sink.beats()[i].last, source.beats()[i].last) << Name(ratio, cell);
        }
        EXPECT_TRUE(sink.bytes() == source.bytes()) << Name(ratio, cell);
      }
      EXPECT_EQ(unit.sides_wrong(), 0U);
      for (const Violation& violation : unit.violations().kept()) {
        ADD_FAILURE() << violation.rule << ": " << violation.message;
      }
    }
  }
}

TEST(StreamCdc, ThroughputIsThatOfTheSlowerClock) {
  for (const Ratio& ratio : kRatios) {
    if (ratio.s.jitter != 0.0) continue;
    CdcUnit unit(1, ratio.s, ratio.m);
    for (int cell = 0; cell < kAsyncCells; ++cell) {
      unit.AddEnds(cell, {}, {});
      const size_t bytes = static_cast<size_t>(kShapes[static_cast<size_t>(cell)].bytes);
      unit.source(static_cast<size_t>(cell)).Push(Packet(400 * bytes), PieceEnd::kLast);
    }
    unit.Reset();
    unit.RunDry();
    for (size_t cell = 0; cell < kAsyncCells; ++cell) {
      const Shape& shape = kShapes[cell];
      if (shape.depth < 4 + 2 * shape.stages) continue;
      const bool s_slower = ratio.s.period >= ratio.m.period;
      const std::vector<StreamBeat>& beats =
          s_slower ? unit.source(cell).beats() : unit.sink(cell).beats();
      ASSERT_EQ(beats.size(), 400U) << Name(ratio, cell);
      // The very last of a FIFO that the other clock fills or empties may straddle an edge.
      EXPECT_LE(beats[399].cycle - beats[20].cycle, 380U) << Name(ratio, cell);
    }
  }
}

TEST(StreamCdc, Latency) {
  for (const Ratio& ratio : kRatios) {
    if (ratio.s.jitter != 0.0) continue;
    CdcUnit unit(1, ratio.s, ratio.m);
    for (int cell = 0; cell < kAsyncCells; ++cell) unit.AddEnds(cell, {}, {});
    unit.Reset();
    unit.Run(40 * std::max(ratio.s.period, ratio.m.period));
    std::array<uint64_t, kAsyncCells> taken{}, given{};
    unit.on_s = [&] {
      for (size_t i = 0; i < kAsyncCells; ++i) {
        if (taken[i] == 0 && unit.source(i).beats_accepted() != 0) taken[i] = unit.s().next;
      }
    };
    unit.on_m = [&] {
      for (size_t i = 0; i < kAsyncCells; ++i) {
        if (given[i] == 0 && unit.sink(i).beats_taken() != 0) given[i] = unit.m().next;
      }
    };
    for (size_t i = 0; i < kAsyncCells; ++i) unit.source(i).Push(Packet(1), PieceEnd::kLast);
    unit.RunDry();
    for (size_t i = 0; i < kAsyncCells; ++i) {
      const uint64_t stages = static_cast<uint64_t>(kShapes[i].stages);
      // From the edge that takes it: the pointer is out; Stages edges, one into the output
      // register, one that takes it. One less or more of each clock.
      const uint64_t time = given[i] - taken[i];
      EXPECT_GE(time, (stages + 1) * ratio.m.period) << Name(ratio, i);
      EXPECT_LE(time, (stages + 3) * ratio.m.period + ratio.s.period) << Name(ratio, i);
    }
  }
}

// ---- Resets of one side
// ----------------------------------------------------------------------------

// A packet that tells by itself whether it is whole.
Packet Numbered(uint32_t number) {
  Rng rng = Rng(99).Stream("packet", number);
  Packet packet = RandomBytes(rng, rng.Between(3, 90));
  packet[0] = static_cast<uint8_t>(number);
  packet[1] = static_cast<uint8_t>(number >> 8);
  packet[2] = static_cast<uint8_t>(packet.size());
  return packet;
}
uint32_t NumberOf(const Packet& packet) {
  return packet[0] | static_cast<uint32_t>(packet[1]) << 8;
}

// Keeps one crossing busy and judges what comes out of it.
struct Traffic {
  uint32_t pushed = 0;      // packets, numbered from 1
  uint32_t whole = 0;       // came out whole
  uint32_t cut = 0;         // ended early, and said so
  uint32_t last_whole = 0;  // number of the latest
  size_t seen_beats = 0, sent_beats = 0;
  Packet open, sending;
  std::map<uint32_t, size_t> sent;  // bytes of a packet that the crossing has accepted

  void Feed(StreamSource& source) {
    while (source.bytes_waiting() < 200) source.Push(Numbered(++pushed), PieceEnd::kLast);
  }
  // A beat that the crossing has accepted, or none; a source that is reset begins with a packet.
  void Note(const StreamSource& source, bool reset) {
    if (reset) sending.clear();
    if (source.beats().size() == sent_beats) return;
    const StreamBeat& beat = source.beats()[sent_beats++];
    const auto first = source.bytes().begin() + static_cast<std::ptrdiff_t>(beat.first);
    sending.insert(sending.end(), first, first + beat.count);
    sent[NumberOf(sending)] = sending.size();
    if (beat.last) sending.clear();
  }
  // A beat of the sink, or none.
  void Look(const StreamSink& sink, bool cut_now, const std::string& name) {
    if (sink.beats().size() == seen_beats) return;
    const StreamBeat& beat = sink.beats()[seen_beats++];
    const auto first = sink.bytes().begin() + static_cast<std::ptrdiff_t>(beat.first);
    open.insert(open.end(), first, first + beat.count);
    if (open.size() > 1) {
      EXPECT_LE(open.size(), sent[NumberOf(open)]) << name << ": what nobody sent came out";
    }
    if (!beat.last) return;
    if (cut_now) {
      ++cut;
      EXPECT_EQ(beat.count, 0) << name;
      EXPECT_FALSE(open.empty()) << name;
      if (open.size() > 2) {
        const Packet full = Numbered(NumberOf(open));
        EXPECT_TRUE(open.size() <= full.size() &&
                    std::equal(open.begin(), open.end(), full.begin()))
            << name << ": a cut packet is no beginning of one that was sent";
      }
    } else {
      ++whole;
      ASSERT_GT(open.size(), 2U) << name;
      EXPECT_EQ(open, Numbered(NumberOf(open))) << name << ": packets were mixed";
      EXPECT_GT(NumberOf(open), last_whole) << name << ": out of order";
      last_whole = NumberOf(open);
    }
    open.clear();
  }
};

TEST(StreamCdc, ResetOfOneSideHurtsNoOtherPacket) {
  constexpr int kSeeds = 4, kResets = 25;
  ::testing::Test::RecordProperty("cases", kSeeds * kResets * static_cast<int>(kRatios.size()));
  uint32_t cuts = 0;
  for (const Ratio& ratio : kRatios) {
    for (uint64_t seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
      CdcUnit unit(seed, ratio.s, ratio.m);
      Rng rng = Rng(seed).Stream("reset", ratio.s.period * 10000 + ratio.m.period);
      std::array<int, 5> cells = {0, 1, 2, 4, 5};
      for (const int cell : cells) {
        unit.AddEnds(cell, {PacerSpec::Probability(0.7), {}}, {PacerSpec::Probability(0.7)});
      }
      std::array<Traffic, 5> traffic;
      bool feed = true;
      unit.on_s = [&] {
        for (size_t i = 0; i < cells.size(); ++i) {
          traffic[i].Note(unit.source(i), unit.s().reset);
          // Whoever sends is reset too: it begins again with a packet.
          if (unit.s().reset) unit.source(i).DiscardUnsent();
          if (feed && !unit.s().reset) traffic[i].Feed(unit.source(i));
        }
      };
      unit.on_m = [&] {
        for (size_t i = 0; i < cells.size(); ++i) {
          if (unit.m().reset) traffic[i].open.clear();  // so has whoever takes
          traffic[i].Look(unit.sink(i), PinBit(unit.model().cut_o, cells[i]),
                          Name(ratio, static_cast<size_t>(cells[i])));
        }
      };
      unit.Reset();
      const uint64_t slow = std::max(ratio.s.period, ratio.m.period);
      for (int reset = 0; reset < kResets; ++reset) {
        unit.Run(rng.Below(120 * slow));
        Clock& clock = rng.Chance(0.5) ? unit.s() : unit.m();
        clock.reset = true;
        // From one cycle of its own clock to many; sometimes the other follows at once.
        for (const uint64_t end = clock.cycle + rng.Between(1, 12); clock.cycle < end;) unit.Step();
        if (rng.Chance(0.3)) {
          Clock& other = &clock == &unit.s() ? unit.m() : unit.s();
          other.reset = true;
          for (const uint64_t end = other.cycle + rng.Between(1, 4); other.cycle < end;)
            unit.Step();
          other.reset = false;
        }
        clock.reset = false;
      }
      // It works as if nothing had been.
      unit.Run(100 * slow);
      std::array<Traffic, 5> before = traffic;
      unit.Run(2000 * slow);
      feed = false;
      unit.RunDry();
      for (size_t i = 0; i < cells.size(); ++i) {
        const std::string name = Name(ratio, static_cast<size_t>(cells[i]));
        EXPECT_EQ(traffic[i].last_whole, traffic[i].pushed) << name;
        EXPECT_EQ(traffic[i].whole - before[i].whole, traffic[i].last_whole - before[i].last_whole)
            << name << ": packets are lost long after the last reset";
        EXPECT_GT(traffic[i].whole, before[i].whole + 20) << name;
        EXPECT_EQ(traffic[i].cut, before[i].cut) << name;
        EXPECT_TRUE(traffic[i].open.empty()) << name;
        cuts += traffic[i].cut;
      }
      EXPECT_EQ(unit.sides_wrong(), 0U);
      for (const Violation& violation : unit.violations().kept()) {
        ADD_FAILURE() << Name(ratio, 0) << ": " << violation.rule << ": " << violation.message;
      }
    }
  }
  EXPECT_GT(cuts, 100U);
}

// Nothing comes behind the reset: what a slow sink has of a packet ends all the same.
TEST(StreamCdc, ACutPacketEndsWithoutAnother) {
  constexpr std::array<int, 5> kCells = {0, 1, 2, 4, 5};
  uint32_t cuts = 0;
  for (const Ratio& ratio : kRatios) {
    CdcUnit unit(1, ratio.s, ratio.m);
    for (const int cell : kCells) unit.AddEnds(cell, {}, {PacerSpec::Bursts(1, 1, 50, 90)});
    Rng rng = Rng(1).Stream("cut", ratio.s.period * 10000 + ratio.m.period);
    unit.on_s = [&] {
      for (size_t i = 0; unit.s().reset && i < unit.ends(); ++i) unit.source(i).DiscardUnsent();
    };
    unit.on_m = [&] {
      for (const int cell : kCells) cuts += PinBit(unit.model().cut_o, cell);
    };
    unit.Reset();
    const uint64_t slow = std::max(ratio.s.period, ratio.m.period);
    for (int reset = 0; reset < 10; ++reset) {
      for (size_t i = 0; i < unit.ends(); ++i)
        unit.source(i).Push(
            Packet(4 * static_cast<size_t>(kShapes[static_cast<size_t>(kCells[i])].bytes)),
            PieceEnd::kLast);
      unit.Run((30 + rng.Below(200)) * slow);
      unit.s().reset = true;
      for (const uint64_t end = unit.s().cycle + 3; unit.s().cycle < end;) unit.Step();
      unit.s().reset = false;
      unit.Run(800 * slow);
      for (size_t i = 0; i < unit.ends(); ++i) {
        const auto& beats = unit.sink(i).beats();
        EXPECT_TRUE(beats.empty() || beats.back().last)
            << Name(ratio, static_cast<size_t>(kCells[i])) << ": a packet is open";
      }
    }
  }
  EXPECT_GT(cuts, 100U);
}

// Without a second clock it is a wire.
TEST(StreamCdc, SynchronousIsAWire) {
  CdcUnit unit(1, {1000, 0}, {1000, 0});
  unit.AddEnds(6, {}, {});
  unit.source(0).Push(Packet(64), PieceEnd::kLast);
  unit.Reset();
  unit.RunDry();
  ASSERT_EQ(unit.sink(0).beats().size(), 8U);
  EXPECT_EQ(unit.sink(0).beats()[0].cycle, unit.source(0).beats()[0].cycle);
}

}  // namespace
}  // namespace tessera
