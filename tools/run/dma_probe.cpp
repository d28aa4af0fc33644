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

DmaProbe::DmaProbe(const DmaConfig& config)
    : has_locks_(config.locks > 0),
      has_triggers_(config.triggers),
      views_(static_cast<size_t>(config.channels())) {
  const std::string top = config.channel.name + ".tessera_dma";
  cycles_ = Signal(top + ".u_registers.u_global", "cycles_q");
  access_ = Signal(top, "access");
  answer_ = Signal(top, "program_answer");
  levels_ = Signal(top, "levels");
  ports_ = Signal(top, "port_view");
  pause_ = Signal(top + ".u_orders", "pause");
  missed_ = Signal(top, "missed");
  if (has_locks_) {
    const std::string bank = top + ".u_engine.u_sequencer.u_locks.gen_bank.u_bank";
    lock_changes_ = Signal(bank, "write_value");
    lock_ = Signal(bank, "id");
    lock_value_ = Signal(bank, "value");
  }
  if (has_triggers_) {
    const std::string triggers = top + ".u_orders.u_triggers";
    misses_ = Signal(triggers, "miss");
    pending_ = Signal(triggers, "pending_o");
  }
  for (int c = 0; config.counters && c < config.channels(); ++c) {
    events_.emplace_back(
        fmt::format("{}.u_counters.gen_bank.u_bank.gen_channel[{}].u_counters", top, c),
        "events_i");
  }
}

void DmaProbe::OnCycle() {
  if (shown_ < views_.size()) views_[shown_] = rtl::SequencerView::Unpack(answer_.Place());
  shown_ = static_cast<size_t>(access_.Place().Get(0, 5));
}

uint32_t DmaProbe::levels(int channel) const {
  constexpr int kBits = rtl::ChannelLevels::kBits;
  return static_cast<uint32_t>(levels_.Place().Get(channel * kBits, kBits));
}

rtl::PortView DmaProbe::port(int channel) const {
  return rtl::PortView::Unpack(ports_.Place().Sub(channel * rtl::PortView::kBits));
}

bool DmaProbe::happens(int channel, rtl::CounterWord counter) const {
  if (events_.empty()) return false;
  return events_[static_cast<size_t>(channel)].Place().Get(static_cast<int>(counter), 1) != 0;
}

LockChange DmaProbe::change() const {
  if (!has_locks_ || (*lock_changes_.Bits() & 1) == 0) return {};
  return {.valid = true,
          .id = static_cast<uint8_t>(*lock_.Bits()),
          .value = static_cast<uint8_t>(*lock_value_.Bits())};
}

}  // namespace tessera::cli
