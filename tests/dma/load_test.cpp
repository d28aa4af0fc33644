// All channels at work at once: each gets its own behind any memory and beside a stream that stands
// still; a request to one channel, at any moment, leaves the others their bytes and their speed;
// attributes on the ports; rest.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint64_t kSpace = 0x20000;  // of a channel
constexpr uint32_t kBytes = 1500;     // of a transfer
constexpr int kTurns = 8;

class Loaded : public DmaTest {
 protected:
  struct Who {
    Direction way;
    int number;
    bool operator==(const Who&) const = default;
  };
  // Channels with a stream of their own.
  std::vector<Who> All() {
    std::vector<Who> all;
    for (int n = 0; n < config().reads; ++n) all.push_back({kRead, n});
    for (int n = 0; n < (config().route_dest ? 1 : config().writes); ++n)
      all.push_back({kWrite, n});
    return all;
  }
  std::vector<Who> Others(const Who& c) {
    std::vector<Who> others = All();
    std::erase(others, c);
    return others;
  }
  int Index(const Who& c) { return c.way == kRead ? c.number : config().reads + c.number; }
  uint64_t Base(const Who& c) { return 0x100000 + kSpace * static_cast<uint64_t>(Index(c)); }
  // The channel that an address on a port is of.
  Who Owner(Direction way, uint64_t addr) {
    const auto n = static_cast<int>((addr - 0x100000) / kSpace);
    return {way, way == kRead ? n : n - config().reads};
  }
  uint32_t Status(const Who& c) { return Get(c.way, native::kStatus, c.number); }
  void Control(const Who& c, uint32_t bits) { Set(c.way, native::kControl, bits, c.number); }
  bool Await(const Who& c, uint32_t mask, uint32_t value, int reads = 3000) {
    for (int n = 0; n < reads; ++n) {
      if ((Status(c) & mask) == value) return true;
    }
    return false;
  }

