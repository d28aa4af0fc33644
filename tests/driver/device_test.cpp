// Discovery, locks, windows, triggers.
#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

using DeviceTest = DriverTest;

TEST(Discovery, RefusesWhatItDoesNotKnow) {
  struct Row {
    Reason reason;
    void (*change)(mock::Config&);
  };
  const Row rows[] = {
      {Reason::unknown_device, [](mock::Config& c) { c.id = 0xffffffff; }},
      {Reason::unknown_device, [](mock::Config& c) { c.id = 0; }},
      {Reason::unknown_version, [](mock::Config& c) { c.version = 0x7f0000; }},
      {Reason::capabilities, [](mock::Config& c) { c.reads = c.writes = 0; }},
      {Reason::capabilities, [](mock::Config& c) { c.reads = 17; }},
      {Reason::capabilities, [](mock::Config& c) { c.address_bits = 31; }},
      {Reason::capabilities, [](mock::Config& c) { c.data_log2 = 8; }},
      {Reason::capabilities, [](mock::Config& c) { c.descriptors = 0; }},
      {Reason::capabilities, [](mock::Config& c) { c.locks = 65; }},
      {Reason::capabilities, [](mock::Config& c) { c.writes = 17; }},
      {Reason::capabilities, [](mock::Config& c) { c.address_bits = 65; }},
      {Reason::capabilities, [](mock::Config& c) { c.stream_log2 = 8; }},
      {Reason::capabilities, [](mock::Config& c) { c.descriptors = 257; }},
      {Reason::capabilities, [](mock::Config& c) { c.task_log2 = 5; }},
  };
  for (const Row& row : rows) {
    mock::Config config;
    row.change(config);
    MockDevice mock(config);
    MockBus bus(mock);
    Device device(bus);
    EXPECT_EQ(device.Open().reason(), row.reason) << Text(row.reason);
    EXPECT_FALSE(device.opened());
    MockChannel channel(device, Direction::kToStream, 0);
    EXPECT_EQ(channel.Open().reason(), Reason::not_configured);
    if (row.reason == Reason::unknown_device) {
      EXPECT_EQ(mock.log().size(), 1u);  // no other register of a stranger
    }
  }
}

TEST(Discovery, TheWordsOfAStrangerAreNotRead) {
  EXPECT_EQ(DecodeCapabilities(1, 0, 1, 64, 1, 0).status.reason(), Reason::unknown_device);
}

// Registers that are memory.
TEST(Mapped, AccessesGoWhereTheyShould) {
  alignas(64) static volatile uint32_t registers[32] = {};
  const MmioBus bus(reinterpret_cast<uintptr_t>(registers));
  static_assert(Bus<MmioBus>);
  bus.write32(8, 5);
  EXPECT_EQ(registers[2], 5u);
  registers[3] = 9;
  EXPECT_EQ(bus.read32(12), 9u);
  const uint32_t words[3] = {1, 2, 3};
  bus.write_words<3>(64, words);
  bus.barrier();
  EXPECT_EQ(registers[16], 1u);
  EXPECT_EQ(registers[18], 3u);
  EXPECT_EQ(registers[19], 0u);
}

// A descriptor over a bus that takes words in one call; a wait that lets others run.
class WordsBus : public MockBus {
 public:
  using MockBus::MockBus;
  void relax() { ++relaxed; }
  template <uint32_t kWords>
  void write_words(uint32_t offset, const uint32_t* words) {
    ++calls;
    for (uint32_t n = 0; n < kWords; ++n) write32(offset + 4 * n, words[n]);
  }
  uint32_t relaxed = 0, calls = 0;
};

TEST(Mapped, ABusMayRelaxAndTakeWords) {
  MockDevice mock;
  WordsBus bus(mock);
  Device device(bus);
  ASSERT_TRUE(device.Open().ok());
  Channel<WordsBus> channel(device, Direction::kToStream, 0);
  ASSERT_TRUE(channel.Open().ok());
  DescriptorPool pool(16);
  Task task(channel, pool);
  EXPECT_EQ(task.Run(Copy(0x1000, 8, device.build())).value.bytes, 8u);
  EXPECT_EQ(bus.calls, 1u);
  bus.relaxed = 0;
  EXPECT_EQ(
      device.WaitFor(registers::global_block::Scratch::kOffset, 1, 1, Timeout::Turns(7)).reason(),
      Reason::timeout);
  EXPECT_EQ(bus.relaxed, 7u);
  EXPECT_TRUE(mock.violations().empty());
}

