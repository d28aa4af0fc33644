// Every cause of ERROR, provoked and recovered from without a reset of the whole: a row a cause.
//
// Causes that the driver can give are provoked through it, and it recovers from all. By registers:
// what it refuses.
#include <fmt/format.h>

#include <functional>

#include "tb/bus/axi_errors.h"
#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint64_t kBad = 0x7000;  // where the memory answers with an error, if a row asks for that
constexpr uint64_t kFormer = 0x9000;  // where it always does
constexpr uint64_t kList = 0x20000, kEnd = uint64_t{1} << 40;
constexpr uint64_t kOutside = 0x200000;  // of the window that Narrow() sets
constexpr uint64_t kOthers = 0x100000;   // lists and data of channels that work on

class Errors;
using Needs = std::function<bool(const DmaConfig&)>;
struct Row {
  const char* name;
  Direction direction;
  uint32_t causes;  // of ERROR, no other
  uint32_t reason = 0, fault = 0;
  // After the first one of the channel; nothing: ERROR_INFO names no descriptor.
  std::optional<int> descriptor = {};
  uint64_t address = 0;
  std::optional<AxiResponse> response = {};  // of the memory at kBad
  Needs needs = {};
  std::function<void(Errors&)> provoke = {};
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

class Errors : public DmaTestOf<std::tuple<std::string, Row>> {
 public:
  const Row& row() const { return std::get<1>(GetParam()); }
  Direction way() const { return row().direction; }
  uint32_t at() { return native::Channel(way(), 0); }
  uint32_t Get(uint32_t offset) { return bench().Get(at() + offset); }
  void Set(uint32_t offset, uint32_t value) { bench().Set(at() + offset, value); }
  Software::Channel& driver() { return Channel(way()); }
  int FirstOne() { return First(way()); }
  void Put(const native::Descriptor& d) { Write(FirstOne(), d); }
  // A task of what the driver refuses.
  void RunByRegister(const native::Descriptor& d) {
    EXPECT_THROW(Put(d), std::runtime_error);
    const native::Image image = native::Encode(d);
    const auto write = [&](uint32_t bank, const native::Words& words, size_t count) {
      const uint32_t at = bank + 0x40 * static_cast<uint32_t>(FirstOne());
      for (size_t n = 0; n < count; ++n) bench().Set(at + 4 * static_cast<uint32_t>(n), words[n]);
    };
    if (image.bounds) write(native::kBounds, *image.bounds, 11);
    if (image.walk) write(native::kWalks, *image.walk, 9);
    write(native::kDescriptors, image.base, 16);
    Start();
  }
  uint32_t Word(int n) {
    return native::kDescriptors + 0x40 * static_cast<uint32_t>(FirstOne()) +
           4 * static_cast<uint32_t>(n);
  }
  // A task of a descriptor with this bit in its last word.
  void RunWithBit(int bit) {
    Put(Copy(0x1000, 8));
    bench().Set(Word(15), 1U << 31 | 1U << bit);
    Start();
  }
  void Start() { Push(way(), {.start = FirstOne()}); }
  void Run(const native::Descriptor& d) {
    Put(d);
    Start();
  }
  void Feed(size_t bytes, PieceEnd end = PieceEnd::kLast) {
    bench().source(0).Push(std::vector<uint8_t>(bytes, 0x33), end);
  }
  // A packet of so many bytes for a transfer of eight.
  void RunToLast(size_t bytes, int elem = 1) {
    native::Descriptor d = Copy(0x4000, 8);
    d.transfer.stride[0] = d.transfer.elem = elem;
    d.transfer.finish = model::Finish::kLast;
    Feed(bytes);
    Run(d);
  }
  void ExpectRefused(uint32_t task) { EXPECT_FALSE(bench().Write(at() + native::kTask, task)); }
  // An array of one descriptor.
  void RunList(uint64_t base) {
    software().SetArray(way(), 0, base, std::vector<native::Descriptor>{Copy(0x1000, 8)});
    Push(way(), {.from_list = true});
  }
  // A list that the driver does not make.
  void ListByRegister(uint64_t base, uint32_t count, uint32_t control = 2 << 4) {
    bench().Set64(at() + native::kListBase, base);
    Set(native::kListCount, count);
    Set(native::kListControl, control);
    Set(native::kTask, native::Task{.from_list = true}.Word());
  }
  // An array of one descriptor that leaves its completion entry at `entries`.
  void ListWithEntries(uint64_t entries) {
    LoadList(Copy(0x1000, 8));
    StartList(way(), {kList, 1, entries});
  }
  void LoadList(const native::Descriptor& d) {
    native::Load(&bench().memory(), kList, std::vector<native::Descriptor>{d});
  }
  // Permits the channel the first MiB alone.
  void Narrow() { software().SetWindow(way(), 0, 0, 0x000ff000); }

