// The model of the device (tb/device) as the driver's tests have it: time passes in Step(), by
// chance, and all accesses are logged.
//
// What the device refuses, and whatever else software may not do (reserved bits, a descriptor that
// the hardware has, a doorbell without a barrier), is noted in violations().
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sw/firmware/device.h"
#include "tb/device/device_model.h"

namespace tessera::mock {

struct Config : DeviceBuild {
  uint64_t seed = 1;
  // Of a step: that a channel does something.
  double speed = 1.0;
};

struct Access {
  enum class Kind { kRead, kWrite, kBarrier } kind;
  uint32_t offset = 0;
  uint32_t value = 0;
};

class MockDevice : public firmware::Device {
 public:
  explicit MockDevice(const Config& config = {});

  bool Read32(uint32_t offset, uint32_t& value) override;
  bool Write32(uint32_t offset, uint32_t value) override;
  void Step() override;
  void Barrier() {
    log_.push_back({Access::Kind::kBarrier});
    barrier_ = true;
  }

  // ---- For tests; write channels are numbered from 16 on ----
  model::MemoryImage& memory() { return memory_; }
  const std::vector<Access>& log() const { return log_; }
  void ClearLog() { log_.clear(); }
  const std::vector<std::string>& violations() const { return violations_; }
  bool interrupt() const override { return device_.interrupt(); }
  // What read channel r has sent: beats, and their bytes.
  const std::vector<model::StreamBeat>& sent(int r) const { return device_.beats(r); }
  std::vector<uint8_t> sent_bytes(int r) const;
  void ForgetSent(int r) { device_.ForgetBeats(r); }
  // Beats for write channel w: `bytes` as one packet; `side` as in RECORD_SIDE.
  void Offer(int w, const std::vector<uint8_t>& bytes, bool last = true, uint32_t side = 0);
  // The transfers that were executed, as decoded.
  std::vector<model::Transfer> executed(uint32_t channel) const;
  uint32_t lock(int k) const { return static_cast<uint32_t>(device_.lock(k)); }
  // The next transfer of a channel gets these status bits.
  void FailNext(uint32_t channel, uint32_t status) { device_.FailNext(Index(channel), status); }
  // The channel does nothing any more, not even a reset.
  void Freeze(uint32_t channel, bool frozen = true) { device_.Hang(Index(channel), frozen); }
  size_t tokens() const;

 private:
  int Index(uint32_t channel) const {
    return static_cast<int>(channel < 16 ? channel : config_.reads + channel - 16);
  }
  void Violation(const std::string& text) { violations_.push_back(text); }
  void CheckWrite(uint32_t offset, uint32_t value);
  void CheckTask(int channel, uint32_t word);
  bool Owned(uint32_t descriptor) const;

  Config config_;
  std::mt19937_64 random_;
  model::MemoryImage memory_;
  DeviceModel device_;
  bool barrier_ = false;  // since the last doorbell or descriptor word
  std::vector<Access> log_;
  std::vector<std::string> violations_;
};

// The bus of the driver to it; time passes with every access.
class MockBus {
 public:
  explicit MockBus(MockDevice& device, uint32_t steps = 1) : device_(&device), steps_(steps) {}
  uint32_t read32(uint32_t offset) {
    uint32_t value = 0;
    Pass();
    device_->Read32(offset, value);
    return value;
  }
  void write32(uint32_t offset, uint32_t value) {
    Pass();
    device_->Write32(offset, value);
  }
  void barrier() { device_->Barrier(); }

 private:
  void Pass() {
    for (uint32_t n = 0; n < steps_; ++n) device_->Step();
  }
  MockDevice* device_;
  uint32_t steps_;
};

}  // namespace tessera::mock