TEST_F(DeviceTest, AChannelThatIsNotOpenIsNotTouched) {
  for (const uint32_t number : {2u, 16u, 256u, 257u}) {
    MockChannel channel(device, Direction::kToStream, number);
    EXPECT_EQ(channel.Open(), Status(Reason::channel_number, std::min(number, 255u)));
    EXPECT_EQ(channel.Reset(), Status(Reason::channel_number, std::min(number, 255u)));
    EXPECT_EQ(channel.Pause().reason(), Reason::not_configured);
    EXPECT_EQ(channel.Drain().reason(), Reason::not_configured);
    EXPECT_EQ(channel.Stop().reason(), Reason::not_configured);
    EXPECT_EQ(channel.Abort().reason(), Reason::not_configured);
    EXPECT_EQ(channel.StopOn(1).reason(), Reason::not_configured);
    EXPECT_EQ(channel.HeadersChoose(true).reason(), Reason::not_configured);
    EXPECT_EQ(channel.SetTrigger(0).reason(), Reason::not_configured);
    EXPECT_EQ(channel.SetStanding(1, 0, 0, 0, 0).reason(), Reason::not_configured);
    EXPECT_EQ(channel.TakeError().bits, 0u);
    EXPECT_EQ(channel.StatusWord(), 0u);
    EXPECT_EQ(channel.Push(0).status.reason(), Reason::not_configured);
    EXPECT_EQ(channel.EnableInterrupts(0).reason(), Reason::not_configured);
    EXPECT_EQ(channel.Wait(0).status.reason(), Reason::not_configured);
    EXPECT_EQ(channel.Stopped().reason(), Reason::not_configured);
    channel.Service();
    Record record;
    EXPECT_FALSE(channel.TakeRecord(record));
    channel.Resume();
    ServiceRoutine<MockChannel, 1> service(device);
    EXPECT_EQ(service.Add(channel).reason(), Reason::not_configured);
  }
  EXPECT_TRUE(mock.log().empty());
}

// What a start program may have done: no write to a locked register.
TEST_F(DeviceTest, LockedRegistersOfAChannelStayAsTheyAre) {
  mock.Write32(registers::ReadAddress(0) + registers::channel::Control::kOffset,
               registers::channel::Control::kLockMask);
  mock.Write32(registers::ReadAddress(0) + registers::channel::Standing::kOffset,
               registers::channel::Standing::kLockMask);
  mock.ClearLog();
  const Status locked(Reason::register_locked, 0);
  EXPECT_EQ(reader.Pause(), locked);
  EXPECT_EQ(reader.Drain(), locked);
  EXPECT_EQ(reader.Stop(), locked);
  EXPECT_EQ(reader.Abort(), locked);
  EXPECT_EQ(reader.Reset(), locked);
  EXPECT_EQ(reader.StopOn(1), locked);
  EXPECT_EQ(reader.SetStanding(1, 0, 0, 0, 0), locked);
  reader.Resume();
  EXPECT_TRUE(Writes().empty());
  ASSERT_TRUE(reader.Open().ok());
  Task<MockChannel> task(reader, pool);
  EXPECT_TRUE(task.Run(Copy(0x100, 8, device.build())).ok());
}

TEST_F(DeviceTest, StandingIsRefusedWhereItHasNoRoom) {
  EXPECT_EQ(reader.SetStanding(16, 0, 0, 0, 0).reason(), Reason::standing_range);
  EXPECT_EQ(reader.SetStanding(0, 16, 0, 0, 0).reason(), Reason::standing_range);
  EXPECT_EQ(reader.SetStanding(0, 0, 16, 0, 0).reason(), Reason::standing_range);
  EXPECT_EQ(reader.SetStanding(0, 0, 0, 8, 0).reason(), Reason::standing_range);
  EXPECT_EQ(reader.SetStanding(0, 0, 0, 0, 256).reason(), Reason::standing_range);
  EXPECT_TRUE(Writes().empty());
  ASSERT_TRUE(reader.SetStanding(15, 14, 13, 7, 255).ok());
  EXPECT_EQ(Writes().back().value, 0x00ff7defu);
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0x100, 8, device.build())).ok());
  mock.Freeze(0);
  ASSERT_TRUE(task.Start().ok());
  EXPECT_EQ(reader.SetStanding(1, 0, 0, 0, 0).reason(), Reason::task_running);
  EXPECT_EQ(device.Trigger(16).reason(), Reason::trigger_number);
}

