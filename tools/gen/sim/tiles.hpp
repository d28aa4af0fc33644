// Tiles on a verilated tessera_dma: what is sent to each channel, and what must come of it, by
// nested loops.
#pragma once

#include <array>
#include <utility>

#include "bench.hpp"

namespace tessera_bench {

// What the build has, as its specification says.
struct Expected {
  unsigned reads = 1, writes = 1, ports = 1, address_bits = 64, memory_bytes = 8, stream_bytes = 8;
  unsigned descriptors = 16, locks = 16, windows = 0;
  bool walk = true, bounds = true, lists = false;
  bool side = false, routed = false;  // TDEST, TID and TUSER; TDEST chooses the write channel
  std::vector<std::pair<uint32_t, uint32_t>> start;  // register writes after reset: address, value
};

// A 3-D tile of a buffer: rows of `size[0]` elements of 1 byte.
struct Tile {
  uint64_t base = 0;
  std::array<uint32_t, 4> size{1, 1, 1, 1};
  std::array<int64_t, 4> stride{1, 0, 0, 0};

  uint64_t bytes() const { return uint64_t{size[0]} * size[1] * size[2] * size[3]; }
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (uint32_t d = 0; d < size[3]; ++d)
      for (uint32_t c = 0; c < size[2]; ++c)
        for (uint32_t b = 0; b < size[1]; ++b)
          for (uint32_t a = 0; a < size[0]; ++a) {
            visit(base + static_cast<uint64_t>(a * stride[0] + b * stride[1] + c * stride[2] +
                                               d * stride[3]));
          }
  }
};

class TileTest {
 public:
  TileTest(Bench& bench, const Expected& expected) : bench_(bench), is_(expected) {}

  // Throws std::runtime_error with what is wrong.
  void Run() {
    bench_.Reset();
    Identity();
    if (is_.windows > 0) OpenWindows();
    for (uint64_t at = 0; at < kSpan; ++at) bench_.memory[kFrom + at] = Garbage(at);
    for (unsigned k = 0; k < is_.reads; ++k) Read(k);
    for (unsigned k = 0; k < is_.writes; ++k) Write(k);
  }
  uint64_t moved() const { return moved_; }

 protected:
  static uint8_t Garbage(uint64_t at) { return static_cast<uint8_t>((at * 2654435761u) >> 13); }
  [[noreturn]] static void Fail(const std::string& what) { throw std::runtime_error(what); }
  static void Same(const char* what, uint64_t is, uint64_t should) {
    if (is != should)
      Fail(std::string(what) + " is " + std::to_string(is) + " and should be " +
           std::to_string(should));
  }

  void Identity() {
    Same("ID", bench_.Read32(0x00), 0x54535241);
    const uint32_t channels = bench_.Read32(0x08), buses = bench_.Read32(0x0c),
                   tasks = bench_.Read32(0x10), features = bench_.Read32(0x14);
    Same("read channels", channels & 0x1f, is_.reads);
    Same("write channels", channels >> 8 & 0x1f, is_.writes);
    Same("memory ports", channels >> 16 & 0x1f, is_.ports);
    Same("bits of an address", buses & 0x7f, is_.address_bits);
    Same("bytes of a beat of memory", 1u << (buses >> 8 & 0xf), is_.memory_bytes);
    Same("bytes of a beat of a stream", 1u << (buses >> 12 & 0xf), is_.stream_bytes);
    Same("descriptors", tasks & 0x1ff, is_.descriptors);
    Same("locks", tasks >> 24 & 0x7f, is_.locks);
    Same("traversal", features & 1, is_.walk);
    Same("bounds", features >> 1 & 1, is_.bounds);
    Same("lists", features >> 4 & 1, is_.lists);
    bench_.Read32(0x0fc);
    Same("the answer to an address that holds nothing", bench_.response, 2);
  }
  Bench& bench_;
  Expected is_;
  uint64_t moved_ = 0;

 private:
  static constexpr uint64_t kFrom = 0x10000, kTo = 0x40000, kSpan = 0x10000;

