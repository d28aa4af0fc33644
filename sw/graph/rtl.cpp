// Channels of the verilated tessera_dma, programmed by the driver.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sw/driver/tessera/text.hpp"
#include "tessera/dma.hpp"
#include "tessera/graph/backend.hpp"

namespace tessera::graph {
namespace {

using driver::Direction;

constexpr uint32_t kSlots = 4;          // descriptors of a channel: jobs that the hardware has
constexpr size_t kStagedBytes = 64;     // of a read channel's stream before TREADY goes low
constexpr uint32_t kScratchBytes = 64;  // at the end of the memory, for what nobody wants
constexpr size_t kQueuedBytes = 64;     // before a write channel's stream

// The driver's bus.
class SimulatedBus {
 public:
  explicit SimulatedBus(sim::Dma& dma) : dma_(&dma) {}
  uint32_t read32(uint32_t offset) {
    uint32_t value = 0;
    if (!dma_->Read32(offset, value)) Refused("read", offset);
    return value;
  }
  void write32(uint32_t offset, uint32_t value) {
    if (!dma_->Write32(offset, value)) Refused("write", offset);
  }
  void barrier() {}

 private:
  [[noreturn]] static void Refused(const char* what, uint32_t offset) {
    throw GraphError(driver::Code::driver_error,
                     fmt::format("the device refused a {} of register {:#x}", what, offset));
  }
  sim::Dma* dma_;
};

using DriverChannel = driver::Channel<SimulatedBus, 8>;

class RtlBackend;

class RtlChannel final : public Channel {
 public:
  RtlChannel(RtlBackend* owner, Direction direction, int number, std::string name);
  ~RtlChannel() override;
  void Post(const Job& job) override {
    Channel::Post(job);
    feed_.push_back({job.access ? job.access->bytes() : job.bytes, job.packet});
  }
  void Flush() override { flush_ = true; }
  bool quiet() const override { return lasts_.empty() && (feed_.empty() || !feed_.front().begun); }
  // Register accesses: gives jobs to the hardware, takes its records.
  bool Fill();
  void Collect();
  // Ends everything, so that the channel can be opened again.
  void Close();
  // In every cycle: moves bytes between pipes and the streams of the model.
  bool Pump();
  DriverChannel& hardware() { return hardware_; }
  bool has_descriptor() const { return slots_[0].number >= 0; }
  std::vector<int> descriptors() const {
    std::vector<int> numbers;
    for (const Slot& slot : slots_) {
      if (slot.number >= 0) numbers.push_back(slot.number);
    }
    return numbers;
  }

 private:
  struct Slot {
    int number = -1;  // of the descriptor
    std::optional<driver::Descriptor> written;
    uint32_t ticket = 0;
  };
  struct Feed {  // what the stream of a job still takes
    size_t left = 0;
    bool packet = false;
    bool begun = false;
  };
  driver::Descriptor Make(const Job& job) const;
  Slot* Free(const driver::Descriptor& made);
  bool PumpToStream();
  bool PumpFromStream();
  [[noreturn]] void Fail(driver::Status status) const;
  size_t Allowed(size_t most);

  RtlBackend* owner_;
  DriverChannel hardware_;
  std::array<Slot, kSlots> slots_;
  std::deque<Slot*> busy_;  // that the hardware has, in order
  std::deque<Feed> feed_;
  std::deque<bool> lasts_;      // of jobs whose stream has ended: the stream had TLAST there
  std::vector<uint8_t> carry_;  // bytes of a beat that is not full
  std::vector<uint8_t> staged_;
  std::vector<size_t> packets_;  // ends of packets in staged_
  size_t taken_ = 0;             // of staged_
  bool held_ = false, flush_ = false, closed_ = false;
  double budget_ = 0;
};

class RtlBackend final : public Backend {
 public:
  RtlBackend(const std::string& build, uint64_t seed, SharedMemory memory)
      : dma_({.build = build, .seed = seed}), memory_(memory), bus_(dma_), device_(bus_) {
    dma_.AttachBuffer(memory.bus_address, memory.memory.data(), memory.memory.size());
    if (const driver::Status status = device_.Open(); !status.ok()) {
      throw GraphError(status.code(), fmt::format("build {}: {}", build, driver::Text(status)));
    }
    descriptors_ = driver::DescriptorPool(device_.build().descriptors);
    on_chip_ = device_.FindOnChip();
    device_.EnableInterrupts(true);
    dma_.EveryCycle([this] {
      for (const auto& channel : channels_) moved_ |= channel->Pump();
    });
  }