  // Fills a bench: `turns` copies for each channel, one behind the other. No record holds anything
  // up.
  void Begin(const DmaBenchOptions& options, int turns = kTurns, uint32_t bytes = kBytes) {
    Make(options);
    data_.clear();
    last_.clear();
    for (const Who& c : All()) Give(c, 0, turns, bytes);
    WatchStreams();
    for (const Who& c : All()) Start(c, turns);
  }
  void Give(const Who& c, uint64_t at, int turns, uint32_t bytes) {
    native::Descriptor d = Copy(Base(c) + at, bytes);
    d.iteration_size = turns;
    d.iteration_step = static_cast<int32_t>(bytes);
    d.no_record = true;
    Write(Index(c), d);
    std::vector<uint8_t> data(static_cast<size_t>(turns) * bytes);
    for (size_t n = 0; n < data.size(); ++n)
      data[n] = static_cast<uint8_t>((n * 7 + n / 251 + ++drawn_ / 1000) ^
                                     static_cast<uint64_t>(Index(c)) * 37);
    if (c.way == kRead) {
      bench().memory().Load(Base(c) + at, data);
      seen_[Index(c)] = bench().sink(c.number).bytes().size();
    } else {
      for (int t = 0; t < turns; ++t)
        bench().source(c.number).Push(
            std::span(data).subspan(static_cast<size_t>(t) * bytes, bytes), PieceEnd::kLast);
    }
    data_[Index(c)] = {Base(c) + at, std::move(data)};
  }
  void Start(const Who& c, int turns) {
    Set(c.way, native::kTask, native::Task{.start = Index(c), .repeats = turns}.Word(), c.number);
  }
  // The cycle in which the stream of each channel moved last.
  void WatchStreams() {
    bench().Watch([this](uint64_t cycle) {
      for (int k = 0; k < config().streams(); ++k) {
        const Dma::Streams& pins = bench().dma().streams(k);
        if (pins.m_axis.moves()) last_[k] = cycle;
        if (pins.s_axis.moves()) last_[config().reads + k] = cycle;
      }
      if (look_) look_();
    });
  }
  void Look(std::function<void()> look) { look_ = std::move(look); }
  // No channel of these has work left, and no error.
  void ExpectEnd(const std::vector<Who>& channels) {
    for (const Who& c : channels) {
      SCOPED_TRACE(Name(c));
      ASSERT_TRUE(Await(c, kBusy | kIdle, kIdle, 20000)) << bench().Dump();
      EXPECT_EQ(Get(c.way, native::kError, c.number), 0U);
    }
  }
  // Bytes of a range that were written.
  uint64_t Written(const AddressRange& range) {
    uint64_t bytes = 0;
    for (const AddressRange& r : bench().memory().TouchedRanges()) {
      const uint64_t first = std::max(r.first, range.first), last = std::min(r.last, range.last);
      if (first <= last) bytes += last - first + 1;
    }
    return bytes;
  }
  static std::string Name(const Who& c) {
    return fmt::format("{} channel {}", NameOf(c.way), c.number);
  }
  void ExpectData(const std::vector<Who>& channels) {
    for (const Who& c : channels) {
      const auto& [address, data] = data_[Index(c)];
      if (c.way == kRead) {
        const auto& all = bench().sink(c.number).bytes();
        EXPECT_TRUE(std::equal(all.begin() + static_cast<ptrdiff_t>(seen_[Index(c)]), all.end(),
                               data.begin(), data.end()))
            << Name(c) << ": " << all.size() - seen_[Index(c)] << " bytes of " << data.size();
      } else {
        EXPECT_TRUE(bench().memory().ReadBytes(address, data.size()) == data) << Name(c);
      }
    }
  }
  void ExpectDone(const std::vector<Who>& channels) {
    ExpectEnd(channels);
    ExpectData(channels);
  }
  // The channel works: a copy that nothing is left of in the tests.
  void ExpectWorks(const Who& c) {
    SCOPED_TRACE(Name(c));
    Set(c.way, native::kError, 0xffffffff, c.number);
    while (Get(c.way, native::kRecord, c.number) >> 31 != 0)
      Set(c.way, native::kRecordPop, 0, c.number);
    if (c.way == kWrite) {
      // What stands in front of it, at the pins or behind them, ends with this mark; packets that
      // were complete before end in front of that.
      std::vector<uint8_t> mark = {0xa5, 0x5a, 0xc3, 0x3c, 0x96, 0x69, 0x0f, ++marks_};
      bench().source(c.number).DiscardUnsent();
      bench().source(c.number).Push(mark, PieceEnd::kLast);
      native::Descriptor rest = Copy(Base(c) + 0x18000, 0x1000);
      rest.no_record = true;
      rest.transfer.finish = model::Finish::kLast;
      Write(Index(c), rest);
      for (int packets = 0;; ++packets) {
        ASSERT_LT(packets, 4) << "the mark did not come";
        Start(c, 1);
        ExpectEnd({c});
        const auto came = bench().memory().ReadBytes(rest.transfer.base, 0x1000);
        if (!std::ranges::search(came, mark).empty()) break;
      }
    }
    const native::Descriptor d = Copy(Base(c) + 0x10000, 700);
    Write(Index(c), d);
    std::vector<uint8_t> data(700);
    for (auto& byte : data) byte = static_cast<uint8_t>(++drawn_ * 11 / 3);
    if (c.way == kRead) {
      bench().memory().Load(d.transfer.base, data);
      seen_[Index(c)] = bench().sink(c.number).bytes().size();
    } else {
      bench().source(c.number).Push(data, PieceEnd::kLast);
    }
    data_[Index(c)] = {d.transfer.base, data};
    Start(c, 1);
    ExpectDone({c});
    Set(c.way, native::kRecordPop, 0, c.number);
  }

