// Coincidences that chance seldom brings together: what an abort leaves behind, addresses that
// differ in one high bit, transfers without rows between bursts that are dropped.
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

// The longest time between two beats of the read stream, both before an abort or both after it;
// only after one that took the first `taken` transfers, if there are any.
class GapWatch : public EngineBench::Hook {
 public:
  explicit GapWatch(uint64_t taken) : taken_(taken), looks_(taken == 0) {}
  void OnCycle(EngineBench& bench, const Tick& tick) override {
    const PairPorts& pins = bench.dut();
    if (tick.reset) return;
    if (pins.read.abort) {
      looks_ = bench.feeder(Direction::kRead).accepted() >= taken_;
      last_ = kNever;
    } else if (looks_ && pins.m_axis.moves()) {
      if (last_ != kNever) longest = std::max(longest, tick.cycle - last_);
      last_ = tick.cycle;
    }
  }
  uint64_t longest = 0;

 private:
  uint64_t taken_, last_ = kNever;
  bool looks_;
};

class Rare : public EngineTest {
 protected:
  void SetUp() override {
    if (!NeedsStream()) GTEST_SKIP() << "needs streams of its own for both engines";
  }
  uint64_t Word(uint64_t words) const { return words * static_cast<uint64_t>(bus()); }
  uint32_t Bytes(uint64_t words) const { return static_cast<uint32_t>(Word(words)); }
};
TESSERA_EVERY_CONFIG(Rare);

// An abort in any cycle of a burst; then an error in the middle of one, and before it one that the
// abort may have cut off. Whose they are, and where, shows in the records.
TEST_P(Rare, AnErrorAfterAnAbortIsWhereItIs) {
  Proves({"abort.works-again", "abort.read", "abort.write"});
  for (const bool early : {false, true}) {
    for (const bool write : {false, true}) {
      const uint64_t base = write ? kWriteBase : kReadBase;
      std::vector<Transfer> chain;
      for (uint64_t n = 0; n < 4; ++n) chain.push_back(Copy(base + 0x1000 * n + 1, Bytes(12)));
      for (uint64_t cycle = 5; cycle < 190; cycle += early ? 3 : 1) {
        Case value = write ? Writes(chain, {{4 * Word(12), PieceEnd::kLast}}) : Reads(chain);
        auto& errors = write ? value.write_errors : value.read_errors;
        for (uint64_t n = early ? 0 : 1; n < 4; ++n) {  // the next one after the abort has its own
          const uint64_t at = base + 0x1000 * n + Word(5 + n % 2);
          errors.push_back({at, at, n % 2 == 1});
        }
        (write ? value.abort_write : value.abort_read) = {cycle};
        value.memory = AxiMemoryOptions::Latency(6);
        value.memory.r = value.memory.w = PacerSpec::Parse("p=0.6");
        // One after the other: an abort takes one of them alone.
        value.read_offer = value.write_offer = PacerSpec::Parse("list=1" + std::string(59, '0'));
        ASSERT_TRUE(Repair(&value, config()));
        Run(value);
        if (HasFailure()) return;
      }
    }
  }
}

// Rows that would touch if one bit of their addresses did not count.
TEST_P(Rare, RowsThatDifferInOneHighBitAreApart) {
  Proves({"order.address", "burst.merge"});
  for (const bool write : {false, true}) {
    std::vector<Transfer> chain;
    for (int bit = 8; bit < config().addr_width; ++bit) {
      for (const int64_t sign : {1, -1}) {
        Transfer t = Copy(write ? kWriteBase : kReadBase, Bytes(2));
        t.count[1] = 3;
        t.stride[1] =
            static_cast<int64_t>(Word(2) + static_cast<uint64_t>(sign) * (uint64_t{1} << bit));
        chain.push_back(t);
        t.stride[0] = bus() + 1;  // elements, not rows
        t.elem = bus();
        t.count = {1, 1, 3, 1};
        t.stride[2] = t.stride[1] - static_cast<int64_t>(Word(1));
        chain.push_back(t);
        if (!config().walk) continue;
        t = chain[chain.size() - 2];
        t.count[1] = 1;
        t.walk[0] = WalkLevel{1, 1, 3};
        chain.push_back(t);
      }
    }
    uint64_t bytes = 0;
    for (const Transfer& t : chain) bytes += model::Positions(t) * static_cast<uint64_t>(t.elem);
    Run(write ? Writes(chain, {{bytes, PieceEnd::kLast}}) : Reads(chain));
  }
}

