// The timeline of a run, as registers tell it: STATUS and counters of each channel, the locks.
// Inside tools/run alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/dma/dma_bench.h"
#include "tools/prepare/prepare.h"
#include "tools/timeline/timeline.h"

namespace tessera::cli {

class DmaSampler {
 public:
  // All must outlive it. Channels and locks are those of the job.
  DmaSampler(DmaBench* bench, const Prepared& prepared, timeline::Timeline* timeline);

  // Reads a channel; returns STATUS.
  uint32_t SampleChannel(size_t channel);
  void SampleLocks();
  void NoteRecord(size_t channel, uint64_t cycle, const std::string& name, bool good);
  void NoteToken(const StreamWord& word);

 private:
  // What a channel waited for while its engine had a transfer, cycles so far.
  struct Counts {
    uint64_t cycle = 0;
    std::array<uint32_t, 3> waits{};  // memory, stream, credit
    uint64_t looked = 0;              // cycle of `beats`
    uint32_t beats = 0;               // of the stream
  };
  std::string TextOf(size_t channel, uint32_t status);
  timeline::State StateOf(size_t channel, uint32_t status);
  bool Moved(size_t channel);
  timeline::State Engine(size_t channel);

  DmaBench& bench_;
  const Prepared& p_;
  timeline::Timeline& timeline_;
  std::vector<Counts> counts_;
};

}  // namespace tessera::cli
