// Every bit of registers, addresses and flags, where other tests use the low ones alone: what
// registers keep, addresses of errors anywhere in the address space, a lock, a pin and a trigger
// after the other, long counts.
#include <fmt/format.h>

#include <string_view>

#include "tb/bus/axi_errors.h"
#include "tb/check/plan.h"
#include "tb/device/gen/register_table.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Bits : public DmaTest {
 protected:
  // Bits that can be written and read back in an idle IP, and nothing begins; 0: none.
  static uint32_t Free(std::string_view group, const RegisterRow& row) {
    const std::string_view name = row.name;
    const uint32_t plain = row.writable & row.readable & ~row.lock;
    if (row.clears != 0 || row.given != 0) return 0;
    if (group == "GLOBAL") {
      return name == "SCRATCH" || name == "PACKET_FIRST" || name == "PACKET_LAST" ? plain : 0;
    }
    if (group == "WINDOW") return name == "FLAGS" ? 3 : plain;
    if (group == "READ" || group == "WRITE") {
      if (name == "CONTROL") return 0x007f0000;  // records that stop
      return name == "TASK" ? 0 : plain;
    }
    return group.ends_with("_LIST") || group.ends_with("_COUNT") ? plain : 0;
  }
  bool Exists(std::string_view group, uint32_t outer, uint32_t inner) {
    const auto reads = static_cast<uint32_t>(config().reads);
    const auto writes = static_cast<uint32_t>(config().writes);
    if (group == "WINDOW") {
      return (outer < 16 ? outer < reads : outer - 16 < writes) &&
             inner < static_cast<uint32_t>(config().windows);
    }
    if (group.starts_with("READ")) return outer < reads;
    return group.starts_with("WRITE") ? outer < writes : true;
  }
  // `flags`: a register whose write lets the channel see it, or none.
  void Keeps(uint32_t address, uint32_t free, std::optional<uint32_t> flags,
             const std::string& name) {
    for (const uint32_t pattern : RegisterPatterns()) {
      bench().Set(address, pattern & free);
      if (flags) bench().Set(*flags, pattern & 3);
      ASSERT_EQ(bench().Get(address), pattern & free) << name << fmt::format(" at {:#x}", address);
    }
    ++checked_;
    bits_ += static_cast<size_t>(__builtin_popcount(free));
  }
  // An address of the build with random bits above all that tests use, a page at least from its
  // end.
  uint64_t Anywhere(Rng& rng) {
    const int width = config().channel.addr_width;
    const uint64_t top = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
    return (rng() & top & ~uint64_t{0x1fff}) + 64 * rng.Below(60);
  }

  // Transfers of all channels to random places of a memory that answers each access with an error.
  // `look` is told channel and place of each.
  template <typename Look>
  void Fail(AxiResponse response, uint32_t stop_on, uint64_t seed, int times, Look&& look) {
    for (const Direction way : {kRead, kWrite}) {
      DmaBenchOptions options;
      options.memory.errors.push_back(ErrorRule::Probability(1, response));
      Make(options);
      if (way == kWrite && config().route_dest) continue;  // its packets go where TDEST says
      Rng rng(seed);
      for (int n = 0; n < times && !HasFatalFailure(); ++n) {
        const int number = n % (way == kRead ? config().reads : config().writes);
        if (stop_on != 0) {
          ASSERT_TRUE(Channel(way, number).StopOn(stop_on).ok());
        }
        const uint64_t base = Anywhere(rng);
        Write(First(way), Copy(base, 16));
        if (way == kWrite) bench().source(number).Push(std::vector<uint8_t>(16), PieceEnd::kLast);
        Push(way, {.start = First(way)}, number);
        look(way, number, base);
      }
    }
  }

  size_t checked_ = 0, bits_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Builds, Bits, EveryDma(), DmaName);

