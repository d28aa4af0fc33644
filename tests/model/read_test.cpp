// Memory to stream: packing, fill, TLAST, join; beats worked out by hand.
#include "tests/model/support.h"

namespace tessera::model {
namespace {

// Beats of a chain, and its records, on a stream of `lanes` bytes; memory holds 0, 1, 2 ... from
// 0x1000 on.
struct ReadRun {
  ReadRun(const std::vector<Transfer>& chain, int lanes,
          const std::vector<ErrorRange>& errors = {}) {
    Build build;
    build.stream_bytes = lanes;
    build.data_bytes = 16;
    Count(memory, 0x1000, 256);
    ReadModel model(build, memory, errors);
    for (const Transfer& t : chain) records.push_back(model.Run(t));
    beats = Texts(model.beats(), lanes);
    origins = model.origins();
    held = model.held();
  }
  MemoryImage memory;
  Lines beats;
  std::vector<Origin> origins;
  std::vector<Record> records;
  int held = 0;
};

// Two rows of three bytes, 16 apart.
Transfer Rows() {
  Transfer t = Copy(0x1000, 3);
  t.count[1] = 2;
  t.stride[1] = 16;
  return t;
}

TEST(Read, EmitsTheBytesOfTheElementAtTheAddress) {
  Proves({"order.read", "field.elem"});
  for (int elem : {1, 2, 4, 8, 16}) {
    Transfer t;
    t.elem = elem;
    t.base = 0x1001;
    t.count[0] = 1;
    const ReadRun run({t}, 16);
    std::string expected;
    for (int n = 0; n < 16; ++n) {
      const char* digits = "0123456789abcdef";
      if (n != 0) expected += ' ';
      expected += n >= elem ? "--" : n == 15 ? "10" : std::string("0") + digits[n + 1];
    }
    EXPECT_EQ(run.beats, (Lines{expected + " L"})) << "E = " << elem;
    EXPECT_EQ(run.records[0].bytes, static_cast<uint64_t>(elem));
  }
}

TEST(Read, RowsDoNotStartNewBeats) {
  Proves({"stream.dense"});
  EXPECT_EQ(ReadRun({Rows()}, 4).beats, (Lines{"00 01 02 10", "11 12 -- -- L"}));
  EXPECT_EQ(ReadRun({Rows()}, 2).beats, (Lines{"00 01", "02 10", "11 12 L"}));
  EXPECT_EQ(ReadRun({Rows()}, 1).beats, (Lines{"00", "01", "02", "10", "11", "12 L"}));
  EXPECT_EQ(ReadRun({Rows()}, 8).beats, (Lines{"00 01 02 10 11 12 -- -- L"}));
}

TEST(Read, ElementsWiderThanTheStreamTakeSeveralBeats) {
  Proves({"stream.dense", "field.elem"});
  Transfer t;
  t.elem = 4;
  t.base = 0x1003;
  t.count[0] = 2;
  t.stride[0] = 16;
  EXPECT_EQ(ReadRun({t}, 2).beats, (Lines{"03 04", "05 06", "13 14", "15 16 L"}));
}

TEST(Read, ATransferEndsItsBeat) {
  Proves({"stream.end-of-beat"});
  const ReadRun run({Copy(0x1000, 5), Copy(0x1020, 3)}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 01 02 03", "04 -- -- -- L", "20 21 22 -- L"}));
  EXPECT_EQ(run.records[0].bytes, 5u);
  EXPECT_EQ(run.records[1].bytes, 3u);
  EXPECT_TRUE(run.records[0].last);
  EXPECT_EQ(run.origins, (std::vector<Origin>{{0, false}, {0, true}, {1, true}}));
}

TEST(Read, FillIsAnElementValueLittleEndian) {
  Proves({"fill.little-endian", "field.fill"});
  Transfer t;
  t.elem = 4;
  t.base = 0x1000;
  t.count[0] = 3;
  t.stride[0] = 4;
  t.start[0] = -1;
  t.bound[0] = 1;
  t.fill = 0x44332211;
  EXPECT_EQ(ReadRun({t}, 4).beats, (Lines{"11 22 33 44", "00 01 02 03", "11 22 33 44 L"}));
  EXPECT_EQ(ReadRun({t}, 8).beats, (Lines{"11 22 33 44 00 01 02 03", "11 22 33 44 -- -- -- -- L"}));
  EXPECT_EQ(ReadRun({t}, 4).records[0].bytes, 12u);  // fill counts
}

TEST(Read, FillOfWideElementsRepeatsEveryEightBytes) {
  Proves({"field.fill"});
  Transfer t;
  t.elem = 16;
  t.bound[0] = 0;
  t.fill = 0x8877665544332211;
  EXPECT_EQ(ReadRun({t}, 16).beats, (Lines{"11 22 33 44 55 66 77 88 11 22 33 44 55 66 77 88 L"}));
}

TEST(Read, ZeroStrideRepeats) {
  Proves({"field.stride.zero"});
  Transfer t;
  t.elem = 2;
  t.base = 0x1006;
  t.count[0] = 3;
  EXPECT_EQ(ReadRun({t}, 4).beats, (Lines{"06 07 06 07", "06 07 -- -- L"}));
}

TEST(Read, NegativeStrideReverses) {
  Proves({"field.stride"});
  Transfer t = Copy(0x1003, 4);
  t.stride[0] = -1;
  EXPECT_EQ(ReadRun({t}, 4).beats, (Lines{"03 02 01 00 L"}));
}

TEST(Read, TransposesWithItsStrides) {
  Proves({"field.stride", "order.read"});
  Transfer t;
  t.base = 0x1000;
  t.count = {2, 3, 1, 1};
  t.stride = {16, 1, 0, 0};
  EXPECT_EQ(ReadRun({t}, 2).beats, (Lines{"00 10", "01 11", "02 12 L"}));
}

TEST(Read, LengthCutsInTheMiddleOfARow) {
  Proves({"order.stop"});
  Transfer t = Rows();
  t.length = 5;
  EXPECT_EQ(ReadRun({t}, 4).beats, (Lines{"00 01 02 10", "11 -- -- -- L"}));
  EXPECT_EQ(ReadRun({t}, 4).records[0].bytes, 5u);
}

TEST(Read, TlastNever) {
  Proves({"tlast.never"});
  Transfer t = Rows();
  t.last_rule = LastRule::kNever;
  const ReadRun run({t}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 01 02 10", "11 12 -- --"}));
  EXPECT_FALSE(run.records[0].last);
}

TEST(Read, TlastAtTheEndOfTheTask) {
  Proves({"tlast.task"});
  Transfer t = Copy(0x1000, 4);
  t.last_rule = LastRule::kTask;
  Transfer end = t;
  end.task_end = true;
  const ReadRun run({t, end}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 01 02 03", "00 01 02 03 L"}));
  EXPECT_FALSE(run.records[0].last);
  EXPECT_TRUE(run.records[1].last);
}

TEST(Read, TlastAfterEveryRowEndsItsBeat) {
  Proves({"tlast.level"});
  Transfer t = Rows();
  t.last_rule = LastRule::kLevel;
  t.last_level = 0;
  EXPECT_EQ(ReadRun({t}, 4).beats, (Lines{"00 01 02 -- L", "10 11 12 -- L"}));
  EXPECT_EQ(ReadRun({t}, 2).beats, (Lines{"00 01", "02 -- L", "10 11", "12 -- L"}));
}

TEST(Read, TlastAtEachLevel) {
  Proves({"tlast.level"});
  // Two positions a level: a turn of level n is 2^(n+1) bytes of the 256.
  Transfer t;
  t.base = 0x1000;
  t.count = {2, 2, 2, 2};
  t.stride = {1, 2, 4, 8};
  t.walk[0] = WalkLevel{3, 2, 2};
  t.walk[1] = WalkLevel{3, 4, 2};
  t.walk[2] = WalkLevel{3, 8, 2};
  t.walk[3] = WalkLevel{3, 16, 2};
  t.last_rule = LastRule::kLevel;
  for (int level = 0; level < 8; ++level) {
    t.last_level = level;
    const ReadRun run({t}, 1);
    ASSERT_EQ(run.beats.size(), 256u);
    for (size_t n = 0; n < 256; ++n) {
      const bool last = (n + 1) % (size_t{2} << level) == 0;
      EXPECT_EQ(run.beats[n].ends_with(" L"), last) << "level " << level << " byte " << n;
    }
  }
}

TEST(Read, LevelAlsoEndsATurnThatWasCutShort) {
  Proves({"tlast.level"});
  Transfer t = Rows();
  t.last_rule = LastRule::kLevel;
  t.length = 4;
  EXPECT_EQ(ReadRun({t}, 4).beats, (Lines{"00 01 02 -- L", "10 -- -- -- L"}));
}

TEST(Read, DimensionThreeSteppingOnEndsItsTurnOnlyAtTheEnd) {
  Proves({"tlast.level", "length.steps-on"});
  Transfer t = Copy(0x1000, 2);
  t.stride[3] = 16;
  t.count[3] = 2;
  t.length = 6;
  t.last_rule = LastRule::kLevel;
  t.last_level = 3;
  EXPECT_EQ(ReadRun({t}, 2).beats, (Lines{"00 01", "10 11", "20 21 L"}));
  t.last_level = 2;
  EXPECT_EQ(ReadRun({t}, 2).beats, (Lines{"00 01 L", "10 11 L", "20 21 L"}));
}

TEST(Read, EmptySendsNoBeatAndStillHasItsRecord) {
  Proves({"empty.count-zero"});
  Transfer t = Copy(0x1000, 0);
  const ReadRun run({t, Copy(0x1000, 1)}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 -- -- -- L"}));
  EXPECT_EQ(run.records[0], Record{});
}

TEST(Read, JoinKeepsTheBeatOpen) {
  Proves({"stream.join"});
  Transfer a = Copy(0x1000, 3), b = Copy(0x1010, 6), c = Copy(0x1020, 1);
  for (Transfer* t : {&a, &b, &c}) {
    t->last_rule = LastRule::kTask;
    t->join_next = true;
  }
  c.task_end = true;  // flushes whatever `join_next` says
  const ReadRun run({a, b, c}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 01 02 10", "11 12 13 14", "15 20 -- -- L"}));
  EXPECT_EQ(run.held, 0);
  EXPECT_FALSE(run.records[0].last);
  EXPECT_FALSE(run.records[1].last);
  EXPECT_TRUE(run.records[2].last);
  EXPECT_EQ(run.origins, (std::vector<Origin>{{1, false}, {1, false}, {2, true}}));
}

TEST(Read, JoinWithoutANextKeepsItsBytes) {
  Proves({"stream.join"});
  Transfer a = Copy(0x1000, 6);
  a.last_rule = LastRule::kTask;
  a.join_next = true;
  const ReadRun run({a}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 01 02 03"}));
  EXPECT_EQ(run.held, 2);
}

TEST(Read, JoinAtABeatBoundaryHoldsNothing) {
  Proves({"stream.join"});
  Transfer a = Copy(0x1000, 4);
  a.last_rule = LastRule::kNever;
  a.join_next = true;
  const ReadRun run({a}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 01 02 03"}));
  EXPECT_EQ(run.held, 0);
}

TEST(Read, TlastEndsTheBeatOfAJoinedTransfer) {
  Proves({"stream.join", "tlast.transfer"});
  Transfer a = Copy(0x1000, 3);
  a.join_next = true;
  const ReadRun run({a, Copy(0x1010, 1)}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 01 02 -- L", "10 -- -- -- L"}));
  EXPECT_TRUE(run.records[0].last);
}

TEST(Read, EmptyTransferFlushesWhatIsHeld) {
  Proves({"stream.task-end-flushes", "empty.count-zero"});
  Transfer a = Copy(0x1000, 3);
  a.last_rule = LastRule::kTask;
  a.join_next = true;
  Transfer empty = Copy(0x1000, 0);
  empty.last_rule = LastRule::kTask;
  EXPECT_EQ(ReadRun({a, empty}, 4).beats, (Lines{"00 01 02 --"}));
  empty.task_end = true;
  EXPECT_EQ(ReadRun({a, empty}, 4).beats, (Lines{"00 01 02 -- L"}));
  EXPECT_EQ(ReadRun({a, empty}, 4).records[1].bytes, 0u);
  empty.join_next = true;
  EXPECT_EQ(ReadRun({a, empty}, 4).beats, (Lines{"00 01 02 -- L"}));
  empty.task_end = false;
  const ReadRun joined({a, empty, Copy(0x1010, 1)}, 4);
  EXPECT_EQ(joined.beats, (Lines{"00 01 02 10 L"}));
}

TEST(Read, RefusedTransferMovesNothing) {
  Proves({"illegal.refused"});
  Transfer t = Copy(0x1000, 4);
  t.elem = 32;
  const ReadRun run({t, Copy(0x1000, 1)}, 4);
  EXPECT_EQ(run.beats, (Lines{"00 -- -- -- L"}));
  Record refused;
  refused.illegal = true;
  EXPECT_EQ(run.records[0], refused);
}

// As an empty one it ends a beat that is open, unless it joins.
TEST(Read, RefusedTransferFlushesWhatIsHeld) {
  Proves({"illegal.refused", "stream.task-end-flushes"});
  Transfer a = Copy(0x1000, 3);
  a.last_rule = LastRule::kTask;
  a.join_next = true;
  Transfer refused = Copy(0x1000, 4);
  refused.elem = 32;
  refused.last_rule = LastRule::kTask;
  EXPECT_EQ(ReadRun({a, refused}, 4).beats, (Lines{"00 01 02 --"}));
  refused.task_end = true;
  EXPECT_EQ(ReadRun({a, refused}, 4).beats, (Lines{"00 01 02 -- L"}));
  EXPECT_TRUE(ReadRun({a, refused}, 4).records[1].last);
  refused.task_end = false;
  refused.join_next = true;
  EXPECT_EQ(ReadRun({a, refused, Copy(0x1010, 1)}, 4).beats, (Lines{"00 01 02 10 L"}));
}

TEST(Read, ErrorNamesTheFirstBusWord) {
  Proves({"error.read"});
  // Bus words of 16 bytes; the element at 0x103e reaches into the word at 0x1040.
  Transfer t;
  t.elem = 4;
  t.base = 0x102E;
  t.count[0] = 2;
  t.stride[0] = 16;
  const ReadRun run({t, Copy(0x1000, 1)}, 4, {{0x1040, 0x104F, true}, {0x1050, 0x105F, false}});
  EXPECT_TRUE(run.records[0].decerr);
  EXPECT_FALSE(run.records[0].slverr);
  EXPECT_EQ(run.records[0].addr, 0x1040u);
  EXPECT_EQ(run.records[0].bytes, 8u);  // runs to its end
  EXPECT_FALSE(run.records[1].decerr);
}

TEST(Read, FillTouchesNoBusWord) {
  Proves({"error.read"});
  Transfer t = Copy(0x1000, 4);
  t.bound[0] = 0;
  EXPECT_FALSE(ReadRun({t}, 4, {{0x1000, 0x1FFF, false}}).records[0].slverr);
}

}  // namespace
}  // namespace tessera::model
