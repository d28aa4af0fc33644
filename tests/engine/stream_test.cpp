// Packing, TLAST and join on the read engine, one test for a sentence of the norm.
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

class Stream : public EngineTest {
 protected:
  Transfer Rows(LastRule rule, int level = 0) const {
    Transfer t = Copy(kReadBase + 5, 3);
    t.count = {3, 3, 2, 2};
    t.stride = {1, 16, 64, 256};
    t.last_rule = rule;
    t.last_level = level;
    return t;
  }
};
TESSERA_EVERY_CONFIG(Stream);

TEST_P(Stream, BytesAreDenseWhateverTheRowLength) {
  Proves({"stream.dense"});
  for (uint32_t row = 1; row <= 9; ++row) {
    Transfer t = Rows(LastRule::kTransfer);
    t.count[0] = row;
    Run(Reads({t}));
  }
}

TEST_P(Stream, ATransferEndsItsBeat) {
  Proves({"stream.end-of-beat", "tlast.transfer"});
  std::vector<Transfer> chain;
  for (uint32_t bytes = 1; bytes <= 11; ++bytes) chain.push_back(Copy(kReadBase + bytes, bytes));
  Run(Reads(chain));
  for (Transfer& t : chain) t.last_rule = LastRule::kNever;
  Run(Reads(chain));
}

