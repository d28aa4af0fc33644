// See dma_target.h.
#include "tools/aieml/serve/command/dma_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "tb/dma/native.h"
#include "tb/sim/counted.h"

namespace tessera::serve {
namespace {

constexpr uint64_t kRegisterSpace = uint64_t{1} << 18;  // bytes

DmaBenchOptions Options() {
  DmaBenchOptions options;
  options.source.record = false;
  options.sink.record = false;
  return options;
}

}  // namespace

DmaTarget::DmaTarget(const std::string& name) : bench_(MakeDma(name, 1), Options()) {
  bench_.Watch([this](uint64_t) { Loop(); });
}

// What moves on a stream in this cycle is offered to its other end from the next one on.
void DmaTarget::Loop() {
  const DmaConfig& config = bench_.config();
  for (int k = 0; k < std::min(config.reads, config.writes); ++k) {
    const StreamPort& stream = bench_.dma().streams(k).m_axis;
    if (!stream.moves()) continue;
    beat_.clear();
    for (int lane = 0; lane < config.channel.stream_bytes; ++lane) {
      if (stream->keep[lane]) {
        beat_.push_back(stream->data[static_cast<size_t>(lane)]);
      }
    }
    bytes_ += beat_.size();
    bench_.source(k).Push(beat_, stream->last ? PieceEnd::kLast : PieceEnd::kBeat);
  }
}

bool DmaTarget::Read(uint64_t address, uint32_t* value) {
  if (address >= kRegisterSpace) return false;
  ++accesses_;
  const bool done = bench_.Read(static_cast<uint32_t>(address), value);
  if (trace_)
    trace_(fmt::format("read {:#07x}: {:#010x}{}", address, *value, done ? "" : ", SLVERR"));
  if (!done) *value = 0;
  return done;
}

bool DmaTarget::Write(uint64_t address, uint32_t value) {
  if (address >= kRegisterSpace) return false;
  ++accesses_;
  const bool done = bench_.Write(static_cast<uint32_t>(address), value);
  if (trace_)
    trace_(fmt::format("write {:#07x}: {:#010x}{}", address, value, done ? "" : ", SLVERR"));
  return done;
}

void DmaTarget::Run(uint64_t cycles) {
  for (; cycles > 0; --cycles) bench_.Step();
}

std::optional<std::string> DmaTarget::Wait(uint64_t cycles) {
  if (!bench_.Until([this] { return bench_.dma().irq; }, cycles)) return std::nullopt;
  return fmt::format("interrupt {:#x}", bench_.Get(native::kIrqChannels));
}

bool DmaTarget::MemoryAdd(uint64_t address, uint64_t bytes) {
  const int width = bench_.config().channel.addr_width;
  const uint64_t last = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  if (address % 4 != 0 || bytes == 0 || address > last || bytes - 1 > last - address) return false;
  const auto next = buffers_.lower_bound(address);
  if (next != buffers_.end() && next->first - address < bytes) return false;
  if (next != buffers_.begin() && std::prev(next)->second >= address) return false;
  buffers_[address] = address + (bytes - 1);
  bench_.memory().Fill(address, bytes, 0);
  return true;
}

bool DmaTarget::HasMemory(uint64_t address) const {
  const auto next = buffers_.upper_bound(address);
  return address % 4 == 0 && next != buffers_.begin() && address + 3 <= std::prev(next)->second;
}

bool DmaTarget::MemoryRead(uint64_t address, uint32_t* word) {
  if (!HasMemory(address)) return false;
  *word = 0;
  for (unsigned n = 0; n < 4; ++n)
    *word |= uint32_t{bench_.memory().ReadByte(address + n)} << 8 * n;
  return true;
}

bool DmaTarget::MemoryWrite(uint64_t address, uint32_t word) {
  if (!HasMemory(address)) return false;
  std::array<uint8_t, 4> bytes{};
  for (unsigned n = 0; n < 4; ++n) bytes[n] = static_cast<uint8_t>(word >> 8 * n);
  bench_.memory().Load(address, bytes);
  return true;
}

std::string DmaTarget::Report() {
  return fmt::format("{}, {} to registers, {} on streams\n", Counted(bench_.cycle(), "cycle"),
                     Counted(accesses_, "access", "accesses"), Counted(bytes_, "byte"));
}

std::vector<std::string> DmaTarget::Strays() {
  std::vector<AddressRange> allowed;
  for (const auto& [first, last] : buffers_) allowed.push_back({first, last});
  std::vector<std::string> lines;
  for (const AddressRange& range : bench_.memory().TouchedOutside(allowed)) {
    lines.push_back(
        fmt::format("written outside of the buffers: {:#x} to {:#x}", range.first, range.last));
  }
  return lines;
}

}  // namespace tessera::serve