  // Window 0 of each channel: what the test uses, and no more.
  void OpenWindows() {
    for (unsigned k = 0; k < is_.reads + is_.writes; ++k) {
      const uint32_t at = 0x10000 + 0x200 * (k < is_.reads ? k : 16 + k - is_.reads);
      bench_.Write32(at + 0x00, kFrom);
      bench_.Write32(at + 0x04, 0);
      bench_.Write32(at + 0x08, kTo + kSpan - 0x1000);
      bench_.Write32(at + 0x0c, 0);
      bench_.Write32(at + 0x10, k < is_.reads ? 1 : 2);
      Same("the answer to the set-up of a window", bench_.response, 0);
    }
  }
  Tile MakeTile(unsigned channel, uint64_t base) const {
    Tile tile;
    tile.base = base + 3 + 5 * channel;
    tile.size = {static_cast<uint32_t>(13 + channel), 7, 3, 2};
    tile.stride = {1, 64 + channel, 1024, 8192};
    return tile;
  }
  // Beside the packets of a channel. TDEST of a packet to memory is the channel.
  static uint32_t SideOf(bool write, unsigned index) {
    return 0x5a003100u + (index << 16 | index << 8 | index) + (write ? 0x800u : 0);
  }
  void Push(bool write, unsigned index, const Tile& tile) {
    const uint32_t at = 0x20000;
    const auto put = [&](unsigned word, uint32_t value) {
      bench_.Write32(at + 4 * word, value);
      Same("the answer to a word of a descriptor", bench_.response, 0);
    };
    put(0, static_cast<uint32_t>(tile.base));
    put(1, static_cast<uint32_t>(tile.base >> 32));
    for (unsigned d = 0; d < 4; ++d) put(2 + d, tile.size[d]);
    for (unsigned d = 0; d < 4; ++d) put(6 + d, static_cast<uint32_t>(tile.stride[d]));
    for (unsigned word = 10; word < 14; ++word) put(word, 0);
    put(14, SideOf(write, index));
    put(15, 1u << 31 | 1u << 4);  // valid; bytes; TLAST at the end of the transfer
    const uint32_t channel = (write ? 0x2000 : 0x1000) + 0x100 * index;
    bench_.Write32(channel + 0x0c, 0x51 + index);
    bench_.Write32(channel + 0x08, 0);
    Same("the answer to a push of a task", bench_.response, 0);
  }
  void Finish(bool write, unsigned index, const Tile& tile) {
    const uint32_t channel = (write ? 0x2000 : 0x1000) + 0x100 * index;
    uint32_t record = 0;
    for (unsigned turn = 0; turn < 20000 && !(record >> 31); ++turn)
      record = bench_.Read32(channel + 0x40);
    Same("a record", record >> 31, 1);
    Same("the status of the record", record >> 16 & 0x7f, 0);
    Same("the bytes of the record", bench_.Read32(channel + 0x44), tile.bytes());
    Same("the tag of the record", bench_.Read32(channel + 0x54), 0x51 + index);
    if (is_.side)
      Same("the side information of the record", bench_.Read32(channel + 0x58),
           SideOf(write, index));
    bench_.Write32(channel + 0x68, 0);
    moved_ += tile.bytes();
  }
  void Read(unsigned index) {
    const Tile tile = MakeTile(index, kFrom);
    Push(false, index, tile);
    Finish(false, index, tile);
    Sink& sink = bench_.sinks[index];
    bench_.Until([&] { return !sink.ends.empty(); }, "TLAST does not come");
    std::vector<uint8_t> should;
    tile.ForEach([&](uint64_t address) { should.push_back(bench_.memory[address]); });
    if (sink.bytes != should)
      Fail("stream " + std::to_string(index) + " has other bytes than its tile");
    Same("the end of the packet", sink.ends.front(), should.size());
    for (const uint32_t side : sink.sides) {
      if (is_.side) Same("the side information of a beat", side, SideOf(false, index));
    }
  }
  void Write(unsigned index) {
    const Tile tile = MakeTile(index, kTo);
    std::map<uint64_t, uint8_t> should;
    for (uint64_t at = 0; at < kSpan; ++at)
      should[kTo + at] = bench_.memory[kTo + at] = static_cast<uint8_t>(Garbage(at) ^ 0xa5);
    std::vector<uint8_t> packet;
    tile.ForEach([&](uint64_t address) {
      packet.push_back(Garbage(packet.size() + 77 * index));
      should[address] = packet.back();
    });
    bench_.sources[is_.routed ? 0 : index].Push(packet, SideOf(true, index));
    Push(true, index, tile);
    Finish(true, index, tile);
    for (const auto& [address, byte] : should) {
      if (bench_.memory[address] != byte)
        Fail("write channel " + std::to_string(index) +
             ": a byte of memory is not as the tile says");
    }
  }
};

}  // namespace tessera_bench