// Bounds cost rows of a descriptor and the time to prepare them, and nothing of the data.
TEST_P(Stream, BoundsCostTheirPreparationAlone) {
  Proves({"field.fill"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  if (!NeedsStream()) GTEST_SKIP() << "the writes of a loopback take their own time";
  std::vector<uint64_t> cycles;
  for (const bool bounded : {false, true}) {
    std::vector<Transfer> chain(2, Copy(kReadBase, static_cast<uint32_t>(8 * stream())));
    chain[0].count[0] *= 8;
    if (bounded) chain[0].bound[0] = chain[0].count[0];
    cycles.push_back(Run(Reads(chain)).cycles);
  }
  EXPECT_LE(cycles[1], cycles[0] + 40);
}

TEST_P(Stream, TlastRules) {
  Proves({"tlast.transfer", "tlast.task", "tlast.never"});
  for (LastRule rule : {LastRule::kNever, LastRule::kTransfer, LastRule::kTask}) {
    Transfer t = Rows(rule), end = t;
    end.task_end = true;
    Run(Reads({t, end, t}));
  }
}

TEST_P(Stream, TlastAfterEveryTurnOfALevel) {
  Proves({"tlast.level"});
  for (int level = 0; level < 8; ++level) {
    Transfer t = Rows(LastRule::kLevel, level);
    Run(Reads({t, t}));
    for (uint32_t length : {1u, 3u, 4u, 9u, 17u, 36u, 40u}) {
      t.length = length;
      Run(Reads({t, Copy(kReadBase, 2)}));
    }
    if (!config().walk) continue;
    t.length.reset();
    t.count = {3, 2, 1, 1};
    for (size_t k = 0; k < 4; ++k) t.walk[k] = WalkLevel{static_cast<int>(k), 1, 2};
    Run(Reads({t, t}));
    t.length = 50;
    Run(Reads({t}));
  }
}

TEST_P(Stream, TlastOnRowsOfFill) {
  Proves({"tlast.level", "field.bound"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  for (int level = 0; level < 3; ++level) {
    Transfer t = Rows(LastRule::kLevel, level);
    t.start[1] = -1;
    t.bound[1] = 1;
    t.fill = 0xEE;
    Run(Reads({t, t}));
  }
}

TEST_P(Stream, JoinedOddLengthsAreOneDensePacket) {
  Proves({"stream.join", "stream.task-end-flushes"});
  for (LastRule rule : {LastRule::kNever, LastRule::kTask}) {
    for (uint32_t first = 1; first <= 2 * static_cast<uint32_t>(std::min(stream(), 8)); ++first) {
      std::vector<Transfer> chain;
      for (uint32_t bytes : {first, 1u, 3u, 17u, 2u, 5u}) {
        chain.push_back(Copy(kReadBase + 64 * chain.size() + first, bytes));
        chain.back().last_rule = rule;
        chain.back().join_next = true;
      }
      chain.back().task_end = true;
      chain.push_back(Copy(kReadBase, 4));
      Run(Reads(chain));
    }
  }
}

TEST_P(Stream, FillKeepsItsByteOrderAfterAnOddJoin) {
  Proves({"stream.join", "fill.little-endian"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  for (int elem = 1; elem <= bus(); elem *= 2) {
    for (uint32_t first = 1; first <= static_cast<uint32_t>(std::min(stream(), 16)); ++first) {
      for (const int32_t start :
           {0, -1, -4}) {  // rows that end in fill, begin with it, are all fill
        Transfer odd = Copy(kReadBase, first), rows;
        odd.join_next = true;
        odd.last_rule = LastRule::kTask;
        rows.elem = elem;
        rows.base = kReadBase;
        rows.count = {4, 3, 1, 1};
        rows.stride = {elem, 5, 0, 0};
        rows.start[0] = start;
        rows.bound[0] = 3;
        rows.fill = 0x8877665544332211;
        if (elem < 8) rows.fill &= (uint64_t{1} << (8 * elem)) - 1;
        rows.last_rule = LastRule::kLevel;
        Run(Reads({odd, rows, odd, odd, rows}));
      }
    }
  }
}

TEST_P(Stream, TlastEndsTheBeatOfAJoinedTransfer) {
  Proves({"stream.join", "tlast.level"});
  Transfer a = Rows(LastRule::kLevel, 0), b = Copy(kReadBase, 3);
  a.join_next = true;
  a.length = 10;
  Run(Reads({a, b}));
  a.last_rule = LastRule::kTransfer;
  Run(Reads({a, b}));
}

TEST_P(Stream, AnEmptyTransferSendsNothingButFlushesWhatIsHeld) {
  Proves({"empty.count-zero", "stream.task-end-flushes"});
  for (LastRule rule : {LastRule::kNever, LastRule::kTransfer, LastRule::kTask, LastRule::kLevel}) {
    for (bool task_end : {false, true}) {
      Transfer a = Copy(kReadBase, 3), empty = Copy(kReadBase, 0), b = Copy(kReadBase + 9, 5);
      a.last_rule = LastRule::kTask;
      a.join_next = true;
      empty.last_rule = rule;
      empty.task_end = task_end;
      Run(Reads({empty, a, empty, b, empty}));
      Transfer joined = empty;
      joined.join_next = true;
      joined.task_end = false;
      Run(Reads({a, joined, joined, b}));
    }
  }
}

// An illegal one is an empty one that says so.
TEST_P(Stream, AnIllegalTransferFlushesWhatIsHeld) {
  Proves({"illegal.refused", "stream.task-end-flushes"});
  for (LastRule rule : {LastRule::kNever, LastRule::kTransfer, LastRule::kTask, LastRule::kLevel}) {
    for (bool task_end : {false, true}) {
      Transfer a = Copy(kReadBase, 3), illegal = Copy(kReadBase, 4), b = Copy(kReadBase + 9, 5);
      a.last_rule = LastRule::kTask;
      a.join_next = true;
      illegal.bound[0] = static_cast<uint32_t>(model::kMaxBound + 1);
      illegal.last_rule = rule;
      illegal.task_end = task_end;
      Run(Reads({illegal, a, illegal, b, illegal}));
      Transfer joined = illegal;
      joined.join_next = true;
      joined.task_end = false;
      Run(Reads({a, joined, joined, b}));
    }
  }
}

TEST_P(Stream, EmptyTransfersHaveTheirRecordsInOrder) {
  Proves({"empty.count-zero", "record.order"});
  std::vector<Transfer> chain;
  for (size_t d = 0; d < 4; ++d) {
    chain.push_back(Copy(kReadBase, 10));
    chain.push_back(chain.back());
    chain.back().count[d] = 0;
  }
  chain.push_back(chain.front());
  chain.back().length = 0;
  if (config().walk) {
    chain.push_back(chain.front());
    chain.back().walk[3] = WalkLevel{0, 0, 0};
  }
  Run(Reads(chain));
  if (!NeedsStream()) return;
  std::vector<Transfer> writes = chain;
  for (Transfer& t : writes) t.base = kWriteBase;
  Run(Writes(writes, {{40, PieceEnd::kLast}}));
}

TEST_P(Stream, BackPressureChangesNothing) {
  Proves({"stream.dense", "stream.back-pressure"});
  for (const char* sink : {"p=0.1", "p=0.9", "bursts=1-3/1-40", "list=01", "list=0001"}) {
    Case value = Reads({Copy(kReadBase + 1, 300), Rows(LastRule::kLevel), Copy(kReadBase + 7, 33)});
    value.sink = PacerSpec::Parse(sink);
    value.memory.r = PacerSpec::Parse("p=0.7");
    Run(value);
    value.sink_after_valid = true;
    Run(value);
  }
}

}  // namespace
}  // namespace tessera
