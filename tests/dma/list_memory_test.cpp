// What the memory of the lists may do wrong: told by LIST_STATUS and ERROR, felt by the lists
// alone, and recovered from without a reset of the whole. And a list that software changes while it
// is executed.
#include <fmt/format.h>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

using Kind = AxiFault::Kind;

constexpr uint64_t kList = 0x20000, kEntries = 0x24000, kData = 0x10000;
constexpr uint32_t kEarlyLast = 1, kNoLast = 2, kUnasked = 3, kEarly = 4, kBusTime = 6;

class ListMemory : public DmaTest {
 protected:
  // Its memory does `kind` once, at the first occasion.
  bool MakeWith(Kind kind) {
    Make();
    if (!config().lists || !config().guard) return false;
    const auto silence = static_cast<uint64_t>(config().silence());
    DmaBenchOptions options;
    options.list_faults = {{.kind = kind, .cycles = silence + 500}};
    Make(options);
    return true;
  }
  // A task of an array of so many descriptors of 16 bytes each, with completion entries.
  void RunArray(uint32_t count, bool entries = false, uint64_t at = kEntries, bool ring = false) {
    sent_ = Load(kData, 16 * count);
    seen_ = bench().sink(0).bytes().size();
    std::vector<native::Descriptor> list;
    for (uint64_t n = 0; n < count; ++n) list.push_back(Copy(kData + 16 * n, 16));
    native::Load(&bench().memory(), kList, list);
    bench().memory().Fill(at, 16 * count, 0);
    StartList(kRead, {kList, count, entries ? at : 0, ring});
  }
  // Beside a list of the write channel: one of the read channel. Returns what it will have sent.
  std::vector<uint8_t> StartOther(uint32_t count) {
    constexpr uint64_t kOtherList = 0x60000, kOtherData = 0x70000;
    std::vector<uint8_t> data = Load(kOtherData, 16 * count);
    std::vector<native::Descriptor> list;
    for (uint64_t n = 0; n < count; ++n) {
      list.push_back(Copy(kOtherData + 16 * n, 16));
      list.back().no_record = true;
    }
    native::Load(&bench().memory(), kOtherList, list);
    StartList(kRead, {kOtherList, count});
    return data;
  }
  // All of it comes, and its entries.
  void ExpectArray(uint32_t count, bool entries = false) {
    RunArray(count, entries);
    for (uint32_t n = 0; n < count; ++n) {
      bool there = false;
      for (int turn = 0; turn < 200 && !there; ++turn) {
        there = Get(kRead, native::kRecord) >> 31 != 0;
        bench().Step(5);
      }
      ASSERT_TRUE(there) << "record " << n << "\n" << bench().Dump();
      EXPECT_EQ(Get(kRead, native::kRecord) & 0xff, n);
      Set(kRead, native::kRecordPop, 0);
    }
    bench().Step(100);
    EXPECT_EQ(Get(kRead, native::kError), 0u);
    const std::vector<uint8_t>& bytes = bench().sink(0).bytes();
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + static_cast<ptrdiff_t>(seen_), bytes.end()),
              sent_);
    for (uint32_t n = 0; entries && n < count; ++n) {
      const std::vector<uint8_t> entry = bench().memory().ReadBytes(kEntries + 16 * n, 16);
      EXPECT_EQ(entry[10], n);
      EXPECT_EQ(entry[12], 0);     // status
      EXPECT_EQ(entry[15], 0x80);  // phase
    }
  }
  uint32_t Fault() { return Get(kRead, native::kListStatus) >> 8 & 15; }
  bool AwaitError(uint32_t bits) {
    for (int n = 0; n < config().silence() / 10 + 200; ++n) {
      if ((Get(kRead, native::kError) & bits) == bits) {
        bench().Step(100);  // others would show by now
        return true;
      }
      bench().Step(20);
    }
    return false;
  }
  void ExpectError(uint32_t bits, uint32_t reason, uint32_t descriptor, uint64_t address) {
    ASSERT_TRUE(AwaitError(bits)) << bench().Dump();
    EXPECT_EQ(Get(kRead, native::kError), bits);
    EXPECT_EQ(Get(kRead, native::kErrorInfo) >> 8 & 0x3f, reason);
    EXPECT_EQ(Get(kRead, native::kErrorInfo) & 0xff, descriptor);
    EXPECT_EQ(bench().Get64(native::Channel(kRead, 0) + native::kErrorAddr), address);
  }
  // A channel that has no list does its work.
  void ExpectAnother() {
    Write(First(kWrite), Copy(0x8000, 16));
    const std::vector<uint8_t> data{5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    bench().source(0).Push(data, PieceEnd::kLast);
    Push(kWrite, {.start = First(kWrite)});
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
    EXPECT_EQ(bench().memory().ReadBytes(0x8000, 16), data);
  }
  void Recover(bool give_up) {
    Set(kRead, native::kControl, kReset | (give_up ? kGiveUp : 0));
    ASSERT_TRUE(Channel(kRead).Reset(driver::Timeout::Cycles(20000)).ok()) << bench().Dump();
    PopAll(kRead);
    Channel(kRead).TakeError();
    EXPECT_EQ(Get(kRead, native::kError), 0u);
    EXPECT_EQ(Fault(), 0u);
  }

 private:
  std::vector<uint8_t> sent_;
  size_t seen_ = 0;
};

