// Draws accesses: any address, those that exist, descriptors that are nearly legal, pushes of
// tasks.
#include "tb/dma/register_fuzz.h"

#include <fmt/format.h>

#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tb/dma/software.h"
#include "tb/dma/who_waits.h"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

constexpr uint64_t kFirst = 0x4000'0000, kLast = 0x4000'ffff;  // the window of every channel
constexpr uint32_t kLock = 1U << 31;
constexpr uint32_t kPacketControl = registers::global_block::PacketControl::kOffset,
                   kPacketLast = registers::global_block::PacketLast::kOffset;
// Locks last until a reset of the whole: a round is free of them at first, and ends with one.
constexpr uint64_t kRound = 4000, kFree = 3500;

namespace words = registers::descriptor;
// Elements of at most 8 bytes, without a header and extensions.
constexpr uint32_t kEasyFlags =
    words::Flags::kWritable & ~(words::Flags::kValidMask | words::Flags::kHeaderMask |
                                words::Flags::kHasBoundsMask | words::Flags::kHasWalkMask | 4U);
// Any but an endless one; bits 7:3 of `repeats` are 0.
using TaskWord = registers::channel::Task;
constexpr uint32_t kEasyTask =
    TaskWord::kWritable & ~(TaskWord::kStartMask | TaskWord::kEndlessMask |
                            registers::Bits<TaskWord::kRepeatsMask>(0xf8));
bool Locks(uint32_t address) {
  const uint32_t offset = address % 0x100;
  return address == kPacketControl || (address >= 0x1000 && address < 0x3000 &&
                                       (offset == native::kControl || offset == native::kStanding));
}

class Fuzz {
 public:
  Fuzz(DmaBench* bench, uint64_t seed)
      : bench_(*bench), config_(bench->config()), rng_(Rng(seed).Stream("fuzz")) {}

  // One window a channel, locked; the others locked and empty.
  void SetWindows() {
    for (int c = 0; c < config_.channels(); ++c) {
      const int place = c < config_.reads ? c : 16 + c - config_.reads;
      for (int n = 0; n < config_.windows; ++n) {
        const uint32_t at = native::kWindows + 0x200 * static_cast<uint32_t>(place) +
                            0x20 * static_cast<uint32_t>(n);
        bench_.Set(at, static_cast<uint32_t>(kFirst));
        bench_.Set(at + 8, static_cast<uint32_t>(kLast & ~uint64_t{0xfff}));
        bench_.Set(at + 16, kLock | (n == 0 ? 3 : 0));
      }
    }
  }

  void Run(uint64_t accesses, ProgramResult* result) {
    for (uint64_t n = 0; n < accesses; ++n) {
      if (n > 0 && n % kRound == 0) Begin();
      free_ = n % kRound < kFree;
      if (n % 64 == 0) Nudge();
      const uint32_t address = Address();
      const bool good = rng_.Chance(0.4)
                            ? Read(address)
                            : Write(address, Value(address),
                                    rng_.Chance(0.7) ? 0xf : static_cast<uint8_t>(rng_.Below(16)));
      ++result->executions;
      result->compared += good ? 0 : 1;
    }
    for (const auto& [address, value] : locked_) Read(address);
  }
  // Registers that were locked.
  uint64_t locks() const { return locks_; }

  // After a reset of the whole the driver finds everything as on the first day.
  void CheckAlive() {
    bench_.Reset();
    Software software(&bench_);
    native::Descriptor d;
    d.transfer.base = kFirst + 0x100;
    d.transfer.count[0] = 40;
    d.transfer.stride[0] = 1;
    for (int c = 0; c < config_.channels(); ++c) {
      const bool read = c < config_.reads;
      const int number = read ? c : c - config_.reads;
      software.Write(0, d);
      if (!read) bench_.source(number).Push(std::vector<uint8_t>(4000, 0x44), PieceEnd::kLast);
      const Direction way = read ? Direction::kRead : Direction::kWrite;
      software.Push(way, number, {.start = 0});
      for (int n = 0;; ++n) {
        if (const auto record = software.Pop(way, number)) {
          if (record->done.bytes == 40 && record->done.status == 0) break;
          throw std::runtime_error(fmt::format("channel {} after a reset: {}, status {}", c,
                                               Counted(record->done.bytes, "byte"),
                                               record->done.status));
        }
        if (n > 1000)
          throw std::runtime_error(fmt::format("channel {} is dead\n{}", c, WhoWaits(&bench_)));
      }
    }
  }

 private:
  // A reset of the whole ends the locks.
  void Begin() {
    for (const auto& [address, value] : locked_) Read(address);
    bench_.Reset();
    locked_.clear();
    SetWindows();
  }
  // A register that is locked keeps its value, and refuses to be written.
  bool Read(uint32_t address) {
    uint32_t value = 0;
    const bool good = bench_.Read(address, &value);
    const auto locked = locked_.find(address);
    if (locked != locked_.end() && (!good || value != locked->second)) {
      throw std::runtime_error(fmt::format("register {:#x} is locked at {:#x} and reads {:#x}",
                                           address, locked->second, value));
    }
    return good;
  }
  bool Write(uint32_t address, uint32_t value, uint8_t strobe = 0xf) {
    const bool good = bench_.Write(address, value, strobe);
    const uint32_t place = address & ~3U;
    if (good && locked_.contains(place)) {
      throw std::runtime_error(fmt::format("register {:#x} is locked and takes a write", place));
    }
    if (good && Locks(place) && (value & kLock) != 0 && (strobe & 8) != 0) Lock(place);
    return good;
  }
  void Lock(uint32_t place) {
    ++locks_;
    const uint32_t last = place == kPacketControl ? kPacketLast : place;
    for (uint32_t at = place; at <= last; at += 4) locked_[at] = bench_.Get(at);
    if ((locked_[place] & kLock) == 0) {
      throw std::runtime_error(fmt::format("register {:#x} was locked and is not", place));
    }
  }