  std::string name() const override { return dma_.build().name; }
  bool cycle_accurate() const override { return true; }
  Channel* Open(Direction direction, const std::string& name) override {
    const bool to = direction == Direction::kToStream;
    const int first = device_.build().joined;  // those before have no streams at the pins
    const int there = to ? device_.build().reads : device_.build().writes;
    for (int number = first; number < there; ++number) {
      const bool used = std::ranges::any_of(channels_, [&](const auto& channel) {
        return channel->direction == direction && channel->number == number;
      });
      if (used) continue;
      channels_.push_back(std::make_unique<RtlChannel>(this, direction, number, name));
      return channels_.back().get();
    }
    throw GraphError(driver::Code::unsupported,
                     fmt::format("{} needs one more {} channel than the {} of build {}", name,
                                 to ? "read (memory to stream)" : "write (stream to memory)", there,
                                 dma_.build().name));
  }
  void Close(Channel* channel) override {
    auto* held = static_cast<RtlChannel*>(channel);
    held->Close();
    std::erase_if(channels_, [&](const auto& each) { return each.get() == held; });
  }
  int OpenLock(int value) override {
    for (uint32_t n = 0; n < device_.build().locks; ++n) {
      if ((locks_ >> n & 1) != 0) continue;
      locks_ |= uint64_t{1} << n;
      static_cast<void>(driver::Lock(device_, n).Set(static_cast<uint32_t>(value)));
      return static_cast<int>(n);
    }
    throw GraphError(driver::Code::unsupported,
                     fmt::format("the graph needs more locks than the {} of build {}",
                                 device_.build().locks, dma_.build().name));
  }
  void CloseLock(int lock) override { locks_ &= ~(uint64_t{1} << lock); }
  // The first gap that is large enough; `placed_` is in the order of addresses.
  bool PlaceOnChip(const uint8_t* memory, size_t bytes) override {
    if (device_.build().windows > 0) return false;  // that of a channel is the program's memory
    constexpr uint64_t kLine = 64;
    uint64_t address = on_chip_.address;
    auto next = placed_.begin();
    for (; next != placed_.end() && next->address - address < bytes; ++next) {
      address = (next->address + next->bytes + kLine - 1) & ~(kLine - 1);
    }
    if (!on_chip_.Holds(address, bytes)) return false;
    placed_.insert(next, {memory, bytes, address});
    dma_.WriteOnChip(address, memory, bytes);
    return true;
  }
  void LeaveOnChip(const uint8_t* memory) override {
    std::erase_if(placed_, [&](const Placed& placed) { return placed.memory == memory; });
  }
  void CheckAccess(const Access& access, const std::string& what) const override {
    CheckDescriptor(access, memory_.bus_address, device_.build(),
                    fmt::format("{}: build {}", what, name()));
  }
  std::vector<int> Descriptors(const Channel& channel) const override {
    return static_cast<const RtlChannel&>(channel).descriptors();
  }

  std::vector<const Channel*> channels() const override {
    std::vector<const Channel*> all;
    for (const auto& channel : channels_) all.push_back(channel.get());
    return all;
  }
  bool Step() override {
    moved_ = false;
    if (dma_.interrupt()) {
      Serve();
      moved_ = true;
    }
    bool filled = false;
    for (const auto& channel : channels_) filled |= channel->Fill();
    moved_ |= filled;
    dma_.Step();
    return moved_;
  }
  uint64_t cycle() const override { return dma_.cycle(); }
  // The stream of a slow channel stands still between two of its bytes.
  uint64_t patience() const override {
    double longest = 0;
    for (const auto& channel : channels_) {
      if (channel->bytes_per_cycle != 0) longest = std::max(longest, 1 / channel->bytes_per_cycle);
    }
    return 3000 + static_cast<uint64_t>(longest);
  }
  void Trace(const std::string& path) override { dma_.Trace(path); }
  std::unique_ptr<Profiling> MakeProfiling() override;

