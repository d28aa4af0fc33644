// Sources and sinks of the small streams.
#include "tb/dma/word_stream.h"

#include <fmt/format.h>

#include <stdexcept>

namespace tessera {

void WordSource::Push(const std::vector<uint32_t>& packet) {
  for (size_t n = 0; n < packet.size(); ++n) words_.push_back({packet[n], n + 1 == packet.size()});
}

void WordSource::Sample(const Tick& tick, const WordPins& pins) {
  if (tick.reset || !pins.tvalid || !pins.tready) return;
  words_.pop_front();
  offered_ = false;
}

void WordSource::Drive(const Tick& next, WordPins* pins) {
  if (next.reset) offered_ = false;
  offered_ = offered_ || (!next.reset && !words_.empty() && rng_.Chance(chance_));
  pins->tvalid = offered_;
  pins->tdata = offered_ ? words_.front().data : static_cast<uint32_t>(rng_());
  pins->tlast = offered_ ? words_.front().last : rng_.Chance(0.5);
}

std::vector<StreamWord> WordSink::Take() {
  std::vector<StreamWord> fresh(words_.begin() + static_cast<std::ptrdiff_t>(asked_), words_.end());
  asked_ = words_.size();
  return fresh;
}

void WordSink::Sample(const Tick& tick, const WordPins& pins) {
  if (tick.reset) {
    waits_ = false;
    return;
  }
  const StreamWord now{pins.tdata, pins.tlast, tick.cycle};
  if (waits_ && (!pins.tvalid || !(now == held_))) {
    throw std::runtime_error(
        fmt::format("{}: a word that waited changed, cycle {}", name_, tick.cycle));
  }
  waits_ = pins.tvalid && !pins.tready;
  held_ = now;
  if (pins.tvalid && pins.tready) words_.push_back(now);
}

void WordSink::Drive(const Tick& next, WordPins* pins) {
  pins->tready = !next.reset && rng_.Chance(chance_);
}

}  // namespace tessera