struct FetchRow {
  Kind kind;
  uint32_t fault;
  bool owes;  // what will never come
};

TEST_P(ListMemory, AFaultOfAFetchEndsTheList) {
  Proves({"list.fault"});
  for (const FetchRow& row : {FetchRow{Kind::kEarlyLast, kEarlyLast, false},
                              {Kind::kCutShort, kEarlyLast, false},
                              {Kind::kNoLast, kNoLast, true},
                              {Kind::kSilentData, kBusTime, false},
                              {Kind::kLostData, kBusTime, true}}) {
    SCOPED_TRACE(NamesOf(row.kind)[static_cast<size_t>(row.kind)]);
    if (!MakeWith(row.kind)) GTEST_SKIP() << "the build has no lists, or no guard";
    RunArray(1);
    ExpectError(kLoadError | kListError, 44, 0, kList);
    EXPECT_EQ(Fault(), row.fault);
    ExpectAnother();
    // What the memory does owe comes, or is forgotten.
    bench().Step(1000);
    if (row.owes) {
      Recover(false);
      RunArray(1);
      ExpectError(kLoadError | kListError, 44, 0, kList);
      EXPECT_EQ(bench().sink(0).bytes().size(), 0u);
    }
    Recover(row.owes);
    ExpectArray(4);
  }
}

// A channel that has used no list does not make the port forget what the memory owes to others.
TEST_P(ListMemory, GivingUpOfAChannelWithoutAListForgetsNothing) {
  for (const Kind kind : {Kind::kNoLast, Kind::kLostData}) {
    SCOPED_TRACE(NamesOf(kind)[static_cast<size_t>(kind)]);
    if (!MakeWith(kind)) GTEST_SKIP() << "the build has no lists, or no guard";
    RunArray(1);
    ExpectError(kLoadError | kListError, 44, 0, kList);
    bench().Step(1000);
    Set(kWrite, native::kControl, kReset | kGiveUp);
    bench().Step(100);
    Set(kWrite, native::kControl, 0);
    Recover(false);
    RunArray(1);
    ExpectError(kLoadError | kListError, 44, 0, kList);
    EXPECT_EQ(bench().sink(0).bytes().size(), 0u);
    Recover(true);
    ExpectArray(4);
  }
}

TEST_P(ListMemory, DataThatNobodyAskedForAreToldAndHarmNothing) {
  Proves({"list.fault"});
  if (!MakeWith(Kind::kUnaskedData)) GTEST_SKIP() << "the build has no lists, or no guard";
  ExpectArray(1);
  EXPECT_EQ(Fault(), kUnasked);
  ExpectArray(4);
  EXPECT_EQ(Fault(), kUnasked);
  Recover(false);
  ExpectArray(2);
}

struct EntryRow {
  Kind kind;
  uint32_t fault;
  uint32_t index;
  bool owes;
};

TEST_P(ListMemory, AFaultOfAnEntryEndsItsRing) {
  Proves({"list.entries"});
  for (const EntryRow& row : {EntryRow{Kind::kEarlyAnswer, kEarly, 0, false},
                              {Kind::kSilentAnswer, kBusTime, 0, false},
                              {Kind::kLostAnswer, kBusTime, 2, true}}) {
    SCOPED_TRACE(NamesOf(row.kind)[static_cast<size_t>(row.kind)]);
    if (!MakeWith(row.kind)) GTEST_SKIP() << "the build has no lists, or no guard";
    if (row.kind == Kind::kEarlyAnswer && config().list_bytes() >= 16) continue;  // a beat an entry
    RunArray(3, true);
    ExpectError(kEntryError, 53, row.index, kEntries + 16 * row.index);
    EXPECT_EQ(Get(kRead, native::kListStatus) >> 4 & 7, 5u);
    EXPECT_EQ(Fault(), row.fault);
    ExpectAnother();
    bench().Step(1000);
    if (row.owes) {
      Recover(false);
      RunArray(1, true);
      ExpectError(kEntryError, 53, 0, kEntries);
    }
    Recover(row.owes);
    ExpectArray(4, true);
  }
}

