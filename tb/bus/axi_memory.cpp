// The AXI4 slave: pins, pacing, and the choice of what is served.
#include "tb/bus/axi_memory.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "tb/sim/names.h"

namespace tessera {
namespace {

constexpr int kPatience = 4;

}  // namespace

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
  return fmt::format(
      "latency={}-{} max_reads={} max_writes={} ar:{} r:{} aw:{} w:{} b:{} service={} "
      "write_order={} reorder={} error_rules={}",
      latency_min, latency_max, max_reads, max_writes, ar.ToString(), r.ToString(), aw.ToString(),
      w.ToString(), b.ToString(), NameOf(service), NameOf(write_order), reorder, errors.size());
}

AxiMemory::AxiMemory(Memory* memory, AxiPort* port, int data_bytes, const AxiMemoryOptions& options,
                     const Rng& rng)
    : options_(options),
      port_(port),
      bytes_(data_bytes),
      rng_(rng.Stream("latency")),
      errors_(options.errors, rng.Stream("errors")),
      reads_(memory, &errors_, data_bytes),
      writes_(memory, &errors_, data_bytes),
      ar_(&port->ar, options.ar, rng.Stream("ar")),
      aw_(&port->aw, options.aw, rng.Stream("aw")),
      w_(&port->w, options.w, rng.Stream("w")),
      r_(&port->r, options.r, rng.Stream("r")),
      b_(&port->b, options.b, rng.Stream("b")),
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

AxiBurst AxiMemory::NewBurst(uint64_t cycle, const AxiAddress& address, uint64_t serial) {
  AxiBurst burst;
  burst.addr = address.addr & ~static_cast<uint64_t>(bytes_ - 1);
  burst.id = address.id;
  burst.serial = serial;
  burst.order = read_serial_ + write_serial_;
  burst.accepted = cycle;
  burst.beats = static_cast<uint16_t>(address.beats());
  return burst;
}

void AxiMemory::Sample(const Tick& tick) {
  if (tick.reset) {
    reads_.Reset();
    writes_.Reset();
    serving_ = Serving::kNothing;
  }
  if (r_.Sample(tick) && reads_.Take() && serving_ == Serving::kRead) serving_ = Serving::kNothing;
  if (b_.Sample(tick)) {
    writes_.Take();
    if (serving_ == Serving::kWrite) serving_ = Serving::kNothing;
  }
  if (ar_.Sample(tick)) {
    AxiBurst burst = NewBurst(tick.cycle, port_->ar.payload, read_serial_++);
    burst.ready_at = tick.cycle + DrawLatency();
    reads_.Accept(burst);
  }
  if (aw_.Sample(tick)) {
    const AxiBurst burst = NewBurst(tick.cycle, port_->aw.payload, write_serial_++);
    writes_.AcceptAddress(burst, tick.cycle, DrawLatency());
  }
  if (w_.Sample(tick)) writes_.AcceptData(port_->w.payload, tick.cycle);
}

void AxiMemory::Drive(const Tick& next) {
  if (next.reset) {
    ar_.Show(false);
    aw_.Show(false);
    w_.Show(false);
    r_.Withdraw();
    b_.Withdraw();
    return;
  }
  if (one_at_a_time_ && serving_ == Serving::kNothing) Choose();
  DriveAddresses();
  DriveRead(next);
  DriveWrite(next);
}

// Picks the transaction that is served next; of a read and a write that both wait, either.
void AxiMemory::Choose() {
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

void AxiMemory::DriveAddresses() {
  using WriteOrder = AxiMemoryOptions::WriteOrder;
  bool ar = ar_.Willing() && reads_.outstanding() < options_.max_reads;
  bool aw = aw_.Willing() && writes_.outstanding() < options_.max_writes;
  if (options_.write_order == WriteOrder::kDataFirst) {
    aw = aw && writes_.early_beats() > 0;
  } else if (options_.write_order == WriteOrder::kAllDataFirst) {
    aw = aw && writes_.early_lasts() > 0;
  }
  if (options_.service == AxiMemoryOptions::Service::kOneStrict) {
    // Ready answers a valid that waits, so that exactly one address is accepted and then served.
    ar = (ar || reads_passed_over_ >= kPatience) && serving_ == Serving::kNothing && ar_.waits();
    aw = (aw || writes_passed_over_ >= kPatience) && serving_ == Serving::kNothing && aw_.waits();
    if (ar && aw) {
      const bool write =
          writes_passed_over_ >= kPatience || (reads_passed_over_ < kPatience && (rng_() & 1) != 0);
      (write ? ar : aw) = false;
    }
    if (ar || aw) {
      reads_passed_over_ = ar || !ar_.waits() ? 0 : reads_passed_over_ + 1;
      writes_passed_over_ = aw || !aw_.waits() ? 0 : writes_passed_over_ + 1;
    }
  }
  ar_.Show(ar);
  aw_.Show(aw);
}

void AxiMemory::DriveRead(const Tick& next) {
  if (!r_.shown() && options_.reorder && !one_at_a_time_) reads_.Promote(next.cycle, rng_);
  r_.Drive(
      next,
      [&](AxiReadBeat* beat) {
        if (!reads_.Ready(next.cycle)) return false;
        if (one_at_a_time_ && serving_ != Serving::kRead) return false;
        reads_.Fetch(next.cycle, beat);
        return true;
      },
      [this](AxiReadBeat* beat) {
        if (!options_.noise) return;
        MakeNoise(&beat->data);
        beat->resp = static_cast<uint8_t>(beat->data[0] & 3);
        beat->last = (beat->data[0] & 4) != 0;
      });
}

void AxiMemory::DriveWrite(const Tick& next) {
  using Service = AxiMemoryOptions::Service;
  bool wready = w_.Willing();
  if (options_.write_order == AxiMemoryOptions::WriteOrder::kAddressFirst) {
    wready = wready && writes_.beats_owed() > 0;
  }
  if (options_.service == Service::kOneQueued || options_.service == Service::kOneStrict) {
    wready = wready && serving_ == Serving::kWrite && !writes_.DataComplete();
  }
  w_.Show(wready);
  if (!b_.shown() && options_.reorder && !one_at_a_time_) writes_.Promote(next.cycle, rng_);
  b_.Drive(
      next,
      [&](AxiWriteResponse* response) {
        if (!writes_.Ready(next.cycle)) return false;
        if (one_at_a_time_ && serving_ != Serving::kWrite) return false;
        *response = writes_.Respond(next.cycle);
        return true;
      },
      [&](AxiWriteResponse* response) {
        if (options_.noise) response->resp = static_cast<uint8_t>(Mix64(next.cycle) & 3);
      });
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