  sim::Dma& dma() { return dma_; }
  const driver::Device<SimulatedBus>& device() const { return device_; }
  driver::DescriptorPool& descriptors() { return descriptors_; }
  // One more descriptor for a channel leaves one for each channel that has none, open or not.
  bool MayTakeMore() const {
    const driver::Capabilities& build = device_.build();
    const auto have = static_cast<uint32_t>(std::ranges::count_if(
        channels_, [](const auto& channel) { return channel->has_descriptor(); }));
    const int channels = build.reads + build.writes - 2 * build.joined;
    return descriptors_.available() + have > static_cast<uint32_t>(channels);
  }
  uint64_t scratch() const { return memory_.bus_address + memory_.memory.size() - kScratchBytes; }
  // Of a build with windows: the memory of the program, and nothing else.
  driver::Window WholeMemory(bool reads) const {
    constexpr uint64_t kPage = 0xfff;
    return {.first = memory_.bus_address & ~kPage,
            .last = (memory_.bus_address + memory_.memory.size() - 1) & ~kPage,
            .read = reads,
            .write = !reads};
  }
  uint64_t Address(const uint8_t* memory) const {
    for (const Placed& placed : placed_) {
      if (placed.Has(memory)) return placed.address + static_cast<uint64_t>(memory - placed.memory);
    }
    return memory_.bus_address + static_cast<uint64_t>(memory - memory_.memory.data());
  }

 private:
  // One read tells which channels have records.
  void Serve() {
    const uint32_t which = device_.Read(registers::global_block::IrqChannels::kOffset);
    for (const auto& channel : channels_) {
      const int bit = channel->number + (channel->direction == Direction::kFromStream ? 16 : 0);
      if ((which >> bit & 1) == 0) continue;
      channel->hardware().Service();
      channel->Collect();
    }
  }

