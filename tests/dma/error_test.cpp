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

constexpr uint32_t kBusy = 1 << 16;

// Bits of ERROR.
enum Cause : uint32_t {
  kLoad = 1 << 0,
  kBus = 1 << 1,
  kOverlong = 1 << 2,
  kPartial = 1 << 3,
  kSparse = 1 << 4,
  kAborted = 1 << 6,
  kFault = 1 << 7,
  kDenied = 1 << 8,
  kLockOver = 1 << 9,
  kLockUnder = 1 << 10,
  kRefused = 1 << 11,
  kMissed = 1 << 12,
  kFromList = 1 << 13,
  kWriteBack = 1 << 14,
};

constexpr uint64_t kBad = 0x7000;  // where the memory answers with an error, if a row asks for that
constexpr uint64_t kList = 0x20000;
constexpr uint64_t kOthers = 0x100000;  // lists and data of channels that work on

class Errors;
struct Row {
  const char* name;
  Direction direction;
  uint32_t causes;  // of ERROR, no other
  uint32_t reason = 0, fault = 0;
  // Nothing: ERROR_INFO names no descriptor.
  std::optional<int> descriptor = {};  // after the first one of the channel
  uint64_t address = 0;
  std::function<bool(const DmaConfig&)> needs = {};
  std::function<void(Errors&)> provoke = {};
  bool slverr = false, decerr = false;
};
std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

class Errors : public ::testing::TestWithParam<std::tuple<std::string, Row>> {
 public:
  const Row& row() const { return std::get<1>(GetParam()); }
  DmaBench& bench() { return *bench_; }
  const DmaConfig& config() { return bench_->config(); }
  Direction way() const { return row().direction; }
  uint32_t at() { return native::Channel(way(), 0); }
  uint32_t Get(uint32_t offset) { return bench().Get(at() + offset); }
  void Set(uint32_t offset, uint32_t value) { bench().Set(at() + offset, value); }
  int channel() { return way() == Direction::kRead ? 0 : config().reads; }
  Software& software() { return *software_; }
  Software::Channel& driver() { return software().channel(way(), 0); }
  int First() { return channel() == 0 ? 0 : 1; }
  native::Descriptor Copy(uint64_t base, uint32_t bytes) {
    native::Descriptor d;
    d.transfer.base = base;
    d.transfer.count[0] = bytes;
    d.transfer.stride[0] = 1;
    return d;
  }
  void Put(const native::Descriptor& d) { software().Write(First(), d); }
  // What the driver refuses.
  void PutByRegister(const native::Descriptor& d) {
    EXPECT_THROW(Put(d), std::runtime_error);
    const native::Image image = native::Encode(d);
    const auto write = [&](uint32_t bank, const native::Words& words, size_t count) {
      const uint32_t at = bank + 0x40 * static_cast<uint32_t>(First());
      for (size_t n = 0; n < count; ++n) bench().Set(at + 4 * static_cast<uint32_t>(n), words[n]);
    };
    if (image.bounds) write(native::kBounds, *image.bounds, 11);
    if (image.walk) write(native::kWalks, *image.walk, 9);
    write(native::kDescriptors, image.base, 16);
  }
  // A task of what the driver refuses.
  void RunByRegister(const native::Descriptor& d) {
    PutByRegister(d);
    Push();
  }
  uint32_t Word(int n) {
    return native::kDescriptors + 0x40 * static_cast<uint32_t>(First()) +
           4 * static_cast<uint32_t>(n);
  }
  // A task of a descriptor with this bit in its last word.
  void RunWithBit(int bit) {
    Put(Copy(0x1000, 8));
    bench().Set(Word(15), 1U << 31 | 1U << bit);
    Push();
  }
  void Push(native::Task task = {}) {
    task.start = First();
    EXPECT_TRUE(software().Push(way(), 0, task));
  }
  void Run(const native::Descriptor& d) {
    Put(d);
    Push();
  }
  void Feed(size_t bytes, PieceEnd end = PieceEnd::kLast) {
    bench().source(0).Push(std::vector<uint8_t>(bytes, 0x33), end);
  }
  // An array of one descriptor.
  void List(uint64_t base, const native::Descriptor& d) {
    software().SetArray(way(), 0, base, std::vector<native::Descriptor>{d});
    EXPECT_TRUE(software().Push(way(), 0, {.from_list = true}));
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
    bench().Set64(at() + native::kListDoneBase, entries);
    ListByRegister(kList, 1, 2 << 4 | 2);
  }
  void LoadList(const native::Descriptor& d) {
    native::Load(&bench().memory(), kList, std::vector<native::Descriptor>{d});
  }

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
    const bool reads = way() == Direction::kRead;
    std::vector<Other> others{{reads ? Direction::kWrite : Direction::kRead, 0}};
    if ((reads ? config().reads : config().writes) > 1) others.push_back({way(), 1});
    for (Other& other : others) Start(&other, round);
    return others;
  }
  void Expect(const Other& other) {
    SCOPED_TRACE(fmt::format("the list of {} channel {}", NameOf(other.way), other.number));
    std::optional<native::Record> record;
    for (int n = 0; n < 400 && !record; ++n) record = software().Pop(other.way, other.number);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
    EXPECT_TRUE(record->task_end());
    if (other.way == Direction::kRead) {
      const auto& bytes = bench().sink(other.number).bytes();
      EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + static_cast<std::ptrdiff_t>(other.seen),
                                     bytes.end()),
                other.data);
    } else {
      EXPECT_EQ(bench().memory().ReadBytes(other.base, other.data.size()), other.data);
    }
    EXPECT_EQ(bench().Get(native::Channel(other.way, other.number) + native::kError), 0U);
  }

 private:
  // Of its descriptors the last one alone has a record.
  void Start(Other* other, int round) {
    constexpr uint32_t kCount = 20, kBytes = 64;
    const bool reads = other->way == Direction::kRead;
    const uint64_t base = kOthers + 0x10000 * static_cast<uint64_t>(2 * other->number + reads);
    other->base = base + 0x4000 + 0x1000 * static_cast<uint64_t>(round);
    std::vector<native::Descriptor> list;
    for (uint32_t n = 0; n < kCount; ++n) {
      list.push_back(Copy(other->base + uint64_t{kBytes} * n, kBytes));
      list.back().no_record = n + 1 < kCount;
    }
    for (uint32_t n = 0; n < kCount * kBytes; ++n)
      other->data.push_back(static_cast<uint8_t>(n * 5 + n / 256 + static_cast<uint32_t>(round)));
    if (reads) {
      bench().memory().Load(other->base, other->data);
      other->seen = bench().sink(other->number).bytes().size();
    } else {
      bench().source(other->number).Push(other->data, PieceEnd::kLast);
    }
    software().SetArray(other->way, other->number, base, list);
    EXPECT_TRUE(software().Push(other->way, other->number, {.from_list = true}));
  }

 protected:
  void Make() {
    DmaBenchOptions options;
    if (row().slverr || row().decerr) {
      options.memory.errors.push_back(
          ErrorRule::Range(kBad, kBad + 0xfff, row().decerr ? kDecErr : kSlvErr));
    }
    bench_ = std::make_unique<DmaBench>(MakeDma(std::get<0>(GetParam()), 1), options);
    software_ = std::make_unique<Software>(bench_.get());
  }
  std::unique_ptr<DmaBench> bench_;
  std::unique_ptr<Software> software_;
};

