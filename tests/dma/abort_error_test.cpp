// A bus error of a transfer whose predecessor was cut by an abort or a reset, in every cycle of its
// burst: record, ERROR and locks tell of the new transfer alone.
#include "tb/bus/axi_errors.h"
#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint64_t kFirstBase = 0x10000, kSecondBase = 0x20000, kRow = 0x400;
constexpr int kOfFirst = 0, kOfSecond = 1;  // locks

class ErrorBehind : public DmaTest {
 protected:
  uint32_t bus() { return static_cast<uint32_t>(config().channel.data_bytes); }
  bool locks() { return config().locks >= 2; }
  // One burst, or three where a burst has 16 beats.
  // Six rows of eight beats; beat 0 has an error where there is one.
  native::Descriptor First() {
    native::Descriptor d = Copy(kFirstBase, 8 * bus());
    d.transfer.count[1] = 6;
    d.transfer.stride[1] = kRow;
    if (locks()) d.acquire = native::LockOp{kOfFirst, -1};
    if (locks()) d.release = {kOfFirst, 1};
    return d;
  }
  // Five rows of four beats, each row a burst of its own. Beat 1 of the fourth has an error.
  native::Descriptor Second() {
    native::Descriptor d = Copy(kSecondBase, 4 * bus());
    d.transfer.count[1] = 5;
    d.transfer.stride[1] = kRow;
    if (locks()) d.acquire = native::LockOp{kOfSecond, -1};
    if (locks()) d.release = {kOfSecond, 1};
    return d;
  }
  uint64_t BytesOfSecond() { return uint64_t{20} * bus(); }
  // The bus word of a read, the burst of a write.
  uint64_t ErrorOfSecond(Direction way) {
    return kSecondBase + 3 * kRow + (way == kRead ? bus() : 0);
  }

  void MakeWithErrors(bool first_too) {
    Make();
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(6);
    // Of another kind than the error of the second transfer, and elsewhere.
    if (first_too)
      options.memory.errors.push_back(ErrorRule::Range(kFirstBase + 20, kFirstBase + 20, kDecErr));
    const uint64_t at = kSecondBase + 3 * kRow + bus();
    options.memory.errors.push_back(ErrorRule::Range(at, at + bus() - 1, kSlvErr));
    Make(options);
  }

  // Takes the records of a transfer that was cut, or was not; how many there were.
  int TakeFirst(Direction way, int descriptor, bool errors, uint32_t tag, bool* aborted) {
    int records = 0;
    *aborted = false;
    while (const auto record = Pop(way)) {
      ++records;
      EXPECT_EQ(record->descriptor(), descriptor);
      EXPECT_EQ(record->tag, tag);
      *aborted = (record->done.status & rtl::Status::kAborted) != 0;
      EXPECT_EQ(record->done.status & ~(rtl::Status::kAborted | rtl::Status::kDecerr), 0);
      const bool decerr = (record->done.status & rtl::Status::kDecerr) != 0;
      if (!errors || !*aborted) {
        EXPECT_EQ(decerr, errors);
      }
      if (!decerr) {
        EXPECT_EQ(record->done.addr, 0u);
      }
    }
    return records;
  }

