// See victim.h.
#include "tb/dma/victim.h"
#include "tb/dma/bits.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tb/dma/who_waits.h"
#include "tb/sim/lanes.h"

namespace tessera {
namespace {

constexpr uint64_t kLongest = 60000;  // of a stop, in cycles

}  // namespace

Victim::Victim(DmaBench* bench, const DmaProgram& program, size_t c, const Part& part, Rng rng)
    : bench_(*bench),
      tasks_(program.channels[c].tasks),
      lock_(program.channels[c].lock),
      lock_value_(lock_ < 0 ? 0 : program.locks[static_cast<size_t>(lock_)]),
      part_(part),
      rng_(rng),
      at_(native::ChannelOf(bench->config(), static_cast<int>(c))) {}

void Victim::Serve() {
  if (Get(native::kRecord) >> 31 != 0) Set(native::kRecordPop, 0);
  if (stop_ != 0) {
    if (!Ended()) return;
    Set(native::kControl, 0);
    Set(native::kError, ~0U);
    stop_ = 0;
    ++stops_;
  } else if (rng_.Chance(0.2)) {
    Begin(rng_.Chance(0.5) ? kAbort : kReset);
  } else {
    // What its aborted transfers have taken of its lock is gone.
    if (lock_ >= 0 && rng_.Chance(0.2)) {
      bench_.Set(native::kLocks + 0x10 * static_cast<uint32_t>(lock_),
                 static_cast<uint32_t>(lock_value_));
    }
    if (tasks_.empty()) return;  // they were left out
    const native::Task& task = tasks_[rng_.Below(tasks_.size())].task;
    bench_.Write(at_ + native::kTask, task.Word());  // the queue may be full
  }
}

void Victim::Finish() {
  if (stop_ == 0) Begin(kAbort);
  while (!Ended()) {
    if (Get(native::kRecord) >> 31 != 0) Set(native::kRecordPop, 0);
  }
}

void Victim::Begin(uint32_t stop) {
  stop_ = stop;
  since_ = bench_.cycle();
  Set(native::kControl, stop);
}

bool Victim::Ended() {
  if ((Get(native::kStatus) & (stop_ == kAbort ? kIdle : kInReset)) != 0) return true;
  if (bench_.cycle() - since_ > kLongest) {
    throw std::runtime_error(
        fmt::format("CONTROL {:#x} of the victim has no effect after {} cycles\n{}", stop_,
                    kLongest, WhoWaits(&bench_)));
  }
  return false;
}

Memory Victim::Hide(const Memory& before, const Memory& after) const {
  const uint64_t mask = (uint64_t{1} << part_.bits) - 1;
  Memory seen = before;
  for (const Memory::TouchedPage& page : after.TouchedPages()) {
    for (uint64_t n = 0; n < Memory::kPageBytes; ++n) {
      const uint64_t at = page.addr + n, low = at & mask;
      const bool touched = (page.touched[n / 64] >> (n % 64) & 1) != 0;
      if (!touched || (low >= part_.first && low <= part_.last)) continue;
      seen.WriteWord(at, &page.bytes[n], 1, FirstLanes(1));
    }
  }
  return seen;
}

}  // namespace tessera
