// Checking AXI4, cycle by cycle.
#include "tb/monitor/axi_monitor.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "tb/sim/counted.h"
#include "tb/sim/lanes.h"

namespace tessera {
namespace {

constexpr ChannelRules kHandshake{RuleName(AxiRule::kStable), RuleName(AxiRule::kValidDrop),
                                  RuleName(AxiRule::kResetValid), RuleName(AxiRule::kOpenValid)};

ChannelNames Named(const std::string& channel) {
  return {"", channel + "VALID", channel + "READY"};
}

}  // namespace

AxiMonitorOptions AxiMonitorOptions::For(const Config& config) {
  AxiMonitorOptions options;
  options.data_bytes = config.data_bytes;
  options.addr_width = config.addr_width;
  options.max_burst = config.max_burst;
  options.outstanding = config.outstanding;
  return options;
}

AxiMonitor::AxiMonitor(const AxiPort* port, const AxiMonitorOptions& options,
                       ViolationList* violations)
    : port_(port),
      options_(options),
      violations_(violations),
      ar_(&port->ar, Named("AR"), kHandshake, violations),
      aw_(&port->aw, Named("AW"), kHandshake, violations),
      r_(&port->r, Named("R"), kHandshake, violations),
      w_(&port->w, Named("W"), kHandshake, violations),
      b_(&port->b, Named("B"), kHandshake, violations) {}

void AxiMonitor::Report(AxiRule rule, uint64_t cycle, std::string message) {
  violations_->Add(RuleName(rule), cycle, fmt::format("{} in cycle {}", message, cycle));
}

void AxiMonitor::Sample(const Tick& tick) {
  const bool new_ar = ar_.Sample(tick), new_r = r_.Sample(tick), new_aw = aw_.Sample(tick);
  const bool new_w = w_.Sample(tick), new_b = b_.Sample(tick);
  if (tick.reset) return Forget();
  // Responses first: what is accepted in this cycle cannot be answered in it.
  if (new_r) CheckReadBeat(tick.cycle);
  if (port_->r.moves()) TakeReadBeat();
  if (new_b) CheckWriteResponse(tick.cycle);
  if (port_->b.moves()) TakeWriteResponse();
  if (new_w) CheckWriteBeat(tick.cycle);
  if (port_->w.moves()) TakeWriteBeat();
  if (new_ar) CheckAddress('R', tick.cycle, port_->ar.payload);
  if (new_aw) CheckAddress('W', tick.cycle, port_->aw.payload);
  AcceptAddresses(tick.cycle);
}

void AxiMonitor::Forget() {
  reads_.Clear();
  writes_.Clear();
  writes_with_data_ = 0;
  ahead_ = 0;
  ahead_done_ = data_unannounced_ = false;
}

void AxiMonitor::CheckAddress(char channel, uint64_t cycle, const AxiAddress& now) {
  const uint64_t bytes = static_cast<uint64_t>(options_.data_bytes);
  const int beats = now.len + 1;
  if (beats > options_.max_burst) {
    Report(AxiRule::kLength, cycle,
           fmt::format("A{}LEN {} is {} at {:#x}, legal is 1 to {}", channel, now.len,
                       Counted(beats, "beat"), now.addr, Counted(options_.max_burst, "beat")));
  }
  const int full = std::countr_zero(bytes);
  if (options_.plain ? now.size != full : now.size > full) {
    Report(AxiRule::kSize, cycle,
           fmt::format("A{}SIZE is {} at {:#x}, must be {} (the full width)", channel, now.size,
                       now.addr, full));
  }
  if (options_.plain && now.burst != 1) {
    Report(AxiRule::kIncr, cycle,
           fmt::format("A{}BURST is {} at {:#x}, must be 1 (INCR)", channel, now.burst, now.addr));
  }
  if (options_.plain && (now.addr & (bytes - 1)) != 0) {
    Report(AxiRule::kAlign, cycle,
           fmt::format("A{}ADDR is {:#x}, must be a multiple of {}", channel, now.addr, bytes));
  }
  const uint64_t offset = now.addr & ~(bytes - 1) & 4095;
  if (options_.plain && offset + static_cast<uint64_t>(beats) * bytes > 4096) {
    Report(AxiRule::k4K, cycle,
           fmt::format("A{} burst of {} at {:#x} crosses a 4 KiB boundary, legal is at most {}",
                       channel, Counted(beats, "beat"), now.addr,
                       Counted((4096 - offset) / bytes, "beat")));
  }
  const int ids = channel == 'R' ? options_.read_ids : options_.write_ids;
  if (now.id >= ids) {
    Report(
        AxiRule::kId, cycle,
        fmt::format("A{}ID is {} at {:#x}, legal is 0 to {}", channel, now.id, now.addr, ids - 1));
  }
  if (options_.addr_width < 64 && now.addr >> options_.addr_width != 0) {
    Report(AxiRule::kAddressWidth, cycle,
           fmt::format("A{}ADDR is {:#x}, legal is at most {}", channel, now.addr,
                       Counted(options_.addr_width, "bit")));
  }
}

void AxiMonitor::CheckResponse(const char* name, uint64_t cycle, uint8_t response) {
  if (response != 1) return;
  Report(AxiRule::kResponse, cycle,
         fmt::format("{} is EXOKAY (1), legal are OKAY (0), SLVERR (2) and DECERR (3)", name));
}

size_t AxiMonitor::Oldest(const Ring<Open>& open, uint16_t id) {
  size_t n = 0;
  while (n < open.size() && open[n].id != id) ++n;
  return n;
}

// An R beat that is valid for the first time.
void AxiMonitor::CheckReadBeat(uint64_t cycle) {
  const AxiReadBeat& beat = port_->r.payload;
  CheckResponse("RRESP", cycle, beat.resp);
  const size_t at = Oldest(reads_, beat.id);
  if (at == reads_.size()) {
    Report(
        AxiRule::kRUnasked, cycle,
        fmt::format("RVALID is 1, legal only while a read burst of ID {} is open: none", beat.id));
    return;
  }
  const Open& burst = reads_[at];
  const bool last = burst.done + 1 == burst.beats;
  if (beat.last == last) return;
  Report(AxiRule::kRLast, cycle,
         fmt::format("RLAST is {} on beat {} of {} of the burst at {:#x}, must be {}", beat.last,
                     burst.done + 1, burst.beats, burst.addr, last));
}

void AxiMonitor::TakeReadBeat() {
  ++read_beats_;
  const size_t at = Oldest(reads_, port_->r->id);
  if (at == reads_.size()) return;
  if (++reads_[at].done == reads_[at].beats || port_->r->last) reads_.Erase(at);
}

// A B response that is valid for the first time.
void AxiMonitor::CheckWriteResponse(uint64_t cycle) {
  CheckResponse("BRESP", cycle, port_->b->resp);
  if (Oldest(writes_, port_->b->id) < writes_with_data_) return;
  Report(AxiRule::kBUnasked, cycle,
         fmt::format("BVALID is 1, legal only after address and last data of a burst of ID {}: {} "
                     "addresses wait, {} of them have all their data",
                     port_->b->id, writes_.size(), writes_with_data_));
}

void AxiMonitor::TakeWriteResponse() {
  const size_t at = Oldest(writes_, port_->b->id);
  if (at >= writes_with_data_) return;
  writes_.Erase(at);
  --writes_with_data_;
}

void AxiMonitor::TakeWriteBeat() {
  ++write_beats_;
  const bool last = port_->w->last;
  if (writes_with_data_ < writes_.size()) {
    Open& burst = writes_[writes_with_data_];
    if (++burst.done >= burst.beats || last) ++writes_with_data_;
  } else if (!ahead_done_) {
    ++ahead_;
    ahead_done_ = last || (port_->aw.valid && ahead_ > port_->aw->len);
  }
  data_unannounced_ = data_unannounced_ && !last;
}

// A W beat that is valid for the first time.
void AxiMonitor::CheckWriteBeat(uint64_t cycle) {
  const AxiWriteBeat& beat = port_->w.payload;
  if (LanesPast(beat.strb, options_.data_bytes)) {
    Report(AxiRule::kStrobeWidth, cycle,
           fmt::format("WSTRB has a lane set at or above {}, only lanes 0 to {} exist",
                       options_.data_bytes, options_.data_bytes - 1));
  }
  uint64_t addr = port_->aw->addr;
  uint32_t beats = 0, done = ahead_;
  if (writes_with_data_ < writes_.size()) {
    const Open& burst = writes_[writes_with_data_];
    addr = burst.addr;
    beats = burst.beats;
    done = burst.done;
  } else if (port_->aw.valid && !ahead_done_) {
    beats = port_->aw->beats();
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
  if (beat.last != last) {
    Report(AxiRule::kWLast, cycle,
           fmt::format("WLAST is {} on beat {} of {} of the burst at {:#x}, must be {}", beat.last,
                       done + 1, beats, addr, last));
  }
}

void AxiMonitor::CheckOutstanding(const char* noun, uint64_t cycle, const Ring<Open>& open,
                                  uint16_t id) {
  const size_t limit = static_cast<size_t>(options_.outstanding);
  if (open.size() <= limit) return;
  size_t count = 0;
  for (size_t n = 0; n < open.size(); ++n) count += open[n].id == id ? 1 : 0;
  if (count <= limit) return;
  Report(
      AxiRule::kOutstanding, cycle,
      fmt::format("{} {} bursts of ID {} are open, legal is at most {}", count, noun, id, limit));
}

void AxiMonitor::AcceptAddresses(uint64_t cycle) {
  if (port_->ar.moves()) {
    const AxiAddress& ar = port_->ar.payload;
    ++read_bursts_;
    reads_.Push({ar.addr, ar.beats(), 0, ar.id});
    CheckOutstanding("read", cycle, reads_, ar.id);
  }
  if (port_->aw.moves()) {
    const AxiAddress& aw = port_->aw.payload;
    ++write_bursts_;
    if (ahead_done_ && ahead_ != aw.beats() && data_unannounced_) {
      Report(AxiRule::kWLast, cycle,
             fmt::format("{} came before the address {:#x} of {}", Counted(ahead_, "data beat"),
                         aw.addr, Counted(aw.beats(), "beat")));
    }
    writes_.Push({aw.addr, aw.beats(), ahead_, aw.id});
    if (ahead_done_ || ahead_ >= aw.beats()) ++writes_with_data_;
    ahead_ = 0;
    ahead_done_ = false;
    CheckOutstanding("write", cycle, writes_, aw.id);
  }
}

bool AxiMonitor::Quiet() const {
  return reads_.empty() && writes_.empty() && ahead_ == 0 && !ar_.waits() && !aw_.waits() &&
         !w_.waits() && !r_.waits() && !b_.waits();
}

void AxiMonitor::AtEnd(uint64_t cycle) {
  for (size_t i = 0; i < reads_.size(); ++i) {
    Report(AxiRule::kOpenRead, cycle,
           fmt::format("the read burst at {:#x} has had {} of {} when the run ended",
                       reads_[i].addr, reads_[i].done, Counted(reads_[i].beats, "beat")));
  }
  for (size_t i = 0; i < writes_.size(); ++i) {
    Report(AxiRule::kOpenWrite, cycle,
           fmt::format("the write burst at {:#x} has had {} of {} and no response when "
                       "the run ended",
                       writes_[i].addr, writes_[i].done, Counted(writes_[i].beats, "data beat")));
  }
  ar_.AtEnd(cycle);
  aw_.AtEnd(cycle);
  w_.AtEnd(cycle);
  r_.AtEnd(cycle);
  b_.AtEnd(cycle);
  if (ahead_ != 0 && !aw_.waits()) {
    Report(AxiRule::kOpenWrite, cycle,
           fmt::format("{} write data beats have had no address when the run ended", ahead_));
  }
}

}  // namespace tessera
