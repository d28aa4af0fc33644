// Checking AXI4-Lite, cycle by cycle.
#include "tb/monitor/axi_lite_monitor.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/sim/counted.h"

namespace tessera {
namespace {

constexpr ChannelRules kHandshake{RuleName(AxiLiteRule::kStable), RuleName(AxiLiteRule::kValidDrop),
                                  RuleName(AxiLiteRule::kResetValid),
                                  RuleName(AxiLiteRule::kOpenValid)};

ChannelNames Named(const std::string& port, const std::string& channel) {
  return {port + " ", channel + "VALID", channel + "READY"};
}

}  // namespace

AxiLiteMonitor::AxiLiteMonitor(const AxiLitePort* port, const std::string& name,
                               ViolationList* violations)
    : port_(port),
      name_(name),
      violations_(violations),
      ar_(&port->ar, Named(name, "AR"), kHandshake, violations),
      aw_(&port->aw, Named(name, "AW"), kHandshake, violations),
      r_(&port->r, Named(name, "R"), kHandshake, violations),
      w_(&port->w, Named(name, "W"), kHandshake, violations),
      b_(&port->b, Named(name, "B"), kHandshake, violations) {}

void AxiLiteMonitor::Report(AxiLiteRule rule, uint64_t cycle, const std::string& message) {
  violations_->Add(RuleName(rule), cycle, fmt::format("{} {} in cycle {}", name_, message, cycle));
}

void AxiLiteMonitor::CheckResponse(const char* name, uint64_t cycle, uint8_t response) {
  if (response != 1) return;
  Report(AxiLiteRule::kResponse, cycle,
         fmt::format("{} is EXOKAY (1), legal are OKAY (0), SLVERR (2) and DECERR (3)", name));
}

void AxiLiteMonitor::Sample(const Tick& tick) {
  ar_.Sample(tick);
  aw_.Sample(tick);
  w_.Sample(tick);
  const bool new_r = r_.Sample(tick), new_b = b_.Sample(tick);
  if (tick.reset) {
    reads_ = addresses_ = data_ = 0;
    return;
  }
  // Responses first: what is accepted in this cycle cannot be answered in it.
  if (new_r) {
    CheckResponse("RRESP", tick.cycle, port_->r->resp);
    if (reads_ == 0) {
      Report(AxiLiteRule::kRUnasked, tick.cycle,
             "RVALID is 1, legal only while an accepted read has no response: none");
    }
  }
  if (new_b) {
    CheckResponse("BRESP", tick.cycle, port_->b->resp);
    if (addresses_ == 0 || data_ == 0) {
      Report(AxiLiteRule::kBUnasked, tick.cycle,
             fmt::format("BVALID is 1, legal only after address and data of a write: {} "
                         "and {} data have no response",
                         Counted(addresses_, "address", "addresses"), data_));
    }
  }
  if (port_->r.moves() && reads_ > 0) --reads_;
  if (port_->b.moves() && addresses_ > 0 && data_ > 0) {
    --addresses_;
    --data_;
  }
  if (port_->ar.moves()) ++reads_;
  if (port_->aw.moves()) ++addresses_;
  if (port_->w.moves()) ++data_;
}

void AxiLiteMonitor::AtEnd(uint64_t cycle) {
  if (reads_ > 0) {
    Report(AxiLiteRule::kOpen, cycle,
           fmt::format("no response to {} when the run ended", Counted(reads_, "read")));
  }
  if (addresses_ > 0 || data_ > 0) {
    Report(AxiLiteRule::kOpen, cycle,
           fmt::format("no response to {} when the run ended",
                       Counted(std::max(addresses_, data_), "write")));
  }
  ar_.AtEnd(cycle);
  aw_.AtEnd(cycle);
  w_.AtEnd(cycle);
  r_.AtEnd(cycle);
  b_.AtEnd(cycle);
}

}  // namespace tessera
