// What memories and stream partners do wrong stays with the channel that it happens to.
//
// The campaign: random work for all channels, one fault of a random kind at a random moment for one
// of them. The fault is named, the others are byte exact and finish no later than without it, and
// the channel works again after a reset.
#include <fmt/format.h>

#include "tests/fabric/fixture.h"

namespace tessera {
namespace {

using Fault = rtl::Fault;
using Kind = AxiFault::Kind;

// What the stream of a channel may do.
enum class StreamKind : uint8_t {
  kGivesNothing,
  kTakesNothing,
  kTakesBack,
  kChanges,
  kChangesKeep,  // alone
  kChangesLast,  // alone
};
constexpr uint64_t kStreamKinds = 6;

class Faults : public FabricTest {
 protected:
  void SetUp() override {
    if (!config().guard) GTEST_SKIP() << "no guards in this build";
  }

  static Direction Of(Kind kind) {
    return kind >= Kind::kErrorAnswer ? Direction::kWrite : Direction::kRead;
  }
  // What is expected to be told; kNone: the record alone tells.
  static Fault Cause(Kind kind) {
    switch (kind) {
      case Kind::kEarlyLast:
      case Kind::kCutShort:
        return Fault::kEarlyLast;
      case Kind::kNoLast:
      case Kind::kLongBurst:
        return Fault::kLateLast;
      case Kind::kEarlyAnswer:
        return Fault::kEarly;
      case Kind::kSilentData:
      case Kind::kLostData:
      case Kind::kSilentAnswer:
      case Kind::kLostAnswer:
        return Fault::kBusTime;
      case Kind::kUnaskedData:
      case Kind::kUnaskedAnswer:
        return Fault::kUnasked;
      default:
        return Fault::kNone;
    }
  }
  // Channels of a direction on a port.
  int Group(Direction d) const {
    return (d == Direction::kRead ? config().reads : config().writes) / config().ports;
  }
  // Engines by the dozen are slow to simulate.
  uint64_t Runs(uint64_t few, uint64_t many) const { return config().channels() > 8 ? few : many; }
  // Random copies for all; with `fast`, pacers that never wait.
  void RandomWork(uint64_t seed, bool fast, const std::optional<AxiFault>& fault, int port = 0) {
    Rng rng = Rng(seed).Stream("faults");
    FabricBenchOptions options;
    options.seed = seed;
    options.faults = {fault.value_or(AxiFault{})};
    options.fault_port = port;
    if (fast) {
      options.memory = AxiMemoryOptions::Latency(static_cast<uint32_t>(rng.Between(1, 40)));
    } else {
      options.memory.latency_min = static_cast<uint32_t>(rng.Between(1, 10));
      options.memory.latency_max =
          options.memory.latency_min + static_cast<uint32_t>(rng.Below(40));
      options.memory.reorder = rng.Chance(0.5);
      options.memory.ar = PacerSpec::Probability(0.7);
      options.memory.aw = PacerSpec::Probability(0.7);
      options.memory.r = PacerSpec::Probability(0.8);
      options.memory.w = PacerSpec::Probability(0.8);
      options.channels.resize(static_cast<size_t>(config().channels()));
      for (PairOptions& channel : options.channels) {
        channel.source.pacer =
            PacerSpec::Probability(0.3 + 0.7 * static_cast<double>(rng.Below(100)) / 100);
        channel.sink.pacer =
            PacerSpec::Probability(0.3 + 0.7 * static_cast<double>(rng.Below(100)) / 100);
      }
    }
    MakeBench(options);
    for (int k = 0; k < config().reads; ++k) Reads(k, rng.Between(3, 8), rng.Between(100, 2000));
    for (int k = 0; k < config().writes; ++k) Writes(k, rng.Between(3, 8), rng.Between(100, 2000));
  }
  // By how much others may be later. Whose turn comes first in a round is chance; and a silent
  // reader keeps its part of the data in flight for a time, which is felt if the rest is not
  // enough.
  uint64_t Slack(Kind kind) const {
    const int bursts = config().channel.max_burst;
    int cycles = std::max(4, config().channels()) * bursts;
    const bool silent = kind == Kind::kSilentData || kind == Kind::kLostData;
    if (silent && config().flight_beats < config().room_beats + 40 + 2 * bursts)
      cycles += 2 * config().flight_beats + bursts;
    return static_cast<uint64_t>(cycles);
  }
  uint64_t Silence() const { return static_cast<uint64_t>(config().silence); }