TEST_F(DeviceTest, OpenForgetsErrorsOfAnEarlierProgram) {
  Task<MockChannel> task(reader, pool);
  mock.FailNext(0, registers::entry::Status::kSlverrMask);
  EXPECT_FALSE(task.Run(Copy(0x100, 8, device.build())).ok());
  MockChannel channel(device, Direction::kToStream, 0);
  ASSERT_TRUE(channel.Open().ok());
  channel.Service();
  EXPECT_FALSE(channel.saw_error());
  EXPECT_EQ(channel.TakeError().bits, 0u);
}

TEST_F(DeviceTest, LocksThatCannotBeAreRefused) {
  const Lock lock(device, 3);
  EXPECT_EQ(lock.Set(64).reason(), Reason::lock_value);
  EXPECT_EQ(lock.Release(64).reason(), Reason::lock_value);
  EXPECT_EQ(lock.Acquire(-65).reason(), Reason::lock_value);
  EXPECT_EQ(Lock(device, 8).Value().status, Status(Reason::lock_number, 8));
  EXPECT_EQ(Lock(device, 8).Set(0), Status(Reason::lock_number, 8));
  EXPECT_TRUE(Writes().empty());
}

TEST_F(DeviceTest, LocksThatWentBeyondTheirRangeAreToldOnce) {
  ASSERT_TRUE(Lock(device, 3).Set(60).ok());
  ASSERT_TRUE(Lock(device, 3).Release(5).ok());
  ASSERT_TRUE(Lock(device, 5).Release(-1).ok());
  LockErrors errors = TakeLockErrors(device);
  EXPECT_EQ(errors.over, 1u << 3);
  EXPECT_EQ(errors.under, 1u << 5);
  mock.ClearLog();
  errors = TakeLockErrors(device);
  EXPECT_EQ(errors.over | errors.under, 0u);
  EXPECT_TRUE(Writes().empty());
  mock::Config config;
  config.locks = 40;
  MockDevice many(config);
  MockBus many_bus(many);
  Device wide(many_bus);
  ASSERT_TRUE(wide.Open().ok());
  ASSERT_TRUE(Lock(wide, 39).Release(-1).ok());
  EXPECT_EQ(TakeLockErrors(wide).under, uint64_t{1} << 39);
  EXPECT_EQ(TakeLockErrors(wide).under, 0u);
  config.locks = 0;
  MockDevice without(config);
  MockBus without_bus(without);
  Device none(without_bus);
  ASSERT_TRUE(none.Open().ok());
  errors = TakeLockErrors(none);
  EXPECT_EQ(errors.over | errors.under, 0u);
  EXPECT_TRUE(without.violations().empty());
}

TEST_F(DeviceTest, ABuildWithoutCountersHasNoCounts) {
  EXPECT_EQ(ReadCounts(device, {Direction::kToStream, 0}).status.reason(), Reason::no_counters);
  EXPECT_EQ(Reads(), 0u);
}

TEST_F(DeviceTest, ALockIsReleasedAfterABarrier) {
  mock.ClearLog();
  ASSERT_TRUE(Lock(device, 0).Release(1).ok());
  ASSERT_EQ(mock.log().size(), 2u);
  EXPECT_EQ(mock.log()[0].kind, Access::Kind::kBarrier);
  EXPECT_EQ(mock.log()[1].offset, 0x3004u);
  mock.ClearLog();
  ASSERT_TRUE(Lock(device, 0).Acquire(-1).ok());
  EXPECT_EQ(mock.log().back().kind, Access::Kind::kBarrier);
}

TEST_F(DeviceTest, AWindowIsWrittenControlLast) {
  const Window window{0x1000, 0x5000, true, false, true};
  ASSERT_TRUE(SetWindow(device, Direction::kFromStream, 1, 1, window).ok());
  const auto writes = Writes();
  ASSERT_EQ(writes.size(), 5u);
  EXPECT_EQ(writes[0].offset, 0x10000u + 17 * 0x200 + 0x20);
  EXPECT_EQ(writes[2].value, 0x5000u);
  EXPECT_EQ(writes[4].offset & 0x1f, 0x10u);
  EXPECT_EQ(writes[4].value, 1u | 1u << 31);
  EXPECT_EQ(SetWindow(device, Direction::kFromStream, 1, 1, window).reason(),
            Reason::window_locked);
}

