// The simulated board: memory that is shared with programs, and connected streams.
#include "tb/board/board.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::simulation {

struct Board::Shared : MemoryDevice {
  Shared(uint64_t address, std::span<uint8_t> memory) : address(address), memory(memory) {}
  void Read(uint64_t addr, std::span<uint8_t> out) override {
    for (size_t n = 0; n < out.size(); ++n) out[n] = memory[addr - address + n];
  }
  void Write(uint64_t addr, std::span<const uint8_t> data, const LaneMask& strobe,
             int lane) override {
    for (size_t n = 0; n < data.size(); ++n) {
      if (strobe[lane + static_cast<int>(n)]) memory[addr - address + n] = data[n];
    }
  }
  uint64_t address;
  std::span<uint8_t> memory;
};

Board::Board(const std::string& build, const DmaBenchOptions& options)
    : bench_(MakeDma(build, options.seed), options),
      taken_(static_cast<size_t>(bench_.config().streams())) {}

Board::~Board() = default;

bool Board::Read32(uint32_t offset, uint32_t& value) {
  ++reads_;
  const bool done = bench_.Read(offset, &value);
  if (!done) refused_.push_back(fmt::format("read of register {:#x}", offset));
  Forward();
  return done;
}

bool Board::Write32(uint32_t offset, uint32_t value) {
  ++writes_;
  const bool done = bench_.Write(offset, value);
  if (!done) refused_.push_back(fmt::format("write of {:#x} to register {:#x}", value, offset));
  Forward();
  return done;
}

void Board::Pass(int cycles) {
  for (int n = 0; n < cycles; ++n) {
    bench_.Step();
    Forward();
  }
}

void Board::Share(uint64_t bus_address, std::span<uint8_t> memory) {
  shared_.push_back(std::make_unique<Shared>(bus_address, memory));
  bench_.memory().Attach({bus_address, bus_address + memory.size() - 1}, shared_.back().get());
}

void Board::Send(int channel, std::span<const uint8_t> bytes, bool last) {
  bench_.source(channel).Push(bytes, last ? PieceEnd::kLast : PieceEnd::kOpen);
}

Bytes Board::Take(int channel) {
  const Bytes& all = bench_.sink(channel).bytes();
  size_t& from = taken_.at(static_cast<size_t>(channel));
  const Bytes fresh(all.begin() + static_cast<ptrdiff_t>(from), all.end());
  from = all.size();
  return fresh;
}

void Board::Connect(int from, int to, Work work) {
  links_.push_back({from, to, std::move(work), bench_.sink(from).beats().size(), {}});
}

void Board::Forward() {
  for (Link& link : links_) {
    const StreamSink& sink = bench_.sink(link.from);
    for (; link.beats < sink.beats().size(); ++link.beats) {
      const StreamBeat& beat = sink.beats()[link.beats];
      const auto begin = sink.bytes().begin() + static_cast<ptrdiff_t>(beat.first);
      link.packet.insert(link.packet.end(), begin, begin + beat.count);
      if (beat.last || !link.work) {
        bench_.source(link.to).Push(link.work ? link.work(link.packet) : link.packet,
                                    beat.last ? PieceEnd::kLast : PieceEnd::kOpen);
        link.packet.clear();
      }
    }
  }
}

}  // namespace tessera::simulation
