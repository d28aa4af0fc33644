// Faults of the bus on data port 0, and of the stream of a write channel: told by ERROR, felt by
// their channel alone, and over after a reset of it; nothing resets the whole.
#include <fmt/format.h>

#include <span>
#include <utility>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

using Kind = AxiFault::Kind;

constexpr uint32_t kEarlyLast = 1, kLateLast = 2, kUnasked = 3, kEarly = 4, kBusTime = 6,
                   kStream = 8;
constexpr uint64_t kStart = 16000;    // the cycle before which all is set up
constexpr uint64_t kSpace = 0x20000;  // of a channel
constexpr uint32_t kMany = 6000;      // bytes of a transfer of many bursts

// What a memory does once to channel 0 of a direction.
struct Row {
  Kind kind;
  uint32_t fault;
  bool single;  // to the only burst of a transfer; else to one of many
  bool placed;  // a record tells of it, and the address is known
  bool owes;    // what will never come
};
// With several bursts due, one too few or too many looks like the next one.
constexpr Row kReadRows[] = {{Kind::kEarlyLast, kEarlyLast, false, true, false},
                             {Kind::kCutShort, kEarlyLast, false, true, false},
                             {Kind::kNoLast, kLateLast, false, true, true},
                             {Kind::kNoLast, kLateLast, true, true, true},
                             {Kind::kLongBurst, kLateLast, false, true, false},
                             {Kind::kUnaskedData, kUnasked, true, false, false},
                             {Kind::kSilentData, kBusTime, false, true, false},
                             {Kind::kLostData, kBusTime, true, true, true}};
constexpr Row kWriteRows[] = {{Kind::kUnaskedAnswer, kUnasked, true, false, false},
                              {Kind::kEarlyAnswer, kEarly, true, true, false},
                              {Kind::kSilentAnswer, kBusTime, false, true, false},
                              {Kind::kLostAnswer, kBusTime, true, true, true}};

class Faults : public DmaTest {
 protected:
  struct Who {
    Direction way;
    int number;
  };
  static constexpr uint64_t Base(const Who& c) {
    return 0x100000 + kSpace * (2 * static_cast<uint64_t>(c.number) + (c.way == kWrite ? 1 : 0));
  }
  // A descriptor that no other channel uses.
  int Number(const Who& c, int which) {
    return 2 * (c.way == kRead ? c.number : config().reads + c.number) + which;
  }
  // All that a fault of channel 0 of a direction leaves alone; of the writers that share one stream
  // the first.
  std::vector<Who> Others(Direction victim) {
    std::vector<Who> others;
    for (const Direction way : {kRead, kWrite}) {
      const int all = way == kRead ? config().reads : config().route_dest ? 1 : config().writes;
      const int a_port = (way == kRead ? config().reads : config().writes) / config().ports;
      // A fault stops all channels of its port and direction.
      const int first = victim != way ? 0 : a_port;
      for (int n = first; n < all; ++n) others.push_back({way, n});
    }
    return others;
  }

