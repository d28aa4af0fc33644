// See word_port.h.
#include "tests/aieml_rtl/word_port.h"

#include <fmt/format.h>

#include <cstring>

namespace tessera::aieml {

void WordPort::Check(const TileOutputs::Address& now, const TileOutputs::Address& before,
                     bool waited) {
  if (!fault_.empty()) return;
  if (waited && (!now.valid || now.addr != before.addr || now.len != before.len)) {
    fault_ = fmt::format("cycle {}: an address of {:#x} was taken back", cycle_, before.addr);
  }
  if (!now.valid) return;
  const uint64_t last = (now.addr & ~(bytes_ - 1)) + bytes_ * (uint64_t{now.len} + 1) - 1;
  if (now.addr >> 12 != last >> 12) {
    fault_ = fmt::format("cycle {}: a burst from {:#x} crosses 4 KiB", cycle_, now.addr);
  }
  if (now.burst != 1 || (1u << now.size) != bytes_) {
    fault_ = fmt::format("cycle {}: burst {} of size {}", cycle_, now.burst, now.size);
  }
}

WordPort::Burst WordPort::NewBurst(const TileOutputs::Address& address) {
  ++bursts;
  const uint64_t latency =
      options_.latency_min + rng_.Below(options_.latency_max - options_.latency_min + 1);
  return {address, cycle_ + latency};
}

void WordPort::Sample(const TileInputs& in, const TileOutputs& out) {
  Check(out.ar, ar_, ar_waits_);
  Check(out.aw, aw_, aw_waits_);
  ar_waits_ = out.ar.valid && !in.arready;
  aw_waits_ = out.aw.valid && !in.awready;
  r_waits_ = in.rvalid && !out.rready;
  ar_ = out.ar;
  aw_ = out.aw;
  if (out.ar.valid && in.arready) {
    reads_.push_back(NewBurst(out.ar));
    last_ar = out.ar;
    last_ar_cycle = cycle_;
  }
  if (out.aw.valid && in.awready) {
    writes_.push_back(NewBurst(out.aw));
    last_aw = out.aw;
  }
  if (in.rvalid && out.rready) {
    if (++reads_.front().beat > reads_.front().address.len) reads_.pop_front();
  }
  if (out.wvalid && in.wready) WriteBeat(out);
  if (in.bvalid && out.bready) answers_.pop_front();
  ++cycle_;
}

void WordPort::WriteBeat(const TileOutputs& out) {
  // Data follow their address, by the contract of the port.
  for (Burst& burst : writes_) {
    if (burst.beat > burst.address.len) continue;
    const uint64_t at = (burst.address.addr & ~(bytes_ - 1)) + burst.beat * bytes_;
    for (uint64_t n = 0; n < bytes_ / 4; ++n) {
      const uint64_t strobe = out.wstrb >> 4 * n & 15;
      if (strobe == 0) continue;
      uint32_t word = 0;
      std::memcpy(&word, out.wdata.data() + 4 * n, 4);
      if (strobe != 15) fault_ = fmt::format("cycle {}: part of a word is written", cycle_);
      if (!memory_->Write(at + 4 * n, word)) burst.failed = true;
    }
    ++burst.beat;
    if (out.wlast != (burst.beat > burst.address.len)) {
      fault_ = fmt::format("cycle {}: WLAST in beat {} of {}", cycle_, burst.beat,
                           burst.address.len + 1);
    }
    return;
  }
  fault_ = fmt::format("cycle {}: data without an address", cycle_);
}

void WordPort::ReadBeat(TileInputs* in) {
  Burst& burst = reads_.front();
  in->rvalid = true;
  in->rid = burst.address.id;
  in->rlast = burst.beat == burst.address.len;
  const uint64_t at = (burst.address.addr & ~(bytes_ - 1)) + burst.beat * bytes_;
  bool found = false;
  for (uint64_t n = 0; n < bytes_ / 4; ++n) {
    uint32_t word = 0xdeadbeef;
    found = memory_->Read(at + 4 * n, &word) || found;
    std::memcpy(in->rdata.data() + 4 * n, &word, 4);
  }
  in->rresp = found ? 0 : 3;
}

void WordPort::Drive(TileInputs* in) {
  in->arready = reads_.size() < 64 && !Stumbles();
  in->awready = writes_.size() < 64 && !Stumbles();
  in->wready = !Stumbles();
  in->rvalid = false;
  if (!reads_.empty() && reads_.front().due <= cycle_ && (r_waits_ || !Stumbles())) ReadBeat(in);
  while (!writes_.empty() && writes_.front().beat > writes_.front().address.len &&
         writes_.front().due <= cycle_) {
    answers_.push_back(writes_.front());
    writes_.pop_front();
  }
  in->bvalid = !answers_.empty();
  if (in->bvalid) {
    in->bid = answers_.front().address.id;
    in->bresp = answers_.front().failed ? 3 : 0;
  }
}

}  // namespace tessera::aieml