  // The cycles in which the streams of the others moved last, if nothing happens to any channel.
  std::map<int, uint64_t> Undisturbed() {
    Begin(Slow());
    ExpectDone(All());
    return last_;
  }
  void ExpectNotSlower(const std::vector<Who>& channels, std::map<int, uint64_t> before) {
    // Who comes last is chance.
    const auto slack = static_cast<uint64_t>(2 * config().channel.max_burst + 20);
    for (const Who& c : channels) EXPECT_LE(last_[Index(c)], before[Index(c)] + slack) << Name(c);
  }
  static DmaBenchOptions Slow() {
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(20);
    return options;
  }
  const std::vector<int> moments_{1, 15, 22, 33, 53, 69, 92, 132, 169, 325};

  std::map<int, std::pair<uint64_t, std::vector<uint8_t>>> data_;
  std::map<int, uint64_t> last_;
  std::map<int, size_t> seen_;

 private:
  std::function<void()> look_;
  uint64_t drawn_ = 0;
  uint8_t marks_ = 0;
};

// ---- Each its own

// All of a port and direction have one ID, and that of its owner is not needed.
TEST_P(Loaded, BurstsOfAPortHaveOneId) {
  Proves({"port.order"});
  Begin(Slow(), 3);
  std::map<int, int> ids;
  uint64_t addresses = 0;
  Look([&] {
    for (int p = 0; p < config().ports; ++p) {
      const AxiPort& port = bench().dma().port(p);
      const auto same = [&](int key, int id) { EXPECT_EQ(ids.emplace(key, id).first->second, id); };
      if (port.ar.valid) same(2 * p, port.ar->id);
      if (port.aw.valid) same(2 * p + 1, port.aw->id);
      addresses += port.ar.moves() + port.aw.moves();
    }
  });
  ExpectDone(All());
  EXPECT_GT(addresses, 2U * All().size());
}

// A stream that does not take, or stops giving in the middle of a burst.
TEST_P(Loaded, AStreamThatStandsStillHoldsUpNoOtherChannel) {
  Proves({"port.isolation"});
  const std::map<int, uint64_t> before = Undisturbed();
  for (const Who& still : {Who{kRead, 0}, Who{kWrite, 0}}) {
    SCOPED_TRACE(Name(still));
    Begin(Slow());
    const auto hold = [&](bool on) {
      still.way == kRead ? bench().sink(0).Hold(on) : bench().source(0).Hold(on);
    };
    bench().Step(77);
    hold(true);
    ExpectDone(Others(still));
    ExpectNotSlower(Others(still), before);
    bench().Step(1000);
    EXPECT_NE(Status(still) & kBusy, 0U);
    hold(false);
    ExpectDone({still});
    if (HasFailure()) return;
  }
}

// Records that software does not take hold up their channel alone.
TEST_P(Loaded, RecordsThatAreNotTakenHoldUpNoOtherChannel) {
  Proves({"port.isolation"});
  Make();
  const std::vector<Who> all = All();
  const int turns = config().queue_depth + 40;
  for (const Who& still : {Who{kRead, 0}, Who{kWrite, 0}}) {
    SCOPED_TRACE(Name(still));
    Begin(Slow());
    ExpectDone(all);
    const int free = config().descriptors - 1;
    Write(free, Copy(Base(still), 8));
    if (still.way == kWrite)
      bench().source(0).Push(std::vector<uint8_t>(static_cast<size_t>(8 * turns), 1),
                             PieceEnd::kOpen);
    Set(still.way, native::kTask, native::Task{.start = free, .repeats = turns}.Word());
    bench().Step(2000);
    EXPECT_EQ(Waits(still.way), native::Wait::kRecord);
    for (const Who& c : Others(still)) {
      Give(c, 0x8000, 4, 1000);
      Start(c, 4);
    }
    for (const Who& c : Others(still)) {
      ASSERT_TRUE(Await(c, kBusy | kIdle, kIdle, 20000)) << Name(c) << bench().Dump();
    }
    EXPECT_EQ(Waits(still.way), native::Wait::kRecord);
    if (HasFailure()) return;
  }
}

