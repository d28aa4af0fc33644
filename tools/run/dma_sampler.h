// The timeline of a run: what each channel does or whom it waits for, its queue, and the locks, in
// every cycle. Inside tools/run alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/dma/dma_bench.h"
#include "tools/pictures/timeline.h"
#include "tools/prepare/prepare.h"
#include "tools/run/dma_probe.h"

namespace tessera::cli {

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