  // Lists of other channels: those of channel 0 of the other direction, and of the next one of this
  // direction, if there is one. Each copies what Start() has loaded, or pushed into its stream.
  struct Other {
    Direction way;
    int number;
    uint64_t base = 0;
    std::vector<uint8_t> data = {};
    size_t seen = 0;  // by the sink before
  };
  std::vector<Other> StartOthers(int round) {
    const bool reads = way() == kRead;
    std::vector<Other> others{{reads ? kWrite : kRead, 0}};
    if ((reads ? config().reads : config().writes) > 1) others.push_back({way(), 1});
    for (Other& other : others) StartOther(&other, round);
    return others;
  }
  // A good record, and its data.
  void ExpectDone(const Other& job) {
    SCOPED_TRACE(fmt::format("{} channel {}", NameOf(job.way), job.number));
    const auto record = WaitRecord(job.way, job.number);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
    EXPECT_TRUE(record->task_end());
    if (job.way == kRead) {
      const auto& bytes = bench().sink(job.number).bytes();
      EXPECT_EQ(
          std::vector<uint8_t>(bytes.begin() + static_cast<std::ptrdiff_t>(job.seen), bytes.end()),
          job.data);
    } else {
      EXPECT_EQ(bench().memory().ReadBytes(job.base, job.data.size()), job.data);
    }
    EXPECT_EQ(bench().Get(native::Channel(job.way, job.number) + native::kError), 0U);
  }
  void Provide(Other* job, uint64_t base, uint32_t bytes, int seed) {
    job->base = base;
    for (uint32_t n = 0; n < bytes; ++n)
      job->data.push_back(static_cast<uint8_t>(n * 5 + n / 256 + static_cast<uint32_t>(seed)));
    if (job->way == kRead) {
      bench().memory().Load(base, job->data);
      job->seen = bench().sink(job->number).bytes().size();
    } else {
      bench().source(job->number).Push(job->data, PieceEnd::kLast);
    }
  }

