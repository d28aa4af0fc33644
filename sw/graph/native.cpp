// Channels in software: every job that can go on goes on, in each step.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tessera/graph/backend.hpp"

namespace tessera::graph {
namespace {

class NativeBackend;

// A question about one or two channels, and what has been seen since it was asked.
struct NativeUnit {
  const Channel* one = nullptr;
  const Channel* other = nullptr;
  driver::ProfileOption option{};
  uint32_t value = 0;
  uint32_t turn = 0;
  WireCounts then, other_then;
  // Cycles in which the first byte passed, and the last of `value`.
  uint64_t first = WireCounts::kNever, other_first = WireCounts::kNever;
  uint64_t reached = WireCounts::kNever;

  void Look(uint64_t cycle) {
    if (one == nullptr) return;
    const uint64_t bytes = one->counts.bytes - then.bytes;
    if (bytes != 0) first = std::min(first, cycle);
    if (bytes >= value) reached = std::min(reached, cycle);
    if (other != nullptr && other->counts.bytes != other_then.bytes) {
      other_first = std::min(other_first, cycle);
    }
  }
};
using NativeUnits = std::array<NativeUnit, 4>;

class NativeChannel final : public Channel {
 public:
  NativeChannel(NativeBackend* owner, driver::Direction direction, int number, std::string name)
      : Channel(direction, number, std::move(name)), owner_(owner) {}
  bool Step();
  void Flush() override {
    if (jobs_.empty() || !jobs_.front().packet || done_ == 0) return;
    if (direction == driver::Direction::kFromStream && pipe->size() == 0) EndJob(false);
  }
  bool quiet() const override { return done_ == 0; }

 private:
  bool Begin();
  void EndJob(bool last);
  size_t total() const {
    const Job& job = jobs_.front();
    return job.access ? job.access->bytes() : job.bytes;
  }
  // Copies `bytes` at `done_` of the job's order.
  void Copy(uint8_t* data, size_t bytes, bool to_memory) const;
  bool StepToStream();
  bool StepFromStream();
  void Count(size_t bytes);

  NativeBackend* owner_;
  bool begun_ = false;
  size_t done_ = 0;  // bytes of the job
  std::vector<uint8_t> scratch_;
};

class NativeBackend final : public Backend {
 public:
  std::string name() const override { return "native"; }
  bool cycle_accurate() const override { return false; }
  Channel* Open(driver::Direction direction, const std::string& name) override {
    int number = 0;
    for (const auto& channel : channels_) {
      if (channel->direction == direction) number = std::max(number, channel->number + 1);
    }
    channels_.push_back(std::make_unique<NativeChannel>(this, direction, number, name));
    return channels_.back().get();
  }
  void Close(Channel* channel) override {
    std::erase_if(channels_, [&](const auto& held) { return held.get() == channel; });
  }
  int OpenLock(int value) override {
    locks_.push_back(value);
    return static_cast<int>(locks_.size()) - 1;
  }
  void CloseLock(int /*lock*/) override {}
  void CheckAccess(const Access& /*access*/, const std::string& /*what*/) const override {}
  std::vector<int> Descriptors(const Channel& /*channel*/) const override { return {}; }
  std::vector<const Channel*> channels() const override {
    std::vector<const Channel*> all;
    for (const auto& channel : channels_) all.push_back(channel.get());
    return all;
  }
  bool Step() override {
    ++cycle_;
    bool moved = false;
    for (const auto& channel : channels_) moved |= channel->Step();
    for (NativeUnit& unit : *units_) unit.Look(cycle_);
    return moved;
  }
  uint64_t cycle() const override { return cycle_; }
  uint64_t patience() const override { return 2; }
  void Trace(const std::string& path) override {
    if (!path.empty()) {
      throw GraphError(driver::Code::unsupported,
                       fmt::format("waveform {}: a native run has no RTL to trace", path));
    }
  }
  std::unique_ptr<Profiling> MakeProfiling() override;
  int& lock(int number) { return locks_[static_cast<size_t>(number)]; }

