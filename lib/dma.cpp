// The public simulation of a programmed tessera_dma, on DmaBench.
#include "include/tessera/dma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/buffer.h"
#include "tb/dma/dma_bench.h"

namespace tessera::sim {
namespace {

DmaBuild BuildOf(const DmaConfig& config) {
  return {.name = config.channel.name,
          .reads = config.reads,
          .writes = config.writes,
          .bus_bytes = config.channel.data_bytes,
          .stream_bytes = config.channel.stream_bytes,
          .address_bits = config.channel.addr_width,
          .descriptors = config.descriptors,
          .locks = config.locks,
          .walk = config.channel.walk,
          .bounds = config.channel.bounds,
          .counters = config.counters,
          .on_chip_address = config.onchip_first(),
          .on_chip_bytes = config.onchip_bytes()};
}

DmaBenchOptions BenchOptions(const DmaOptions& options) {
  DmaBenchOptions bench;
  bench.seed = options.seed;
  bench.timeout = options.timeout;
  bench.memory.latency_min = options.latency_min;
  bench.memory.latency_max = options.latency_max;
  bench.source.record = false;
  return bench;
}

std::unique_ptr<tessera::Dma> Make(const DmaOptions& options) {
  const std::vector<DmaBuild> builds = DmaBuilds();
  std::string names;
  for (const DmaBuild& build : builds) {
    if (build.name == options.build) return MakeDma(options.build, options.seed);
    names += (names.empty() ? "" : ", ") + build.name;
  }
  throw Error("there is no build '" + options.build + "' of tessera_dma; there are: " + names);
}

PieceEnd PieceOf(End end) {
  switch (end) {
    case End::kOpen:
      return PieceEnd::kOpen;
    case End::kBeat:
      return PieceEnd::kBeat;
    case End::kLast:
      break;
  }
  return PieceEnd::kLast;
}

// Runs `what` and makes an Error of what a bench throws.
template <typename What>
auto Checked(What&& what) {
  try {
    return what();
  } catch (const std::exception& error) {
    throw Error(error.what());
  }
}

}  // namespace

struct Dma::Parts {
  explicit Parts(const DmaOptions& options)
      : bench(Make(options), BenchOptions(options)), build(BuildOf(bench.config())) {}
  StreamSource& source(int channel) { return bench.source(Legal("write", channel, build.writes)); }
  StreamSink& sink(int channel) { return bench.sink(Legal("read", channel, build.reads)); }
  static int Legal(const char* side, int channel, int count) {
    if (channel >= 0 && channel < count) return channel;
    throw Error(
        fmt::format("there is no {} channel {}: legal are 0 to {}", side, channel, count - 1));
  }
  void CheckOnChip(uint64_t address, size_t size) const {
    const uint64_t at = address - build.on_chip_address;
    if (at < build.on_chip_bytes && size <= build.on_chip_bytes - at &&
        at % static_cast<uint64_t>(build.bus_bytes) == 0)
      return;
    throw std::runtime_error(
        fmt::format("the on-chip buffer has no {} bytes at {:#x}: legal are {} bytes from {:#x} "
                    "on, from multiples of {}",
                    size, address, build.on_chip_bytes, build.on_chip_address, build.bus_bytes));
  }
  DmaBench bench;
  DmaBuild build;
  std::vector<std::unique_ptr<Buffer>> buffers;
};

std::vector<DmaBuild> DmaBuilds() {
  std::vector<DmaBuild> builds;
  for (const DmaConfig& config : Dmas()) builds.push_back(BuildOf(config));
  return builds;
}

Dma::Dma(const DmaOptions& options)
    : parts_(Checked([&] { return std::make_unique<Parts>(options); })) {}
Dma::~Dma() = default;
Dma::Dma(Dma&&) noexcept = default;
Dma& Dma::operator=(Dma&&) noexcept = default;

const DmaBuild& Dma::build() const { return parts_->build; }
uint64_t Dma::cycle() const { return parts_->bench.cycle(); }

bool Dma::Read32(uint32_t offset, uint32_t& value) {
  return Checked([&] { return parts_->bench.Read(offset, &value); });
}
bool Dma::Write32(uint32_t offset, uint32_t value) {
  return Checked([&] { return parts_->bench.Write(offset, value); });
}
bool Dma::interrupt() const { return parts_->bench.dma().irq; }
void Dma::Step() {
  Checked([&] { parts_->bench.Step(1); });
}
void Dma::EveryCycle(std::function<void()> call) {
  parts_->bench.Watch([call = std::move(call)](uint64_t) { call(); });
}

void Dma::AttachBuffer(uint64_t address, void* data, size_t size) {
  CheckRange(address, size);
  parts_->buffers.push_back(std::make_unique<Buffer>(address, data));
  parts_->bench.memory().Attach({address, address + size - 1}, parts_->buffers.back().get());
}

void Dma::WriteOnChip(uint64_t address, const void* data, size_t size) {
  Checked([&] {
    parts_->CheckOnChip(address, size);
    parts_->bench.LoadOnChip(address, {static_cast<const uint8_t*>(data), size});
  });
}
void Dma::ReadOnChip(uint64_t address, void* data, size_t size) {
  Checked([&] {
    parts_->CheckOnChip(address, size);
    const std::vector<uint8_t> bytes = parts_->bench.ReadOnChip(address, size);
    std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t*>(data));
  });
}

void Dma::Send(int write_channel, const void* data, size_t size, End end) {
  parts_->source(write_channel).Push({static_cast<const uint8_t*>(data), size}, PieceOf(end));
}
size_t Dma::Queued(int write_channel) const {
  return parts_->source(write_channel).bytes_waiting();
}
Dma::Shown Dma::Discard(int write_channel) {
  StreamSource& source = parts_->source(write_channel);
  source.DiscardUnsent();
  const auto beat = source.Shown();
  if (!beat) return Shown::kNothing;
  return beat->last ? Shown::kLastBeat : Shown::kBeat;
}
void Dma::Take(int read_channel, std::vector<uint8_t>& data, std::vector<size_t>& packets) {
  StreamSink& sink = parts_->sink(read_channel);
  if (sink.beats().empty()) return;
  for (const StreamBeat& beat : sink.beats()) {
    if (beat.last) packets.push_back(data.size() + beat.first + beat.count);
  }
  data.insert(data.end(), sink.bytes().begin(), sink.bytes().end());
  sink.Clear();
}
void Dma::Hold(int read_channel, bool hold) { parts_->sink(read_channel).Hold(hold); }
void Dma::Trace(const std::string& path) {
  Checked([&] { parts_->bench.dma().Trace(path); });
}

}  // namespace tessera::sim