  // A copy of so many bytes, `at` behind the base of a channel.
  struct Work {
    Who channel;
    uint64_t address;
    std::vector<uint8_t> data;
    size_t seen;  // by the sink before
  };
  Work Start(const Who& c, int which, uint64_t at, uint32_t bytes) {
    Work work{c, Base(c) + at, std::vector<uint8_t>(bytes), 0};
    for (uint32_t n = 0; n < bytes; ++n)
      work.data[n] = static_cast<uint8_t>((n * 7 + n / 251 + ++drawn_ / 1000) ^ work.address >> 12);
    Write(Number(c, which), Copy(work.address, bytes));
    if (c.way == kRead) {
      bench().memory().Load(work.address, work.data);
      work.seen = bench().sink(c.number).bytes().size();
    } else {
      bench().source(c.number).Push(work.data, PieceEnd::kLast);
      written_.push_back({work.address, work.address + bytes - 1});
    }
    Push(c.way, {.start = Number(c, which)}, c.number);
    return work;
  }
  std::optional<native::Record> Await(const Who& c) {
    for (int n = 0; n < 4000; ++n) {
      if (auto record = Pop(c.way, c.number)) return record;
    }
    return std::nullopt;
  }
  void ExpectDone(const Work& work) {
    const Who& c = work.channel;
    SCOPED_TRACE(fmt::format("{} channel {}", NameOf(c.way), c.number));
    const auto record = Await(c);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
    EXPECT_EQ(record->done.bytes, work.data.size());
    std::vector<uint8_t> seen;
    if (c.way == kRead) {
      const auto& all = bench().sink(c.number).bytes();
      seen.assign(all.begin() + static_cast<ptrdiff_t>(work.seen), all.end());
    } else {
      seen = bench().memory().ReadBytes(work.address, work.data.size());
    }
    EXPECT_TRUE(seen == work.data) << seen.size() << " bytes of " << work.data.size();
    EXPECT_EQ(Get(c.way, native::kError, c.number), 0U);
    EXPECT_EQ(Get(c.way, native::kStatus, c.number) & kFaulted, 0U);
  }
  std::vector<Work> StartOthers(Direction victim, uint64_t at) {
    std::vector<Work> works;
    for (const Who& c : Others(victim)) works.push_back(Start(c, 0, at, kMany));
    return works;
  }
  void ExpectAll(const std::vector<Work>& works) {
    for (const Work& work : works) ExpectDone(work);
  }

  // A bench on which a copy has gone well, with the others at work from just before kStart on.
  std::vector<Work> Prepare(Direction victim, const DmaBenchOptions& options) {
    written_.clear();
    Make(options);
    ExpectDone(Start({victim, 0}, 0, 0, 100));
    if (bench().cycle() + 1000 > kStart) throw std::logic_error("kStart is too early");
    bench().Step(static_cast<int>(kStart - 600 - bench().cycle()));
    std::vector<Work> others = StartOthers(victim, 0);
    if (bench().cycle() < kStart) bench().Step(static_cast<int>(kStart - bench().cycle()));
    return others;
  }
  // `error` comes within so many cycles, and nothing else.
  void ExpectError(Direction way, uint32_t error, uint32_t fault, int descriptor, uint64_t address,
                   uint64_t within) {
    const uint64_t end = bench().cycle() + within;
    while ((Get(way, native::kError) & error) != error) {
      ASSERT_LT(bench().cycle(), end)
          << fmt::format("ERROR {:#x}\n", Get(way, native::kError)) << bench().Dump();
    }
    bench().Step(100);  // others would show by now
    EXPECT_EQ(Get(way, native::kError), error);
    const uint32_t info = Get(way, native::kErrorInfo);
    EXPECT_EQ(info & 0xffff, static_cast<uint32_t>(descriptor));
    EXPECT_EQ(info >> 16, fault);
    EXPECT_EQ(bench().Get64(native::Channel(way, 0) + native::kErrorAddr), address);
    EXPECT_EQ(bench().Get(0x38), way == kRead ? 1U : 1U << 16);  // ERR_CHANNELS
    EXPECT_NE(Get(way, native::kStatus) & kFaulted, 0U);
    EXPECT_EQ(Waits(way), native::Wait::kFault);
  }
  // A reset of the channel, and a copy. `owes`: the memory will never give all, which only a reset
  // that gives up forgets.
  void ExpectRecovery(Direction way, bool owes, bool give_up) {
    Software::Channel& driver = Channel(way);
    bench().source(0).DiscardUnsent();
    if (owes && !give_up) {
      const auto patience = static_cast<uint32_t>(config().silence() + 1000);
      EXPECT_EQ(driver.Reset(driver::Timeout::Cycles(patience)).reason(),
                driver::Reason::channel_stuck);
      EXPECT_NE(Get(way, native::kStatus) & kStuck, 0U);
    }
    ASSERT_TRUE(driver.Reset(driver::Timeout::Cycles(20000), give_up || owes).ok())
        << bench().Dump();
    PopAll(way);
    driver.TakeError();
    EXPECT_EQ(Get(way, native::kError), 0U);
    EXPECT_EQ(Get(way, native::kErrorInfo), 0U);
    EXPECT_EQ(bench().Get64(native::Channel(way, 0) + native::kErrorAddr), 0U);
    EXPECT_EQ(Get(way, native::kStatus) & (kFaulted | kStuck | kIdle), kIdle);
    // A channel takes beats for its transfers alone: what a partner that broke the rules still
    // shows is in front.
    const auto shown = bench().source(0).Shown();
    if (way == kWrite && shown) {
      const uint64_t rest = Base({way, 0}) + 0x18000;
      Write(Number({way, 0}, 0), Copy(rest, static_cast<uint32_t>(shown->count)));
      Push(way, {.start = Number({way, 0}, 0)});
      ASSERT_TRUE(Await({way, 0})) << bench().Dump();
      written_.push_back({rest, rest + shown->count - 1});
    }
    for (int n = 0; n < 2; ++n) ExpectDone(Start({way, 0}, n, 0x10000, 700));
    EXPECT_TRUE(bench().memory().TouchedOutside(written_).empty());
    EXPECT_EQ(bench().resets(), 1U);  // that of the start
  }
  uint64_t Silence() { return static_cast<uint64_t>(config().silence()); }
  // A transfer of one burst.
  uint32_t Burst() {
    return static_cast<uint32_t>(config().channel.max_burst * config().channel.data_bytes);
  }

