// Stream source and sink on bare pins.
#include "tb/bus/axis.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tb/monitor/axis_monitor.h"

namespace tessera {
namespace {

std::vector<uint8_t> Ramp(size_t count) {
  std::vector<uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  return bytes;
}

// Source and sink joined by a wire, watched by a monitor that allows anything legal.
class Wire {
 public:
  Wire(int bytes, const StreamSourceOptions& source, const StreamSinkOptions& sink,
       uint64_t seed = 1)
      : source_(&port_, bytes, source, Rng(seed)),
        sink_(&port_, bytes, sink, Rng(seed + 1)),
        monitor_(&port_,
                 {"wire", bytes, AxisMonitorOptions::Keep::kAny, AxisMonitorOptions::Null::kAny},
                 &violations_) {}
  void Cycle(bool reset = false) {
    const Tick tick{cycle_, reset_};
    monitor_.Sample(tick);
    source_.Sample(tick);
    sink_.Sample(tick);
    reset_ = reset;
    const Tick next{++cycle_, reset};
    sink_.Drive(next);
    source_.Drive(next);
  }
  void RunDry() {
    for (int i = 0; i < 20000 && !source_.empty(); ++i) Cycle();
    for (int i = 0; i < 2; ++i) Cycle();
  }

  ViolationList violations_;
  StreamPort port_;
  StreamSource source_;
  StreamSink sink_;
  AxisMonitor monitor_;
  uint64_t cycle_ = 0;
  bool reset_ = true;
};

TEST(Stream, DenseBeatsWithPartialLast) {
  Wire wire(8, {}, {});
  wire.source_.Push(Ramp(19), PieceEnd::kLast);
  wire.RunDry();
  const std::vector<StreamBeat>& beats = wire.sink_.beats();
  ASSERT_EQ(beats.size(), 3U);
  EXPECT_EQ(beats[0].keep, FirstLanes(8));
  EXPECT_FALSE(beats[1].last);
  EXPECT_EQ(beats[2].keep, FirstLanes(3));
  EXPECT_TRUE(beats[2].last);
  EXPECT_EQ(beats[2].cycle, beats[0].cycle + 2);  // one a cycle
  EXPECT_EQ(wire.sink_.bytes(), Ramp(19));
}

TEST(Stream, SideInformationIsThatOfPacketAndBeat) {
  StreamSinkOptions slow;
  slow.pacer = PacerSpec::Parse("p=0.4");
  Wire wire(8, {}, slow);
  wire.source_.SetSides([](uint64_t packet, uint64_t beat) {
    return rtl::DescriptorSide{.user = static_cast<uint16_t>(beat),
                               .dest = static_cast<uint8_t>(packet)};
  });
  for (int packet = 0; packet < 3; ++packet) wire.source_.Push(Ramp(19), PieceEnd::kLast);
  for (int i = 0; i < 6; ++i) wire.Cycle();
  wire.Cycle(true);  // withdraws a beat, which is offered again
  wire.RunDry();
  for (const std::vector<StreamBeat>& beats : {wire.source_.beats(), wire.sink_.beats()}) {
    ASSERT_EQ(beats.size(), 9U);
    for (size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(beats[i].side.dest, i / 3) << i;
      EXPECT_EQ(beats[i].side.user, i % 3) << i;
    }
  }
  EXPECT_EQ(wire.violations_.count(), 0U);
}

TEST(Stream, PiecesEndAsTheySay) {
  Wire wire(8, {}, {});
  wire.source_.Push(Ramp(3), PieceEnd::kOpen);
  wire.source_.Push(Ramp(3), PieceEnd::kBeat);      // 6 bytes, no TLAST
  wire.source_.Push(Ramp(8), PieceEnd::kNullLast);  // full, then null with TLAST
  wire.source_.Push({}, PieceEnd::kLast);           // null with TLAST
  wire.source_.Push({}, PieceEnd::kOpen);           // nothing
  wire.source_.Push(Ramp(2), PieceEnd::kOpen);      // flushed when nothing more comes
  wire.RunDry();
  const std::vector<StreamBeat>& beats = wire.sink_.beats();
  ASSERT_EQ(beats.size(), 5U);
  const int counts[] = {6, 8, 0, 0, 2};
  const bool lasts[] = {false, false, true, true, false};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(beats[i].count, counts[i]) << i;
    EXPECT_EQ(beats[i].last, lasts[i]) << i;
  }
  EXPECT_TRUE(wire.sink_.packet_open());
  EXPECT_EQ(wire.sink_.packets_taken(), 2U);
}

TEST(Stream, AnyShapeCarriesTheSameBytes) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    StreamSourceOptions source;
    source.pacer = PacerSpec::Random(rng);
    source.shape = {rng.Chance(0.5) ? 0.5 : 0.0, rng.Chance(0.5) ? 0.5 : 0.0, 0.2};
    StreamSinkOptions sink;
    sink.pacer = PacerSpec::Random(rng);
    sink.after_valid = rng.Chance(0.3);
    const int width = 1 << rng.Below(8);
    Wire wire(width, source, sink, seed);
    std::vector<uint8_t> all;
    uint64_t packets = 0;
    for (int i = 0; i < 10; ++i) {
      const std::vector<uint8_t> bytes = Ramp(rng.Below(60));
      const PieceEnd end = static_cast<PieceEnd>(rng.Below(4));
      wire.source_.Push(bytes, end);
      if (end == PieceEnd::kLast || end == PieceEnd::kNullLast) ++packets;
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    wire.RunDry();
    ASSERT_EQ(wire.sink_.bytes(), all) << seed;
    ASSERT_EQ(wire.sink_.packets_taken(), packets) << seed;
    ASSERT_EQ(wire.violations_.count(), 0U) << wire.violations_.kept()[0].message;
    ASSERT_EQ(wire.source_.beats().size(), wire.sink_.beats().size());
    for (size_t i = 0; i < wire.sink_.beats().size(); ++i) {
      const StreamBeat& sent = wire.source_.beats()[i];
      const StreamBeat& taken = wire.sink_.beats()[i];
      ASSERT_TRUE(sent.cycle == taken.cycle && sent.first == taken.first &&
                  sent.keep == taken.keep && sent.last == taken.last);
    }
  }
}

