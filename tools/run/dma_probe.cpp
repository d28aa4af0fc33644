// See dma_probe.h.
#include "tools/run/dma_probe.h"

#include <fmt/format.h>
#include <verilated.h>
#include <verilated_sym_props.h>

#include <stdexcept>

namespace tessera::cli {

DmaProbe::Signal::Signal(const std::string& scope, const char* name) {
  const VerilatedScope* found = Verilated::scopeFind(scope.c_str());
  const VerilatedVar* variable = found == nullptr ? nullptr : found->varFind(name);
  if (variable == nullptr) {
    throw std::runtime_error(fmt::format(
        "the model has no signal {}.{}: legal is a model made with cmake/probe.vlt", scope, name));
  }
  data_ = variable->datap();
  bytes_ = static_cast<int>(variable->entSize());
}

const uint32_t* DmaProbe::Signal::Bits() const {
  if (bytes_ == 1) {
    word_ = *static_cast<const uint8_t*>(data_);
  } else if (bytes_ == 2) {
    word_ = *static_cast<const uint16_t*>(data_);
  } else {
    return static_cast<const uint32_t*>(data_);
  }
  return &word_;
}

DmaProbe::DmaProbe(const DmaConfig& config) {
  const std::string program = config.channel.name + ".tessera_dma.u_program";
  cycles_ = Signal(program, "cycles");
  has_locks_ = config.locks > 0;
  if (has_locks_) change_ = Signal(program + ".u_locks", "change_o");
  has_triggers_ = config.triggers;
  if (has_triggers_) {
    const std::string triggers = program + ".u_events.gen_triggers.u_triggers";
    misses_ = Signal(triggers, "miss_o");
    pending_ = Signal(triggers, "pending_o");
  }
  for (int c = 0; c < config.channels(); ++c) {
    const std::string channel = fmt::format("{}.gen_channel[{}].u_channel", program, c);
    views_.emplace_back(channel, "view_o");
    if (!config.counters) continue;
    events_.emplace_back(
        fmt::format("{}.u_counters.gen_bank.gen_channel[{}].u_counters", program, c), "events_i");
  }
}

rtl::ChannelView DmaProbe::view(int channel) const {
  return rtl::ChannelView::Unpack(views_[static_cast<size_t>(channel)].Place());
}

bool DmaProbe::misses(int channel) const {
  return has_triggers_ && (*misses_.Bits() >> channel & 1) != 0;
}

bool DmaProbe::pending(int channel) const {
  return has_triggers_ && (*pending_.Bits() >> channel & 1) != 0;
}

rtl::CounterEvents DmaProbe::events(int channel) const {
  if (events_.empty()) return {};
  return rtl::CounterEvents::Unpack(events_[static_cast<size_t>(channel)].Place());
}

rtl::LockChange DmaProbe::change() const {
  return has_locks_ ? rtl::LockChange::Unpack(change_.Place()) : rtl::LockChange{};
}

}  // namespace tessera::cli