  void Run(const Row& row, Direction way, bool give_up, uint64_t delay) {
    SCOPED_TRACE(fmt::format("{}{}{}, {} cycles", NameOf(row.kind), row.single ? ", one burst" : "",
                             give_up ? ", given up" : "", delay));
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(12);
    options.faults = {{.kind = row.kind, .from = kStart + delay, .cycles = Silence() + 2000}};
    const std::vector<Work> others = Prepare(way, options);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(bench().hits().empty());
    const Work spoilt = Start({way, 0}, 1, 0x1000, row.single ? Burst() : kMany);
    ASSERT_TRUE(bench().Until([&] { return !bench().hits().empty(); }, 4000));
    if (row.fault == kUnasked) {  // an answer to nobody
      bench().Step(200);
      const uint32_t stray = way == kRead ? 0x100 : 0x10000;  // of port 0
      EXPECT_EQ(bench().Get(native::kGlobalStatus) & 0xffff00, stray);
      bench().Set(native::kGlobalStatus, stray);
      EXPECT_EQ(bench().Get(native::kGlobalStatus) & 0xffff00, 0U);
      ExpectDone(spoilt);
      ExpectAll(others);
      return;
    }
    const uint64_t address = row.placed ? bench().hits().front().addr : 0;
    const int descriptor = Number({way, 0}, 1);
    ExpectError(way, row.placed ? kBusError | kFault : kFault, row.fault, descriptor, address,
                Silence() + kMany);  // the rest goes to the stream, with errors
    if (HasFatalFailure()) return;
    ExpectAll(others);
    if (HasFatalFailure()) return;
    ExpectAll(StartOthers(way, 0x8000));
    if (HasFatalFailure()) return;
    const auto record = Await({way, 0});
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->descriptor(), descriptor);
    EXPECT_EQ(record->done.status, row.placed ? rtl::Status::kSlverr : 0);
    EXPECT_EQ(record->done.addr, address);
    // What the memory does owe comes.
    const uint64_t over = bench().hits().front().cycle + Silence() + 2500;
    if (bench().cycle() < over) bench().Step(static_cast<int>(over - bench().cycle()));
    ExpectRecovery(way, row.owes, give_up);
  }

 private:
  uint64_t drawn_ = 0;
  std::vector<AddressRange> written_;
};

TEST_P(Faults, OfDataAndAnswersStayWithTheirChannel) {
  Proves({"fault.named", "fault.contained", "fault.recovered"});
  Make();
  if (!config().guard) GTEST_SKIP() << "no guards in this build";
  for (const Direction way : {kRead, kWrite}) {
    for (const Row& row : way == kRead ? std::span<const Row>(kReadRows) : kWriteRows) {
      for (const bool give_up : {false, true}) {
        for (const uint64_t delay : {0, 400}) {
          if ((row.single || give_up) && delay != 0) continue;
          Run(row, way, give_up, delay);
          if (HasFailure()) return;
        }
      }
    }
  }
}