 private:
  std::vector<std::unique_ptr<NativeChannel>> channels_;
  std::vector<int> locks_;
  // Profiling may outlive the backend.
  std::shared_ptr<NativeUnits> units_ = std::make_shared<NativeUnits>();
  uint64_t cycle_ = 0;
};

bool NativeChannel::Begin() {
  if (begun_) return true;
  if (jobs_.empty()) return false;
  const LockUse& acquire = jobs_.front().acquire;
  if (acquire.lock >= 0) {
    int& lock = owner_->lock(acquire.lock);
    if (lock < acquire.amount) return false;
    lock -= acquire.amount;
  }
  begun_ = true;
  done_ = 0;
  return true;
}

void NativeChannel::EndJob(bool last) {
  const LockUse release = jobs_.front().release;
  if (release.lock >= 0) owner_->lock(release.lock) += release.amount;
  Finish({done_, last});
  jobs_.pop_front();
  begun_ = false;
  done_ = 0;
}

void NativeChannel::Copy(uint8_t* data, size_t bytes, bool to_memory) const {
  const Job& job = jobs_.front();
  if (!job.access) {
    if (to_memory) {
      std::memcpy(job.memory + done_, data, bytes);
    } else {
      std::memcpy(data, job.memory + done_, bytes);
    }
    return;
  }
  const size_t each = job.access->bytes_each;
  for (size_t n = 0; n < bytes; ++n) {
    const int64_t element = job.access->offsets[(done_ + n) / each];
    uint8_t* const at =
        element < 0 ? nullptr : job.memory + element + static_cast<int64_t>((done_ + n) % each);
    if (!to_memory) {
      data[n] = at != nullptr ? *at : 0;
    } else if (at != nullptr) {
      *at = data[n];
    }
  }
}

void NativeChannel::Count(size_t bytes) {
  if (bytes == 0) return;
  if (counts.latest != owner_->cycle()) ++counts.busy;
  counts.latest = owner_->cycle();
  counts.bytes += bytes;
}

bool NativeChannel::Step() {
  bool moved = false;
  while (Begin()) {
    const uint64_t before = finished_;
    const bool some = direction == driver::Direction::kToStream ? StepToStream() : StepFromStream();
    moved |= some;
    if (finished_ == before) break;
  }
  return moved;
}

bool NativeChannel::StepToStream() {
  const size_t bytes = std::min(total() - done_, wire->room());
  const bool ends = done_ + bytes == total();
  if (bytes == 0) return false;
  scratch_.resize(bytes);
  Copy(scratch_.data(), bytes, false);
  wire->Write(scratch_.data(), bytes, ends && jobs_.front().packet);
  Count(bytes);
  done_ += bytes;
  if (ends) EndJob(jobs_.front().packet);
  return true;
}

bool NativeChannel::StepFromStream() {
  bool last = false;
  const size_t bytes = pipe->Run(total() - done_, last);
  if (bytes == 0 && !last) return false;
  scratch_.resize(bytes);
  pipe->Read(scratch_.data(), bytes);
  Copy(scratch_.data(), bytes, true);
  Count(bytes);
  done_ += bytes;
  const bool packet_ends = last && jobs_.front().packet;
  if (packet_ends || done_ == total()) EndJob(packet_ends);
  return true;
}

// The counters of NativeChannels behind the rules of the driver's Profiler.
class NativeProfiling final : public Profiling {
 public:
  explicit NativeProfiling(std::shared_ptr<NativeUnits> units) : units_(std::move(units)) {}
  uint32_t Start(const Channel& one, const Channel* other, driver::ProfileOption option,
                 uint32_t value) override {
    using driver::ProfileOption;
    const bool two = option == ProfileOption::kStreamStartDifferenceCycles;
    if (two != (other != nullptr) || other == &one) return driver::kInvalidHandle;
    if (option == ProfileOption::kStreamStartToBytesTransferredCycles && value == 0) {
      return driver::kInvalidHandle;
    }
    for (uint32_t n = 0; n < units_->size(); ++n) {
      NativeUnit& unit = (*units_)[n];
      if (unit.one != nullptr) continue;
      unit = {.one = &one,
              .other = other,
              .option = option,
              .value = value,
              .turn = unit.turn + 1,
              .then = one.counts,
              .other_then = other != nullptr ? other->counts : WireCounts()};
      return unit.turn << 8 | n;
    }
    return driver::kInvalidHandle;
  }
  long long Read(uint32_t handle) override {
    const NativeUnit* unit = Find(handle);
    if (unit == nullptr) return -1;
    const WireCounts& now = unit->one->counts;
    switch (unit->option) {
      case driver::ProfileOption::kTotalStreamRunningToIdleCycles:
        return static_cast<long long>(now.busy - unit->then.busy);
      case driver::ProfileOption::kStreamStartToBytesTransferredCycles:
        if (unit->reached == WireCounts::kNever) return 0;
        return static_cast<long long>(unit->reached - unit->first + 1);
      case driver::ProfileOption::kStreamStartDifferenceCycles:
        if (std::max(unit->first, unit->other_first) == WireCounts::kNever) return 0;
        return static_cast<long long>(unit->other_first - unit->first);
      default:
        return static_cast<long long>((now.bytes - unit->then.bytes + 7) / 8);
    }
  }
  bool Stop(uint32_t handle) override {
    NativeUnit* unit = Find(handle);
    if (unit == nullptr) return false;
    unit->one = nullptr;
    return true;
  }

 private:
  NativeUnit* Find(uint32_t handle) {
    const uint32_t n = handle & 0xff;
    if (n >= units_->size()) return nullptr;
    NativeUnit& unit = (*units_)[n];
    return unit.one != nullptr && unit.turn == handle >> 8 ? &unit : nullptr;
  }
  std::shared_ptr<NativeUnits> units_;
};

std::unique_ptr<Profiling> NativeBackend::MakeProfiling() {
  return std::make_unique<NativeProfiling>(units_);
}

}  // namespace

std::unique_ptr<Backend> MakeNative() { return std::make_unique<NativeBackend>(); }

}  // namespace tessera::graph