// The rest of a packet may leave together with the first bytes of the next transfer, if these are a
// part of a word: an error of either word is told of its own transfer.
TEST_P(Rare, AnErrorBesideTheEndOfAPacketIsThatOfItsTransfer) {
  Proves({"error.read"});
  const int step = std::max(1, bus() / 8);
  for (int size = 1; size <= 2 * std::min(stream(), 16); ++size) {
    for (int from = 0; from < bus(); from += step) {
      for (int to = 0; to < bus(); to += step) {
        const Transfer first =
            Copy(kReadBase + static_cast<uint64_t>(from), static_cast<uint32_t>(size));
        const Transfer next = Copy(kReadBase + 0x1000 + static_cast<uint64_t>(to), Bytes(4));
        for (const bool decerr : {false, true}) {
          for (const uint64_t at : {first.base + first.count[0] - 1, next.base}) {
            Case value = Reads({first, next, first});
            value.read_errors = {{at, at, decerr}};
            Run(value);
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST_P(Rare, TheAddressOfAnErrorHasAllItsBits) {
  Proves({"error.read", "error.write"});
  for (const bool write : {false, true}) {
    for (int bit = 13; bit < config().addr_width; ++bit) {
      Transfer t = Copy(uint64_t{1} << bit, Bytes(9));
      Case value = write ? Writes({t}, {{Word(9), PieceEnd::kLast}}) : Reads({t});
      (write ? value.write_errors
             : value.read_errors) = {{t.base + Word(4), t.base + Word(4), true}};
      Run(value);
    }
  }
}

// Transfers without rows are numbered like others. As many as can be planned ahead stand between a
// transfer that its packet ends early, with bursts to drop, and the next that has some to keep.
TEST_P(Rare, ManyEmptyTransfersBehindAPacketThatEndsEarly) {
  Proves({"finish.last", "empty.count-zero"});
  for (const uint64_t words : {2, 3, 9, 40}) {
    for (uint64_t empties = 24; empties < 72; ++empties) {
      std::vector<Transfer> chain{OnLast(Copy(kWriteBase, Bytes(words)))};
      for (uint64_t n = 0; n < empties; ++n) chain.push_back(OnLast(Copy(kWriteBase, 0)));
      for (uint64_t n = 1; n < 4; ++n)
        chain.push_back(OnLast(Copy(kWriteBase + 0x1000 * n, Bytes(3))));
      const std::vector<StreamPiece> rest(3, {Word(3), PieceEnd::kLast});
      std::vector<StreamPiece> stream{{1, PieceEnd::kLast}};
      stream.insert(stream.end(), rest.begin(), rest.end());
      Case value = Writes(chain, stream);
      value.source = PacerSpec::Parse("list=" + std::string(120, '0') + std::string(800, '1'));
      Run(value);
      if (HasFailure()) return;
    }
  }
}

// A value is sent only if it differs from the one before: in any of its bits.
TEST_P(Rare, FillsThatDifferInOneBitAreTwo) {
  Proves({"field.fill"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  std::vector<Transfer> chain;
  for (int bit = 0; bit < 8 * Elem(8); ++bit) {
    for (const uint64_t flipped : {uint64_t{0}, uint64_t{1} << bit}) {
      Transfer t = Copy(kReadBase, 3);
      t.elem = Elem(8);
      t.stride[0] = t.elem;
      t.start[0] = -2;
      t.bound[0] = 2;
      t.fill = (0x8877665544332211 >> (64 - 8 * t.elem)) ^ flipped;
      chain.push_back(t);
    }
  }
  Run(Reads(chain));
}

// An abort may take a transfer whose fill value is still on its way: the next one with the same
// value sends it again.
TEST_P(Rare, AFillThatAnAbortDroppedIsSentAgain) {
  Proves({"field.fill", "abort.works-again"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  std::vector<Transfer> chain;
  for (uint64_t n = 0; n < 12; ++n) {
    Transfer t = Copy(kReadBase + 0x100 * n, 9);
    t.start[0] = -3;
    t.bound[0] = 3;
    t.fill = 0x11 * (1 + n / 4);
    chain.push_back(t);
  }
  Case whole = Reads(chain);
  whole.sink = PacerSpec::Parse("p=0.4");
  const uint64_t cycles = Run(whole).cycles;
  for (uint64_t cycle = 5; cycle < cycles; ++cycle) {
    Case value = whole;
    value.abort_read = {cycle};
    Run(value);
    if (HasFailure()) return;
  }
}

// The fill of a joined transfer is turned until its packet ends. An abort in between leaves nothing
// to turn back: the packets that follow come without a pause.
TEST_P(Rare, NothingIsTurnedAfterAnAbortOfAJoinedTransferWithFill) {
  Proves({"field.fill", "abort.works-again"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  std::vector<Transfer> plain;
  for (uint64_t n = 0; n < 16; ++n) {
    plain.push_back(Copy(kReadBase + 0x1000 * n, static_cast<uint32_t>(2 * stream())));
  }
  GapWatch alone(0);
  Run(Reads(plain), &alone);

  Transfer joined = Copy(kReadBase + 1, 3);
  joined.join_next = true;
  Transfer filled = Copy(kReadBase + 0x100, 5);
  filled.count[1] = 80;
  filled.stride[1] = 0x40;
  filled.start[0] = -2;
  filled.bound[0] = 2;
  filled.fill = 0x5A;
  filled.task_end = true;
  joined.last_rule = filled.last_rule = LastRule::kTask;
  std::vector<Transfer> chain{joined, filled};
  chain.insert(chain.end(), plain.begin(), plain.end());
  uint64_t seen = 0;
  for (uint64_t cycle = 5; cycle < 80; ++cycle) {
    Case value = Reads(chain);
    value.abort_read = {cycle};
    GapWatch behind(2);
    Run(value, &behind);
    EXPECT_LE(behind.longest, alone.longest) << "abort in cycle " << cycle;
    if (HasFailure()) return;
    seen = std::max(seen, behind.longest);
  }
  EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace tessera