TEST_P(Bits, RegistersKeepEveryBit) {
  Proves({"register.access"});
  Make();
  for (const RegisterGroup& group : kRegisterGroups) {
    for (uint32_t i = 0; i < group.dims[0].count; ++i) {
      for (uint32_t j = 0; j < group.dims[1].count; ++j) {
        if (!Exists(group.name, i, j)) continue;
        for (uint32_t r = group.first; r < group.first + group.rows; ++r) {
          const RegisterRow& row = kRegisterRows[r];
          const uint32_t free = Free(group.name, row);
          const uint32_t address =
              group.address + i * group.dims[0].stride + j * group.dims[1].stride + row.offset;
          if (free == 0 || !bench().Write(address, 0)) continue;  // or the build has no such thing
          const bool window = std::string_view(group.name) == "WINDOW";
          const uint32_t block = address - row.offset;
          Keeps(address, free, window ? std::optional(block + 0x10) : std::nullopt,
                fmt::format("{}[{}][{}].{}", group.name, i, j, row.name));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(checked_, 5U * static_cast<size_t>(config().channels()));
  EXPECT_GT(bits_, 80U * static_cast<size_t>(config().channels()));
}

// Nothing else uses the registers: a write is answered two cycles after its request, a read three
// cycles later at most (the master of the bench looks at it a cycle later).
TEST_P(Bits, NothingDelaysAnAccess) {
  Make();
  bench().Step(300);
  for (int n = 0; n < 20; ++n) {
    SCOPED_TRACE(n);
    uint64_t before = bench().cycle();
    bench().Get(native::kGlobalStatus);
    EXPECT_LE(bench().cycle() - before, 6u);
    before = bench().cycle();
    bench().Set(native::kGlobalControl, 0);
    EXPECT_EQ(bench().cycle() - before, 3u);
    bench().Step(n % 3);
  }
}

// The memory answers every access with an error. The first one is told, to the bit.
TEST_P(Bits, AnErrorAnywhereHasItsAddress) {
  Proves({"program.error-address"});
  Fail(kSlvErr, 0, 7, 40, [&](Direction way, int number, uint64_t base) {
    const auto record = WaitRecord(way, number);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_NE(record->done.status, 0);
    EXPECT_EQ(record->done.addr, base);
    bench().Step(40);
    EXPECT_EQ(Get(way, native::kErrorAddr, number), static_cast<uint32_t>(base));
    EXPECT_EQ(Get(way, native::kErrorAddr + 4, number), static_cast<uint32_t>(base >> 32));
    EXPECT_EQ(Channel(way, number).TakeError().address, base);
  });
}

// So is what a window forbids, wherever the window lies.
TEST_P(Bits, ARefusalAnywhereHasItsAddress) {
  Proves({"program.error-address"});
  Make();
  if (config().windows == 0) GTEST_SKIP() << "the build has no windows";
  for (const Direction way : {kRead, kWrite}) {
    Rng rng(8);
    for (int n = 0; n < 40; ++n) {
      const uint64_t base = Anywhere(rng), page = base & ~uint64_t{0xfff};
      const bool above = rng.Chance(0.5);
      software().SetWindow(way, 0, above ? page + 0x1000 : Anywhere(rng) & (page >> 1) & ~0xfffULL,
                           above ? page + 0x1000 : (page >> 1) & ~0xfffULL);
      Write(First(way), Copy(base, 16));
      if (way == kWrite) bench().source(0).Push(std::vector<uint8_t>(16), PieceEnd::kLast);
      Push(way, {.start = First(way)});
      const auto record = WaitRecord(way);
      ASSERT_TRUE(record) << bench().Dump();
      EXPECT_NE(record->done.status, 0);
      bench().Step(40);
      const driver::ChannelError error = Channel(way).TakeError();
      EXPECT_EQ(error.address, base) << fmt::format("page {:#x}", page);
      bench().source(0).DiscardUnsent();
    }
  }
}

// One lock after the other leaves its range at both ends; each flag is its own.
TEST_P(Bits, EveryLockHasItsFlags) {
  Proves({"lock.saturates"});
  Make();
  if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
  constexpr uint32_t kOver = 0x40, kUnder = 0x48;
  for (int n = 0; n < config().locks; ++n) {
    const uint32_t place = native::kLocks + 0x10 * static_cast<uint32_t>(n);
    const uint32_t high = n < 32 ? 0 : 4, bit = 1U << (n % 32);
    software().SetLock(n, 63);
    bench().Set(place + 4, 1);
    EXPECT_EQ(software().LockValue(n), 63);
    software().SetLock(n, 0);
    bench().Set(place + 4, 0x7f);  // -1
    EXPECT_EQ(software().LockValue(n), 0);
    for (const uint32_t flags : {kOver, kUnder}) {
      EXPECT_EQ(bench().Get(flags + high), bit) << "lock " << n;
      if (config().locks > 32) {
        EXPECT_EQ(bench().Get(flags + (4 - high)), 0U);
      }
      bench().Set(flags + high, ~bit);
      EXPECT_EQ(bench().Get(flags + high), bit);
      bench().Set(flags + high, bit);
      EXPECT_EQ(bench().Get(flags + high), 0U);
    }
    software().SetLock(n, n % 64);
  }
  for (int n = 0; n < config().locks; ++n) EXPECT_EQ(software().LockValue(n), n % 64);
}

// Each pin and each event of software starts a task that waits for it, and none for another.
TEST_P(Bits, EveryTriggerStartsItsTask) {
  Proves({"program.trigger"});
  Make();
  if (!config().triggers) GTEST_SKIP() << "the build has no triggers";
  Load(0x1000, 8);
  Write(First(kRead), Copy(0x1000, 8));
  for (uint32_t source = 0; source < 32; ++source) {
    const uint32_t event = source % 16;
    const auto fire = [&](uint32_t number) {
      if (source >= 16) {
        EXPECT_TRUE(software().device().Trigger(number).ok());
        bench().Step(8);
        return;
      }
      bench().dma().triggers = static_cast<uint16_t>(1U << number);
      bench().Step(4);
      bench().dma().triggers = 0;
      bench().Step(8);
    };
    ASSERT_TRUE(Channel(kRead)
                    .SetTrigger(source < 16 ? driver::TriggerSource::Pin(event)
                                            : driver::TriggerSource::Software(event))
                    .ok());
    Push(kRead, {.start = First(kRead), .trigger = true}, 0, 100 + source);
    bench().Step(60);
    for (uint32_t other = 0; other < 16; ++other) {
      if (other != event) fire(other);
    }
    EXPECT_FALSE(Pop(kRead)) << "source " << source;
    fire(event);
    const auto record = WaitRecord(kRead);
    ASSERT_TRUE(record) << "source " << source;
    EXPECT_EQ(record->tag, 100 + source);
  }
}

// A transfer of more than a mebibyte, and a packet that is longer than its transfer by as much.
TEST_P(Bits, LongCountsAreTold) {
  Make();
  constexpr uint32_t kBytes = (1U << 20) + (1U << 19) + 24;
  const auto all = [&](Direction way) {
    for (int n = 0; n < 20000; ++n) {
      if (auto record = Pop(way)) return record;
      bench().Step(500);
    }
    return std::optional<native::Record>();
  };
  native::Descriptor repeats = Copy(0x1000, 1 << 12);  // the same 4 KiB again and again
  repeats.transfer.count = {24, (kBytes / 24), 1, 1};
  repeats.transfer.stride = {1, 0, 0, 0};
  Write(First(kRead), repeats);
  Push(kRead, {.start = First(kRead)});
  const auto read = all(kRead);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->done.bytes, kBytes / 24 * 24);
  if (config().route_dest) return;  // its packets go where TDEST says
  native::Descriptor early = Copy(0x4000, 64);
  early.transfer.finish = model::Finish::kLast;
  Write(First(kWrite), early);
  Push(kWrite, {.start = First(kWrite)});
  bench().source(0).Push(std::vector<uint8_t>(kBytes, 0x5c), PieceEnd::kLast);
  const auto written = all(kWrite);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->done.bytes, 64U);
  EXPECT_EQ(written->done.dropped, kBytes - 64);
}

// A channel that an error stops tells where, wherever that is; its reset lets it go on.
TEST_P(Bits, AStopAnywhereHasItsAddress) {
  Proves({"program.error-address"});
  Fail(kDecErr, registers::entry::Status::kDecerrMask, 9, 24,
       [&](Direction way, int number, uint64_t base) {
         bench().Step(200);
         EXPECT_EQ(Get(way, native::kStatus, number) & 15, 13U);  // a fault or an error
         const driver::ChannelError error = Channel(way, number).TakeError();
         EXPECT_EQ(error.address, base);
         EXPECT_NE(error.bits & 1U << 7, 0U);
         ASSERT_TRUE(Channel(way, number).Reset(driver::Timeout::Cycles(20000)).ok());
         Channel(way, number).TakeError();
       });
}

// The lists of all channels, one after the other and twice: each entry is in its place, with the
// phase of its round.
TEST_P(Bits, EveryChannelWritesItsEntries) {
  Proves({"list.entries"});
  Make();
  if (!config().lists || config().route_dest) GTEST_SKIP() << "the build has no lists";
  constexpr uint32_t kCount = 24, kPitch = 2 << 4, kEntries = 2;
  for (int c = 0; c < config().channels(); ++c) {
    const Direction way = c < config().reads ? kRead : kWrite;
    const int number = way == kRead ? c : c - config().reads;
    const uint64_t place = 0x100000 + 0x10000 * static_cast<uint64_t>(c);
    std::vector<native::Descriptor> list(kCount, Copy(place + 0x8000, 8));
    native::Load(&bench().memory(), place, list);
    const uint32_t at = native::Channel(way, number);
    bench().Set64(at + native::kListBase, place);
    bench().Set(at + native::kListCount, kCount);
    bench().Set64(at + native::kListDoneBase, place + 0x4000);
    bench().Set(at + native::kListControl, kPitch | kEntries);
    for (uint32_t round = 0; round < 2; ++round) {
      if (way == kWrite)
        bench().source(number).Push(std::vector<uint8_t>(8 * kCount, 0x21), PieceEnd::kLast);
      bench().Set(at + native::kTask, native::Task{.from_list = true}.Word());
      uint32_t records = 0;
      for (int n = 0; n < 4000 && records < kCount; ++n) {
        if ((bench().Get(at + native::kRecord) >> 31) == 0) continue;
        bench().Set(at + native::kRecordPop, 0);
        ++records;
      }
      EXPECT_EQ(records, kCount) << "channel " << c;
      bench().Step(200);
      for (uint32_t n = 0; n < kCount; ++n) {
        const auto entry = bench().memory().ReadBytes(place + 0x4000 + 16 * n, 16);
        EXPECT_EQ(entry[15] >> 7, 1 - static_cast<int>(round)) << "channel " << c << " entry " << n;
      }
      bench().Set(at + native::kListControl, kPitch | kEntries);  // begins with descriptor 0 again
    }
  }
}

// An array of more descriptors than any queue holds.
TEST_P(Bits, ALongArrayIsWalkedToItsEnd) {
  Proves({"list.array"});
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  constexpr int kDescriptors = 600;
  const std::vector<uint8_t> data = Load(0x1000, 1024);
  for (int number = 0; number < config().reads; ++number) {
    std::vector<uint8_t> wanted;
    std::vector<native::Descriptor> list;
    for (int n = 0; n < kDescriptors; ++n) {
      list.push_back(Copy(0x1000 + static_cast<uint64_t>(n), 4));
      list.back().no_record = n + 1 != kDescriptors;
      for (size_t k = 0; k < 4; ++k) wanted.push_back(data[static_cast<size_t>(n) + k]);
    }
    software().SetArray(kRead, number, 0x40000, list);
    Push(kRead, {.from_list = true}, number);
    const auto& bytes = bench().sink(number).bytes();
    for (int n = 0; n < 400 && bytes.size() < wanted.size(); ++n) bench().Step(200);
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end()), wanted) << "channel " << number;
    ASSERT_TRUE(WaitRecord(kRead, number));
  }
}

}  // namespace
}  // namespace tessera