  sim::Dma dma_;
  SharedMemory memory_;
  SimulatedBus bus_;
  driver::Device<SimulatedBus> device_;
  driver::OnChip on_chip_;
  struct Placed {
    const uint8_t* memory = nullptr;
    size_t bytes = 0;
    uint64_t address = 0;
    bool Has(const uint8_t* at) const { return at >= memory && at < memory + bytes; }
  };
  std::vector<Placed> placed_;  // in the on-chip buffer
  driver::DescriptorPool descriptors_{0};
  uint64_t locks_ = 0;
  std::vector<std::unique_ptr<RtlChannel>> channels_;
  bool moved_ = false;
};

RtlChannel::RtlChannel(RtlBackend* owner, Direction direction, int number, std::string name)
    : Channel(direction, number, std::move(name)),
      owner_(owner),
      hardware_(owner->device(), direction, static_cast<uint32_t>(number)) {
  if (const driver::Status status = hardware_.Open(); !status.ok()) Fail(status);
  if (owner->device().build().windows != 0) {
    const driver::Window window = owner->WholeMemory(direction == Direction::kToStream);
    const driver::Status status =
        driver::SetWindow(owner->device(), direction, static_cast<uint32_t>(number), 0, window);
    if (!status.ok()) Fail(status);
  }
  const uint32_t which =
      registers::channel::IrqStatus::kRecordMask | registers::channel::IrqStatus::kErrorMask;
  if (const driver::Status status = hardware_.EnableInterrupts(which); !status.ok()) Fail(status);
}

RtlChannel::~RtlChannel() {
  for (const Slot& slot : slots_) {
    if (slot.number >= 0) owner_->descriptors().Give(static_cast<uint32_t>(slot.number));
  }
}

void RtlChannel::Fail(driver::Status status) const {
  throw GraphError(status.code(), fmt::format("{}, {} channel {}: {}", name,
                                              direction == Direction::kToStream ? "read" : "write",
                                              number, driver::Text(status)));
}

driver::Descriptor RtlChannel::Make(const Job& job) const {
  driver::Descriptor made;
  if (job.access) {
    const auto lowered = driver::Lower(job.access->tiling, owner_->Address(job.memory),
                                       job.access->element_bits, owner_->device().build());
    if (!lowered.ok()) Fail(lowered.status);
    made = lowered.value;
  } else {
    made.Base(owner_->Address(job.memory)).Dim(0, static_cast<uint32_t>(job.bytes), 1);
  }
  if (direction == Direction::kToStream) {
    made.Last(job.packet ? driver::LastRule::kTransfer : driver::LastRule::kNever);
  } else if (job.packet) {
    made.FinishOnLast();
  }
  if (job.acquire.lock >= 0) {
    made.Acquire(static_cast<uint32_t>(job.acquire.lock), -job.acquire.amount);
  }
  if (job.release.lock >= 0) {
    made.Release(static_cast<uint32_t>(job.release.lock), job.release.amount);
  }
  return made;
}

// A slot that the hardware does not have: one with this descriptor, one that was never written, or
// any. Every channel has its first descriptor, more as far as there are some; none if all that it
// has are busy.
RtlChannel::Slot* RtlChannel::Free(const driver::Descriptor& made) {
  const auto same = [&](const driver::Descriptor& old) {
    bool equal = true;
    for (uint32_t n = 0; n < driver::kDescriptorWords; ++n) {
      equal = equal && old.word(n) == made.word(n) && old.bounds_word(n) == made.bounds_word(n) &&
              old.walk_word(n) == made.walk_word(n);
    }
    return equal;
  };
  const bool more = !has_descriptor() || owner_->MayTakeMore();
  Slot* best = nullptr;
  for (Slot& slot : slots_) {
    if (std::ranges::find(busy_, &slot) != busy_.end()) continue;
    if (slot.written && same(*slot.written)) return &slot;
    if (slot.number < 0 && !more) continue;
    if (best == nullptr || (best->written && !slot.written)) best = &slot;
  }
  return best;
}

bool RtlChannel::Fill() {
  bool filled = false;
  while (!jobs_.empty() && busy_.size() < kSlots) {
    const driver::Descriptor made = Make(jobs_.front());
    if (const driver::Status status = made.Check(owner_->device().build()); !status.ok()) {
      Fail(status);
    }
    Slot* const free = Free(made);
    if (free == nullptr) break;
    Slot& slot = *free;
    if (slot.number < 0) {
      const auto number = owner_->descriptors().Take();
      if (!number.ok()) Fail(number.status);
      slot.number = static_cast<int>(number.value);
    }
    driver::WriteDescriptor(owner_->device(), static_cast<uint32_t>(slot.number), made,
                            slot.written ? &*slot.written : nullptr);
    slot.written = made;
    const auto ticket = hardware_.Push(static_cast<uint32_t>(slot.number));
    if (!ticket.ok()) {
      if (ticket.status.reason() == driver::Reason::queue_full) break;
      Fail(ticket.status);
    }
    slot.ticket = ticket.value;
    jobs_.pop_front();
    busy_.push_back(&slot);
    filled = true;
  }
  return filled;
}

void RtlChannel::Collect() {
  while (!busy_.empty()) {
    const auto result = hardware_.Collect(busy_.front()->ticket);
    if (result.status.reason() == driver::Reason::task_running) break;
    if (!result.ok()) {
      throw GraphError(
          result.status.code(),
          fmt::format("{}, {} channel {}: {} (status {:#x}, {} bytes)", name,
                      direction == Direction::kToStream ? "read" : "write", number,
                      driver::Text(result.status), result.value.status, result.value.bytes));
    }
    const bool last = direction == Direction::kToStream ? result.value.last : lasts_.front();
    if (direction == Direction::kFromStream) lasts_.pop_front();
    Finish({result.value.bytes, last});
    busy_.pop_front();
  }
  if (hardware_.saw_error()) {
    const driver::ChannelError error = hardware_.TakeError();
    std::string text;
    for (uint32_t bit = 0; bit < 32; ++bit) {
      if ((error.bits >> bit & 1) == 0) continue;
      text += std::string(text.empty() ? "" : "; ") + driver::ErrorText(bit);
    }
    throw GraphError(driver::Code::driver_error,
                     fmt::format("{}, {} channel {}: {} (error {:#x}, reason {}, address {:#x})",
                                 name, direction == Direction::kToStream ? "read" : "write", number,
                                 text, error.bits, error.reason, error.address));
  }
}

// Bytes that the rate of the stream allows in this cycle.
size_t RtlChannel::Allowed(size_t most) {
  if (bytes_per_cycle == 0) return most;
  return std::min(most, static_cast<size_t>(budget_));
}

// Beats that are on the pins must move before a stream can rest: those of a read channel are taken
// and dropped, that of a write channel is swallowed by a transfer of its own.
void RtlChannel::Close() {
  closed_ = true;
  const bool to = direction == Direction::kToStream;
  if (to) {
    owner_->dma().Hold(number, false);
  } else {
    owner_->dma().Discard(number);
  }
  if (const driver::Status status = hardware_.Abort(); !status.ok()) Fail(status);
  const auto shown = to ? sim::Dma::Shown::kNothing : owner_->dma().Discard(number);
  if (shown != sim::Dma::Shown::kNothing) {
    driver::Descriptor scratch;
    scratch.Base(owner_->scratch()).Dim(0, kScratchBytes, 1).FinishOnLast();
    if (!has_descriptor()) {
      const auto taken = owner_->descriptors().Take();
      if (!taken.ok()) Fail(taken.status);
      slots_[0].number = static_cast<int>(taken.value);
    }
    const auto descriptor = static_cast<uint32_t>(slots_[0].number);
    driver::WriteDescriptor(owner_->device(), descriptor, scratch);
    if (shown == sim::Dma::Shown::kBeat) {
      owner_->dma().Send(number, nullptr, 0, sim::End::kLast);
    }
    const auto ticket = hardware_.Push(descriptor);
    if (!ticket.ok()) Fail(ticket.status);
    const auto done = hardware_.Wait(ticket.value);
    if (!done.ok()) Fail(done.status);
  }
  static_cast<void>(hardware_.EnableInterrupts(0));
}

bool RtlChannel::Pump() {
  if (closed_) {
    std::vector<uint8_t> dropped;
    std::vector<size_t> ends;
    if (direction == Direction::kToStream) owner_->dma().Take(number, dropped, ends);
    return !dropped.empty();
  }
  if (bytes_per_cycle != 0) budget_ = std::min(budget_ + bytes_per_cycle, bytes_per_cycle + 16);
  return direction == Direction::kToStream ? PumpToStream() : PumpFromStream();
}

bool RtlChannel::PumpToStream() {
  const size_t before = staged_.size();
  owner_->dma().Take(number, staged_, packets_);
  size_t moved = 0;
  while (taken_ < staged_.size()) {
    const bool cut = !packets_.empty();
    const size_t stop = cut ? packets_.front() : staged_.size();
    const size_t bytes = Allowed(std::min(stop - taken_, wire->room()));
    if (bytes == 0) break;
    const bool last = cut && taken_ + bytes == stop;
    wire->Write(staged_.data() + taken_, bytes, last);
    taken_ += bytes;
    moved += bytes;
    budget_ -= static_cast<double>(bytes);
    if (last) packets_.erase(packets_.begin());
  }
  if (moved != 0) counts.bytes += moved;
  if (taken_ == staged_.size() && taken_ != 0) {
    staged_.clear();
    taken_ = 0;
  }
  const bool hold = staged_.size() - taken_ >= kStagedBytes;
  if (hold != held_) owner_->dma().Hold(number, hold);
  held_ = hold;
  return moved != 0 || staged_.size() > before;
}

bool RtlChannel::PumpFromStream() {
  const size_t beat = static_cast<size_t>(owner_->dma().build().stream_bytes);
  const auto send = [&](size_t bytes, sim::End end) {
    owner_->dma().Send(number, carry_.data(), bytes, end);
    carry_.erase(carry_.begin(), carry_.begin() + static_cast<ptrdiff_t>(bytes));
  };
  bool moved = false;
  while (!feed_.empty() && owner_->dma().Queued(number) < kQueuedBytes) {
    Feed& job = feed_.front();
    bool last = false;
    const size_t run = pipe->Run(std::min(job.left, kQueuedBytes), last);
    const size_t bytes = Allowed(run);
    last = last && bytes == run;
    if (bytes == 0 && !last) {
      if (!flush_ || !job.packet || !job.begun || run != 0) break;
      send(carry_.size(), sim::End::kLast);
      feed_.pop_front();
      lasts_.push_back(false);
      flush_ = false;
      break;
    }
    carry_.resize(carry_.size() + bytes);
    pipe->Read(carry_.data() + carry_.size() - bytes, bytes);
    job.left -= bytes;
    job.begun = true;
    budget_ -= static_cast<double>(bytes);
    const bool ends = job.left == 0 || (last && job.packet);
    // Beats are full but for the last of a job, which ends with TLAST so that no byte waits for the
    // next job. A job without a packet ignores TLAST.
    if (ends) {
      send(carry_.size(), sim::End::kLast);
      lasts_.push_back(last && job.packet);
      feed_.pop_front();
    } else if (carry_.size() >= beat) {
      send(carry_.size() / beat * beat, sim::End::kOpen);
    }
    counts.bytes += bytes;
    moved = true;
  }
  if (flush_ && (feed_.empty() || !feed_.front().begun)) flush_ = false;
  return moved;
}

// The counters of the device.
class RtlProfiling final : public Profiling {
 public:
  explicit RtlProfiling(const driver::Device<SimulatedBus>& device)
      : counters_(device), profiler_(device, counters_) {}
  uint32_t Start(const Channel& one, const Channel* other, driver::ProfileOption option,
                 uint32_t value) override {
    const auto started = other != nullptr ? profiler_.Start(PortOf(one), PortOf(*other), option)
                                          : profiler_.Start(PortOf(one), option, value);
    if (!started.ok()) return driver::kInvalidHandle;
    differences_[started.value & 0xff] = other != nullptr;
    return started.value;
  }
  long long Read(uint32_t handle) override {
    const auto value = profiler_.Read(handle);
    if (!value.ok()) return -1;
    const auto count = static_cast<uint32_t>(value.value);
    return differences_[handle & 0xff] ? static_cast<int32_t>(count)
                                       : static_cast<long long>(count);
  }
  bool Stop(uint32_t handle) override { return profiler_.Stop(handle).ok(); }

