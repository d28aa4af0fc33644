// The AXI4 slave: pins, pacing, and the choice of what is served.
#include "tb/bus/axi_memory.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

namespace tessera {

AxiMemoryOptions AxiMemoryOptions::Latency(uint32_t cycles) {
  AxiMemoryOptions options;
  options.latency_min = options.latency_max = cycles;
  return options;
}

AxiMemoryOptions AxiMemoryOptions::Random(Rng& rng) {
  AxiMemoryOptions options;
  options.latency_min = static_cast<uint32_t>(rng.Chance(0.5) ? 1 : rng.Between(1, 30));
  options.latency_max =
      options.latency_min + static_cast<uint32_t>(rng.Chance(0.3) ? 0 : rng.Below(60));
  options.max_reads = static_cast<uint32_t>(rng.Chance(0.5) ? 64 : rng.Between(1, 16));
  options.max_writes = static_cast<uint32_t>(rng.Chance(0.5) ? 64 : rng.Between(1, 16));
  options.ar = PacerSpec::Random(rng);
  options.r = PacerSpec::Random(rng);
  options.aw = PacerSpec::Random(rng);
  options.w = PacerSpec::Random(rng);
  options.b = PacerSpec::Random(rng);
  if (rng.Chance(0.25)) {
    options.service = static_cast<Service>(rng.Between(1, 3));
  } else {
    options.write_order = static_cast<WriteOrder>(rng.Below(4));
  }
  return options;
}

std::string AxiMemoryOptions::ToString() const {
  static constexpr const char* kService[] = {"parallel", "one-queued", "one-strict",
                                             "one-buffered"};
  static constexpr const char* kOrder[] = {"free", "address-first", "data-first", "all-data-first"};
  return fmt::format(
      "latency={}-{} max_reads={} max_writes={} ar:{} r:{} aw:{} w:{} b:{} service={} "
      "write_order={} reorder={} error_rules={}",
      latency_min, latency_max, max_reads, max_writes, ar.ToString(), r.ToString(), aw.ToString(),
      w.ToString(), b.ToString(), kService[static_cast<int>(service)],
      kOrder[static_cast<int>(write_order)], reorder, errors.size());
}

AxiMemory::AxiMemory(Memory* memory, int data_bytes, const AxiMemoryOptions& options,
                     const Rng& rng)
    : options_(options),
      bytes_(data_bytes),
      rng_(rng.Stream("latency")),
      errors_(options.errors, rng.Stream("errors")),
      reads_(memory, &errors_, data_bytes),
      writes_(memory, &errors_, data_bytes),
      ar_(options.ar, rng.Stream("ar")),
      r_(options.r, rng.Stream("r")),
      aw_(options.aw, rng.Stream("aw")),
      w_(options.w, rng.Stream("w")),
      b_(options.b, rng.Stream("b")),
      one_at_a_time_(options.service != AxiMemoryOptions::Service::kParallel) {
  if (options.latency_min < 1 || options.latency_max < options.latency_min) {
    throw std::invalid_argument(
        fmt::format("AXI memory latency {}-{}: must be an ordered range from 1 cycle on",
                    options.latency_min, options.latency_max));
  }
  if (options.max_reads < 1 || options.max_writes < 1) {
    throw std::invalid_argument(
        fmt::format("AXI memory max_reads {} max_writes {}: both must be at least 1",
                    options.max_reads, options.max_writes));
  }
  if (one_at_a_time_ && options.write_order != AxiMemoryOptions::WriteOrder::kFree) {
    throw std::invalid_argument(
        "AXI memory: one-at-a-time service decides the write order itself; write_order must be "
        "kFree");
  }
}

uint32_t AxiMemory::DrawLatency() {
  if (options_.latency_min == options_.latency_max) return options_.latency_min;
  return static_cast<uint32_t>(rng_.Between(options_.latency_min, options_.latency_max));
}

AxiBurst AxiMemory::NewBurst(uint64_t cycle, uint64_t addr, uint8_t len, uint16_t id,
                             uint64_t serial) {
  AxiBurst burst;
  burst.addr = addr & ~static_cast<uint64_t>(bytes_ - 1);
  burst.id = id;
  burst.serial = serial;
  burst.order = read_serial_ + write_serial_;
  burst.accepted = cycle;
  burst.beats = static_cast<uint16_t>(len + 1);
  return burst;
}

void AxiMemory::Sample(const Tick& tick, const DutInputs& in, const DutOutputs& out) {
  if (tick.reset) {
    reads_.Reset();
    writes_.Reset();
    serving_ = Serving::kNothing;
    r_shown_ = b_shown_ = ar_waits_ = aw_waits_ = false;
    return;
  }
  if (r_shown_ && out.rready) {
    r_shown_ = false;
    if (reads_.Take() && serving_ == Serving::kRead) serving_ = Serving::kNothing;
  }
  if (b_shown_ && out.bready) {
    b_shown_ = false;
    writes_.Take();
    if (serving_ == Serving::kWrite) serving_ = Serving::kNothing;
  }
  if (out.arvalid && in.arready) {
    AxiBurst burst = NewBurst(tick.cycle, out.araddr, out.arlen, out.arid, read_serial_++);
    burst.ready_at = tick.cycle + DrawLatency();
    reads_.Accept(burst);
  }
  if (out.awvalid && in.awready) {
    const AxiBurst burst = NewBurst(tick.cycle, out.awaddr, out.awlen, out.awid, write_serial_++);
    writes_.AcceptAddress(burst, tick.cycle, DrawLatency());
  }
  if (out.wvalid && in.wready) writes_.AcceptData(out.wdata, out.wstrb, out.wlast, tick.cycle);
  ar_waits_ = out.arvalid && !in.arready;
  aw_waits_ = out.awvalid && !in.awready;
}

void AxiMemory::Drive(const Tick& next, DutInputs* in) {
  if (next.reset) {
    in->arready = in->awready = in->wready = false;
    in->rvalid = in->bvalid = false;
    r_shown_ = b_shown_ = false;
    return;
  }
  if (one_at_a_time_ && serving_ == Serving::kNothing) Choose(next.cycle);
  DriveAddressReady(in);
  DriveRead(next.cycle, in);
  DriveWrite(next.cycle, in);
}

// Picks the transaction that is served next; of a read and a write that both wait, either.
void AxiMemory::Choose(uint64_t) {
  const bool buffered = options_.service == AxiMemoryOptions::Service::kOneBuffered;
  const bool read = reads_.outstanding() > 0;
  const bool write = buffered ? writes_.DataComplete() : writes_.outstanding() > 0;
  if (read && write) {
    serving_ = (rng_() & 1) != 0 ? Serving::kRead : Serving::kWrite;
  } else if (read) {
    serving_ = Serving::kRead;
  } else if (write) {
    serving_ = Serving::kWrite;
  }
}

void AxiMemory::DriveAddressReady(DutInputs* in) {
  using WriteOrder = AxiMemoryOptions::WriteOrder;
  bool ar = ar_.Next() && reads_.outstanding() < options_.max_reads;
  bool aw = aw_.Next() && writes_.outstanding() < options_.max_writes;
  if (options_.write_order == WriteOrder::kDataFirst) {
    aw = aw && writes_.early_beats() > 0;
  } else if (options_.write_order == WriteOrder::kAllDataFirst) {
    aw = aw && writes_.early_lasts() > 0;
  }
  if (options_.service == AxiMemoryOptions::Service::kOneStrict) {
    // Ready answers a valid that waits, so that exactly one address is accepted and then served.
    ar = ar && serving_ == Serving::kNothing && ar_waits_;
    aw = aw && serving_ == Serving::kNothing && aw_waits_;
    if (ar && aw) ((rng_() & 1) != 0 ? ar : aw) = false;
  }
  in->arready = ar;
  in->awready = aw;
}

void AxiMemory::DriveRead(uint64_t cycle, DutInputs* in) {
  if (r_shown_) return;
  const bool willing = r_.Next();
  if (options_.reorder && !one_at_a_time_) reads_.Promote(cycle, rng_);
  if (willing && reads_.Ready(cycle) && (!one_at_a_time_ || serving_ == Serving::kRead)) {
    in->rid = reads_.current().id;
    reads_.Fetch(cycle, &in->rdata, &in->rresp, &in->rlast);
    in->rvalid = true;
    r_shown_ = true;
  } else if (in->rvalid) {
    in->rvalid = false;
    if (options_.noise) {
      MakeNoise(&in->rdata);
      in->rresp = static_cast<uint8_t>(in->rdata[0] & 3);
      in->rlast = (in->rdata[0] & 4) != 0;
    }
  }
}

void AxiMemory::DriveWrite(uint64_t cycle, DutInputs* in) {
  using Service = AxiMemoryOptions::Service;
  bool wready = w_.Next();
  if (options_.write_order == AxiMemoryOptions::WriteOrder::kAddressFirst) {
    wready = wready && writes_.beats_owed() > 0;
  }
  if (options_.service == Service::kOneQueued || options_.service == Service::kOneStrict) {
    wready = wready && serving_ == Serving::kWrite && !writes_.DataComplete();
  }
  in->wready = wready;
  if (b_shown_) return;
  const bool willing = b_.Next();
  if (options_.reorder && !one_at_a_time_) writes_.Promote(cycle, rng_);
  if (willing && writes_.Ready(cycle) && (!one_at_a_time_ || serving_ == Serving::kWrite)) {
    in->bid = writes_.current().id;
    in->bresp = writes_.Respond(cycle);
    in->bvalid = true;
    b_shown_ = true;
  } else if (in->bvalid) {
    in->bvalid = false;
    if (options_.noise) in->bresp = static_cast<uint8_t>(Mix64(cycle) & 3);
  }
}

void AxiMemory::MakeNoise(BusData* data) {
  const uint64_t word = Mix64(read_serial_ ^ 0x5eed);
  for (int i = 0; i < bytes_; i += 4) std::memcpy(data->data() + i, &word, 4);
}

bool AxiMemory::Idle() const {
  return reads_.outstanding() == 0 && writes_.outstanding() == 0 && writes_.early_beats() == 0;
}

std::string AxiMemory::Describe() const {
  static constexpr const char* kServing[] = {"nothing", "a read", "a write"};
  std::string text = fmt::format(
      "memory: {} open reads, {} open writes, {} data beats owed, {} "
      "data beats without address",
      reads_.outstanding(), writes_.outstanding(), writes_.beats_owed(), writes_.early_beats());
  if (one_at_a_time_) text += fmt::format(", serving {}", kServing[static_cast<int>(serving_)]);
  if (reads_.outstanding() > 0) {
    const AxiBurst& burst = reads_.current();
    text += fmt::format("; oldest read {:#x}, beat {} of {}, answers from cycle {}", burst.addr,
                        burst.done, burst.beats, burst.ready_at);
  }
  if (writes_.outstanding() > 0) {
    const AxiBurst& burst = writes_.current();
    text += fmt::format("; oldest write {:#x}, data {} of {}", burst.addr, burst.done, burst.beats);
  }
  return text;
}

}  // namespace tessera