// What read channel k gives is what write channel k + 1 takes, through streams with hardly any
// room, on a memory that serves one burst at a time: writes wait for reads of other channels, in a
// circle.
TEST_P(Loaded, WritesWaitForReadsInACircle) {
  Proves({"port.no-deadlock"});
  using Service = AxiMemoryOptions::Service;
  for (const Service service : {Service::kOneQueued, Service::kOneStrict, Service::kOneBuffered}) {
    SCOPED_TRACE(NameOf(service));
    DmaBenchOptions options;
    options.memory.service = service;
    Make(options);
    if (config().route_dest) GTEST_SKIP() << "all packets come on one stream";
    const int pairs = std::min(config().reads, config().writes);
    constexpr uint32_t kAll = 3000;
    std::vector<std::vector<uint8_t>> sent;
    for (int k = 0; k < pairs; ++k) {
      const Who from{kRead, k}, to{kWrite, k};
      sent.push_back(Load(Base(from), kAll));
      Write(Index(from), Copy(Base(from), kAll));
      Write(Index(to), Copy(Base(to), kAll));
    }
    for (const Direction way : {kRead, kWrite}) {
      for (int k = 0; k < pairs; ++k) Start({way, k}, 1);
    }
    std::vector<size_t> passed(static_cast<size_t>(pairs));
    const bool done = bench().Until(
        [&] {
          bool all = true;
          for (int k = 0; k < pairs; ++k) {
            const auto& bytes = bench().sink(k).bytes();
            size_t& to = passed[static_cast<size_t>(k)];
            if (bytes.size() > to) {
              bench()
                  .source((k + 1) % pairs)
                  .Push(std::span(bytes).subspan(to),
                        bytes.size() == kAll ? PieceEnd::kLast : PieceEnd::kOpen);
              to = bytes.size();
            }
            all = all && to == kAll && bench().source(k).empty();
          }
          return all;
        },
        400000);
    ASSERT_TRUE(done) << bench().Dump();
    for (int k = 0; k < pairs; ++k) {
      const int to = (k + 1) % pairs;
      ASSERT_TRUE(WaitRecord(kWrite, to)) << k;
      EXPECT_EQ(bench().memory().ReadBytes(Base({kWrite, to}), kAll), sent[static_cast<size_t>(k)]);
    }
  }
}

TEST_P(Loaded, AttributesAreThoseOfTheChannel) {
  Proves({"port.attributes"});
  Make();
  const auto standing = [](const Who& c, int shift) {
    return static_cast<uint8_t>(shift + 3 * c.number + (c.way == kRead ? 0 : 7));
  };
  for (const Who& c : All()) {
    ASSERT_TRUE(Channel(c.way, c.number)
                    .SetStanding(1, standing(c, 1) & 15, standing(c, 2) & 15, standing(c, 3) & 7, 0)
                    .ok());
    Give(c, 0, 2, 500);
  }
  std::map<std::pair<Direction, int>, int> addresses;
  Look([&] {
    for (int p = 0; p < config().ports; ++p) {
      const auto same = [&](Direction way, const tessera::Channel<AxiAddress>& pins) {
        if (!pins.valid) return;
        const Who c = Owner(way, pins->addr);
        EXPECT_EQ(pins->qos, standing(c, 1) & 15) << Name(c);
        EXPECT_EQ(pins->cache, standing(c, 2) & 15) << Name(c);
        EXPECT_EQ(pins->prot, standing(c, 3) & 7) << Name(c);
        ++addresses[{way, c.number}];
      };
      same(kRead, bench().dma().port(p).ar);
      same(kWrite, bench().dma().port(p).aw);
    }
  });
  WatchStreams();
  for (const Who& c : All()) Start(c, 2);
  ExpectDone(All());
  EXPECT_EQ(addresses.size(), All().size());
}