bool HasLists(const DmaConfig& c) { return c.lists; }
bool HasLocks(const DmaConfig& c) { return c.locks > 0; }
bool HasFewLocks(const DmaConfig& c) { return c.locks < 64; }
bool HasWindows(const DmaConfig& c) { return c.windows > 0; }
bool IsNarrow(const DmaConfig& c) { return c.channel.addr_width < 64; }

// Permits a channel the first MiB alone.
void Narrow(Errors& t) { t.software().SetWindow(t.way(), 0, 0, 0x000ff000); }

std::vector<Row> Rows() {
  const auto read = Direction::kRead, write = Direction::kWrite;
  std::vector<Row> rows = {
      {.name = "NeverWritten",
       .direction = read,
       .causes = kLoad,
       .reason = 32,
       .descriptor = 0,
       .provoke = [](Errors& t) { t.Push(); }},
      {.name = "ChangedAfterItsLastWord",
       .direction = write,
       .causes = kLoad,
       .reason = 32,
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             t.Put(t.Copy(0x1000, 8));
             t.bench().Set(t.Word(2), 9);
             t.Push();
           }},
      {.name = "NoSuchDescriptor",
       .direction = read,
       .causes = kLoad,
       .reason = 33,
       .descriptor = 255,
       .needs = [](const DmaConfig& c) { return c.descriptors < 256; },
       .provoke = [](Errors& t) { t.Set(native::kTask, 255); }},
      {.name = "NoSuchLock",
       .direction = read,
       .causes = kLoad,
       .reason = 34,
       .descriptor = 0,
       .needs = HasFewLocks,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x1000, 8);
             d.acquire = native::LockOp{63, -1};
             t.PutByRegister(d);
             t.Push();
           }},
      {.name = "NoSuchLockToRelease",
       .direction = write,
       .causes = kLoad,
       .reason = 34,
       .descriptor = 0,
       .needs = HasFewLocks,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x1000, 8);
             d.release = native::LockOp{t.config().locks, 1};
             t.PutByRegister(d);
             t.Push();
           }},
      {.name = "MoreThanALockHolds",
       .direction = read,
       .causes = kLoad,
       .reason = 34,
       .descriptor = 0,
       .needs = HasLocks,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x1000, 8);
             d.acquire = native::LockOp{0, -64};
             t.PutByRegister(d);
             t.Push();
           }},
      {.name = "NoPacketHeaders",
       .direction = read,
       .causes = kLoad,
       .reason = 35,
       .descriptor = 0,
       .needs = [](const DmaConfig& c) { return !c.headers(); },
       .provoke = [](Errors& t) { t.RunWithBit(11); }},
      {.name = "NoTriggers",
       .direction = read,
       .causes = kRefused,
       .needs = [](const DmaConfig& c) { return !c.triggers; },
       .provoke =
           [](Errors& t) {
             for (const uint32_t bit : {26, 27}) {
               EXPECT_FALSE(t.bench().Write(t.at() + native::kTask, 1U << bit));
             }
           }},
      {.name = "NoTokens",
       .direction = read,
       .causes = kRefused,
       .needs = [](const DmaConfig& c) { return !c.tokens; },
       .provoke =
           [](Errors& t) { EXPECT_FALSE(t.bench().Write(t.at() + native::kTask, 1U << 25)); }},
      {.name = "NoLists",
       .direction = write,
       .causes = kRefused,
       .needs = [](const DmaConfig& c) { return !c.lists; },
       .provoke =
           [](Errors& t) { EXPECT_FALSE(t.bench().Write(t.at() + native::kTask, 1U << 28)); }},
      {.name = "NoBounds",
       .direction = write,
       .causes = kLoad,
       .reason = 35,
       .descriptor = 0,
       .needs = [](const DmaConfig& c) { return !c.channel.bounds; },
       .provoke = [](Errors& t) { t.RunWithBit(14); }},
      {.name = "NoTraversal",
       .direction = read,
       .causes = kLoad,
       .reason = 35,
       .descriptor = 0,
       .needs = [](const DmaConfig& c) { return !c.channel.walk; },
       .provoke = [](Errors& t) { t.RunWithBit(15); }},
      {.name = "AReservedBit",
       .direction = write,
       .causes = kLoad,
       .reason = 38,
       .descriptor = 0,
       .provoke = [](Errors& t) { t.RunWithBit(30); }},
      {.name = "AnElementWiderThanTheBus",
       .direction = read,
       .causes = kLoad,
       .reason = 1,
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x1000, 1);
             d.transfer.elem = 2 * t.config().channel.data_bytes;
             d.transfer.stride[0] = d.transfer.elem;
             t.RunByRegister(d);
           }},
      {.name = "ABaseBeyondTheAddressSpace",
       .direction = write,
       .causes = kLoad,
       .reason = 4,
       .descriptor = 0,
       .needs = IsNarrow,
       .provoke =
           [](Errors& t) {
             t.RunByRegister(t.Copy(uint64_t{1} << t.config().channel.addr_width, 8));
           }},
      {.name = "ARowThatIsTooLong",
       .direction = write,
       .causes = kLoad,
       .reason = 5,
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x1000, 0x40000000);
             d.transfer.elem = 4;
             d.transfer.stride[0] = 4;
             t.RunByRegister(d);
           }},
      {.name = "ALengthThatIsTooLong",
       .direction = read,
       .causes = kLoad,
       .reason = 6,
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x1000, 8);
             d.transfer.elem = 4;
             d.transfer.stride[0] = 4;
             d.transfer.length = 0x40000000;
             t.RunByRegister(d);
           }},
      {.name = "SlverrOfARead",
       .direction = read,
       .causes = kBus,
       .descriptor = 0,
       .address = kBad,
       .provoke = [](Errors& t) { t.Run(t.Copy(kBad - 16, 64)); },
       .slverr = true},
      {.name = "DecerrOfARead",
       .direction = read,
       .causes = kBus,
       .descriptor = 0,
       .address = kBad,
       .provoke = [](Errors& t) { t.Run(t.Copy(kBad, 64)); },
       .decerr = true},
      {.name = "SlverrOfTheLastBeat",
       .direction = read,
       .causes = kBus,
       .descriptor = 0,
       .address = kBad,
       .provoke = [](Errors& t) { t.Run(t.Copy(kBad - 16, 24)); },
       .slverr = true},
      {.name = "SlverrOfAWrite",
       .direction = write,
       .causes = kBus,
       .descriptor = 0,
       .address = kBad,
       .provoke =
           [](Errors& t) {
             t.Feed(32);
             t.Run(t.Copy(kBad, 32));
           },
       .slverr = true},
      {.name = "Overlong",
       .direction = write,
       .causes = kOverlong,
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x4000, 8);
             d.transfer.finish = model::Finish::kLast;
             t.Feed(40);
             t.Run(d);
           }},
      {.name = "PartialElement",
       .direction = write,
       .causes = kPartial,
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x4000, 8);
             d.transfer.elem = 4;
             d.transfer.stride[0] = 4;
             d.transfer.finish = model::Finish::kLast;
             t.Feed(6);
             t.Run(d);
           }},
      {.name = "SparseKeep",
       .direction = write,
       .causes = kSparse,
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             t.Feed(3, PieceEnd::kBeat);
             t.Feed(5);
             t.Run(t.Copy(0x4000, 8));
           }},
      {.name = "Aborted",
       .direction = write,
       .causes = kAborted,
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             const auto beat = static_cast<uint32_t>(t.config().channel.stream_bytes);
             t.Feed(beat, PieceEnd::kBeat);
             t.Run(t.Copy(0x4000, 4 * beat));
             t.bench().Step(100);
             t.Set(native::kControl, 1u << 2);  // the driver's call takes the error back
             t.bench().Step(100);
             t.Set(native::kControl, 0);
           }},
      {.name = "ARecordThatStops",
       .direction = write,
       .causes = kOverlong | kFault,
       .fault = 0,  // the record is the first error
       .descriptor = 0,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x4000, 8);
             d.transfer.finish = model::Finish::kLast;
             EXPECT_TRUE(t.driver().StopOn(registers::entry::Status::kOverlongMask).ok());
             t.Feed(40);
             t.Run(d);
           }},
      {.name = "ABusErrorThatStops",
       .direction = read,
       .causes = kBus | kFault,
       .fault = 9,  // behind the bus error
       .descriptor = 0,
       .address = kBad,
       .provoke =
           [](Errors& t) {
             EXPECT_TRUE(t.driver().StopOn(registers::entry::Status::kSlverrMask).ok());
             t.Run(t.Copy(kBad, 16));
           },
       .slverr = true},
      {.name = "OutsideTheWindows",
       .direction = read,
       .causes = kDenied,
       .descriptor = 0,
       .address = 0x200000,
       .needs = HasWindows,
       .provoke =
           [](Errors& t) {
             Narrow(t);
             t.Run(t.Copy(0x200000, 8));
           }},
      {.name = "LockOverflow",
       .direction = read,
       .causes = kLockOver,
       .needs = HasLocks,
       .provoke =
           [](Errors& t) {
             t.software().SetLock(0, 60);
             native::Descriptor d = t.Copy(0x1000, 8);
             d.release = {0, 4};
             t.Run(d);
           }},
      {.name = "LockUnderflow",
       .direction = read,
       .causes = kLockUnder,
       .needs = HasLocks,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x1000, 8);
             d.release = {0, -1};
             t.Run(d);
           }},
      {.name = "AFullTaskQueue",
       .direction = write,
       .causes = kRefused,
       .provoke =
           [](Errors& t) {
             t.Put(t.Copy(0x4000, 8));
             int n = 0;
             while (n < 100 && t.bench().Write(t.at() + native::kTask,
                                               native::Task{.start = t.First()}.Word())) {
               ++n;
               t.bench().Step(20);
             }
             for (; n > 0; --n) t.Feed(8);
           }},
      {.name = "AMissedTrigger",
       .direction = read,
       .causes = kMissed,
       .needs = [](const DmaConfig& c) { return c.triggers; },
       .provoke =
           [](Errors& t) {
             EXPECT_TRUE(t.driver().SetTrigger(driver::TriggerSource::Software(3)).ok());
             EXPECT_TRUE(t.software().device().Trigger(3).ok());
             t.bench().Step(10);
             EXPECT_TRUE(t.software().device().Trigger(3).ok());
           }},
      {.name = "SlverrOfAList",
       .direction = read,
       .causes = kLoad | kFromList,
       .reason = 36,
       .descriptor = 0,
       .address = kBad,
       .needs = HasLists,
       .provoke = [](Errors& t) { t.List(kBad, t.Copy(0x1000, 8)); },
       .slverr = true},
      {.name = "DecerrOfAList",
       .direction = write,
       .causes = kLoad | kFromList,
       .reason = 39,
       .descriptor = 0,
       .address = kBad,
       .needs = HasLists,
       .provoke = [](Errors& t) { t.List(kBad, t.Copy(0x1000, 8)); },
       .decerr = true},
      {.name = "AListOutsideTheWindows",
       .direction = read,
       .causes = kLoad | kFromList,
       .reason = 37,
       .descriptor = 0,
       .address = 0x200000,
       .needs = [](const DmaConfig& c) { return c.lists && c.windows > 0; },
       .provoke =
           [](Errors& t) {
             Narrow(t);
             t.List(0x200000, t.Copy(0x1000, 8));
           }},
      {.name = "AListThatIsNotAligned",
       .direction = read,
       .causes = kLoad | kFromList,
       .reason = 40,
       .descriptor = 0,
       .address = kList,
       .needs = HasLists,
       .provoke = [](Errors& t) { t.ListByRegister(kList + 32, 1); }},
      {.name = "AListThatEndsBeyondTheAddressSpace",
       .direction = read,
       .causes = kLoad | kFromList,
       .reason = 40,
       .descriptor = 0,
       .address = (uint64_t{1} << 40) - 64,
       .needs = [](const DmaConfig& c) { return c.lists && c.channel.addr_width == 40; },
       .provoke = [](Errors& t) { t.ListByRegister((uint64_t{1} << 40) - 64, 2, 0); }},
      {.name = "AListWithoutDescriptors",
       .direction = write,
       .causes = kLoad | kFromList,
       .reason = 41,
       .descriptor = 0,
       .address = kList,
       .needs = HasLists,
       .provoke = [](Errors& t) { t.ListByRegister(kList, 0); }},
      {.name = "ATailBeyondTheRing",
       .direction = read,
       .causes = kLoad | kFromList,
       .reason = 42,
       .descriptor = 0,
       .address = kList,
       .needs = HasLists,
       .provoke =
           [](Errors& t) {
             t.ListByRegister(kList, 4, 2 << 4 | 1);
             t.Set(native::kListTail, 4);
           }},
      {.name = "AnExtensionThatThePitchHasNoRoomFor",
       .direction = read,
       .causes = kLoad | kFromList,
       .reason = 43,
       .descriptor = 0,
       .address = kList,
       .needs = HasLists,
       .provoke =
           [](Errors& t) {
             native::Descriptor d = t.Copy(0x1000, 8);
             d.transfer.bound[0] = 5;
             t.LoadList(d);
             t.ListByRegister(kList, 1, 0);
           }},
      {.name = "ADescriptorOfAListThatIsNotValid",
       .direction = write,
       .causes = kLoad | kFromList,
       .reason = 32,
       .descriptor = 0,
       .address = kList,
       .needs = HasLists,
       .provoke =
           [](Errors& t) {
             t.software().SetArray(t.way(), 0, kList,
                                   std::vector<native::Descriptor>{t.Copy(0x1000, 8)});
             t.bench().memory().Fill(kList, 64, 0);
             EXPECT_TRUE(t.software().Push(t.way(), 0, {.from_list = true}));
           }},
      {.name = "SlverrOfACompletionEntry",
       .direction = read,
       .causes = kWriteBack,
       .reason = 51,
       .descriptor = 0,
       .address = kBad,
       .needs = HasLists,
       .provoke = [](Errors& t) { t.ListWithEntries(kBad); },
       .slverr = true},
      {.name = "DecerrOfACompletionEntry",
       .direction = write,
       .causes = kWriteBack,
       .reason = 52,
       .descriptor = 0,
       .address = kBad,
       .needs = HasLists,
       .provoke =
           [](Errors& t) {
             t.Feed(8);
             t.ListWithEntries(kBad);
           },
       .decerr = true},
      {.name = "CompletionEntriesThatAreNotAligned",
       .direction = read,
       .causes = kWriteBack,
       .reason = 49,
       .descriptor = 0,
       .address = 0x7020,
       .needs = HasLists,
       .provoke = [](Errors& t) { t.ListWithEntries(0x7020); }},
      {.name = "CompletionEntriesBeyondTheAddressSpace",
       .direction = read,
       .causes = kWriteBack,
       .reason = 49,
       .descriptor = 0,
       .address = 0x7000,  // what the port has of it
       .needs = [](const DmaConfig& c) { return c.lists && c.channel.addr_width == 40; },
       .provoke = [](Errors& t) { t.ListWithEntries((uint64_t{1} << 40) + 0x7000); }},
      {.name = "CompletionEntriesOutsideTheWindows",
       .direction = read,
       .causes = kWriteBack,
       .reason = 50,
       .descriptor = 0,
       .address = 0x200000,
       .needs = [](const DmaConfig& c) { return c.lists && c.windows > 0; },
       .provoke =
           [](Errors& t) {
             Narrow(t);
             t.ListWithEntries(0x200000);
           }},
  };
  return rows;
}

