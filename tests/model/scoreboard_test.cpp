// The scoreboard sees what is wrong and says where: each kind of damage is done to a good run once.
#include "tb/check/scoreboard.h"

#include "tb/check/encode.h"
#include "tests/model/support.h"

namespace tessera {
namespace {

using model::Beats;
using model::Copy;
using model::Transfer;

Config TestConfig() {
  Config config;
  config.data_bytes = 8;
  config.stream_bytes = 4;
  return config;
}

// A write as a perfect engine would do it.
struct GoodWrite {
  GoodWrite() {
    chain = {Copy(0x1000, 6), Copy(0x1010, 2)};
    seen.beats = Beats({"00 01 02 03", "04 05 06 07 L"});
    seen.records.resize(2);
    seen.records[0].bytes = 6;
    seen.records[1].bytes = 2;
    seen.records[1].last = true;
    Put(after, 0x1000, {0, 1, 2, 3, 4, 5});
    Put(after, 0x1010, {6, 7});
  }
  static void Put(Memory& memory, uint64_t addr, const std::vector<uint8_t>& bytes) {
    for (uint8_t byte : bytes) {
      LaneMask strobe;
      strobe.Set(0);
      memory.WriteWord(addr++, &byte, 1, strobe);
    }
  }
  std::string Check() {
    Scoreboard board(TestConfig(), before, {}, errors);
    board.CheckWrite(chain, seen);
    board.CheckMemory(after);
    EXPECT_GT(board.compared(), 0u);
    EXPECT_EQ(board.ok(), board.Report().empty());
    return board.Report();
  }
  std::vector<Transfer> chain;
  Seen seen;
  Memory before{7}, after{7};
  std::vector<model::ErrorRange> errors;
};

TEST(Scoreboard, AcceptsAGoodWrite) {
  Proves({"scoreboard.memory"});
  EXPECT_EQ(GoodWrite().Check(), "");
}

TEST(Scoreboard, NamesAWrongByte) {
  Proves({"scoreboard.memory"});
  GoodWrite run;
  GoodWrite::Put(run.after, 0x1003, {0x99});
  EXPECT_NE(run.Check().find("memory 0x1003: expected 0x03, seen 0x99"), std::string::npos);
  EXPECT_NE(run.Check().find("write transfer 0 element 3 (i 3 0 0 0, t 0 0 0 0) byte 0"),
            std::string::npos);
}

TEST(Scoreboard, SeesACanaryDieEvenWithItsOwnValue) {
  Proves({"scoreboard.memory"});
  GoodWrite run;
  GoodWrite::Put(run.after, 0x1006, {run.before.ReadByte(0x1006)});
  EXPECT_NE(run.Check().find("memory 0x1006: nobody may write here"), std::string::npos);
}

TEST(Scoreboard, SeesAByteThatWasNeverWritten) {
  Proves({"scoreboard.memory"});
  GoodWrite run;
  run.after = Memory(7);
  GoodWrite::Put(run.after, 0x1000, {0, 1, 2, 3, 4, 5});
  EXPECT_NE(run.Check().find("memory 0x1010: expected 0x06, never written"), std::string::npos);
}

TEST(Scoreboard, NamesAWrongFieldOfARecord) {
  Proves({"scoreboard.records"});
  for (int field = 0; field < 5; ++field) {
    GoodWrite run;
    rtl::Done& done = run.seen.records[1];
    if (field == 0) done.bytes = 3;
    if (field == 1) done.dropped = 1;
    if (field == 2) done.last = false;
    if (field == 3) done.status = rtl::Status::kOverlong;
    if (field == 4) done.addr = 8;
    const std::array<const char*, 5> expected{
        "write transfer 1: record field bytes: expected 2, seen 3",
        "write transfer 1: record field dropped: expected 0, seen 1",
        "write transfer 1: record field last: expected 1, seen 0",
        "write transfer 1: record field status: expected ok, seen overlong",
        "write transfer 1: record field addr: expected 0x0, seen 0x8"};
    EXPECT_EQ(run.Check(), std::string(expected[static_cast<size_t>(field)]) + "\n");
  }
}

TEST(Scoreboard, SeesAMissingRecord) {
  Proves({"scoreboard.records"});
  GoodWrite run;
  run.seen.records.pop_back();
  EXPECT_NE(run.Check().find("2 transfers accepted, 1 record came"), std::string::npos);
}

TEST(Scoreboard, WriteErrorsMustBeReported) {
  Proves({"error.write"});
  GoodWrite run;
  run.errors = {{0x1010, 0x1010, true}};
  ErrorEvent event;
  event.direction = Direction::kWrite;
  event.burst_addr = 0x1010;
  event.response = kDecErr;
  run.seen.errors = {event};
  EXPECT_NE(run.Check().find("status: expected decerr, seen ok"), std::string::npos);
  run.seen.records[1].status = rtl::Status::kDecerr;
  run.seen.records[1].addr = 0x1010;
  EXPECT_EQ(run.Check(), "");
  run.seen.records[1].addr = 0x1018;
  EXPECT_NE(run.Check(), "");
  run.seen.records[1].addr = 0x1010;
  run.seen.errors.clear();
  EXPECT_NE(run.Check(), "");
}

TEST(Scoreboard, AbortedWriteMayHaveWrittenAnyOfItsBytesAndNoOther) {
  Proves({"abort.write"});
  GoodWrite run;
  run.seen.aborted = true;
  run.seen.records[1].status = rtl::Status::kAborted;
  EXPECT_EQ(run.Check(), "");
  run.after = Memory(7);
  GoodWrite::Put(run.after, 0x1000, {0, 1, 2, 3, 4, 5});
  GoodWrite::Put(run.after, 0x1011, {7});
  EXPECT_EQ(run.Check(), "");
  GoodWrite::Put(run.after, 0x1011, {6});
  EXPECT_NE(run.Check().find("memory 0x1011: seen 0x06, which no transfer put there"),
            std::string::npos);
}

struct GoodRead {
  GoodRead() {
    memory.Load(0x1000, std::vector<uint8_t>{0, 1, 2, 3, 4, 5, 6, 7});
    chain = {Copy(0x1000, 3), Copy(0x1002, 5)};
    chain[0].last_rule = model::LastRule::kTask;
    beats = Beats({"00 01 02 --", "02 03 04 05", "06 -- -- -- L"});
    seen.records.resize(2);
    seen.records[0].bytes = 3;
    seen.records[1].bytes = 5;
    seen.records[1].last = true;
  }
  std::string Check() {
    seen.beats = beats;
    Scoreboard board(config, memory);
    board.CheckRead(chain, seen);
    EXPECT_GT(board.compared(), 0u);
    return board.Report();
  }
  Config config = TestConfig();
  Memory memory{3};
  std::vector<Transfer> chain;
  std::vector<model::StreamBeat> beats;
  Seen seen;
};

TEST(Scoreboard, AcceptsAGoodRead) {
  Proves({"scoreboard.stream"});
  EXPECT_EQ(GoodRead().Check(), "");
}

TEST(Scoreboard, NamesAWrongBeat) {
  Proves({"scoreboard.stream"});
  GoodRead run;
  run.beats[1] = model::Beat("02 03 44 05");
  EXPECT_EQ(
      run.Check(),
      "stream beat 1: expected [02 03 04 05 ], seen [02 03 44 05 ]; lane 2 is read transfer 1 "
      "element 2 (i 2 0 0 0, t 0 0 0 0) byte 0 of 0x1004\n");
}

TEST(Scoreboard, SeesWrongKeepWrongLastAndMissingBeats) {
  Proves({"scoreboard.stream"});
  GoodRead keep;
  keep.beats[0] = model::Beat("00 01 -- --");
  EXPECT_NE(keep.Check().find("stream beat 0"), std::string::npos);
  GoodRead last;
  last.beats[1].last = true;
  EXPECT_NE(last.Check().find("stream beat 1: expected [02 03 04 05 ], seen [02 03 04 05 last]"),
            std::string::npos);
  GoodRead missing;
  missing.beats.pop_back();
  EXPECT_NE(missing.Check().find("stream: expected 3 beats, seen 2"), std::string::npos);
}

TEST(Scoreboard, AbortedReadIsAPrefixAndItsPacketIsClosed) {
  Proves({"abort.read"});
  GoodRead run;
  run.seen.aborted = true;
  run.beats = Beats({"00 01 02 --", "02 03 04 05", "-- -- -- -- L"});
  run.seen.records[1] = {};
  run.seen.records[1].bytes = 4;
  run.seen.records[1].status = rtl::Status::kAborted;
  EXPECT_EQ(run.Check(), "");
  run.seen.records[1].bytes = 3;
  EXPECT_NE(run.Check().find("were accepted before the abort, seen 3"), std::string::npos);
  run.seen.records[1].bytes = 4;
  run.beats.pop_back();
  EXPECT_NE(run.Check().find("no null beat with TLAST closed it"), std::string::npos);
}

TEST(Scoreboard, WhoseLastBeatAnAbortFindsDecidesWhetherItsPacketIsClosed) {
  Proves({"abort.read"});
  GoodRead run;
  run.seen.aborted = true;
  run.seen.records[1] = {};
  run.seen.records[1].status = rtl::Status::kAborted;
  run.beats = Beats({"00 01 02 --", "-- -- -- -- L"});
  EXPECT_EQ(run.Check(), "");
  run.chain[0].last_rule = model::LastRule::kNever;
  EXPECT_NE(run.Check().find("read transfer 0: sends no packets"), std::string::npos);
  run.beats.pop_back();
  EXPECT_EQ(run.Check(), "");
  run.chain[0].last_rule = model::LastRule::kTask;
  EXPECT_NE(run.Check().find("no null beat with TLAST closed it"), std::string::npos);
}

TEST(Scoreboard, TheLastByteOfAWideBeatDecidesWhetherItsPacketIsClosed) {
  Proves({"abort.read"});
  GoodRead run;
  run.config.data_bytes = 4;
  run.config.stream_bytes = 8;
  run.chain = {Copy(0x1000, 4), Copy(0x1002, 5)};
  run.chain[0].last_rule = model::LastRule::kNever;
  run.chain[0].join_next = true;
  run.seen.aborted = true;
  run.seen.records[0].bytes = 4;
  run.seen.records[1] = {};
  run.seen.records[1].bytes = 4;
  run.seen.records[1].status = rtl::Status::kAborted;
  run.beats = Beats({"00 01 02 03 02 03 04 05", "-- -- -- -- -- -- -- -- L"});
  EXPECT_EQ(run.Check(), "");
  run.beats.pop_back();
  EXPECT_NE(run.Check().find("read transfer 1: aborted inside a packet"), std::string::npos);
}

TEST(Scoreboard, NobodyAborted) {
  Proves({"scoreboard.records"});
  GoodRead run;
  run.seen.records[1].status = rtl::Status::kAborted;
  EXPECT_NE(run.Check().find("nobody aborted"), std::string::npos);
}

}  // namespace
}  // namespace tessera