// ---- Requests to one channel

TEST_P(Loaded, APausedChannelRequestsNothingAndGoesOn) {
  Proves({"control.pause"});
  int held_back = 0;  // late, all has been requested
  const std::map<int, uint64_t> before = Undisturbed();
  for (const Who& c : {Who{kRead, 0}, Who{kWrite, 0}}) {
    for (const int moment : moments_) {
      SCOPED_TRACE(fmt::format("{}, {} cycles", Name(c), moment));
      Begin(Slow());
      bench().Step(moment);
      Control(c, kPause);
      ASSERT_TRUE(Await(c, kPaused, kPaused));
      int shown = 0;
      Look([&] {
        for (int p = 0; p < config().ports; ++p) {
          const AxiPort& port = bench().dma().port(p);
          shown += c.way == kRead ? port.ar.valid && Owner(kRead, port.ar->addr) == c
                                  : port.aw.valid && Owner(kWrite, port.aw->addr) == c;
        }
      });
      ExpectDone(Others(c));
      ExpectNotSlower(Others(c), before);
      bench().Step(300);
      EXPECT_EQ(shown, 0);
      EXPECT_NE(Status(c) & kPaused, 0U);
      held_back += (Status(c) & kBusy) != 0;
      Look(nullptr);
      Control(c, 0);
      ExpectDone({c});
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(held_back, 10);
}

TEST_P(Loaded, ADrainedChannelEndsWhatItHasAndTakesNoMore) {
  Proves({"control.drain"});
  const std::map<int, uint64_t> before = Undisturbed();
  int held_back = 0;
  for (const Who& c : {Who{kRead, 0}, Who{kWrite, 0}}) {
    for (const int moment : moments_) {
      SCOPED_TRACE(fmt::format("{}, {} cycles", Name(c), moment));
      Begin(Slow());
      bench().Step(moment);
      Control(c, kDrain);
      ASSERT_TRUE(Await(c, kIdle, kIdle, 20000));
      const auto moved = [&] {
        const AddressRange all{Base(c), Base(c) + kTurns * kBytes - 1};
        return c.way == kRead ? bench().sink(0).bytes().size() : Written(all);
      };
      const size_t bytes = moved();
      EXPECT_EQ(bytes % kBytes, 0U);
      held_back += (Status(c) & kBusy) != 0;
      ExpectDone(Others(c));
      ExpectNotSlower(Others(c), before);
      EXPECT_EQ(moved(), bytes);
      Control(c, 0);
      ExpectDone({c});
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(held_back, 0);
}

// A reset at once, on top of an abort, and on top of a pause.
TEST_P(Loaded, AnAbortOrAResetLeavesTheOthersAloneAndTheChannelWorksAgain) {
  Proves({"control.abort", "control.reset", "port.isolation"});
  struct Request {
    uint32_t first, second;
  };
  const std::map<int, uint64_t> before = Undisturbed();
  for (const Who& c : {Who{kRead, 0}, Who{kWrite, 0}}) {
    for (const auto& [first, second] :
         {Request{kAbort, 0}, {0, kReset}, {kAbort, kReset}, {kPause, kReset}}) {
      for (const int moment : moments_) {
        SCOPED_TRACE(fmt::format("{} {} behind {}, {} cycles", Name(c), second, first, moment));
        Begin(Slow());
        bench().Step(moment);
        if (first != 0) Control(c, first);
        if (second != 0) Control(c, first | second);
        ASSERT_TRUE(second == 0 ? Await(c, kBusy | kIdle, kIdle) : Await(c, kInReset, kInReset));
        Control(c, 0);
        ASSERT_TRUE(Await(c, kInReset | kBusy | kIdle, kIdle));
        ExpectDone(Others(c));
        ExpectNotSlower(Others(c), before);
        ASSERT_EQ(Get(c.way, native::kError, c.number) & ~kAborted, 0U);
        ExpectWorks(c);
        if (HasFailure()) return;
      }
    }
  }
}

// A stream that stands still does not keep a channel from its reset.
TEST_P(Loaded, AResetNeedsNeitherStreamNorRecords) {
  Proves({"control.reset"});
  for (const Who& c : {Who{kRead, 0}, Who{kWrite, 0}}) {
    SCOPED_TRACE(Name(c));
    Begin(Slow());
    if (c.way == kRead) {
      bench().MayTakeBack(0);
      bench().sink(0).Hold(true);
    } else {
      bench().source(0).Hold(true);
    }
    bench().Step(500);
    Control(c, kReset);
    ASSERT_TRUE(
        Await(c, kInReset, kInReset, 2 * config().silence() + config().stream_silence() + 1000))
        << bench().Dump();
    Control(c, 0);
    ExpectDone(Others(c));
    bench().sink(0).Hold(false);
    bench().source(0).Hold(false);
    bench().Step(20);
    ExpectWorks(c);
    if (HasFailure()) return;
  }
}

// ---- Rest

TEST_P(Loaded, EverythingComesToRestAndWorksAgain) {
  Proves({"control.quiesce"});
  for (const int moment : moments_) {
    SCOPED_TRACE(moment);
    Begin(Slow());
    bench().Step(moment);
    bench().Set(native::kGlobalControl, kQuiesce);
    for (int n = 0; (bench().Get(native::kGlobalStatus) & kQuiet) == 0; ++n)
      ASSERT_LT(n, 1000) << bench().Dump();
    int shown = 0;
    Look([&] {
      for (int p = 0; p < config().ports; ++p) {
        const AxiPort& port = bench().dma().port(p);
        shown += port.ar.valid + port.r.valid + port.aw.valid + port.w.valid + port.b.valid;
      }
    });
    bench().Step(300);
    EXPECT_EQ(shown, 0);
    EXPECT_EQ(bench().Get(native::kGlobalStatus) & (kQuiet | kTimedOut), kQuiet);
    Look(nullptr);
    bench().Set(native::kGlobalControl, 0);
    for (const Who& c : All()) {
      Control(c, kReset);
      ASSERT_TRUE(Await(c, kInReset, kInReset, config().silence() + 1000)) << bench().Dump();
      Control(c, 0);
      ASSERT_TRUE(Await(c, kInReset | kBusy | kIdle, kIdle));
      ExpectWorks(c);
    }
    if (HasFailure()) return;
  }
}

TEST_P(Loaded, AMemoryThatIsStuckIsTold) {
  Proves({"control.quiesce-timeout"});
  for (const bool reads : {true, false}) {
    DmaBenchOptions options;
    (reads ? options.memory.r : options.memory.b) = PacerSpec::Never();
    SCOPED_TRACE(reads);
    Begin(options);
    bench().Step(800);
    bench().Set(native::kGlobalControl, kQuiesce);
    EXPECT_TRUE(bench().Until([&] { return (bench().Get(native::kGlobalStatus) & kTimedOut) != 0; },
                              static_cast<uint64_t>(2 * config().silence() + 1000)));
    EXPECT_EQ(bench().Get(native::kGlobalStatus) & kQuiet, 0U);
  }
}

// One that is slow is not stuck.
TEST_P(Loaded, AMemoryThatIsSlowIsNotStuck) {
  Proves({"control.quiesce-timeout"});
  Make();
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(static_cast<uint32_t>(config().silence() - 100));
  Begin(options, 1, 64);
  bench().Step(100);
  bench().Set(native::kGlobalControl, kQuiesce);
  for (int n = 0; (bench().Get(native::kGlobalStatus) & kQuiet) == 0; ++n) {
    ASSERT_LT(n, 5000);
    EXPECT_EQ(bench().Get(native::kGlobalStatus) & kTimedOut, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Loaded, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
