// Sources and sinks of the small streams.
#include "tb/run/word_stream.h"

#include <fmt/format.h>

#include "tb/monitor/axis_monitor.h"

namespace tessera {
namespace {

constexpr ChannelRules kHandshake{RuleName(AxisRule::kStable), RuleName(AxisRule::kValidDrop),
                                  RuleName(AxisRule::kResetValid), RuleName(AxisRule::kOpenValid)};

}  // namespace

std::string Describe(const WordBeat& beat) {
  return fmt::format("TDATA {:#x}, TLAST {}", beat.data, beat.last);
}

WordSource::WordSource(WordPort* port, const PacerSpec& pacer, const Rng& rng)
    : rng_(rng.Stream("idle")), end_(port, pacer, rng.Stream("pacer")) {}

void WordSource::Push(const std::vector<uint32_t>& packet) {
  for (size_t n = 0; n < packet.size(); ++n) words_.push_back({packet[n], n + 1 == packet.size()});
}

void WordSource::Sample(const Tick& tick) {
  if (end_.Sample(tick)) words_.pop_front();
}

// While nothing is offered the payload is noise.
void WordSource::Drive(const Tick& next) {
  end_.Drive(
      next,
      [this](WordBeat* beat) {
        if (words_.empty()) return false;
        *beat = words_.front();
        return true;
      },
      [this](WordBeat* beat) {
        *beat = {static_cast<uint32_t>(rng_()), rng_.Chance(0.5)};
      });
}

WordSink::WordSink(WordPort* port, const std::string& name, const PacerSpec& pacer, const Rng& rng,
                   ViolationList* violations)
    : port_(port),
      end_(port, pacer, rng.Stream("pacer")),
      monitor_(port, {name + " ", "TVALID", "TREADY"}, kHandshake, violations) {}

std::vector<StreamWord> WordSink::Take() {
  std::vector<StreamWord> fresh(words_.begin() + static_cast<std::ptrdiff_t>(asked_), words_.end());
  asked_ = words_.size();
  return fresh;
}

void WordSink::Sample(const Tick& tick) {
  monitor_.Sample(tick);
  if (!end_.Sample(tick)) return;
  words_.push_back({port_->payload.data, port_->payload.last, tick.cycle});
}

}  // namespace tessera