// The time is CAP_TIME, with patience 2^patience times as long; then the channel is as good as new.
TEST_P(Faults, AResetEndsASilenceHoweverPatientSoftwareIs) {
  Proves({"fault.patience", "fault.recovered"});
  Make();
  if (!config().guard) GTEST_SKIP() << "no guards in this build";
  for (const auto& [kind, way] :
       {std::pair{Kind::kSilentData, kRead}, {Kind::kSilentAnswer, kWrite}}) {
    for (const uint32_t patience : {0U, 2U}) {
      SCOPED_TRACE(fmt::format("{}, patience {}", NameOf(kind), patience));
      const uint64_t limit = Silence() << patience;
      DmaBenchOptions options;
      options.faults = {{.kind = kind, .from = kStart, .cycles = limit + 2000}};
      const std::vector<Work> others = Prepare(way, options);
      if (HasFatalFailure()) return;
      bench().Set(native::kGlobalControl, patience << 4);
      const Work spoilt = Start({way, 0}, 1, 0x1000, kMany);
      ASSERT_TRUE(bench().Until([&] { return !bench().hits().empty(); }, 4000));
      ExpectAll(others);
      if (HasFatalFailure()) return;
      const AxiTamper::Hit hit = bench().hits().front();
      const uint64_t rests = bench().cycle();  // what others of the port move is no silence
      if (rests + 20 < hit.cycle + limit) {
        EXPECT_EQ(Get(way, native::kError), 0U);
      }
      while ((Get(way, native::kError) & kFault) == 0 && bench().cycle() < rests + 2 * limit) {
      }
      EXPECT_GT(bench().cycle() + (uint64_t{1} << patience), hit.cycle + limit);
      EXPECT_LT(bench().cycle(), rests + limit + 1000);
      // The record comes when the guard has answered the rest of the transfer.
      ExpectError(way, kBusError | kFault, kBusTime, Number({way, 0}, 1), hit.addr, 2 * kMany);
      if (HasFatalFailure()) return;
      bench().Step(2500);
      ExpectRecovery(way, false, false);
      if (HasFailure()) return;
    }
  }
}

// A fault of a port is one of all its channels that wait for the memory, and of no other: each says
// so, ends what it has, and works again after a reset of its own.
TEST_P(Faults, OfAPortAreToldToAllItsChannelsThatWait) {
  Proves({"fault.port", "fault.contained", "fault.recovered"});
  Make();
  if (!config().guard) GTEST_SKIP() << "no guards in this build";
  for (const auto& [kind, way] : {std::pair{Kind::kSilentData, kRead},
                                  {Kind::kLostData, kRead},
                                  {Kind::kSilentAnswer, kWrite},
                                  {Kind::kLostAnswer, kWrite}}) {
    const int channels = (way == kRead ? config().reads : config().writes) / config().ports;
    if (channels < 2 || (way == kWrite && config().route_dest)) continue;
    SCOPED_TRACE(NameOf(kind));
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(12);
    options.faults = {{.kind = kind, .from = kStart + 200, .cycles = Silence() + 2000}};
    const std::vector<Work> others = Prepare(way, options);
    if (HasFatalFailure()) return;
    for (const int n : {0, 1}) Start({way, n}, 1, 0x1000, kMany);
    ASSERT_TRUE(bench().Until([&] { return !bench().hits().empty(); }, 4000));
    // With several bursts due a lost one looks like one that is too short or too long, or is
    // missing in the end.
    const bool lost = kind == Kind::kLostData || kind == Kind::kLostAnswer;
    ExpectAll(others);
    bench().Step(static_cast<int>(2 * Silence() + 2 * kMany));
    int told = 0;
    for (const int n : {0, 1}) {
      const auto record = Await({way, n});
      ASSERT_TRUE(record) << n << bench().Dump();
      EXPECT_EQ(record->done.bytes, kMany);
      const uint32_t error = Get(way, native::kError, n),
                     cause = Get(way, native::kErrorInfo, n) >> 16;
      if (lost && error == 0) {  // it had all that it waited for
        EXPECT_EQ(record->done.status, 0);
        continue;
      }
      ++told;
      EXPECT_EQ(error, kBusError | kFault) << n;
      EXPECT_TRUE(cause == kBusTime || (lost && (cause == kEarlyLast || cause == kLateLast)))
          << cause;
      EXPECT_EQ(Get(way, native::kErrorInfo, n),
                static_cast<uint32_t>(Number({way, n}, 1)) | cause << 16)
          << n;
      EXPECT_EQ(record->done.status, rtl::Status::kSlverr);
    }
    EXPECT_GE(told, lost ? 1 : 2);
    for (const int n : {0, 1}) {
      ASSERT_TRUE(Channel(way, n).Reset(driver::Timeout::Cycles(20000), true).ok())
          << bench().Dump();
      PopAll(way, n);
      Channel(way, n).TakeError();
    }
    for (const int n : {0, 1}) ExpectDone(Start({way, n}, 0, 0x10000, 700));
    if (HasFailure()) return;
  }
}

