// What a run sees inside a tessera_dma, beside its pins: the signals that cmake/probe.vlt names, in
// this cycle; and its timeline, which is made of them. Looking changes nothing. Inside tools/run
// alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pins/types.h"
#include "tb/dma/dma_bench.h"
#include "tools/pictures/timeline.h"
#include "tools/prepare/prepare.h"

namespace tessera::cli {

struct LockChange {
  bool valid = false;
  uint8_t id = 0, value = 0;
};

class DmaProbe {
 public:
  // Of the model that this thread has made last, which must outlive it. Throws std::runtime_error:
  // there is no such signal.
  explicit DmaProbe(const DmaConfig& config);

  // The low half of the register CYCLES, which stamps the records of this cycle.
  uint32_t cycles() const { return static_cast<uint32_t>(cycles_.Bits()[0]); }
  // Follows the sequencer, which shows one channel a cycle; call it in each.
  void OnCycle();
  // Of a channel, reads first: as the sequencer showed it last, and in this cycle.
  const rtl::SequencerView& view(int channel) const { return views_[static_cast<size_t>(channel)]; }
  uint32_t levels(int channel) const;  // bits of rtl::ChannelLevels
  rtl::PortView port(int channel) const;
  bool paused(int channel) const { return Bit(pause_, channel); }
  // A trigger of the channel comes while one waits, and is lost; that has happened; one waits to be
  // taken.
  bool misses(int channel) const { return has_triggers_ && Bit(misses_, channel); }
  bool missed(int channel) const { return Bit(missed_, channel); }
  bool pending(int channel) const { return has_triggers_ && Bit(pending_, channel); }
  // The event of a counter of the channel; never, where the build has none.
  bool happens(int channel, rtl::CounterWord counter) const;
  // A lock that has another value from the next cycle on.
  LockChange change() const;

 private:
  // A signal of any width, as words.
  class Signal {
   public:
    Signal() = default;
    Signal(const std::string& scope, const char* name);
    const uint32_t* Bits() const;
    pins::Place<const uint32_t> Place() const { return pins::Place<const uint32_t>(Bits()); }

   private:
    const void* data_ = nullptr;
    int bytes_ = 0;
    mutable uint32_t word_ = 0;  // of a signal that is stored in fewer bits
  };

  static bool Bit(const Signal& signal, int channel) {
    return (*signal.Bits() >> channel & 1) != 0;
  }

  Signal cycles_, access_, answer_, levels_, ports_, pause_, missed_, misses_, pending_;
  Signal lock_changes_, lock_, lock_value_;
  bool has_locks_ = false, has_triggers_ = false;
  std::vector<Signal> events_;
  std::vector<rtl::SequencerView> views_;
  size_t shown_ = 0;  // the channel whose view comes next
};

// The timeline of a run: what each channel does or whom it waits for, its queue, and the locks, in
// every cycle.
class DmaSampler {
 public:
  // All must outlive it. Channels and locks are those of the job.
  DmaSampler(const DmaConfig& config, const DmaProbe& probe, const Prepared& prepared,
             timeline::Timeline* timeline);

  // The timeline begins with the next cycle.
  void Begin() { begun_ = true; }
  // In every cycle.
  void OnCycle(uint64_t cycle);
  void NoteRecord(size_t channel, uint64_t cycle, const std::string& name, bool good);
  void NoteToken(const StreamWord& word);

 private:
  // A state with the lock that is waited for.
  struct Moment {
    timeline::State state = timeline::State::kIdle;
    int lock = -1;
    bool operator==(const Moment&) const = default;
  };
  // What a channel is drawn as, and what it may be about to become.
  struct Settling {
    std::optional<Moment> settled;
    Moment next;
    uint64_t next_since = 0, unsettled_since = 0;
    bool unsettled = false;
  };
  void NoteState(size_t channel, uint64_t cycle, const Moment& now);
  void Settle(size_t channel, uint64_t cycle, const Moment& moment);
  Moment MomentOf(size_t channel, const rtl::SequencerView& view) const;
  std::string TextOf(size_t channel, const Moment& moment) const;
  int Place(size_t channel) const;

  const DmaConfig& config_;
  const DmaProbe& probe_;
  const Prepared& p_;
  timeline::Timeline& timeline_;
  std::vector<Settling> channels_;
  std::vector<int> locks_;  // their values, as those of the job
  bool begun_ = false;
};

}  // namespace tessera::cli
