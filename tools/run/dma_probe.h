// What a run sees inside a tessera_dma, beside its pins: the signals that cmake/probe.vlt names, in
// this cycle. Looking changes nothing. Inside tools/run alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pins/types.h"
#include "tb/dma/dma.h"

namespace tessera::cli {

class DmaProbe {
 public:
  // Of the model that this thread has made last, which must outlive it. Throws std::runtime_error:
  // there is no such signal.
  explicit DmaProbe(const DmaConfig& config);

  // The low half of the register CYCLES, which stamps the records of this cycle.
  uint32_t cycles() const { return static_cast<uint32_t>(cycles_.Bits()[0]); }
  // Of a channel, reads first.
  rtl::ChannelView view(int channel) const;
  // A trigger of the channel comes while one waits, and is lost; one waits to be taken.
  bool misses(int channel) const;
  bool pending(int channel) const;
  // Nothing, where the build has no counters.
  rtl::CounterEvents events(int channel) const;
  // A lock that has another value from the next cycle on.
  rtl::LockChange change() const;

 private:
  // A signal of up to 160 bits, as words.
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

  Signal cycles_, change_, misses_, pending_;
  bool has_locks_ = false, has_triggers_ = false;
  std::vector<Signal> views_, events_;
};

}  // namespace tessera::cli
