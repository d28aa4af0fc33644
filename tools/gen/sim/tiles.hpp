// Tiles on a verilated tessera_dma: what is sent to each channel, and what must come of it, by
// nested loops; with an on-chip buffer in external memory, and in the buffer.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "bench.hpp"

namespace tessera_bench {

// What the build has, as its specification says.
struct Expected {
  unsigned reads = 1, writes = 1, ports = 1, address_bits = 64, memory_bytes = 8, stream_bytes = 8;
  unsigned descriptors = 16, locks = 16, windows = 0;
  unsigned joined = 0;  // the first so many read and write channels have no streams outside
  uint64_t onchip_bytes = 0, onchip_mib = 0;  // 0: no on-chip buffer; its address for channels
  unsigned onchip_banks = 0, onchip_check = 0;
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
    for (uint64_t at = 0; at < kSpan; ++at) bench_.memory[From() + at] = Garbage(at);
    for (unsigned k = 0; k < is_.joined; ++k) Copy(k);
    for (unsigned k = is_.joined; k < is_.reads; ++k) Read(k, MakeTile(k, From()));
    for (unsigned k = is_.joined; k < is_.writes; ++k) Write(k);
    if (is_.onchip_bytes > 0) TestBuffer();
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
    Same("channels with joined streams", channels >> 24 & 0x1f, is_.joined);
    Same("bits of an address", buses & 0x7f, is_.address_bits);
    Same("bytes of a beat of memory", 1u << (buses >> 8 & 0xf), is_.memory_bytes);
    Same("bytes of a beat of a stream", 1u << (buses >> 12 & 0xf), is_.stream_bytes);
    Same("descriptors", tasks & 0x1ff, is_.descriptors);
    Same("locks", tasks >> 24 & 0x7f, is_.locks);
    Same("traversal", features & 1, is_.walk);
    Same("bounds", features >> 1 & 1, is_.bounds);
    Same("lists", features >> 4 & 1, is_.lists);
    Same("the on-chip buffer", features >> 21 & 1, is_.onchip_bytes > 0);
    const uint32_t onchip = bench_.Read32(0x6c);
    if (is_.onchip_bytes > 0) {
      Same("KiB of the on-chip buffer", onchip & 0x1fff, is_.onchip_bytes >> 10);
      Same("its banks", onchip >> 16 & 0xf, is_.onchip_banks);
      Same("its check", onchip >> 24 & 3, is_.onchip_check);
      Same("its address in MiB", bench_.Read32(0x70), is_.onchip_mib);
    } else {
      Same("the answer to CAP_ONCHIP without a buffer", bench_.response, 2);
    }
    bench_.Read32(0x0fc);
    Same("the answer to an address that holds nothing", bench_.response, 2);
  }
  // Whether a byte is in the on-chip buffer.
  bool InBuffer(uint64_t address) const {
    return is_.onchip_bytes > 0 && address - (is_.onchip_mib << 20) < is_.onchip_bytes;
  }
  Sink& SinkOf(unsigned channel) { return bench_.sinks[channel - is_.joined]; }
  Source& SourceOf(unsigned channel) {
    return bench_.sources[is_.routed ? 0 : channel - is_.joined];
  }
  Bench& bench_;
  Expected is_;
  uint64_t moved_ = 0;

 private:
  static constexpr uint64_t kSpan = 0x10000;

  // In external memory, beside the on-chip buffer.
  uint64_t From() const { return is_.onchip_bytes > 0 && is_.onchip_mib < 8 ? 0x810000 : 0x10000; }
  uint64_t To() const { return From() + 0x30000; }