// Writers of one stream: an answer that comes too early is told to both.
TEST_P(Faults, OfWritersOfOneStreamAreToldToAllThatWait) {
  Proves({"fault.port"});
  Make();
  if (!config().guard || !config().route_dest)
    GTEST_SKIP() << "no guards, or a stream of its own for each channel";
  constexpr int kChannels = 2;
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(200);
  // The first burst is slow: the answer comes when both have addresses out, and none is due.
  options.memory.w = PacerSpec::Probability(0.01);
  options.faults = {{.kind = Kind::kEarlyAnswer, .from = kStart}};
  Make(options);
  bench().source(0).SetSides([](uint64_t packet, uint64_t) {
    return rtl::DescriptorSide{.dest = static_cast<uint8_t>(packet % kChannels)};
  });
  const auto expect = [&](uint64_t at) {
    for (int k = 0; k < kChannels; ++k) {
      Write(k, Copy(at + 0x4000 * static_cast<uint64_t>(k), 256));
      Push(kWrite, {.start = k}, k);
    }
  };
  const auto send = [&](uint8_t fill) {
    for (int k = 0; k < kChannels; ++k) {
      bench().source(0).Push(std::vector<uint8_t>(256, static_cast<uint8_t>(fill + k)),
                             PieceEnd::kLast);
    }
  };
  expect(0x10000);
  bench().Step(static_cast<int>(kStart - 400 - bench().cycle()));
  send(1);
  ASSERT_TRUE(bench().Until([&] { return !bench().hits().empty(); }, 4000));
  const auto told = [&](int k) { return (Get(kWrite, native::kError, k) & kBusError) != 0; };
  for (int n = 0; n < 2000 && !(told(0) && told(1)); ++n) bench().Step(20);
  bench().Step(100);
  int faults = 0;
  for (int k = 0; k < kChannels; ++k) {
    SCOPED_TRACE(k);
    // That a burst was lost is told to a channel that had asked for it, or was to ask for it.
    const uint32_t error = Get(kWrite, native::kError, k);
    EXPECT_EQ(error & ~kFault, kBusError);
    const uint32_t fault = Get(kWrite, native::kErrorInfo, k) >> 16;
    if ((error & kFault) != 0) {
      EXPECT_EQ(fault, kEarly);
    }
    faults += (error & kFault) != 0;
  }
  EXPECT_GT(faults, 0);
  EXPECT_EQ(Get(kRead, native::kError), 0U);
  for (int k = 0; k < kChannels; ++k) {
    ASSERT_TRUE(Channel(kWrite, k).Reset(driver::Timeout::Cycles(20000)).ok()) << bench().Dump();
    PopAll(kWrite, k);
    Channel(kWrite, k).TakeError();
  }
  expect(0x20000);
  send(0x71);
  for (int k = 0; k < kChannels; ++k) {
    const auto record = Await({kWrite, k});
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
    EXPECT_EQ(bench().memory().ReadBytes(0x20000 + 0x4000 * static_cast<uint64_t>(k), 256),
              std::vector<uint8_t>(256, static_cast<uint8_t>(0x71 + k)));
    EXPECT_EQ(Get(kWrite, native::kError, k), 0U);
  }
}