  // The transfer with the error, and what must be told of it.
  void RunSecond(Direction way, int descriptor, uint32_t tag, bool stops) {
    if (locks()) software().SetLock(kOfSecond, 1);
    const size_t seen = bench().sink(0).bytes().size();
    const uint64_t taken = bench().source(0).bytes_accepted();
    if (way == kWrite) {
      std::vector<uint8_t> data(BytesOfSecond());
      for (size_t n = 0; n < data.size(); ++n) data[n] = static_cast<uint8_t>(5 * n + tag);
      bench().source(0).Push(data, PieceEnd::kLast);
    }
    Push(way, {.start = descriptor}, 0, tag);
    const auto record = WaitRecord(way);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->descriptor(), descriptor);
    EXPECT_EQ(record->tag, tag);
    EXPECT_TRUE(record->task_end());
    EXPECT_EQ(int{record->done.status}, int{rtl::Status::kSlverr});
    EXPECT_EQ(record->done.addr, ErrorOfSecond(way));
    EXPECT_EQ(record->done.bytes, BytesOfSecond());
    bench().Step(40);  // ERROR follows
    const uint32_t told = kBusError | (stops ? kFault : 0);
    EXPECT_EQ(Get(way, native::kError), told);
    EXPECT_EQ(Get(way, native::kErrorInfo) & 0xffff, static_cast<uint32_t>(descriptor));
    EXPECT_EQ(bench().Get64(native::Channel(way, 0) + native::kErrorAddr), ErrorOfSecond(way));
    EXPECT_EQ(Get(way, native::kStatus) & kFaulted, stops ? kFaulted : 0u);
    if (locks()) {
      EXPECT_EQ(software().LockValue(kOfFirst), 1);
      EXPECT_EQ(software().LockValue(kOfSecond), stops ? 0 : 1);
    }
    std::vector<uint8_t> of_stream, of_memory;
    const auto& stream = way == kRead ? bench().sink(0).bytes() : bench().source(0).bytes();
    const auto from = static_cast<std::ptrdiff_t>(way == kRead ? seen : taken);
    ASSERT_GE(stream.size(), static_cast<size_t>(from) + BytesOfSecond());
    of_stream.assign(stream.begin() + from,
                     stream.begin() + from + static_cast<std::ptrdiff_t>(BytesOfSecond()));
    for (uint64_t row = 0; row < 5; ++row) {
      const auto part = bench().memory().ReadBytes(kSecondBase + row * kRow, size_t{4} * bus());
      of_memory.insert(of_memory.end(), part.begin(), part.end());
    }
    EXPECT_EQ(of_stream, of_memory);
    EXPECT_FALSE(Pop(way));
    const driver::ChannelError error = Channel(way).TakeError();
    EXPECT_EQ(error.bits, told);
    EXPECT_EQ(error.address, ErrorOfSecond(way));
    if (stops) {
      ASSERT_TRUE(Channel(way).Reset(driver::Timeout::Cycles(20000)).ok());
    }
  }

  // Cuts the first transfer later and later, until it has ended before.
  void InEveryCycle(Direction way, bool reset, bool first_too) {
    MakeWithErrors(first_too);
    if (way == kWrite && config().route_dest) return;  // its packets go where TDEST says
    const int first = DmaTest::First(way), second = first + 1;
    Write(first, First());
    Write(second, Second());
    if (locks()) software().SetLock(kOfFirst, 1);
    int cut = 0, cut_with_error = 0, ended = 0;
    for (int delay = 0; ended < 3; ++delay) {
      SCOPED_TRACE(delay);
      ASSERT_LT(delay, 600);
      const bool stops = delay % 2 == 1;
      const uint32_t stop_on = registers::entry::Status::kSlverrMask;
      ASSERT_TRUE(Channel(way).StopOn(stops ? stop_on : 0).ok());
      const uint32_t tag = 0x1000u + static_cast<uint32_t>(delay);
      if (way == kWrite)
        bench().source(0).Push(std::vector<uint8_t>(size_t{48} * bus(), 0x33), PieceEnd::kLast);
      Push(way, {.start = first}, 0, tag);
      if (delay > 0) bench().Step(delay);
      const auto patience = driver::Timeout::Cycles(20000);
      const driver::Status rest =
          reset ? Channel(way).Reset(patience) : Channel(way).Abort(patience);
      ASSERT_TRUE(rest.ok()) << bench().Dump();
      bench().source(0).DiscardUnsent();
      bench().Step(40);
      bool aborted = false;
      const int records = TakeFirst(way, first, first_too, tag, &aborted);
      EXPECT_LE(records, 1);
      cut += aborted;
      ended += records == 1 && !aborted;
      // What is left of it, and nothing more.
      if (locks()) {
        EXPECT_EQ(software().LockValue(kOfFirst), aborted ? 0 : 1);
        software().SetLock(kOfFirst, 1);
      }
      const driver::ChannelError error = Channel(way).TakeError();
      cut_with_error += aborted && (error.bits & kBusError) != 0;
      EXPECT_EQ(error.bits & ~kBusError & ~kAborted, 0u);
      if (!first_too) {
        EXPECT_EQ(error.bits & kBusError, 0u);
      }
      bench().Step(40);
      EXPECT_EQ(Get(way, native::kError), 0u);
      EXPECT_EQ(Get(way, native::kErrorInfo), 0u);
      EXPECT_EQ(bench().Get64(native::Channel(way, 0) + native::kErrorAddr), 0u);
      RunSecond(way, second, tag + 0x10000, stops);
      if (HasFailure()) return;
    }
    EXPECT_GT(cut, 20);
    if (first_too) {
      EXPECT_GT(cut_with_error, way == kRead ? 10 : 0);
    }
  }
};

TEST_P(ErrorBehind, AnAbortOfARead) {
  Proves({"program.error-address"});
  for (const bool first_too : {false, true}) InEveryCycle(kRead, false, first_too);
}

TEST_P(ErrorBehind, AnAbortOfAWrite) {
  Proves({"program.error-address"});
  for (const bool first_too : {false, true}) InEveryCycle(kWrite, false, first_too);
}

TEST_P(ErrorBehind, AResetOfARead) {
  Proves({"program.error-address"});
  for (const bool first_too : {false, true}) InEveryCycle(kRead, true, first_too);
}

TEST_P(ErrorBehind, AResetOfAWrite) {
  Proves({"program.error-address"});
  for (const bool first_too : {false, true}) InEveryCycle(kWrite, true, first_too);
}

INSTANTIATE_TEST_SUITE_P(Builds, ErrorBehind, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
