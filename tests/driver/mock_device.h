// A tessera_dma without hardware: registers, descriptor RAM, task queues, locks, records,
// interrupts and lists as the programming model has them, and the reference model for what a
// descriptor moves.
//
// Time passes only in Step(). Whatever software may not do (a push into a full queue, a write to a
// descriptor that the hardware has, a read-only register) is noted in violations() and answered
// with SLVERR. Written from the manual, without the driver.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sw/firmware/device.h"
#include "tb/model/reference.h"

namespace tessera::mock {

struct Config {
  uint32_t reads = 2, writes = 2, address_bits = 64, data_log2 = 3, stream_log2 = 3;
  uint32_t descriptors = 16, task_log2 = 2, record_log2 = 2, locks = 8, windows = 2;
  // Walk, bounds, guard, lists, tokens, headers, triggers, windows.
  uint32_t features =
      1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 5 | 1u << 7 | 1u << 10 | 1u << 11;
  uint32_t id = 0x54535241, version = 0x00000100;
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

  // ---- For tests ----
  model::MemoryImage& memory() { return memory_; }
  const std::vector<Access>& log() const { return log_; }
  void ClearLog() { log_.clear(); }
  const std::vector<std::string>& violations() const { return violations_; }
  bool interrupt() const override;
  // What read channel r has sent: beats, and their bytes.
  const std::vector<model::StreamBeat>& sent(uint32_t r) const {
    return channels_[r].reader->beats();
  }
  std::vector<uint8_t> sent_bytes(uint32_t r) const;
  void ForgetSent(uint32_t r) { channels_[r].reader->Forget(); }
  // Beats for write channel w: `bytes` as one packet.
  void Offer(uint32_t w, const std::vector<uint8_t>& bytes, bool last = true);
  // The transfers that were executed, as decoded.
  const std::vector<model::Transfer>& executed(uint32_t channel) const {
    return channels_[channel].executed;
  }
  uint32_t lock(uint32_t k) const { return locks_[k]; }
  // The next transfer of a channel (write channels from 16 on) gets these status bits.
  void FailNext(uint32_t channel, uint32_t status) { channels_[channel].fail = status; }
  // The channel does nothing any more, not even a reset.
  void Freeze(uint32_t channel, bool frozen = true) { channels_[channel].frozen = frozen; }
  uint32_t tokens() const { return tokens_; }

 private:
  static constexpr uint32_t kLists = 1u << 4, kTokens = 1u << 5, kTriggers = 1u << 10;
  bool Has(uint32_t feature) const { return (config_.features & feature) != 0; }
  bool Lacks(uint32_t offset) const;
  struct Task {
    uint32_t word = 0;
    uint32_t tag = 0;
  };
  struct Record {
    uint32_t word = 0;
    uint64_t bytes = 0, dropped = 0, addr = 0;
    uint32_t tag = 0, side = 0, stamp = 0;
  };
  struct Loaded {
    std::array<uint32_t, 16> base{}, bounds{}, walk{};
    uint32_t descriptor = 0;
    bool acquired = false;
  };
  struct Channel {
    uint32_t control = 0, tag = 0, trigger = 0, error = 0, error_info = 0;
    uint32_t irq_enable = 0, irq_status = 0, coalesce = 0, standing = 0;
    uint64_t error_addr = 0;
    std::deque<Task> queue;
    std::optional<Task> task;  // in hand
    uint32_t turn = 0;
    std::optional<Loaded> loaded;
    std::deque<Record> records;
    uint32_t next = 0;  // descriptor
    bool halted = false, frozen = false, triggered = false;
    uint32_t fail = 0;
    uint64_t list_base = 0, list_done = 0;
    uint32_t list_count = 0, list_tail = 0, list_head = 0, list_control = 0;
    std::unique_ptr<model::ReadModel> reader;
    std::unique_ptr<model::WriteModel> writer;
    std::deque<model::StreamBeat> beats;
    std::vector<model::Transfer> executed;
  };

  bool ReadChannel(Channel& channel, uint32_t offset, uint32_t& value);
  bool WriteChannel(Channel& channel, uint32_t n, uint32_t offset, uint32_t value);
  bool WriteDescriptor(uint32_t area, uint32_t descriptor, uint32_t word, uint32_t value);
  bool Violation(const std::string& text);
  void StepChannel(uint32_t n);
  bool Load(uint32_t n, Channel& channel);
  bool TryLock(uint32_t lock, int32_t value);
  void ReleaseLock(uint32_t lock, int32_t value);
  void Finish(uint32_t n, Channel& channel, const model::Record& record, bool aborted);
  void Halt(Channel& channel, uint32_t descriptor, uint32_t reason);
  void ClearChannel(Channel& channel);
  bool Busy(const Channel& channel) const;
  bool Owned(uint32_t descriptor) const;
  uint32_t MemoryWord(uint64_t address) const;
  model::Transfer Decode(const Loaded& loaded, bool task_end);

  Config config_;
  std::mt19937_64 random_;
  model::MemoryImage memory_;
  std::array<Channel, 32> channels_;
  std::array<uint32_t, 64> locks_{};
  std::array<std::array<uint32_t, 16>, 256> base_{}, bounds_{}, walk_{};
  std::array<bool, 256> valid_{};
  std::array<uint32_t, 256> turns_{};
  std::array<std::array<uint32_t, 5>, 32 * 16> windows_{};
  uint32_t global_control_ = 0, scratch_ = 0, cycles_high_ = 0, tokens_ = 0;
  uint64_t cycles_ = 0, lock_over_ = 0, lock_under_ = 0;
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