TEST_F(DeviceTest, AWindowMayBeForWritesAlone) {
  ASSERT_TRUE(SetWindow(device, Direction::kToStream, 0, 0, {0, 0x1000, false, true, false}).ok());
  EXPECT_EQ(Writes().back().value, 2u);
}

TEST_F(DeviceTest, WrongWindowsAreRefused) {
  const Direction to = Direction::kToStream;
  EXPECT_EQ(SetWindow(device, to, 0, 0, {0x1001, 0x2000}).reason(), Reason::window_pages);
  EXPECT_EQ(SetWindow(device, to, 0, 0, {0x2000, 0x1000}).reason(), Reason::window_pages);
  EXPECT_EQ(SetWindow(device, to, 0, 2, {}).reason(), Reason::window_number);
  mock::Config config;
  config.address_bits = 40;
  MockDevice narrow(config);
  MockBus narrow_bus(narrow);
  Device far(narrow_bus);
  ASSERT_TRUE(far.Open().ok());
  constexpr uint64_t kEnd = uint64_t{1} << 40;
  EXPECT_EQ(SetWindow(far, to, 0, 0, {kEnd, kEnd + 0xf000, true}).reason(), Reason::window_pages);
  EXPECT_EQ(SetWindow(far, to, 0, 0, {0, kEnd, true}).reason(), Reason::window_pages);
  EXPECT_TRUE(SetWindow(far, to, 0, 0, {0, kEnd - 0x1000, true}).ok());
  EXPECT_EQ(SetWindow(device, to, 2, 0, {}).reason(), Reason::channel_number);
  EXPECT_TRUE(Writes().empty());
}

TEST_F(DeviceTest, MoreRecordsThanCanBeCountedAreRefused) {
  EXPECT_EQ(reader.EnableInterrupts(registers::channel::IrqStatus::kRecordMask, 32).reason(),
            Reason::coalesce_range);
  EXPECT_EQ(reader.EnableInterrupts(registers::channel::IrqStatus::kRecordMask, 32, 1).reason(),
            Reason::coalesce_range);
  EXPECT_EQ(reader.EnableInterrupts(registers::channel::IrqStatus::kRecordMask, 1, 65536).reason(),
            Reason::coalesce_range);
  EXPECT_TRUE(Writes().empty());
  EXPECT_TRUE(reader.EnableInterrupts(registers::channel::IrqStatus::kRecordMask, 31).ok());
  EXPECT_TRUE(reader.EnableInterrupts(registers::channel::IrqStatus::kRecordMask, 31, 65535).ok());
}

// The counter wraps between two reads, and a handler reads it there as well.
class WrappingBus {
 public:
  explicit WrappingBus(uint64_t now) : now_(now) {}
  uint32_t read32(uint32_t offset) {
    if (offset == registers::global_block::CyclesHigh::kOffset) {
      if (handler_reads) Low();
      return static_cast<uint32_t>(latched_ >> 32);
    }
    return Low();
  }
  void write32(uint32_t, uint32_t) {}
  void barrier() {}

  bool handler_reads = false;

 private:
  uint32_t Low() {
    now_ += 3;
    latched_ = now_;
    return static_cast<uint32_t>(now_);
  }
  uint64_t now_, latched_ = 0;
};

TEST(Cycles, AreRightWhereTheCounterWraps) {
  for (const bool handler : {false, true}) {
    for (uint64_t before = 0; before < 20; ++before) {
      const uint64_t begin = (uint64_t{8} << 32) - before;
      WrappingBus bus(begin);
      bus.handler_reads = handler;
      const uint64_t cycles = Device(bus).Cycles();
      EXPECT_GE(cycles, begin);
      EXPECT_LT(cycles, begin + 30);
    }
  }
}