TEST(Stream, SparseLastLeavesOtherBeatsFull) {
  StreamSourceOptions source;
  source.shape.sparse_last = 1.0;
  Wire wire(16, source, {});
  int sparse = 0;
  for (int i = 0; i < 20; ++i) wire.source_.Push(Ramp(24), PieceEnd::kLast);
  wire.RunDry();
  for (const StreamBeat& beat : wire.sink_.beats()) {
    EXPECT_EQ(beat.count, beat.last ? 8 : 16);
    sparse += ContiguousFromZero(beat.keep) ? 0 : 1;
  }
  EXPECT_GT(sparse, 10);
  EXPECT_EQ(wire.sink_.bytes().size(), 480U);
}

TEST(Stream, ResetOffersTheUnsentBeatAgain) {
  StreamSinkOptions never;
  never.pacer = PacerSpec::List({0, 0, 0, 0, 0, 0, 1, 1, 1, 1});
  Wire wire(4, {}, never);
  wire.source_.Push(Ramp(8), PieceEnd::kLast);
  for (int i = 0; i < 3; ++i) wire.Cycle();
  EXPECT_TRUE(wire.port_.valid);
  wire.Cycle(true);
  wire.Cycle(true);
  EXPECT_FALSE(wire.port_.valid);
  wire.RunDry();
  EXPECT_EQ(wire.sink_.bytes(), Ramp(8));
  EXPECT_EQ(wire.violations_.count(), 0U);
}

TEST(Stream, DiscardTakesBackAllButTheShownBeat) {
  StreamSinkOptions never;
  never.pacer = PacerSpec::Never();
  Wire wire(4, {}, never);
  wire.source_.Push(Ramp(20), PieceEnd::kLast);
  for (int i = 0; i < 4; ++i) wire.Cycle();
  EXPECT_EQ(wire.source_.DiscardUnsent(), 16U);
  EXPECT_TRUE(wire.port_.valid);
  EXPECT_FALSE(wire.source_.empty());
  EXPECT_EQ(wire.source_.bytes_waiting(), 0U);
  wire.source_.Push({}, PieceEnd::kLast);
  EXPECT_NE(wire.source_.Describe().find("a beat is on the pins"), std::string::npos);
}

TEST(Stream, HoldKeepsBeatsBack) {
  Wire wire(4, {}, {});
  wire.source_.Hold(true);
  wire.source_.Push(Ramp(4), PieceEnd::kLast);
  for (int i = 0; i < 10; ++i) wire.Cycle();
  EXPECT_EQ(wire.source_.beats_accepted(), 0U);
  wire.source_.Hold(false);
  wire.RunDry();
  EXPECT_EQ(wire.source_.beats_accepted(), 1U);
}

}  // namespace
}  // namespace tessera