  // The fault has come to its channel: named, contained, and over after a reset.
  void CheckFault(int victim, Direction d, Fault cause, bool addressed, bool give_up) {
    StepUntil("that the fault is told", 2 * Silence() + 4000,
              [&] { return state(victim, d).faulted; });
    if (HasFatalFailure()) return;
    EXPECT_EQ(state(victim, d).cause, cause);
    for (int k = 0; k < config().channels(); ++k) {
      for (const Direction other : {Direction::kRead, Direction::kWrite}) {
        EXPECT_EQ(state(k, other).faulted, k == victim && other == d) << "channel " << k;
      }
    }
    if (addressed) {
      StepUntil("that a record names it", 20000, [&] { return state(victim, d).named; });
      if (HasFatalFailure()) return;
      const Fabric::State& s = state(victim, d);
      const JobResult& job = bench_->feeder(victim, d).jobs()[s.transfer];
      EXPECT_EQ(job.state, JobResult::State::kDone);
      EXPECT_EQ(job.record.status, rtl::Status::kSlverr);
      EXPECT_EQ(job.record.addr, s.addr);
      for (size_t n = 0; n < s.transfer; ++n)
        EXPECT_EQ(bench_->feeder(victim, d).jobs()[n].record.status, 0);
    }
    // What was accepted ends by itself, and nothing else is taken.
    StepUntil("that the channel is idle", 60000, [&] { return state(victim, d).idle; });
    if (HasFatalFailure()) return;
    EXPECT_EQ(bench_->feeder(victim, d).running(), 0U);
    if (cause == Fault::kUnasked) {
      EXPECT_FALSE(state(victim, d).named);
    }
    Reset(victim, d, give_up, 2 * Silence() + 4000);
  }
};
TESSERA_EVERY_FABRIC(Faults);

TEST_P(Faults, OfTheBusStayWithTheirChannel) {
  Proves({"fault.contained", "fault.named", "fault.recovered"});
  if (config().one_id) GTEST_SKIP() << "one ID: whose what is, is in doubt";
  const uint64_t runs = Runs(30, config().silence > 1000 ? 90 : 240);
  uint64_t ran = 0, missed = 0;
  std::array<int, AxiFault::kKinds> seen{};
  for (uint64_t seed = 1; seed <= runs; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng = Rng(seed).Stream("which");
    const auto kind = static_cast<Kind>(1 + (seed - 1) % (AxiFault::kKinds - 1));
    const Direction d = Of(kind);
    const int victim = static_cast<int>(
        rng.Below(static_cast<uint64_t>(d == Direction::kRead ? config().reads : config().writes)));
    const AxiFault fault{.kind = kind,
                         .id = static_cast<uint16_t>(victim % Group(d)),
                         .from = rng.Between(20, 900),
                         .cycles = rng.Chance(0.5) ? Silence() + 300 : 3 * Silence()};
    if (fault.stray() && Group(d) == AxiFault::kMostIds) continue;  // every ID is a channel's
    const bool fast = rng.Chance(0.5);
    RandomWork(seed, fast, std::nullopt);
    StepUntil("that all finish", 200000, [&] { return OthersFinished(-1); });
    std::vector<uint64_t> before;
    for (int k = 0; k < config().channels(); ++k) before.push_back(LastRecord(k));

    const int port = victim / Group(d);
    RandomWork(seed, fast, fault, port);
    bench_->Excuse(victim);
    uint32_t strays = 0;
    const bool legal = kind == Kind::kErrorData || kind == Kind::kErrorAnswer;
    if (legal) control(victim, d).stop_on = rtl::Status::kSlverr;
    StepUntil("that the fault comes", 200000, [&] {
      strays |= bench_->fabric().strays;
      return bench_->tamper()->fired() || OthersFinished(-1);
    });
    if (HasFatalFailure()) return;
    if (!bench_->tamper()->fired()) {  // everything was over before it could come
      ++missed;
      continue;
    }
    ++ran;
    ++seen[static_cast<size_t>(kind)];
    if (fault.stray()) {
      StepUntil("that all finish", 200000, [&] {
        strays |= bench_->fabric().strays;
        return OthersFinished(-1);
      });
      if (HasFatalFailure()) return;
      EXPECT_EQ(strays, 1U << (kind == Kind::kStrayData ? port : config().ports + port));
      Compare();
      if (HasFatalFailure()) return;
      continue;
    }
    const bool lost = kind == Kind::kLostData || kind == Kind::kLostAnswer || kind == Kind::kNoLast;
    // A burst too few or too many of several looks like the next one: what does not fit tells.
    const bool unasked = kind == Kind::kUnaskedData || kind == Kind::kUnaskedAnswer;
    // With Cut an early answer may come when the share has the data, and then the right one is too
    // many.
    const bool early = kind == Kind::kEarlyAnswer && config().cut;
    const bool shifted = unasked || early || kind == Kind::kLostData;
    if (shifted) {
      StepUntil("that the fault is told", 2 * Silence() + 4000,
                [&] { return state(victim, d).faulted; });
      if (HasFatalFailure()) return;
    }
    const Fault told = state(victim, d).cause;
    const Fault cause = legal ? Fault::kRecord : shifted ? told : Cause(kind);
    if (shifted) {
      EXPECT_TRUE(told == Cause(kind) || told == Fault::kEarlyLast || told == Fault::kLateLast ||
                  told == Fault::kEarly || (early && told == Fault::kUnasked))
          << static_cast<int>(told);
    }
    CheckFault(victim, d, cause, cause != Fault::kUnasked && !legal, lost || unasked);
    if (HasFailure()) {
      fmt::print("kind {} victim {} fast {}\n", NameOf(kind), victim, fast);
      return;
    }
    if (d == Direction::kWrite) {
      bench_->source(victim).Push(std::vector<uint8_t>(20000), PieceEnd::kLast);
    }
    StepUntil("that all finish", 200000,
              [&] { return OthersFinished(victim) && Finished(victim, d); });
    if (HasFatalFailure()) return;
    if (fast) {
      for (int k = 0; k < config().channels(); ++k) {
        if (k == victim) continue;
        EXPECT_LE(LastRecord(k), before[static_cast<size_t>(k)] + Slack(kind)) << "channel " << k;
      }
    }
    Reset(victim, d, false, 4000);
    if (HasFatalFailure()) return;
    WorksAgain(victim, d, rng.Between(1, 900));
    if (HasFatalFailure()) return;
    Compare(victim);
    if (HasFailure()) {
      fmt::print("kind {} victim {} fast {}\n", NameOf(kind), victim, fast);
      return;
    }
  }
  RecordProperty("cases", static_cast<int>(ran));
  fmt::print("{} faults, {} came too late:", ran, missed);
  for (int n = 1; n < AxiFault::kKinds; ++n)
    fmt::print(" {} {}", NameOf(static_cast<Kind>(n)), seen[static_cast<size_t>(n)]);
  fmt::print("\n");
  EXPECT_GT(ran, runs * 3 / 4);
}

// All readers of a port but one hear nothing. What they have asked for keeps that one from the bus
// for a while at most, and it is not at fault.
TEST_P(Faults, ManySilentReadersKeepNobodyFromTheBus) {
  Proves({"fault.contained"});
  if (config().one_id) GTEST_SKIP() << "one ID: one silence is everybody's";
  const int group = Group(Direction::kRead), rest = group - 1;
  if (group < 2) GTEST_SKIP() << "a reader has its port for itself";
  AxiFault fault{.kind = Kind::kSilentData, .from = 30, .cycles = 3 * Silence()};
  for (int k = 1; k < rest; ++k) fault.others |= static_cast<uint16_t>(1 << k);
  std::vector<uint64_t> ends;
  for (const bool disturbed : {false, true}) {
    FabricBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(10);
    if (disturbed) options.faults = {fault};
    MakeBench(options);
    for (int k = 0; k < group; ++k) Reads(k, 8, 1500);
    for (int k = 0; k < rest; ++k) bench_->Excuse(k);
    StepUntil("that the reader finishes", 20000, [&] { return Finished(rest, Direction::kRead); });
    if (HasFatalFailure()) return;
    EXPECT_EQ(disturbed, bench_->tamper() != nullptr && bench_->tamper()->fired().has_value());
    EXPECT_FALSE(state(rest, Direction::kRead).faulted);
    for (const JobResult& job : bench_->feeder(rest, Direction::kRead).jobs())
      EXPECT_EQ(job.record.status, 0);
    ends.push_back(LastRecord(rest));
  }
  fmt::print("with all, {} cycles; with the others silent, {}\n", ends[0], ends[1]);
  EXPECT_LE(ends[1], ends[0] + 3 * static_cast<uint64_t>(config().flight_beats));
}

TEST_P(Faults, OfAStreamStayWithItsChannel) {
  Proves({"fault.stream"});
  if (config().stream_silence == 0) GTEST_SKIP() << "streams may wait for ever in this build";
  int fired = 0;
  const uint64_t runs = Runs(2 * kStreamKinds, 6 * kStreamKinds);
  for (uint64_t seed = 1; seed <= runs; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto kind = static_cast<StreamKind>(seed % kStreamKinds);
    Rng rng = Rng(seed).Stream("stream");
    const int victim = static_cast<int>(
        rng.Below(static_cast<uint64_t>(std::min(config().reads, config().writes))));
    const Direction d = kind == StreamKind::kTakesNothing ? Direction::kRead : Direction::kWrite;
    RandomWork(seed, rng.Chance(0.5), std::nullopt);
    bench_->Excuse(victim);
    const uint64_t from = rng.Between(20, 400);
    bool waited = false, done = false, back = false;
    bench_->OverridePins([&] {
      PairPorts& pins = bench_->fabric().channel(victim);
      if (back) pins.s_axis.valid = true;
      back = false;
      const bool held = waited && pins.s_axis.waits();
      waited = pins.s_axis.valid;
      if (bench_->cycle() < from) return;
      if (kind == StreamKind::kTakesNothing && !state(victim, d).faulted) pins.m_axis.ready = false;
      if (kind == StreamKind::kGivesNothing) bench_->source(victim).Hold(!state(victim, d).faulted);
      if (done || !held) return;
      if (kind == StreamKind::kTakesBack) {
        pins.s_axis.valid = false;
        done = back = true;
      } else if (kind == StreamKind::kChanges) {
        pins.s_axis->data[0] = static_cast<uint8_t>(pins.s_axis->data[0] ^ (1U << rng.Below(8)));
        done = true;
      } else if (kind == StreamKind::kChangesKeep) {
        pins.s_axis->keep.word[0] ^=
            uint64_t{1} << rng.Below(static_cast<uint64_t>(config().channel.stream_bytes));
        done = true;
      } else if (kind == StreamKind::kChangesLast) {
        pins.s_axis->last = !pins.s_axis->last;
        done = true;
      }
    });
    StepUntil("that the fault is told, or all is over", 40000, [&] {
      return state(victim, d).faulted || (OthersFinished(-1) && bench_->cycle() > from);
    });
    if (HasFatalFailure()) return;
    if (!state(victim, d).faulted) {
      EXPECT_FALSE(done);
      continue;
    }
    ++fired;
    EXPECT_EQ(state(victim, d).cause,
              kind == StreamKind::kGivesNothing || kind == StreamKind::kTakesNothing
                  ? Fault::kStreamTime
                  : Fault::kStream);
    Reset(victim, d, false, 3 * Silence() + 4000);
    if (HasFatalFailure()) return;
    bench_->OverridePins(nullptr);
    bench_->source(victim).Hold(false);
    if (d == Direction::kWrite)
      bench_->source(victim).Push(std::vector<uint8_t>(20000), PieceEnd::kLast);
    StepUntil("that all finish", 200000,
              [&] { return OthersFinished(victim) && Finished(victim, d); });
    if (HasFatalFailure()) return;
    Reset(victim, d, false, 4000);
    if (HasFatalFailure()) return;
    WorksAgain(victim, d, rng.Between(1, 900));
    if (HasFatalFailure()) return;
    Compare(victim);
    if (HasFatalFailure()) return;
  }
  RecordProperty("cases", fired);
  EXPECT_GT(fired, static_cast<int>(runs / 2));
}

// A transfer that the engine has only begun to read, and not a byte of its stream.
TEST_P(Faults, AStreamThatNeverGivesIsTold) {
  Proves({"fault.stream"});
  if (config().stream_silence == 0) GTEST_SKIP() << "streams may wait for ever in this build";
  MakeBench({});
  model::Transfer apart = Copy(WriteBase(0), 64);
  apart.stride[0] = 100;
  AddWrite(0, apart);
  StepUntil("that it is told", static_cast<uint64_t>(config().stream_silence) + 200,
            [&] { return state(0, Direction::kWrite).faulted; });
  if (HasFatalFailure()) return;
  EXPECT_EQ(state(0, Direction::kWrite).cause, Fault::kStreamTime);
}

// Of a memory that owes data, a stream that gives nothing, a reset and a quiesce that wait for
// them.
TEST_P(Faults, TimeOutsCountTicks) {
  Proves({"fault.patience"});
  constexpr uint64_t kEvery = 3;  // cycles for a tick
  const auto silence = static_cast<uint64_t>(config().silence);
  const auto patience = static_cast<uint64_t>(config().stream_silence);
  FabricBenchOptions options;
  options.memory.r = PacerSpec::Never();
  const auto make = [&] {
    MakeBench(options);
    bench_->OverridePins([&] { bench_->fabric().tick = bench_->cycle() % kEvery == 0; });
    for (int k = 0; k < config().channels(); ++k) {
      bench_->AllowClosing(k);
      bench_->Excuse(k);  // guards end what the memory does not
    }
  };
  // Cycles until it is so, between those of the ticks and some more.
  const auto takes = [&](const char* what, uint64_t ticks, auto&& condition) {
    const uint64_t from = bench_->cycle();
    StepUntil(what, kEvery * ticks + 100, condition);
    EXPECT_GE(bench_->cycle() - from, kEvery * (ticks - 1)) << what;
  };
  make();
  AddRead(0, Copy(ReadBase(0), 2 * bus()));
  takes("that the memory is told", silence, [&] { return state(0, Direction::kRead).faulted; });
  if (HasFatalFailure()) return;
  control(0, Direction::kRead).reset = true;
  takes("that the reset is stuck", silence, [&] { return state(0, Direction::kRead).stuck; });
  if (HasFatalFailure()) return;
  make();
  AddRead(0, Copy(ReadBase(0), 2 * bus()));
  for (int n = 0; n < 60; ++n) bench_->Step();
  bench_->fabric().quiesce = true;
  takes("that the quiesce is told", silence, [&] { return bench_->fabric().timed_out; });
  if (HasFatalFailure() || patience == 0) return;
  make();
  AddWrite(0, Copy(WriteBase(0), 64));
  takes("that the stream is told", patience, [&] { return state(0, Direction::kWrite).faulted; });
  if (HasFatalFailure()) return;
  EXPECT_EQ(state(0, Direction::kWrite).cause, Fault::kStreamTime);
}

// An abort waits for the memory, and not for bytes that will never come.
TEST_P(Faults, AnAbortNeedsNothingOfItsStream) {
  Proves({"fault.stream"});
  const int patience = config().stream_silence;
  if (patience == 0) GTEST_SKIP() << "streams may wait for ever in this build";
  if (config().silence < patience + 400) GTEST_SKIP() << "the memory has less time in this build";
  FabricBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(static_cast<uint32_t>(patience + 300));
  MakeBench(options);
  AddWrite(0, Copy(WriteBase(0), 40 * bus()));
  bench_->source(0).Push(std::vector<uint8_t>(20 * bus()), PieceEnd::kOpen);
  for (int n = 0; n < 200; ++n) bench_->Step();
  bench_->RequestAbort(0, Direction::kWrite);
  StepUntil("that the abort ends", static_cast<uint64_t>(config().silence),
            [&] { return bench_->feeder(0, Direction::kWrite).aborts() == 1; });
  EXPECT_FALSE(state(0, Direction::kWrite).faulted) << NameOf(state(0, Direction::kWrite).cause);
  EXPECT_GT(bench_->cycle(), static_cast<uint64_t>(patience) + 200);
}

// With one ID, what is due to the others is doubtful too: none of them takes it for its own.
TEST_P(Faults, WithOneIdMakeDoubtfulWhatIsDue) {
  Proves({"fault.one-id"});
  if (!config().one_id) GTEST_SKIP() << "several IDs";
  for (const Kind kind : {Kind::kEarlyLast, Kind::kEarlyAnswer}) {
    const Direction d = Of(kind);
    const int channels = d == Direction::kRead ? config().reads : config().writes;
    FabricBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(100);
    // An answer is too early for all only while none is due.
    options.faults = {{.kind = kind, .from = d == Direction::kRead ? 60U : 1U}};
    MakeBench(options);
    for (int k = 0; k < channels; ++k) {
      d == Direction::kRead ? Reads(k, 2, 64 * bus()) : Writes(k, 2, 64 * bus());
      bench_->Excuse(k);
      bench_->AllowClosing(k);
    }
    StepUntil("that the fault comes", 2000, [&] { return bench_->tamper()->fired(); });
    if (HasFatalFailure()) return;
    for (int n = 0; n < 8; ++n) bench_->Step();
    int named = 0, doubtful = 0;
    for (int k = 0; k < channels; ++k) {
      if (!state(k, d).faulted) continue;
      ++(state(k, d).cause == Fault::kDoubt ? doubtful : named);
    }
    EXPECT_EQ(named, 1) << NameOf(d);
    EXPECT_GE(doubtful, d == Direction::kRead ? channels - 1 : 1) << NameOf(d);
  }
}

// With one ID nobody can say whose the next beat or answer is. The fault is told by who has
// something due; then everything is brought to rest and reset, and works.
TEST_P(Faults, WithOneIdAreToldAndEndWithAResetOfEverything) {
  Proves({"fault.one-id"});
  if (!config().one_id) GTEST_SKIP() << "several IDs";
  constexpr uint64_t kRuns = 60;
  uint64_t ran = 0;
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng = Rng(seed).Stream("one");
    const auto kind = static_cast<Kind>(1 + (seed - 1) % (AxiFault::kKinds - 1));
    const bool legal = kind == Kind::kErrorData || kind == Kind::kErrorAnswer;
    const AxiFault fault{.kind = kind, .from = rng.Between(20, 400), .cycles = 2 * Silence()};
    RandomWork(seed, rng.Chance(0.5), fault);
    for (int k = 0; k < config().channels(); ++k) {
      bench_->Excuse(k);
      bench_->AllowClosing(k);
    }
    StepUntil("that the fault comes", 200000,
              [&] { return bench_->tamper()->fired() || OthersFinished(-1); });
    if (HasFatalFailure()) return;
    if (!bench_->tamper()->fired()) continue;
    ++ran;
    const auto told = [&] {
      int count = 0;
      for (int k = 0; k < config().channels(); ++k) {
        for (const Direction d : {Direction::kRead, Direction::kWrite}) {
          if (!state(k, d).faulted) continue;
          ++count;
          EXPECT_EQ(d, Of(kind)) << "channel " << k;
          EXPECT_LE(state(k, d).cause, Fault::kBusTime) << "channel " << k;
        }
      }
      return count;
    };
    if (legal) {
      StepUntil("that all finish", 200000, [&] { return OthersFinished(-1); });
      EXPECT_EQ(told(), 0);
      continue;
    }
    // One too many, when nobody waits any more, is an answer to nobody.
    bool stray = false;
    StepUntil("that it is told", 4 * Silence() + 8000, [&] {
      stray = stray || bench_->fabric().strays != 0;
      return told() > 0 || stray;
    });
    if (HasFailure()) return;
    Fabric& fabric = bench_->fabric();
    fabric.quiesce = true;
    StepUntil("that the bus is quiet, or that it is told that it is not", 4 * Silence() + 8000,
              [&] { return fabric.quiet || fabric.timed_out; });
    if (HasFatalFailure()) return;
    bench_->Restart();
    fabric.quiesce = false;
    for (int n = 0; n < 6; ++n) bench_->Step();
    for (int k = 0; k < config().reads + config().writes; ++k) {
      SetWindow(Fabric::Window::Everything(k));
    }
    for (int k = 0; k < config().channels(); ++k) {
      bench_->source(k).DiscardUnsent();
      bench_->source(k).Push(std::vector<uint8_t>(20000), PieceEnd::kLast);
    }
    StepUntil("that what was not given before is done", 200000, [&] { return OthersFinished(-1); });
    if (HasFatalFailure()) return;
    for (int k = 0; k < config().channels(); ++k) {
      for (const Direction d : {Direction::kRead, Direction::kWrite}) {
        Reset(k, d, false, 8000);
        if (HasFatalFailure()) return;
        WorksAgain(k, d, rng.Between(1, 900));
        if (HasFatalFailure()) return;
      }
    }
  }
  RecordProperty("cases", static_cast<int>(ran));
  EXPECT_GT(ran, kRuns * 3 / 4);
}

}  // namespace
}  // namespace tessera
