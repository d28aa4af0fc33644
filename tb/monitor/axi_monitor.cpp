// Checking AXI4, cycle by cycle.
#include "tb/monitor/axi_monitor.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "tb/sim/lanes.h"

namespace tessera {

AxiMonitorOptions AxiMonitorOptions::For(const Config& config) {
  return {config.data_bytes, config.addr_width, config.max_burst, config.outstanding};
}

void AxiMonitor::Report(AxiRule rule, uint64_t cycle, std::string message) {
  violations_->Add(RuleName(rule), cycle, fmt::format("{} in cycle {}", message, cycle));
}

void AxiMonitor::Sample(const Tick& tick, const DutInputs& in, const DutOutputs& out) {
  if (tick.reset) {
    ++reset_cycles_;
    if (reset_cycles_ >= 2) CheckReset(tick, in, out);
    after_reset_ = true;
    ar_.waits = aw_.waits = r_waits_ = w_waits_ = b_waits_ = false;
    reads_.Clear();
    writes_.Clear();
    writes_with_data_ = 0;
    ahead_ = 0;
    ahead_done_ = data_unannounced_ = false;
    return;
  }
  reset_cycles_ = 0;
  if (after_reset_) {
    CheckReset(tick, in, out);
    after_reset_ = false;
  }
  // Responses first: what is accepted in this cycle cannot be answered in it.
  CheckRead(tick.cycle, in, out);
  CheckWriteResponse(tick.cycle, in, out);
  if (out.wvalid || w_waits_) CheckWriteData(tick.cycle, in, out);
  if (out.arvalid || ar_.waits) {
    CheckAddress('R', tick.cycle, out.arvalid, in.arready,
                 {out.araddr, out.arlen, out.arsize, out.arburst}, &ar_);
  }
  if (out.awvalid || aw_.waits) {
    CheckAddress('W', tick.cycle, out.awvalid, in.awready,
                 {out.awaddr, out.awlen, out.awsize, out.awburst}, &aw_);
  }
  AcceptAddresses(tick.cycle, in, out);
}

void AxiMonitor::CheckReset(const Tick& tick, const DutInputs& in, const DutOutputs& out) {
  const std::pair<const char*, bool> valids[] = {{"ARVALID", out.arvalid},
                                                 {"RVALID", in.rvalid},
                                                 {"AWVALID", out.awvalid},
                                                 {"WVALID", out.wvalid},
                                                 {"BVALID", in.bvalid}};
  for (const auto& [name, valid] : valids) {
    if (!valid) continue;
    Report(AxiRule::kResetValid, tick.cycle,
           fmt::format("{} is 1, must be 0 {}", name,
                       tick.reset ? "in reset" : "in the first cycle after reset"));
  }
}

void AxiMonitor::CheckAddress(char channel, uint64_t cycle, bool valid, bool ready,
                              const Address& now, AddressChannel* state) {
  if (state->waits) {
    const Address& held = state->held;
    if (!valid) {
      Report(AxiRule::kValidDrop, cycle,
             fmt::format("A{}VALID fell before A{}READY (address {:#x}), must stay 1", channel,
                         channel, held.addr));
    } else if (now != held) {
      Report(AxiRule::kStable, cycle,
             fmt::format("A{} payload is address {:#x} len {} size {} burst {}, must stay {:#x} "
                         "{} {} {} until A{}READY",
                         channel, now.addr, now.len, now.size, now.burst, held.addr, held.len,
                         held.size, held.burst, channel));
    }
  } else if (valid) {
    CheckNewAddress(channel, cycle, now);
  }
  state->waits = valid && !ready;
  state->held = now;
}

void AxiMonitor::CheckNewAddress(char channel, uint64_t cycle, const Address& now) {
  const uint64_t bytes = static_cast<uint64_t>(options_.data_bytes);
  const int beats = now.len + 1;
  if (beats > options_.max_burst) {
    Report(AxiRule::kLength, cycle,
           fmt::format("A{}LEN {} is {} beats at {:#x}, legal is 1 to {} beats", channel, now.len,
                       beats, now.addr, options_.max_burst));
  }
  const int full = std::countr_zero(bytes);
  if (now.size != full) {
    Report(AxiRule::kSize, cycle,
           fmt::format("A{}SIZE is {} at {:#x}, must be {} (the full width)", channel, now.size,
                       now.addr, full));
  }
  if (now.burst != 1) {
    Report(AxiRule::kIncr, cycle,
           fmt::format("A{}BURST is {} at {:#x}, must be 1 (INCR)", channel, now.burst, now.addr));
  }
  if ((now.addr & (bytes - 1)) != 0) {
    Report(AxiRule::kAlign, cycle,
           fmt::format("A{}ADDR is {:#x}, must be a multiple of {}", channel, now.addr, bytes));
  }
  const uint64_t offset = now.addr & ~(bytes - 1) & 4095;
  if (offset + static_cast<uint64_t>(beats) * bytes > 4096) {
    Report(AxiRule::k4K, cycle,
           fmt::format("A{} burst of {} beats at {:#x} crosses a 4 KiB boundary, at most {} beats "
                       "fit",
                       channel, beats, now.addr, (4096 - offset) / bytes));
  }
  if (options_.addr_width < 64 && now.addr >> options_.addr_width != 0) {
    Report(AxiRule::kAddressWidth, cycle,
           fmt::format("A{}ADDR is {:#x}, only {} bits are legal", channel, now.addr,
                       options_.addr_width));
  }
}

void AxiMonitor::CheckResponse(const char* name, uint64_t cycle, uint8_t response) {
  if (response != 1) return;
  Report(AxiRule::kResponse, cycle,
         fmt::format("{} is EXOKAY (1), legal are OKAY (0), SLVERR (2) and DECERR (3)", name));
}

void AxiMonitor::CheckRead(uint64_t cycle, const DutInputs& in, const DutOutputs& out) {
  const size_t bytes = static_cast<size_t>(options_.data_bytes);
  if (r_waits_) {
    if (!in.rvalid) {
      Report(AxiRule::kValidDrop, cycle, "RVALID fell before RREADY, must stay 1");
    } else if (in.rresp != r_resp_ || in.rlast != r_last_ ||
               std::memcmp(in.rdata.data(), r_data_.data(), bytes) != 0) {
      Report(AxiRule::kStable, cycle,
             fmt::format("R payload (RRESP {}, RLAST {}) changed, must stay (RRESP {}, RLAST {}) "
                         "with the same data until RREADY",
                         in.rresp, in.rlast, r_resp_, r_last_));
    }
  } else if (in.rvalid) {
    CheckResponse("RRESP", cycle, in.rresp);
    if (reads_.empty()) {
      Report(AxiRule::kRUnasked, cycle, "RVALID is 1, legal only while a read burst is open: none");
    } else {
      const Open& burst = reads_.front();
      const bool last = burst.done + 1 == burst.beats;
      if (in.rlast != last) {
        Report(AxiRule::kRLast, cycle,
               fmt::format("RLAST is {} on beat {} of {} of the burst at {:#x}, must be {}",
                           in.rlast, burst.done + 1, burst.beats, burst.addr, last));
      }
    }
  }
  if (in.rvalid && out.rready) {
    ++read_beats_;
    if (!reads_.empty() && (++reads_.front().done == reads_.front().beats || in.rlast)) {
      reads_.Pop();
    }
  }
  r_waits_ = in.rvalid && !out.rready;
  if (r_waits_) {
    std::memcpy(r_data_.data(), in.rdata.data(), bytes);
    r_resp_ = in.rresp;
    r_last_ = in.rlast;
  }
}

void AxiMonitor::CheckWriteResponse(uint64_t cycle, const DutInputs& in, const DutOutputs& out) {
  if (b_waits_) {
    if (!in.bvalid) {
      Report(AxiRule::kValidDrop, cycle, "BVALID fell before BREADY, must stay 1");
    } else if (in.bresp != b_resp_) {
      Report(AxiRule::kStable, cycle,
             fmt::format("BRESP is {}, must stay {} until BREADY", in.bresp, b_resp_));
    }
  } else if (in.bvalid) {
    CheckResponse("BRESP", cycle, in.bresp);
    if (writes_with_data_ == 0) {
      Report(AxiRule::kBUnasked, cycle,
             fmt::format("BVALID is 1, legal only after address and last data of a burst: {} "
                         "addresses wait, none has all its data",
                         writes_.size()));
    }
  }
  if (in.bvalid && out.bready && writes_with_data_ > 0) {
    writes_.Pop();
    --writes_with_data_;
  }
  b_waits_ = in.bvalid && !out.bready;
  b_resp_ = in.bresp;
}

void AxiMonitor::CheckWriteData(uint64_t cycle, const DutInputs& in, const DutOutputs& out) {
  const size_t bytes = static_cast<size_t>(options_.data_bytes);
  if (w_waits_) {
    if (!out.wvalid) {
      Report(AxiRule::kValidDrop, cycle, "WVALID fell before WREADY, must stay 1");
    } else if (out.wlast != w_last_ || out.wstrb != w_strobe_ ||
               std::memcmp(out.wdata.data(), w_data_.data(), bytes) != 0) {
      Report(AxiRule::kStable, cycle,
             fmt::format("W payload (WSTRB {:#x}, WLAST {}) changed, must stay (WSTRB {:#x}, "
                         "WLAST {}) with the same data until WREADY",
                         out.wstrb.word[0], out.wlast, w_strobe_.word[0], w_last_));
    }
  } else if (out.wvalid) {
    CheckWriteBeat(cycle, out);
  }
  if (out.wvalid && in.wready) {
    ++write_beats_;
    if (writes_with_data_ < writes_.size()) {
      Open& burst = writes_[writes_with_data_];
      if (++burst.done >= burst.beats || out.wlast) ++writes_with_data_;
    } else if (!ahead_done_) {
      ++ahead_;
      ahead_done_ = out.wlast || (out.awvalid && ahead_ > out.awlen);
    }
    data_unannounced_ = data_unannounced_ && !out.wlast;
  }
  w_waits_ = out.wvalid && !in.wready;
  if (w_waits_) {
    std::memcpy(w_data_.data(), out.wdata.data(), bytes);
    w_strobe_ = out.wstrb;
    w_last_ = out.wlast;
  }
}

// A W beat that is valid for the first time.
void AxiMonitor::CheckWriteBeat(uint64_t cycle, const DutOutputs& out) {
  if (LanesPast(out.wstrb, options_.data_bytes)) {
    Report(AxiRule::kStrobeWidth, cycle,
           fmt::format("WSTRB has a lane set at or above {}, only lanes 0 to {} exist",
                       options_.data_bytes, options_.data_bytes - 1));
  }
  uint64_t addr = out.awaddr;
  uint32_t beats = 0, done = ahead_;
  if (writes_with_data_ < writes_.size()) {
    const Open& burst = writes_[writes_with_data_];
    addr = burst.addr;
    beats = burst.beats;
    done = burst.done;
  } else if (out.awvalid && !ahead_done_) {
    beats = out.awlen + 1U;
  } else {
    if (!data_unannounced_) {
      Report(AxiRule::kWBeforeAw, cycle,
             "WVALID is 1 for a burst whose AWVALID has not risen, legal is in the same cycle or "
             "later");
    }
    data_unannounced_ = true;
    return;
  }
  const bool last = done + 1 == beats;
  if (out.wlast != last) {
    Report(AxiRule::kWLast, cycle,
           fmt::format("WLAST is {} on beat {} of {} of the burst at {:#x}, must be {}", out.wlast,
                       done + 1, beats, addr, last));
  }
}

void AxiMonitor::AcceptAddresses(uint64_t cycle, const DutInputs& in, const DutOutputs& out) {
  const size_t limit = static_cast<size_t>(options_.outstanding);
  if (out.arvalid && in.arready) {
    ++read_bursts_;
    reads_.Push({out.araddr, out.arlen + 1U, 0});
    if (reads_.size() > limit) {
      Report(AxiRule::kOutstanding, cycle,
             fmt::format("{} read bursts are open, legal is at most {}", reads_.size(), limit));
    }
  }
  if (out.awvalid && in.awready) {
    ++write_bursts_;
    const uint32_t beats = out.awlen + 1U;
    if (ahead_done_ && ahead_ != beats && data_unannounced_) {
      Report(AxiRule::kWLast, cycle,
             fmt::format("{} data beats came before the address {:#x} of {} beats", ahead_,
                         out.awaddr, beats));
    }
    writes_.Push({out.awaddr, beats, ahead_});
    if (ahead_done_ || ahead_ >= beats) ++writes_with_data_;
    ahead_ = 0;
    ahead_done_ = false;
    if (writes_.size() > limit) {
      Report(AxiRule::kOutstanding, cycle,
             fmt::format("{} write bursts are open, legal is at most {}", writes_.size(), limit));
    }
  }
}

bool AxiMonitor::Quiet() const {
  return reads_.empty() && writes_.empty() && ahead_ == 0 && !ar_.waits && !aw_.waits &&
         !w_waits_ && !r_waits_ && !b_waits_;
}

void AxiMonitor::AtEnd(uint64_t cycle) {
  for (size_t i = 0; i < reads_.size(); ++i) {
    Report(AxiRule::kOpenRead, cycle,
           fmt::format("the read burst at {:#x} has had {} of {} beats when the run ended",
                       reads_[i].addr, reads_[i].done, reads_[i].beats));
  }
  for (size_t i = 0; i < writes_.size(); ++i) {
    Report(AxiRule::kOpenWrite, cycle,
           fmt::format("the write burst at {:#x} has had {} of {} data beats and no response when "
                       "the run ended",
                       writes_[i].addr, writes_[i].done, writes_[i].beats));
  }
  const std::pair<const char*, bool> waits[] = {{"ARVALID", ar_.waits},
                                                {"AWVALID", aw_.waits},
                                                {"WVALID", w_waits_},
                                                {"RVALID", r_waits_},
                                                {"BVALID", b_waits_}};
  for (const auto& [name, waiting] : waits) {
    if (waiting) {
      Report(AxiRule::kOpenValid, cycle, fmt::format("{} waits when the run ended", name));
    }
  }
  if (ahead_ != 0 && !aw_.waits) {
    Report(AxiRule::kOpenWrite, cycle,
           fmt::format("{} write data beats have had no address when the run ended", ahead_));
  }
}

}  // namespace tessera