// What the partner of a write channel does to a beat that waits.
TEST_P(Faults, ABeatThatIsTakenBackOrChangedIsTold) {
  Proves({"fault.stream"});
  Make();
  if (!config().guard) GTEST_SKIP() << "no guards in this build";
  if (config().route_dest) GTEST_SKIP() << "a register in front of the channels takes the beats";
  enum class Misuse { kTakesBack, kChangesData, kChangesLast };
  for (const Misuse misuse : {Misuse::kTakesBack, Misuse::kChangesData, Misuse::kChangesLast}) {
    for (const bool give_up : {false, true}) {
      SCOPED_TRACE(fmt::format("{}{}", static_cast<int>(misuse), give_up ? ", given up" : ""));
      DmaBenchOptions options;
      options.memory = AxiMemoryOptions::Latency(12);
      options.memory.w = PacerSpec::Probability(0.3);  // makes beats wait
      const std::vector<Work> others = Prepare(kWrite, options);
      if (HasFatalFailure()) return;
      bool waited = false, back = false, done = false, begun = false;
      bench().Misuse(0, [&](StreamPort* pins) {
        if (std::exchange(back, false)) pins->valid = true;
        const bool held = waited && pins->waits();
        waited = pins->valid;
        if (done || !held || !begun) return;
        done = true;
        if (misuse == Misuse::kTakesBack) {
          pins->valid = false;
          back = true;
        } else if (misuse == Misuse::kChangesData) {
          pins->payload.data[0] ^= 4;
        } else {
          pins->payload.last = !pins->payload.last;
        }
      });
      const Work spoilt = Start({kWrite, 0}, 1, 0x1000, kMany);
      begun = true;  // before, no transfer is there to be named
      ASSERT_TRUE(bench().Until([&] { return done; }, 20000));
      ExpectError(kWrite, kFault, kStream, Number({kWrite, 0}, 1), 0, 200);
      if (HasFatalFailure()) return;
      ExpectAll(others);
      if (HasFatalFailure()) return;
      ExpectAll(StartOthers(kWrite, 0x8000));
      if (HasFatalFailure()) return;
      ExpectRecovery(kWrite, false, give_up);
      if (HasFailure()) return;
    }
  }
}

// The descriptor behind the transfer that is at fault was not loaded, and software has cleared
// that.
TEST_P(Faults, BehindADescriptorThatWasNotLoadedNameTheOldestTransfer) {
  Proves({"fault.stream", "program.error"});
  Make();
  if (!config().guard) GTEST_SKIP() << "no guards in this build";
  if (config().route_dest) GTEST_SKIP() << "a register in front of the channels takes the beats";
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(12);
  options.memory.w = PacerSpec::Probability(0.3);  // makes beats wait
  Make(options);
  const int first = First(kWrite);
  native::Descriptor descriptor = Copy(0x1000, 8000);  // more than the channel can hold
  descriptor.next = first + 1;                         // nobody has written it
  Write(first, descriptor);
  Push(kWrite, {.start = first});
  bench().source(0).Push(std::vector<uint8_t>(200, 1), PieceEnd::kOpen);
  ASSERT_TRUE(bench().Until([&] { return Get(kWrite, native::kError) != 0; }, 4000));
  EXPECT_EQ(Get(kWrite, native::kError), kLoadError);
  EXPECT_EQ(Get(kWrite, native::kErrorInfo), static_cast<uint32_t>(first + 1) | 32 << 8);
  Set(kWrite, native::kError, 0x7fff);
  bool waited = false, done = false;
  bench().Misuse(0, [&](StreamPort* pins) {
    if (!done && waited && pins->waits()) {
      pins->payload.data[0] ^= 4;
      done = true;
    }
    waited = pins->valid;
  });
  bench().source(0).Push(std::vector<uint8_t>(7800, 2), PieceEnd::kLast);
  ASSERT_TRUE(bench().Until([&] { return Get(kWrite, native::kError) != 0; }, 20000));
  EXPECT_EQ(Get(kWrite, native::kError), kFault);
  EXPECT_EQ(Get(kWrite, native::kErrorInfo), static_cast<uint32_t>(first) | kStream << 16);
}

INSTANTIATE_TEST_SUITE_P(Builds, Faults, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