  uint32_t Below(uint64_t n) { return static_cast<uint32_t>(rng_.Below(n)); }

  uint32_t ChannelAt() {
    const int c = static_cast<int>(rng_.Below(static_cast<uint64_t>(config_.channels())));
    return c < config_.reads ? native::Channel(Direction::kRead, c)
                             : native::Channel(Direction::kWrite, c - config_.reads);
  }
  uint32_t Address() {
    switch (rng_.Below(13)) {
      case 0:
        return Below(1 << 18);
      case 1:
        return 0x3000 + 4 * Below(0x110);
      case 2:
        return 0x8000 + 4 * Below(0x600);
      case 3:
        return 0x10000 + 4 * Below(0x1000);
      case 4:
        return 4 * Below(0x40);
      case 5:
      case 6:
        return 0x20000 + 0x4000 * Below(3) +
               0x40 * Below(static_cast<uint64_t>(config_.descriptors)) + 4 * Below(16);
      case 7:
      case 8:
        return native::kDescriptors + 0x40 * Below(static_cast<uint64_t>(config_.descriptors)) + 60;
      case 9:
        return ChannelAt() + native::kTask;
      case 10:
        return ChannelAt() + (rng_.Chance(0.7) ? native::kControl : native::kStanding);
      default:
        return ChannelAt() + 4 * Below(64);
    }
  }
  uint32_t Value(uint32_t address) {
    const uint32_t value = AnyValue(address);
    if (!Locks(address & ~3U)) return value;
    return !free_ && rng_.Chance(0.2) ? value | kLock : value & ~kLock;
  }
  uint32_t AnyValue(uint32_t address) {
    const uint32_t any = static_cast<uint32_t>(rng_());
    const uint32_t word = address / 4 % 16;
    if (address >= 0x20000 && address < 0x24000) {
      if (word == 15) return kLock | (any & (rng_.Chance(0.9) ? kEasyFlags : ~0U));
      if (word == 0) return static_cast<uint32_t>(kFirst) + Below(0x10000);
      if (word == 1) return rng_.Chance(0.95) ? 0 : any;
      if (word == 12) return rng_.Chance(0.7) ? 0 : any;
      if (word == 13) return any & (words::Next::kNextMask | words::Next::kHasNextMask);
      if (word < 14) return rng_.Chance(0.9) ? Below(8) : any;
      return any;
    }
    if (address < 0x3000 && address >= 0x1000) {
      const uint32_t offset = address % 0x100;
      if (offset == native::kTask)
        return (any & kEasyTask) | Below(static_cast<uint64_t>(config_.descriptors));
      if (offset == native::kControl)
        return rng_.Chance(0.5) ? 0 : any & registers::channel::Control::kWritable;
      if (offset == 0x80) return static_cast<uint32_t>(kFirst) + 64 * Below(1000);
      if (offset >= 0x84) return Below(16);
    }
    return rng_.Chance(0.5) ? Below(16) : any;
  }
  // Streams, and channels that would stand still for ever.
  void Nudge() {
    for (int w = 0; w < config_.writes; ++w) {
      if (bench_.source(w).bytes_waiting() > 2000) continue;
      std::vector<uint8_t> bytes(rng_.Between(1, 300));
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng_());
      bench_.source(w).Push(bytes, PieceEnd::kLast);
    }
    const uint32_t at = ChannelAt();
    Write(native::kGlobalControl, rng_.Chance(0.05) ? 1 : 2);  // quiesce, interrupts
    if (rng_.Chance(0.1)) Write(at + native::kControl, 8);
    if (rng_.Chance(0.5)) Write(at + native::kControl, 0);
    if (rng_.Chance(0.5)) Write(at + native::kRecordPop, 0);
  }

  DmaBench& bench_;
  const DmaConfig config_;
  Rng rng_;
  bool free_ = true;                     // no register is locked
  std::map<uint32_t, uint32_t> locked_;  // registers, and what they hold
  uint64_t locks_ = 0;
};

}  // namespace

ProgramResult FuzzRegisters(const std::string& build, uint64_t seed, uint64_t accesses,
                            const std::string& waveform) {
  ProgramResult result;
  try {
    DmaBenchOptions options;
    options.seed = seed;
    options.memory = AxiMemoryOptions::Latency(static_cast<uint32_t>(Rng(seed).Between(1, 30)));
    options.source.record = options.sink.record = false;
    DmaBench bench(MakeDma(build, seed), options);
    if (!waveform.empty()) bench.dma().Trace(waveform);
    Fuzz fuzz(&bench, seed);
    fuzz.SetWindows();
    fuzz.Run(accesses, &result);
    if (bench.config().windows > 0) {
      const std::vector<AddressRange> allowed = {{kFirst, kLast}};
      for (const AddressRange& range : bench.memory().TouchedOutside(allowed)) {
        result.message +=
            fmt::format("written outside the windows: {:#x} .. {:#x}\n", range.first, range.last);
      }
    }
    result.cycles = bench.cycle();
    fuzz.CheckAlive();
    if (result.compared == 0 || result.compared == result.executions)
      result.message += "all or none were refused\n";
    // A single round may lock nothing.
    if (fuzz.locks() == 0 && accesses >= 5 * kRound) result.message += "no register was locked\n";
  } catch (const std::exception& error) {
    result.message += error.what();
  }
  return result;
}

}  // namespace tessera
