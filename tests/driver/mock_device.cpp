// See mock_device.h.
#include "tests/driver/mock_device.h"

#include <fmt/format.h>

namespace tessera::mock {

MockDevice::MockDevice(const Config& config)
    : config_(config), random_(config.seed), device_(config, &memory_) {
  // Stricter than the device, whose words are 0 after a reset: descriptor RAM holds anything.
  for (uint32_t at = 0x20000; at < 0x2c000; at += 4) {
    device_.Write(at, static_cast<uint32_t>(random_()) & ~(1U << 31));
  }
}

std::vector<uint8_t> MockDevice::sent_bytes(int r) const {
  std::vector<uint8_t> bytes;
  for (const model::StreamBeat& beat : sent(r)) {
    for (size_t n = 0; n < model::kMaxElem; ++n) {
      if (beat.keep[n]) bytes.push_back(beat.data[n]);
    }
  }
  return bytes;
}

void MockDevice::Offer(int w, const std::vector<uint8_t>& bytes, bool last, uint32_t side) {
  const size_t beat_bytes = size_t{1} << config_.stream_log2;
  std::vector<model::StreamBeat> beats;
  for (size_t at = 0; at < bytes.size(); at += beat_bytes) {
    model::StreamBeat& beat = beats.emplace_back();
    for (size_t n = 0; n < beat_bytes && at + n < bytes.size(); ++n) {
      beat.data[n] = bytes[at + n];
      beat.keep.set(n);
    }
    beat.last = last && at + beat_bytes >= bytes.size();
  }
  device_.Feed(w, beats, std::vector<uint32_t>(beats.size(), side));
}

std::vector<model::Transfer> MockDevice::executed(uint32_t channel) const {
  std::vector<model::Transfer> transfers;
  for (const DeviceExecution& e : device_.executions(Index(channel))) {
    transfers.push_back(e.transfer);
  }
  return transfers;
}

size_t MockDevice::tokens() const {
  size_t sum = 0;
  for (int c = 0; c < device_.channels(); ++c) sum += device_.tokens(c).size();
  return sum;
}

void MockDevice::Step() {
  device_.Pass();
  for (int c = 0; c < device_.channels(); ++c) {
    if (!device_.Busy(c)) continue;
    if (std::uniform_real_distribution<>(0, 1)(random_) < config_.speed) device_.Step(c);
  }
}

bool MockDevice::Read32(uint32_t offset, uint32_t& value) {
  const bool good = device_.Read(offset, &value);
  if (!good) Violation(device_.refusal());
  log_.push_back({Access::Kind::kRead, offset, value});
  return good;
}

bool MockDevice::Write32(uint32_t offset, uint32_t value) {
  log_.push_back({Access::Kind::kWrite, offset, value});
  CheckWrite(offset, value);
  const bool good = device_.Write(offset, value);
  if (!good) Violation(device_.refusal());
  return good;
}

// True if a task that is not finished can reach the descriptor.
bool MockDevice::Owned(uint32_t descriptor) const {
  for (int c = 0; c < device_.channels(); ++c) {
    if (device_.loaded(c) == static_cast<int>(descriptor)) return true;
    for (const uint32_t task : device_.tasks(c)) {
      uint32_t at = task & 0xff;
      for (uint32_t n = 0; (task >> 28 & 1) == 0 && n < 256; ++n) {
        if (at == descriptor) return true;
        const uint32_t next = device_.word(0x20000 + 0x40 * at + 4 * 13);
        if ((next & 0x100) == 0) break;
        at = next & 0xff;
      }
    }
  }
  return false;
}

// What the device takes, and software should not have written.
void MockDevice::CheckWrite(uint32_t offset, uint32_t value) {
  const uint32_t reserved = value & ~device_.Writable(offset);
  if (reserved != 0 && device_.Writable(offset) != 0) {
    Violation(
        fmt::format("reserved bits {:#x} in a write of {:#x} to {:#x}", reserved, value, offset));
  }
  if (offset >= 0x20000 && offset < 0x2c000) {
    barrier_ = false;
    const uint32_t d = offset >> 6 & 0xff;
    if (Owned(d)) Violation(fmt::format("write to descriptor {}, which the hardware has", d));
  }
  if (offset < 0x1000 || offset >= 0x3000) return;
  const bool writes = offset >= 0x2000;
  const int c = Index((offset >> 8 & 15) + (writes ? 16 : 0));
  const uint32_t base = offset & ~0xffU;
  switch (offset & 0xff) {
    case 0x00:
      if ((value & 0x100) != 0 && !(writes && config_.Has(DeviceFeature::kOutOfOrderMask))) {
        Violation(fmt::format("CONTROL of channel {} is {:#x}", c, value));
      }
      return;
    case 0x08:
      CheckTask(c, value);
      return;
    case 0x8c: {
      uint32_t status = 0;
      device_.Read(base + 0xa0, &status);
      if (value >= device_.word(base + 0x88)) Violation("LIST_TAIL is not below LIST_COUNT");
      if ((status & 1) != 0 && !barrier_) Violation("a doorbell without a barrier before it");
      barrier_ = false;
      return;
    }
    default:
      return;
  }
}

void MockDevice::CheckTask(int channel, uint32_t word) {
  if (!barrier_) Violation("a task without a barrier before it");
  barrier_ = false;
  const uint32_t d = word & 0xff;
  if ((word >> 28 & 1) != 0) return;
  if (d >= config_.descriptors || device_.word(0x20000 + 0x40 * d + 4 * 15) >> 31 == 0) {
    Violation(fmt::format("a task of channel {} whose descriptor {} is not valid", channel, d));
  }
}

}  // namespace tessera::mock