// The second transfer waits for its lock when the entry of the first fails, and gets it no more.
TEST_P(ListMemory, BehindAnEntryThatFailedNothingIsBegun) {
  Proves({"list.entries"});
  Make();
  if (!config().lists || config().locks == 0) GTEST_SKIP() << "the build has no lists, or no locks";
  const uint32_t lock = native::kLocks, released = native::kLocks + 4;
  const std::vector<uint8_t> sent = Load(kData, 32);
  native::Descriptor second = Copy(kData + 16, 16);
  second.acquire = {.id = 0, .value = -1};
  native::Load(&bench().memory(), kList, std::vector{Copy(kData, 16), second});
  StartList(kRead, {kList, 2, kEntries + 16});
  ExpectError(kEntryError, 49, 0, kEntries + 16);
  EXPECT_NE(Get(kRead, native::kStatus) & 1U << 22, 0U);
  EXPECT_TRUE(bench().Write(released, 1));
  bench().Step(500);
  EXPECT_EQ(bench().Get(lock), 1U);
  EXPECT_EQ(bench().sink(0).bytes(), std::vector<uint8_t>(sent.begin(), sent.begin() + 16));
  // The lock is nobody's, and the channel works again after its reset.
  Recover(false);
  EXPECT_EQ(bench().Get(lock), 1U);
  ExpectArray(3, true);
}

// The entry before it is answered well, perhaps in the same cycle.
TEST_P(ListMemory, AnEntryOutsideTheWindowsIsTheOneThatIsTold) {
  Proves({"list.entries"});
  Make();
  if (!config().lists || config().windows == 0)
    GTEST_SKIP() << "the build has no lists, or no windows";
  constexpr uint64_t kAtTheEdge = 0x25000 - 4 * 16;
  // Of a ring the next one is at its begin again, inside: it is not written any more.
  for (const bool ring : {false, true}) {
    const uint32_t count = ring ? 5 : 6;
    for (int latency = 1; latency < 40; latency += ring ? 6 : 1) {
      SCOPED_TRACE(fmt::format("{}latency {}", ring ? "ring, " : "", latency));
      DmaBenchOptions options;
      options.memory = AxiMemoryOptions::Latency(latency);
      Make(options);
      software().SetWindow(kRead, 0, 0, 0x24000);
      RunArray(count, true, kAtTheEdge, ring);
      // Of the ring three, and then up to the first of the next turn.
      for (const uint32_t tail : {3U, 1U}) {
        if (ring) Set(kRead, native::kListTail, tail);
        while (WaitRecord(kRead)) {
        }
      }
      ExpectError(kEntryError, 50, 4, kAtTheEdge + 4 * 16);
      for (uint64_t n = 0; n < count; ++n) {
        EXPECT_EQ(bench().memory().ReadBytes(kAtTheEdge + 16 * n + 15, 1)[0], n < 4 ? 0x80 : 0)
            << n;
      }
    }
  }
  // With a window for all the channel goes on.
  Recover(false);
  software().SetWindow(kRead, 0, 0, 0x100000);
  ExpectArray(6, true);
}

TEST_P(ListMemory, AnAnswerThatNobodyAskedForIsToldAndHarmsNothing) {
  Proves({"list.entries"});
  if (!MakeWith(Kind::kUnaskedAnswer)) GTEST_SKIP() << "the build has no lists, or no guard";
  ExpectArray(1, true);
  EXPECT_EQ(Fault(), kUnasked);
  ExpectArray(4, true);
}

// The task rule of TLAST, and what joins, count a list as a chain: its last descriptor ends the
// task.
TEST_P(ListMemory, ItsLastDescriptorEndsTheTask) {
  Proves({"list.array"});
  for (const bool join : {false, true}) {
    Make();
    if (!config().lists) GTEST_SKIP() << "the build has no lists";
    constexpr uint32_t kBytes = 13, kCount = 3;
    Load(kData, kBytes * kCount);
    std::vector<native::Descriptor> list;
    for (uint64_t n = 0; n < kCount; ++n) {
      list.push_back(Copy(kData + kBytes * n, kBytes));
      list.back().transfer.last_rule = model::LastRule::kTask;
      list.back().transfer.join_next = join;
    }
    native::Load(&bench().memory(), kList, list);
    StartList(kRead, {kList, kCount});
    for (uint32_t n = 0; n < kCount; ++n) ASSERT_TRUE(WaitRecord(kRead));
    bench().Step(100);
    const auto& beats = bench().sink(0).beats();
    ASSERT_FALSE(beats.empty());
    EXPECT_TRUE(beats.back().last);
    for (size_t n = 0; n + 1 < beats.size(); ++n) {
      EXPECT_FALSE(beats[n].last) << n;
      if (join) {
        EXPECT_EQ(beats[n].count, config().channel.stream_bytes) << n;
      }
    }
  }
}