 private:
  // Of its descriptors the last one alone has a record.
  void StartOther(Other* other, int round) {
    constexpr uint32_t kCount = 20, kBytes = 64;
    const auto place = static_cast<uint64_t>(2 * other->number + (other->way == kRead ? 1 : 0));
    const uint64_t base = kOthers + 0x10000 * place;
    Provide(other, base + 0x4000 + 0x1000 * static_cast<uint64_t>(round), kCount * kBytes, round);
    std::vector<native::Descriptor> list;
    for (uint32_t n = 0; n < kCount; ++n) {
      list.push_back(Copy(other->base + uint64_t{kBytes} * n, kBytes));
      list.back().no_record = n + 1 < kCount;
    }
    software().SetArray(other->way, other->number, base, list);
    Push(other->way, {.from_list = true}, other->number);
  }
};

bool Always(const DmaConfig&) { return true; }
bool HasLists(const DmaConfig& c) { return c.lists; }
bool HasLocks(const DmaConfig& c) { return c.locks > 0; }
bool HasFewLocks(const DmaConfig& c) { return c.locks < 64; }
bool HasWindows(const DmaConfig& c) { return c.windows > 0; }
bool HasListsAndWindows(const DmaConfig& c) { return c.lists && c.windows > 0; }
bool HasListsOf40Bits(const DmaConfig& c) { return c.lists && c.channel.addr_width == 40; }

using Provoke = std::function<void(Errors&)>;

// A descriptor that is not loaded, for a reason of the manual.
Row NotLoaded(const char* name, Direction way, uint32_t reason, const Needs& needs,
              const Provoke& provoke) {
  return {.name = name,
          .direction = way,
          .causes = kLoadError,
          .reason = reason,
          .descriptor = 0,
          .needs = needs,
          .provoke = provoke};
}
Row OfAList(const char* name, Direction way, uint32_t reason, uint64_t address, const Needs& needs,
            const Provoke& provoke, std::optional<AxiResponse> response = {}) {
  Row row = NotLoaded(name, way, reason, needs, provoke);
  row.causes = kLoadError | kListError;
  row.address = address;
  row.response = response;
  return row;
}
Row OfAnEntry(const char* name, Direction way, uint32_t reason, uint64_t address,
              const Needs& needs, const Provoke& provoke,
              std::optional<AxiResponse> response = {}) {
  Row row = OfAList(name, way, reason, address, needs, provoke, response);
  row.causes = kEntryError;
  return row;
}
Row OfTheBus(const char* name, Direction way, AxiResponse response, const Provoke& provoke,
             uint32_t causes = kBusError, uint32_t fault = 0) {
  return {.name = name,
          .direction = way,
          .causes = causes,
          .fault = fault,
          .descriptor = 0,
          .address = kBad,
          .response = response,
          .needs = Always,
          .provoke = provoke};
}
// What came on the stream of a write channel, or did not.
Row OfTheStream(const char* name, uint32_t causes, const Provoke& provoke) {
  return {.name = name,
          .direction = kWrite,
          .causes = causes,
          .descriptor = 0,
          .needs = Always,
          .provoke = provoke};
}
// No descriptor is named.
Row Unnamed(const char* name, Direction way, uint32_t causes, const Needs& needs,
            const Provoke& provoke) {
  return {.name = name, .direction = way, .causes = causes, .needs = needs, .provoke = provoke};
}

std::vector<Row> Rows() {
  Row no_such = NotLoaded(
      "NoSuchDescriptor", kRead, 33, [](const DmaConfig& c) { return c.descriptors < 256; },
      [](Errors& t) { t.Set(native::kTask, 255); });
  no_such.descriptor = 255;
  Row denied = Unnamed("OutsideTheWindows", kRead, kDenied, HasWindows, [](Errors& t) {
    t.Narrow();
    t.Run(t.Copy(kOutside, 8));
  });
  denied.descriptor = 0;
  denied.address = kOutside;
  const auto not_triggers = [](const DmaConfig& c) { return !c.triggers; };
  const auto not_tokens = [](const DmaConfig& c) { return !c.tokens; };
  const auto not_lists = [](const DmaConfig& c) { return !c.lists; };
  const auto not_headers = [](const DmaConfig& c) { return !c.headers(); };
  const auto not_bounds = [](const DmaConfig& c) { return !c.channel.bounds; };
  const auto not_walk = [](const DmaConfig& c) { return !c.channel.walk; };
  const auto narrow = [](const DmaConfig& c) { return c.channel.addr_width < 64; };
  const auto triggers = [](const DmaConfig& c) { return c.triggers; };
  return {
      no_such,
      denied,
      NotLoaded("NeverWritten", kRead, 32, Always, [](Errors& t) { t.Start(); }),
      NotLoaded("ChangedAfterItsLastWord", kWrite, 32, Always,
                [](Errors& t) {
                  t.Put(t.Copy(0x1000, 8));
                  t.bench().Set(t.Word(2), 9);
                  t.Start();
                }),
      NotLoaded("NoSuchLock", kRead, 34, HasFewLocks,
                [](Errors& t) {
                  native::Descriptor d = t.Copy(0x1000, 8);
                  d.acquire = native::LockOp{63, -1};
                  t.RunByRegister(d);
                }),
      NotLoaded("NoSuchLockToRelease", kWrite, 34, HasFewLocks,
                [](Errors& t) {
                  native::Descriptor d = t.Copy(0x1000, 8);
                  d.release = native::LockOp{t.config().locks, 1};
                  t.RunByRegister(d);
                }),
      NotLoaded("MoreThanALockHolds", kRead, 34, HasLocks,
                [](Errors& t) {
                  native::Descriptor d = t.Copy(0x1000, 8);
                  d.acquire = native::LockOp{0, -64};
                  t.RunByRegister(d);
                }),
      NotLoaded("NoPacketHeaders", kRead, 35, not_headers, [](Errors& t) { t.RunWithBit(11); }),
      NotLoaded("NoBounds", kWrite, 35, not_bounds, [](Errors& t) { t.RunWithBit(14); }),
      NotLoaded("NoTraversal", kRead, 35, not_walk, [](Errors& t) { t.RunWithBit(15); }),
      NotLoaded("AReservedBit", kWrite, 38, Always, [](Errors& t) { t.RunWithBit(30); }),
      NotLoaded("AnElementWiderThanTheBus", kRead, 1, Always,
                [](Errors& t) {
                  native::Descriptor d = t.Copy(0x1000, 1);
                  d.transfer.elem = 2 * t.config().channel.data_bytes;
                  d.transfer.stride[0] = d.transfer.elem;
                  t.RunByRegister(d);
                }),
      NotLoaded("ABaseBeyondTheAddressSpace", kWrite, 4, narrow,
                [](Errors& t) {
                  t.RunByRegister(t.Copy(uint64_t{1} << t.config().channel.addr_width, 8));
                }),
      NotLoaded("ARowThatIsTooLong", kWrite, 5, Always,
                [](Errors& t) {
                  native::Descriptor d = t.Copy(0x1000, 0x40000000);
                  d.transfer.stride[0] = d.transfer.elem = 4;
                  t.RunByRegister(d);
                }),
      NotLoaded("ALengthThatIsTooLong", kRead, 6, Always,
                [](Errors& t) {
                  native::Descriptor d = t.Copy(0x1000, 8);
                  d.transfer.stride[0] = d.transfer.elem = 4;
                  d.transfer.length = 0x40000000;
                  t.RunByRegister(d);
                }),
      Unnamed("NoTriggers", kRead, kRefused, not_triggers,
              [](Errors& t) {
                for (const uint32_t bit : {26, 27}) t.ExpectRefused(1U << bit);
              }),
      Unnamed("NoTokens", kRead, kRefused, not_tokens,
              [](Errors& t) { t.ExpectRefused(1U << 25); }),
      Unnamed("NoLists", kWrite, kRefused, not_lists, [](Errors& t) { t.ExpectRefused(1U << 28); }),
      Unnamed("AFullTaskQueue", kWrite, kRefused, Always,
              [](Errors& t) {
                t.Put(t.Copy(0x4000, 8));
                const uint32_t task = native::Task{.start = t.FirstOne()}.Word();
                int n = 0;
                for (; n < 100 && t.bench().Write(t.at() + native::kTask, task); ++n)
                  t.bench().Step(20);
                for (; n > 0; --n) t.Feed(8);
              }),
      OfTheBus("SlverrOfARead", kRead, kSlvErr, [](Errors& t) { t.Run(t.Copy(kBad - 16, 64)); }),
      OfTheBus("DecerrOfARead", kRead, kDecErr, [](Errors& t) { t.Run(t.Copy(kBad, 64)); }),
      OfTheBus("SlverrOfTheLastBeat", kRead, kSlvErr,
               [](Errors& t) { t.Run(t.Copy(kBad - 16, 24)); }),
      OfTheBus("SlverrOfAWrite", kWrite, kSlvErr,
               [](Errors& t) {
                 t.Feed(32);
                 t.Run(t.Copy(kBad, 32));
               }),
      OfTheBus(
          "ABusErrorThatStops", kRead, kSlvErr,
          [](Errors& t) {
            EXPECT_TRUE(t.driver().StopOn(registers::entry::Status::kSlverrMask).ok());
            t.Run(t.Copy(kBad, 16));
          },
          kBusError | kFault, 9),  // behind the bus error
      OfTheStream("Overlong", kOverlong, [](Errors& t) { t.RunToLast(40); }),
      OfTheStream("PartialElement", kPartial, [](Errors& t) { t.RunToLast(6, 4); }),
      OfTheStream("SparseKeep", kSparse,
                  [](Errors& t) {
                    t.Feed(3, PieceEnd::kBeat);
                    t.Feed(5);
                    t.Run(t.Copy(0x4000, 8));
                  }),
      OfTheStream("Aborted", kAborted,
                  [](Errors& t) {
                    const auto beat = static_cast<uint32_t>(t.config().channel.stream_bytes);
                    t.Feed(beat, PieceEnd::kBeat);
                    t.Run(t.Copy(0x4000, 4 * beat));
                    t.bench().Step(100);
                    t.Set(native::kControl, 1u << 2);  // the driver's call takes the error back
                    t.bench().Step(100);
                    t.Set(native::kControl, 0);
                  }),
      OfTheStream("ARecordThatStops", kOverlong | kFault,  // the record is the first error
                  [](Errors& t) {
                    EXPECT_TRUE(t.driver().StopOn(registers::entry::Status::kOverlongMask).ok());
                    t.RunToLast(40);
                  }),
      Unnamed("LockOverflow", kRead, kLockOver, HasLocks,
              [](Errors& t) {
                t.software().SetLock(0, 60);
                native::Descriptor d = t.Copy(0x1000, 8);
                d.release = {0, 4};
                t.Run(d);
              }),
      Unnamed("LockUnderflow", kRead, kLockUnder, HasLocks,
              [](Errors& t) {
                native::Descriptor d = t.Copy(0x1000, 8);
                d.release = {0, -1};
                t.Run(d);
              }),
      Unnamed("AMissedTrigger", kRead, kMissed, triggers,
              [](Errors& t) {
                EXPECT_TRUE(t.driver().SetTrigger(driver::TriggerSource::Software(3)).ok());
                EXPECT_TRUE(t.software().device().Trigger(3).ok());
                t.bench().Step(10);
                EXPECT_TRUE(t.software().device().Trigger(3).ok());
              }),
      OfAList(
          "SlverrOfAList", kRead, 36, kBad, HasLists, [](Errors& t) { t.RunList(kBad); }, kSlvErr),
      OfAList(
          "DecerrOfAList", kWrite, 39, kBad, HasLists, [](Errors& t) { t.RunList(kBad); }, kDecErr),
      OfAList("AListOutsideTheWindows", kRead, 37, kOutside, HasListsAndWindows,
              [](Errors& t) {
                t.Narrow();
                t.RunList(kOutside);
              }),
      OfAList("AListThatIsNotAligned", kRead, 40, kList, HasLists,
              [](Errors& t) { t.ListByRegister(kList + 32, 1); }),
      OfAList("AListThatEndsBeyondTheAddressSpace", kRead, 40, kEnd - 64, HasListsOf40Bits,
              [](Errors& t) { t.ListByRegister(kEnd - 64, 2, 0); }),
      OfAList("AListWithoutDescriptors", kWrite, 41, kList, HasLists,
              [](Errors& t) { t.ListByRegister(kList, 0); }),
      OfAList("ATailBeyondTheRing", kRead, 42, kList, HasLists,
              [](Errors& t) {
                t.ListByRegister(kList, 4, 2 << 4 | 1);
                t.Set(native::kListTail, 4);
              }),
      OfAList("AnExtensionThatThePitchHasNoRoomFor", kRead, 43, kList, HasLists,
              [](Errors& t) {
                native::Descriptor d = t.Copy(0x1000, 8);
                d.transfer.bound[0] = 5;
                t.LoadList(d);
                t.ListByRegister(kList, 1, 0);
              }),
      OfAList("ADescriptorOfAListThatIsNotValid", kWrite, 32, kList, HasLists,
              [](Errors& t) {
                t.bench().memory().Fill(kList, 64, 0);
                t.ListByRegister(kList, 1);
              }),
      OfAnEntry(
          "SlverrOfACompletionEntry", kRead, 51, kBad, HasLists,
          [](Errors& t) { t.ListWithEntries(kBad); }, kSlvErr),
      OfAnEntry(
          "DecerrOfACompletionEntry", kWrite, 52, kBad, HasLists,
          [](Errors& t) {
            t.Feed(8);
            t.ListWithEntries(kBad);
          },
          kDecErr),
      OfAnEntry("CompletionEntriesThatAreNotAligned", kRead, 49, 0x7020, HasLists,
                [](Errors& t) { t.ListWithEntries(0x7020); }),
      OfAnEntry("CompletionEntriesBeyondTheAddressSpace", kRead, 49,
                0x7000,  // what the port has of it
                HasListsOf40Bits, [](Errors& t) { t.ListWithEntries(kEnd + 0x7000); }),
      OfAnEntry("CompletionEntriesOutsideTheWindows", kRead, 50, kOutside, HasListsAndWindows,
                [](Errors& t) {
                  t.Narrow();
                  t.ListWithEntries(kOutside);
                }),
  };
}

TEST_P(Errors, AreToldAndRecoveredFrom) {
  Proves({"program.descriptor-refused", "program.descriptor-valid", "lock.saturates",
          "program.error", "control.stop-on"});
  DmaBenchOptions options;
  options.memory.errors.push_back(ErrorRule::Range(kFormer, kFormer + 7, kSlvErr));
  if (row().response)
    options.memory.errors.push_back(ErrorRule::Range(kBad, kBad + 0xfff, *row().response));
  Make(options);
  if (!row().needs(config())) GTEST_SKIP() << "the build lacks what the error needs";
  // An error before, which leaves nothing behind.
  Write(FirstOne() + 2, Copy(kFormer, 8));
  Push(way(), {.start = FirstOne() + 2});
  if (way() == kWrite) Feed(8);
  ASSERT_TRUE(WaitRecord(way()));
  bench().Step(60);
  EXPECT_EQ(driver().TakeError().address, kFormer);
  // What is wrong with a list, or with its entries, stops its channel alone.
  const bool listed = (row().causes & (kListError | kEntryError)) != 0;
  std::vector<Other> others;
  if (listed) others = StartOthers(0);
  row().provoke(*this);
  const auto told = [&] { return (Get(native::kError) & row().causes) == row().causes; };
  for (int n = 0; n < 200 && !told(); ++n) bench().Step(20);
  bench().Step(300);  // others would show by now
  EXPECT_EQ(Get(native::kError), row().causes);
  EXPECT_EQ(bench().Get(0x38), way() == kRead ? 1U : 1U << 16);
  const uint32_t info = Get(native::kErrorInfo);
  EXPECT_EQ(info >> 8 & 0x3f, row().reason);
  EXPECT_EQ(info >> 16 & 0xf, row().fault);
  if (row().descriptor) {
    const bool as_it_is = listed || *row().descriptor == 255;
    EXPECT_EQ(info & 0xff, static_cast<uint32_t>(*row().descriptor + (as_it_is ? 0 : FirstOne())));
  }
  EXPECT_EQ(bench().Get64(at() + native::kErrorAddr), row().address);

  for (const Other& other : others) ExpectDone(other);
  if (listed) others = StartOthers(1);
  for (const Other& other : others) ExpectDone(other);
  if (HasFatalFailure()) return;

  driver().Service();
  EXPECT_TRUE(driver().saw_error());  // IRQ_STATUS has said so
  const driver::ChannelError error = driver().TakeError();
  EXPECT_FALSE(driver().saw_error());
  EXPECT_EQ(error.bits, row().causes);
  EXPECT_EQ(error.reason, row().reason);
  EXPECT_EQ(error.fault, row().fault);
  EXPECT_EQ(error.address, row().address);
  EXPECT_EQ(error.descriptor, info & 0xff);

  // Recovery: a reset of the channel, the bits written back, and the next task runs.
  bench().source(0).DiscardUnsent();
  ASSERT_TRUE(driver().Reset(driver::Timeout::Cycles(20000)).ok()) << bench().Dump();
  bench().Step(60);
  PopAll(way());
  if (config().triggers) {
    ASSERT_TRUE(driver().SetTrigger(driver::TriggerSource::kNone).ok());
  }
  ASSERT_TRUE(driver().StopOn(0).ok());
  driver().TakeError();
  EXPECT_EQ(Get(native::kError), 0u);
  EXPECT_EQ(Get(native::kErrorInfo), 0u);
  EXPECT_EQ(bench().Get64(at() + native::kErrorAddr), 0u);
  EXPECT_EQ(bench().Get(0x38), 0u);
  if (HasLocks(config())) software().SetLock(0, 0);
  Other next{way(), 0};
  Provide(&next, 0x1000, 48, 1);
  Run(Copy(0x1000, 48));
  ExpectDone(next);
  EXPECT_EQ(Get(native::kStatus) & kBusy, 0u);
}

INSTANTIATE_TEST_SUITE_P(Builds, Errors,
                         ::testing::Combine(EveryDma(), ::testing::ValuesIn(Rows())),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace tessera