TEST_P(Errors, AreToldAndRecoveredFrom) {
  Proves({"program.descriptor-refused", "lock.saturates", "program.error", "control.stop-on"});
  Make();
  if (row().needs && !row().needs(config())) GTEST_SKIP() << "the build lacks what the error needs";
  // What is wrong with a list, or with its entries, stops its channel alone.
  const bool listed = (row().causes & (kFromList | kWriteBack)) != 0;
  std::vector<Other> others;
  if (listed) others = StartOthers(0);
  row().provoke(*this);
  const auto told = [&] { return (Get(native::kError) & row().causes) == row().causes; };
  for (int n = 0; n < 200 && !told(); ++n) bench().Step(20);
  bench().Step(300);  // others would show by now
  EXPECT_EQ(Get(native::kError), row().causes);
  EXPECT_EQ(bench().Get(0x38), way() == Direction::kRead ? 1U : 1U << 16);
  const uint32_t info = Get(native::kErrorInfo);
  EXPECT_EQ(info >> 8 & 0x3f, row().reason);
  EXPECT_EQ(info >> 16 & 0xf, row().fault);
  if (row().descriptor) {
    EXPECT_EQ(info & 0xff,
              static_cast<uint32_t>(*row().descriptor +
                                    (listed || *row().descriptor == 255 ? 0 : First())));
  }
  EXPECT_EQ(Get(native::kErrorAddr), static_cast<uint32_t>(row().address));
  EXPECT_EQ(Get(native::kErrorAddr + 4), static_cast<uint32_t>(row().address >> 32));

  for (const Other& other : others) Expect(other);
  if (listed) others = StartOthers(1);
  for (const Other& other : others) Expect(other);
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
  while (software().Pop(way(), 0)) {
  }
  if (config().triggers) {
    ASSERT_TRUE(driver().SetTrigger(driver::TriggerSource::kNone).ok());
  }
  ASSERT_TRUE(driver().StopOn(0).ok());
  driver().TakeError();
  EXPECT_EQ(Get(native::kError), 0u);
  EXPECT_EQ(Get(native::kErrorInfo), 0u);
  EXPECT_EQ(Get(native::kErrorAddr), 0u);
  EXPECT_EQ(bench().Get(0x38), 0u);
  if (HasLocks(config())) software().SetLock(0, 0);
  std::vector<uint8_t> data(48);
  for (size_t n = 0; n < data.size(); ++n) data[n] = static_cast<uint8_t>(3 * n + 1);
  const size_t seen = bench().sink(0).bytes().size();
  if (way() == Direction::kRead) {
    bench().memory().Load(0x1000, data);
  } else {
    bench().source(0).Push(data, PieceEnd::kLast);
  }
  Run(Copy(0x1000, 48));
  std::optional<native::Record> record;
  for (int n = 0; n < 400 && !record; ++n) record = software().Pop(way(), 0);
  ASSERT_TRUE(record) << bench().Dump();
  EXPECT_EQ(record->done.status, 0);
  EXPECT_EQ(record->done.bytes, 48u);
  if (way() == Direction::kRead) {
    const auto& bytes = bench().sink(0).bytes();
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + static_cast<std::ptrdiff_t>(seen), bytes.end()),
              data);
  } else {
    EXPECT_EQ(bench().memory().ReadBytes(0x1000, 48), data);
  }
  EXPECT_EQ(Get(native::kError), 0u);
  EXPECT_EQ(Get(native::kStatus) & kBusy, 0u);
}

INSTANTIATE_TEST_SUITE_P(Builds, Errors,
                         ::testing::Combine(EveryDma(), ::testing::ValuesIn(Rows())),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace tessera