TEST_F(DeviceTest, SourcesOfTriggersHaveTheNumbersOfTheManual) {
  const auto to = Direction::kToStream, from = Direction::kFromStream;
  EXPECT_EQ(TriggerSource::Pin(3), 0x13u);
  EXPECT_EQ(TriggerSource::Software(15), 0x2fu);
  EXPECT_EQ(TriggerSource::TransferDone(to, 1), 0x41u);
  EXPECT_EQ(TriggerSource::TransferDone(from, 2), 0x52u);
  EXPECT_EQ(TriggerSource::TaskDone(to, 0), 0x60u);
  EXPECT_EQ(TriggerSource::TaskDone(from, 15), 0x7fu);
}

TEST_F(DeviceTest, WaitsAreBoundedInTurnsAndCycles) {
  EXPECT_EQ(
      device.WaitFor(registers::global_block::Scratch::kOffset, 1, 1, Timeout::Turns(7)).reason(),
      Reason::timeout);
  EXPECT_EQ(mock.log().size(), 8u);
  const uint64_t begin = device.Cycles();
  EXPECT_EQ(device.WaitFor(registers::global_block::Scratch::kOffset, 1, 1, Timeout::Cycles(100))
                .reason(),
            Reason::timeout);
  EXPECT_GE(device.Cycles() - begin, 100u);
  EXPECT_LT(device.Cycles() - begin, 200u);
}

TEST_F(DeviceTest, OpenTurnsInterruptsOff) {
  ASSERT_TRUE(reader.EnableInterrupts(registers::channel::IrqStatus::kTaskDoneMask).ok());
  MockChannel channel(device, Direction::kToStream, 0);
  ASSERT_TRUE(channel.Open().ok());
  EXPECT_EQ(device.Read(registers::ReadAddress(0) + registers::channel::IrqEnable::kOffset), 0u);
}

TEST_F(DeviceTest, AQuiescedDeviceIsRefusedUntilItGoesOn) {
  ASSERT_TRUE(device.Quiesce().ok());
  Device<MockBus> other(bus);
  EXPECT_EQ(other.Open().reason(), Reason::device_quiesced);
  EXPECT_FALSE(other.opened());
  other.Resume();
  EXPECT_TRUE(other.Open().ok());
}

TEST_F(DeviceTest, PatienceIsKept) {
  EXPECT_EQ(device.SetPatience(16).reason(), Reason::patience_exponent);
  ASSERT_TRUE(device.SetPatience(5).ok());
  EXPECT_EQ(Writes().back().value, 0x50u);
  device.EnableInterrupts(true);
  EXPECT_EQ(Writes().back().value, 0x52u);
  ASSERT_TRUE(device.Quiesce().ok());
  device.Resume();
  EXPECT_EQ(Writes().back().value, 0x52u);
  ASSERT_TRUE(device.SetPatience(0).ok());
  EXPECT_EQ(Writes().back().value, 2u);
}

TEST_F(DeviceTest, ALockedGlobalControlStaysAsItIs) {
  mock.Write32(registers::global_block::GlobalControl::kOffset,
               registers::global_block::GlobalControl::kLockMask |
                   registers::global_block::GlobalControl::kIrqEnableMask);
  mock.ClearLog();
  EXPECT_EQ(device.SetPatience(1).reason(), Reason::register_locked);
  EXPECT_EQ(device.Quiesce().reason(), Reason::register_locked);
  device.EnableInterrupts(false);
  device.FreezeCounters(true);
  device.ClearCounters();
  device.Resume();
  EXPECT_TRUE(Writes().empty());
}

TEST_F(DeviceTest, CountersAreFrozenAndClearedTogether) {
  device.FreezeCounters(true);
  EXPECT_EQ(Writes().back().value, 4u);
  device.EnableInterrupts(true);
  EXPECT_EQ(Writes().back().value, 6u);
  device.ClearCounters();
  EXPECT_EQ(Writes().back().value, 0xeu);
  device.FreezeCounters(false);
  EXPECT_EQ(Writes().back().value, 2u);
}

TEST_F(DeviceTest, QuiesceStopsEverything) {
  ASSERT_TRUE(device.Quiesce().ok());
  device.EnableInterrupts(true);
  EXPECT_EQ(Writes().back().value, 3u);
  device.Resume();
  EXPECT_EQ(Writes().back().value, 2u);
  device.EnableInterrupts(false);
  EXPECT_EQ(Writes().back().value, 0u);
}

}  // namespace
}  // namespace tessera::driver
