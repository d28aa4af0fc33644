// What tests of tessera_dma share: a bench of a build with the driver on it, copies, waiting for
// records.
//
// Descriptors, tasks, records, locks, windows and levels of CONTROL go through the driver. Set()
// and Get() are registers: for what a test looks at, and for what the driver refuses.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tb/dma/bits.h"
#include "tb/dma/software.h"

namespace tessera {

inline constexpr auto kRead = Direction::kRead;
inline constexpr auto kWrite = Direction::kWrite;

// The build is the parameter of a test, or the first part of it.
template <typename Param>
class DmaTestOf : public ::testing::TestWithParam<Param> {
 public:
  void Make(const DmaBenchOptions& options = {}) {
    software_.reset();
    bench_ = std::make_unique<DmaBench>(MakeDma(Build(), options.seed), options);
    // A build with a start program is at work before software comes.
    if (config().start_writes() == 0) software_ = std::make_unique<Software>(bench_.get());
  }
  DmaBench& bench() { return *bench_; }
  Software& software() { return *software_; }
  Software::Channel& Channel(Direction direction, int number = 0) {
    return software().channel(direction, number);
  }
  void Write(int number, const native::Descriptor& d) { software().Write(number, d); }
  void Push(Direction direction, const native::Task& task = {}, int number = 0, uint32_t tag = 0) {
    if (!software().Push(direction, number, task, tag)) throw std::runtime_error("no room");
  }
  std::optional<native::Record> Pop(Direction direction, int number = 0) {
    return software().Pop(direction, number);
  }
  void PopAll(Direction direction, int number = 0) {
    while (Pop(direction, number)) {
    }
  }
  const DmaConfig& config() { return bench_->config(); }
  uint32_t Get(Direction direction, uint32_t offset, int number = 0) {
    return bench().Get(native::Channel(direction, number) + offset);
  }
  void Set(Direction direction, uint32_t offset, uint32_t value, int number = 0) {
    bench().Set(native::Channel(direction, number) + offset, value);
  }
  native::Wait Waits(Direction direction) {
    return native::WaitOf(Get(direction, native::kStatus));
  }
  // The first descriptor that a channel may use.
  int First(Direction direction) { return direction == Direction::kRead ? 0 : 1; }

  // A list by registers, at the pitch of native::Load, and its task; with completion entries if
  // they have a place.
  struct List {
    uint64_t base;
    uint32_t count;
    uint64_t entries = 0;
    bool ring = false;  // and its task is endless
    uint32_t coalesce = 0;
  };
  void StartList(Direction direction, const List& list) {
    const uint32_t at = native::Channel(direction, 0);
    bench().Set64(at + native::kListBase, list.base);
    bench().Set64(at + native::kListDoneBase, list.entries);
    bench().Set(at + native::kListCount, list.count);
    bench().Set(at + native::kListControl, (list.ring ? 1U : 0U) | (list.entries != 0 ? 2U : 0U) |
                                               (native::kListPitch / 64 - 1) << 4 |
                                               list.coalesce << 8);
    bench().Set(at + native::kTask, native::Task{.endless = list.ring, .from_list = true}.Word());
  }

  // A descriptor that copies so many bytes.
  static native::Descriptor Copy(uint64_t base, uint32_t bytes) {
    native::Descriptor d;
    d.transfer.base = base;
    d.transfer.count[0] = bytes;
    d.transfer.stride[0] = 1;
    return d;
  }
  std::vector<uint8_t> Load(uint64_t base, size_t bytes) {
    std::vector<uint8_t> data(bytes);
    for (size_t n = 0; n < bytes; ++n) data[n] = static_cast<uint8_t>(n * 7 + base);
    bench().memory().Load(base, data);
    return data;
  }
  // What a stream took behind its first so many bytes.
  std::vector<uint8_t> SentBehind(size_t before, int number = 0) {
    const auto& all = bench().sink(number).bytes();
    return {all.begin() + static_cast<ptrdiff_t>(before), all.end()};
  }
  std::optional<native::Record> WaitRecord(Direction direction, int number = 0) {
    for (int n = 0; n < 400; ++n) {
      if (auto record = Pop(direction, number)) return record;
    }
    return std::nullopt;
  }
  bool WaitStatus(Direction direction, uint32_t mask, uint32_t value) {
    for (int n = 0; n < 3000; ++n) {
      if ((Get(direction, native::kStatus) & mask) != value) continue;
      bench().Step(40);  // ERROR follows STATUS within 32 cycles
      return true;
    }
    return false;
  }

 private:
  static std::string Build() {
    if constexpr (std::is_same_v<Param, std::string>) {
      return DmaTestOf::GetParam();
    } else {
      return std::get<0>(DmaTestOf::GetParam());
    }
  }

  std::unique_ptr<DmaBench> bench_;
  std::unique_ptr<Software> software_;
};
using DmaTest = DmaTestOf<std::string>;

// Every build that waits for software, with its streams at the pins, or also with some that are
// joined.
inline auto EveryDma(bool joined = false) {
  std::vector<std::string> names;
  for (const DmaConfig& c : Dmas()) {
    if (c.start_writes() == 0 && (joined || c.loopback == 0)) names.push_back(c.channel.name);
  }
  return ::testing::ValuesIn(names);
}
// Every build that random programs can be given to.
inline auto EveryDmaForPrograms() {
  std::vector<std::string> names;
  for (const DmaConfig& c : Dmas()) {
    if (c.takes_programs()) names.push_back(c.channel.name);
  }
  return ::testing::ValuesIn(names);
}
inline std::string DmaName(const ::testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace tessera