// Software takes descriptor n of a list back while those before it run. It was fetched already, and
// runs as it was; or it is not loaded, and nothing behind it is executed.
TEST_P(ListMemory, ADescriptorThatIsTakenBackRunsOrIsRefused) {
  Proves({"list.array"});
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  constexpr uint32_t kCount = 30, kBytes = 64;
  constexpr uint64_t kPlaces = 0x40000, kApart = 0x100;  // of the copies
  const uint32_t at = native::Channel(kWrite, 0);
  int ran = 0, refused = 0;
  for (uint32_t n = 1; n < kCount; n += 3) {
    for (int delay = 0; delay < 400; delay += 40) {
      SCOPED_TRACE(fmt::format("descriptor {}, {} cycles", n, delay));
      Make();
      bench().Step(16 * config().descriptors);  // they are cleared
      std::vector<native::Descriptor> list;
      std::vector<uint8_t> data(kCount * kBytes);
      for (size_t k = 0; k < data.size(); ++k)
        data[k] = static_cast<uint8_t>(k * 3 + k / 256 + n + static_cast<uint32_t>(delay));
      for (uint32_t k = 0; k < kCount; ++k) {
        list.push_back(Copy(kPlaces + kApart * k, kBytes));
        list.back().no_record = true;
      }
      native::Load(&bench().memory(), kList, list);
      bench().memory().Fill(kEntries, 16 * kCount, 0);
      bench().memory().ClearTouched();
      StartList(kWrite, {kList, kCount, kEntries});
      bench().source(0).Push(data, PieceEnd::kLast);
      const std::vector<uint8_t> sent = StartOther(kCount);
      bench().Step(delay);
      const uint64_t descriptor = kList + uint64_t{native::kListPitch} * n;
      bench().memory().Fill(descriptor + 63, 1, bench().memory().ReadByte(descriptor + 63) & 0x7f);
      for (int turn = 0; turn < 2000; ++turn) {
        if ((Get(kWrite, native::kStatus) & (kHalted | kBusy)) != kBusy) break;
      }
      bench().Step(600);  // what was begun ends, and its entries are written
      for (int turn = 0; turn < 2000 && (Get(kRead, native::kStatus) & kBusy) != 0; ++turn) {
      }
      const bool halted = (Get(kWrite, native::kStatus) & kHalted) != 0;
      const uint32_t executed = halted ? n : kCount;
      ++(halted ? refused : ran);
      EXPECT_EQ(Get(kWrite, native::kError), halted ? kLoadError | kListError : 0U);
      EXPECT_EQ(Get(kWrite, native::kErrorInfo), halted ? 32U << 8 | n : 0U);
      EXPECT_EQ(bench().Get64(at + native::kErrorAddr), halted ? descriptor : 0U);
      EXPECT_EQ(Get(kWrite, native::kListHead), halted ? n + 1 : 0U);
      std::vector<AddressRange> written;
      for (uint32_t k = 0; k < executed; ++k) {
        const uint64_t place = kPlaces + kApart * k, entry = kEntries + 16 * uint64_t{k};
        written.push_back({place, place + kBytes - 1});
        written.push_back({entry, entry + 15});
        const auto from = data.begin() + static_cast<std::ptrdiff_t>(k * kBytes);
        EXPECT_TRUE(bench().memory().ReadBytes(place, kBytes) ==
                    std::vector<uint8_t>(from, from + kBytes))
            << "copy " << k;
        EXPECT_EQ(bench().memory().ReadByte(entry + 10), k);
        EXPECT_EQ(bench().memory().ReadByte(entry + 15), 0x80);
      }
      EXPECT_TRUE(bench().memory().TouchedOutside(written).empty());
      EXPECT_EQ(bench().memory().TouchedBytes(), executed * (kBytes + 16U));
      EXPECT_EQ(bench().sink(0).bytes(), sent) << "the list of the read channel";
      EXPECT_EQ(Get(kRead, native::kError), 0U);
      if (HasFailure()) return;
    }
  }
  fmt::print("{} ran as they were, {} were refused\n", ran, refused);
  EXPECT_GT(ran, 10);
  EXPECT_GT(refused, 10);
}

INSTANTIATE_TEST_SUITE_P(Builds, ListMemory, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