 private:
  static driver::StreamPort PortOf(const Channel& channel) {
    return {channel.direction, static_cast<uint8_t>(channel.number)};
  }
  using Counters = driver::DeviceCounters<SimulatedBus>;
  Counters counters_;
  driver::Profiler<SimulatedBus, Counters> profiler_;
  std::array<bool, Counters::kUnits> differences_{};  // signed
};

std::unique_ptr<Profiling> RtlBackend::MakeProfiling() {
  return std::make_unique<RtlProfiling>(device_);
}

}  // namespace

void CheckDescriptor(const Access& access, uint64_t base, const driver::Capabilities& build,
                     const std::string& what) {
  const auto lowered = driver::Lower(access.tiling, base, access.element_bits, build);
  const driver::Status status = lowered.ok() ? lowered.value.Check(build) : lowered.status;
  if (!status.ok()) {
    throw GraphError(status.code(), fmt::format("{}: {}", what, driver::Text(status)));
  }
}

std::unique_ptr<Backend> MakeRtl(const std::string& build, uint64_t seed, SharedMemory memory) {
  try {
    return std::make_unique<RtlBackend>(build, seed, memory);
  } catch (const sim::Error& error) {
    throw GraphError(driver::Code::unsupported, error.what());
  }
}

}  // namespace tessera::graph
