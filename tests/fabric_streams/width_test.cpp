// tsr_stream_width in many pairs of widths at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/fabric_streams/streams.h"
#include "units/Vwidth_top.h"

namespace tessera {
namespace {

using Unit = StreamUnit<Vwidth_top>;

constexpr int kPairs = 24;
// As in width_top.sv: bytes in and out.
constexpr std::array<std::array<int, 2>, kPairs> kWidths = {
    {{1, 2},  {1, 4},    {1, 16},  {1, 128},  {2, 16},  {4, 8},   {4, 32},   {8, 16},
     {8, 64}, {16, 128}, {32, 64}, {64, 128}, {2, 1},   {4, 1},   {16, 1},   {128, 1},
     {16, 2}, {8, 4},    {32, 4},  {64, 8},   {128, 8}, {64, 32}, {128, 64}, {8, 8}}};

std::string Name(int pair) {
  return fmt::format("{} to {} bytes", kWidths[static_cast<size_t>(pair)][0],
                     kWidths[static_cast<size_t>(pair)][1]);
}
int InBytes(int pair) { return kWidths[static_cast<size_t>(pair)][0]; }
int OutBytes(int pair) { return kWidths[static_cast<size_t>(pair)][1]; }

// Keep and TLAST of a beat.
struct Mark {
  LaneMask keep;
  bool last = false;
  bool operator==(const Mark&) const = default;
};

std::vector<Mark> Marks(const std::vector<StreamBeat>& beats) {
  std::vector<Mark> marks;
  for (const StreamBeat& beat : beats) marks.push_back({beat.keep, beat.last});
  return marks;
}

// What the header of tsr_stream_widen says about the beats that come out.
std::vector<Mark> Widened(const std::vector<StreamBeat>& beats, int in, int out, bool apart) {
  std::vector<Mark> wide;
  Mark held;
  int lane = 0;
  for (const StreamBeat& beat : beats) {
    if (NoLanes(beat.keep) && !beat.last) continue;
    const bool empty = apart && NoLanes(beat.keep), holes = beat.count < in && !beat.last;
    if ((empty || holes) && lane > 0) {  // it has a wide beat of its own
      wide.push_back(held);
      held = {};
      lane = 0;
    }
    for (int i = 0; i < in; ++i) {
      if (beat.keep[i]) held.keep.Set(lane + i);
    }
    lane += in;
    held.last = beat.last;
    if (lane == out || beat.last || beat.count < in) {
      wide.push_back(held);
      held = {};
      lane = 0;
    }
  }
  if (lane > 0) wide.push_back(held);  // waits inside
  return wide;
}

// What the header of tsr_stream_narrow says about the pieces that come out.
std::vector<Mark> Narrowed(const std::vector<StreamBeat>& beats, int in, int out) {
  std::vector<Mark> pieces;
  for (const StreamBeat& beat : beats) {
    const size_t before = pieces.size();
    for (int at = 0; at < in; at += out) {
      Mark piece;
      for (int i = 0; i < out; ++i) {
        if (beat.keep[at + i]) piece.keep.Set(i);
      }
      if (!NoLanes(piece.keep)) pieces.push_back(piece);
    }
    if (!beat.last) continue;
    if (pieces.size() == before) pieces.push_back({});
    pieces.back().last = true;
  }
  return pieces;
}

std::vector<Mark> Expected(const std::vector<StreamBeat>& beats, int pair) {
  if (OutBytes(pair) > InBytes(pair))
    return Widened(beats, InBytes(pair), OutBytes(pair), pair % 2 == 1);
  if (OutBytes(pair) < InBytes(pair)) return Narrowed(beats, InBytes(pair), OutBytes(pair));
  return Marks(beats);
}

std::string Text(const std::vector<Mark>& marks, size_t at) {
  if (at >= marks.size()) return "nothing";
  return fmt::format("TKEEP {:016x}:{:016x} TLAST {}", marks[at].keep.word[1],
                     marks[at].keep.word[0], marks[at].last);
}

// Empty if there is none.
std::string FirstDifference(const std::vector<Mark>& expected, const std::vector<Mark>& seen) {
  for (size_t i = 0; i < std::max(expected.size(), seen.size()); ++i) {
    if (i < expected.size() && i < seen.size() && expected[i] == seen[i]) continue;
    return fmt::format("beat {} is {}, must be {}", i, Text(seen, i), Text(expected, i));
  }
  return "";
}

// A unit whose pins that are no stream's are 0.
class WidthUnit : public Unit {
 public:
  explicit WidthUnit(uint64_t seed) : Unit(seed) { model().flush_i = 0; }
};

constexpr auto kAnyNull = Unit::Null::kAny;

TEST(StreamWidth, LatencyAndThroughput) {
  WidthUnit unit(1);
  Rng rng(1);
  for (int i = 0; i < kPairs; ++i) {
    StreamSource& source = unit.AddSource(i, InBytes(i));
    source.Push(RandomBytes(rng, 1024), PieceEnd::kLast);
    source.Push(RandomBytes(rng, 1024), PieceEnd::kLast);
    unit.AddSink(i, OutBytes(i), {}, Unit::Keep::kFullUntilLast, Unit::Null::kNone);
  }
  unit.Reset();
  unit.RunDry();
  for (int i = 0; i < kPairs; ++i) {
    const std::vector<StreamBeat>& in = unit.inputs()[static_cast<size_t>(i)].source.beats();
    const std::vector<StreamBeat>& out = unit.outputs()[static_cast<size_t>(i)].sink.beats();
    const int narrow = std::min(InBytes(i), OutBytes(i));
    ASSERT_EQ(in.size(), 2048U / static_cast<unsigned>(InBytes(i))) << Name(i);
    ASSERT_EQ(out.size(), 2048U / static_cast<unsigned>(OutBytes(i))) << Name(i);
    const size_t ends =
        OutBytes(i) > InBytes(i) ? static_cast<size_t>(OutBytes(i) / InBytes(i)) - 1 : 0;
    EXPECT_EQ(out[0].cycle - in[ends].cycle, InBytes(i) == OutBytes(i) ? 0U : 1U) << Name(i);
    const uint64_t first = InBytes(i) == narrow ? in.front().cycle : out.front().cycle;
    const uint64_t last = InBytes(i) == narrow ? in.back().cycle : out.back().cycle;
    EXPECT_EQ(last - first + 1, 2048U / static_cast<unsigned>(narrow))
        << Name(i) << ": one a cycle";
  }
  unit.ExpectNoViolations();
}

// Dense packets of 1 to 3 wide beats of bytes: partial TKEEP on TLAST alone, and so it comes out.
TEST(StreamWidth, RandomBeatsComeOutAsTheContractSays) {
  constexpr int kSeeds = 12;
  ::testing::Test::RecordProperty("cases", kSeeds * kPairs);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    WidthUnit unit(seed);
    Rng rng = Rng(seed).Stream("width");
    for (int i = 0; i < kPairs; ++i) {
      const uint64_t wide = static_cast<uint64_t>(std::max(InBytes(i), OutBytes(i)));
      StreamSource& source =
          unit.AddSource(i, InBytes(i), {PacerSpec::Random(rng), RandomShape(rng)});
      PushRandom(source, rng, 30, 3 * wide);
      unit.AddSink(i, OutBytes(i), {PacerSpec::Random(rng)}, Unit::Keep::kAny,
                   InBytes(i) == OutBytes(i) ? kAnyNull : Unit::Null::kWithLast);
    }
    unit.Reset();
    unit.RunDry();
    for (int i = 0; i < kPairs; ++i) {
      const StreamSource& source = unit.inputs()[static_cast<size_t>(i)].source;
      const StreamSink& sink = unit.outputs()[static_cast<size_t>(i)].sink;
      EXPECT_EQ(source.bytes(), sink.bytes()) << Name(i);
      EXPECT_EQ(FirstDifference(Expected(source.beats(), i), Marks(sink.beats())), "") << Name(i);
      EXPECT_EQ(Ends(source.beats()), Ends(sink.beats())) << Name(i);
    }
    unit.ExpectNoViolations();
    if (::testing::Test::HasFailure()) break;
  }
}

// The beats of the example in the manual: 12 bytes, from 4 lanes to 8 and from 8 to 4.
TEST(StreamWidth, Example) {
  WidthUnit unit(6);
  constexpr int kUp = 5, kDown = 17;
  const Packet packet = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  unit.AddSource(kUp, 4).Push(packet, PieceEnd::kLast);
  unit.AddSource(kDown, 8).Push(packet, PieceEnd::kLast);
  StreamSink& up = unit.AddSink(kUp, 8);
  StreamSink& down = unit.AddSink(kDown, 4);
  unit.Reset();
  unit.Run(20);
  EXPECT_EQ(FirstDifference({{FirstLanes(8), false}, {FirstLanes(4), true}}, Marks(up.beats())),
            "");
  EXPECT_EQ(FirstDifference({{FirstLanes(4), false}, {FirstLanes(4), false}, {FirstLanes(4), true}},
                            Marks(down.beats())),
            "");
  EXPECT_EQ(up.bytes(), packet);
  EXPECT_EQ(down.bytes(), packet);
}

// Bytes that wait for the rest of their beat stay for as long as it takes, are told of, and go out
// with a flush, with what comes next, or with a TLAST.
TEST(StreamWidth, HeldBytesAreNotLost) {
  WidthUnit unit(4);
  constexpr int kPair = 6;  // 4 to 32
  StreamSource& source = unit.AddSource(kPair, 4);
  StreamSink& sink = unit.AddSink(kPair, 32);
  Rng rng(4);
  unit.Reset();
  EXPECT_FALSE(PinBit(unit.model().held_o, kPair));
  source.Push(RandomBytes(rng, 12), PieceEnd::kBeat);
  unit.Run(1000);
  EXPECT_TRUE(sink.beats().empty());
  EXPECT_TRUE(PinBit(unit.model().held_o, kPair));
  SetPinBit(unit.model().flush_i, kPair, true);
  unit.Run(1);
  SetPinBit(unit.model().flush_i, kPair, false);
  unit.Run(3);
  ASSERT_EQ(sink.beats().size(), 1U);
  EXPECT_EQ(sink.beats()[0].keep, FirstLanes(12));
  EXPECT_FALSE(sink.beats()[0].last);
  EXPECT_FALSE(PinBit(unit.model().held_o, kPair));
  // The null beat with TLAST by which an aborted engine closes its packet.
  source.Push(RandomBytes(rng, 8), PieceEnd::kNullLast);
  unit.Run(10);
  ASSERT_EQ(sink.beats().size(), 2U);
  EXPECT_EQ(sink.beats()[1].keep, FirstLanes(8));
  EXPECT_TRUE(sink.beats()[1].last);
  // Nothing is held: the null beat goes on by itself.
  source.Push(RandomBytes(rng, 32), PieceEnd::kNullLast);
  unit.Run(20);
  ASSERT_EQ(sink.beats().size(), 4U);
  EXPECT_EQ(sink.beats()[3].count, 0);
  EXPECT_TRUE(sink.beats()[3].last);
  EXPECT_EQ(source.bytes(), sink.bytes());
}

}  // namespace
}  // namespace tessera