  // Window 0 of each channel: what the test uses, and no more but what lies between.
  void OpenWindows() {
    uint64_t first = From(), last = To() + kSpan - 0x1000;
    if (is_.onchip_bytes > 0) {
      first = std::min(first, is_.onchip_mib << 20);
      last = std::max(last, (is_.onchip_mib << 20) + is_.onchip_bytes - 0x1000);
    }
    for (unsigned k = 0; k < is_.reads + is_.writes; ++k) {
      const uint32_t at = 0x10000 + 0x200 * (k < is_.reads ? k : 16 + k - is_.reads);
      bench_.Write32(at + 0x00, static_cast<uint32_t>(first));
      bench_.Write32(at + 0x04, static_cast<uint32_t>(first >> 32));
      bench_.Write32(at + 0x08, static_cast<uint32_t>(last));
      bench_.Write32(at + 0x0c, static_cast<uint32_t>(last >> 32));
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
  // In the first 4 KiB, the least that a buffer has.
  Tile MakeOnChipTile(unsigned channel) const {
    Tile tile = MakeTile(channel, is_.onchip_mib << 20);
    tile.stride = {1, 32 + channel, 512, 1536};
    return tile;
  }
  // Beside the packets of a channel. TDEST of a packet to memory is the channel.
  static uint32_t SideOf(bool write, unsigned index) {
    return 0x5a003100u + (index << 16 | index << 8 | index) + (write ? 0x800u : 0);
  }
  void Push(bool write, unsigned index, const Tile& tile, unsigned descriptor = 0) {
    const uint32_t at = 0x20000 + 0x40 * descriptor;
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
    bench_.Write32(channel + 0x08, descriptor);
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
           SideOf(write && index >= is_.joined, index));
    bench_.Write32(channel + 0x68, 0);
    moved_ += tile.bytes();
  }
  void Read(unsigned index, const Tile& tile) {
    Sink& sink = SinkOf(index);
    sink.bytes.clear();
    sink.ends.clear();
    sink.sides.clear();
    Push(false, index, tile);
    Finish(false, index, tile);
    bench_.Until([&] { return !sink.ends.empty(); }, "TLAST does not come");
    std::vector<uint8_t> should;
    tile.ForEach([&](uint64_t address) { should.push_back(Byte(address)); });
    if (sink.bytes != should)
      Fail("stream " + std::to_string(index) + " has other bytes than its tile");
    Same("the end of the packet", sink.ends.front(), should.size());
    for (const uint32_t side : sink.sides) {
      if (is_.side) Same("the side information of a beat", side, SideOf(false, index));
    }
  }
  // Memory to which a channel writes, before.
  std::map<uint64_t, uint8_t> Target() {
    std::map<uint64_t, uint8_t> should;
    for (uint64_t at = 0; at < kSpan; ++at)
      should[To() + at] = bench_.memory[To() + at] = static_cast<uint8_t>(Garbage(at) ^ 0xa5);
    return should;
  }
  void Compare(unsigned index, const std::map<uint64_t, uint8_t>& should) {
    for (const auto& [address, byte] : should) {
      if (bench_.memory[address] != byte)
        Fail("write channel " + std::to_string(index) +
             ": a byte of memory is not as the tile says");
    }
  }
  std::vector<uint8_t> MakePacket(unsigned index, const Tile& tile) {
    std::vector<uint8_t> packet;
    while (packet.size() < tile.bytes()) packet.push_back(Garbage(packet.size() + 77 * index));
    return packet;
  }
  void Send(unsigned index, const Tile& tile, const std::vector<uint8_t>& packet) {
    SourceOf(index).Push(packet, SideOf(true, index));
    Push(true, index, tile);
    Finish(true, index, tile);
  }
  void Write(unsigned index) {
    const Tile tile = MakeTile(index, To());
    std::map<uint64_t, uint8_t> should = Target();
    const std::vector<uint8_t> packet = MakePacket(index, tile);
    auto next = packet.begin();
    tile.ForEach([&](uint64_t address) { should[address] = *next++; });
    Send(index, tile, packet);
    Compare(index, should);
  }
  // From memory to memory through streams that are joined.
  void Copy(unsigned index) {
    const Tile from = MakeTile(index, From()), to = MakeTile(index, To());
    std::map<uint64_t, uint8_t> should = Target();
    std::vector<uint8_t> bytes;
    from.ForEach([&](uint64_t address) { bytes.push_back(bench_.memory[address]); });
    auto next = bytes.begin();
    to.ForEach([&](uint64_t address) { should[address] = *next++; });
    Push(true, index, to, 1);
    Push(false, index, from);
    Finish(false, index, from);
    Finish(true, index, to);
    Compare(index, should);
  }

  // ---- The on-chip buffer

  uint8_t Byte(uint64_t address) {
    return InBuffer(address) ? buffer_[address - (is_.onchip_mib << 20)] : bench_.memory[address];
  }
  void ExpectBuffer(const char* when) {
    if (bench_.ReadBuffer(0, kBuffer) != Head() ||
        bench_.ReadBuffer(is_.onchip_bytes - kBuffer, kBuffer) != Tail())
      Fail(std::string("the on-chip buffer holds other bytes ") + when);
  }
  std::vector<uint8_t> Head() const { return {buffer_.begin(), buffer_.begin() + kBuffer}; }
  std::vector<uint8_t> Tail() const { return {buffer_.end() - kBuffer, buffer_.end()}; }
  // Processors write its ends, channels read and write the first, processors read both.
  void TestBuffer() {
    buffer_.resize(is_.onchip_bytes);
    for (uint64_t at = 0; at < is_.onchip_bytes; ++at)
      buffer_[at] = static_cast<uint8_t>(Garbage(at) ^ 0x3c);
    bench_.WriteBuffer(0, Head());
    bench_.WriteBuffer(is_.onchip_bytes - kBuffer, Tail());
    ExpectBuffer("than processors wrote");
    for (unsigned k = is_.joined; k < is_.reads; ++k) Read(k, MakeOnChipTile(k));
    for (unsigned k = is_.joined; k < is_.writes; ++k) {
      const Tile tile = MakeOnChipTile(k);
      const std::vector<uint8_t> packet = MakePacket(k + 16, tile);
      auto next = packet.begin();
      tile.ForEach([&](uint64_t address) { buffer_[address - (is_.onchip_mib << 20)] = *next++; });
      Send(k, tile, packet);
      ExpectBuffer(("after write channel " + std::to_string(k)).c_str());
    }
    for (uint64_t at = 0; at < kBuffer; ++at) {
      if (bench_.memory[(is_.onchip_mib << 20) + at] != 0)
        Fail("a write to the on-chip buffer has left the IP");
    }
    Same("words of the on-chip buffer that are wrong", bench_.Read32(0x78), 0);
  }
  static constexpr ptrdiff_t kBuffer = 4096;  // bytes at each end of it that are looked at
  std::vector<uint8_t> buffer_;               // what it holds, where it is known
};

}  // namespace tessera_bench
