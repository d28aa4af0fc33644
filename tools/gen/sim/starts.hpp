// A tessera_dma that starts by itself: the writes of its start program must all be taken, and what
// its tasks move must be as their descriptors say.
//
// Of each channel the first turn of its task is compared, if its descriptor is plain: a tile
// without bounds, outer traversal, header, lock to wait for, next descriptor or length, in a task
// that waits for no trigger. What is not compared is told.
#pragma once

#include <set>
#include <utility>

#include "tiles.hpp"

namespace tessera_bench {

class StartTest : public TileTest {
 public:
  using TileTest::TileTest;

  void Run() {
    for (const auto& [address, value] : is_.start) words_[address] = value;
    for (unsigned k = 0; k < is_.writes; ++k) Prepare(true, k);
    for (unsigned k = 0; k < is_.reads; ++k) Prepare(false, k);
    bench_.Reset();
    Identity();
    Same("GLOBAL_STATUS.start_refused", bench_.Read32(0x24) >> 3 & 1, 0);
    for (const Turn& turn : turns_) Compare(turn);
    if (turns_.empty()) {
      for (int cycle = 0; cycle < 20000; ++cycle) bench_.Step();
    }
    for (const Turn& turn : turns_)
      Same("ERROR of a channel", bench_.Read32(Block(turn.write, turn.channel) + 0x18), 0);
    for (const Sink& sink : bench_.sinks) moved_ += sink.bytes.size();
  }

 private:
  struct Turn {
    bool write = false;
    unsigned channel = 0;
    std::vector<uint64_t> addresses;  // of its bytes, in their order
    std::vector<uint8_t> bytes;
  };
  static constexpr uint64_t kMost = 0x10000;  // bytes of a turn that is waited for

  static uint32_t Block(bool write, unsigned channel) {
    return (write ? 0x2000u : 0x1000u) + 0x100 * channel;
  }

  uint32_t Word(uint32_t address) const {
    const auto found = words_.find(address);
    return found == words_.end() ? 0 : found->second;
  }
  // Why a descriptor cannot be compared; empty if it can.
  std::string NotPlain(uint32_t task, uint32_t at) const {
    const uint32_t flags = Word(at + 60);
    if (task >> 26 & 7) return "its task waits for a trigger or takes a list";
    if (!(flags >> 31)) return "its descriptor is not in the start program";
    if (flags & (1u << 3 | 1u << 10 | 1u << 11 | 1u << 14 | 1u << 15))
      return "its descriptor is more than a tile";
    if (Word(at + 48) >> 15 & 1) return "it waits for a lock";
    if ((Word(at + 52) >> 8 & 1) || Word(at + 52) >> 17)
      return "another descriptor or base follows";
    uint64_t bytes = 1u << (flags & 7);
    for (unsigned d = 0; d < 4; ++d) {
      bytes *= Word(at + 8 + 4 * d);
      if (bytes > kMost) return "its turns are long";
    }
    return bytes == 0 ? "its turns are empty" : "";
  }
  void Prepare(bool write, unsigned channel) {
    const uint32_t push = Block(write, channel) + 8;
    unsigned tasks = 0;
    uint32_t task = 0;
    for (const auto& [address, value] : is_.start) {
      if (address == push && tasks++ == 0) task = value;
    }
    if (tasks == 0) return;
    Turn turn;
    turn.write = write;
    turn.channel = channel;
    const uint32_t at = 0x20000 + 0x40 * (task & 0xff);
    std::string why = NotPlain(task, at);
    if (why.empty() && write && tasks > 1) why = "it has several tasks";
    if (channel < is_.joined) why = "its stream is joined inside";
    if (why.empty() && Word(Block(write, channel)) != 0) why = "its CONTROL is set";
    if (why.empty()) {
      Visit(at, &turn.addresses);
      for (const uint64_t address : turn.addresses) {
        if (written_.count(address) != 0) why = "a write channel uses its memory";
        if (InBuffer(address)) why = "it uses the on-chip buffer";
      }
    }
    if (!why.empty()) {
      std::printf("%s channel %u is not compared: %s\n", write ? "write" : "read", channel,
                  why.c_str());
      if (write && channel >= is_.joined) Feed(channel, at, std::vector<uint8_t>(64, 0x5a));
      return;
    }
    for (size_t n = 0; n < turn.addresses.size(); ++n) {
      const uint64_t address = turn.addresses[n];
      if (write) {
        written_.insert(address);
        bench_.memory[address] = static_cast<uint8_t>(~Garbage(n + 77 * channel));
        turn.bytes.push_back(Garbage(n + 77 * channel));
      } else {
        bench_.memory[address] = Garbage(address);
        turn.bytes.push_back(Garbage(address));
      }
    }
    if (write) Feed(channel, at, turn.bytes);
    turns_.push_back(turn);
  }
  void Visit(uint32_t at, std::vector<uint64_t>* out) const {
    Tile tile;
    tile.base = uint64_t{Word(at + 4)} << 32 | Word(at);
    for (unsigned d = 0; d < 4; ++d) {
      tile.size[d] = Word(at + 8 + 4 * d);
      tile.stride[d] = static_cast<int32_t>(Word(at + 24 + 4 * d));
    }
    tile.ForEach([&](uint64_t address) {
      for (unsigned byte = 0; byte < 1u << (Word(at + 60) & 7); ++byte)
        out->push_back(address + byte);
    });
  }
  // A packet for each turn: more than the test waits for.
  void Feed(unsigned channel, uint32_t at, const std::vector<uint8_t>& packet) {
    const uint32_t side = (Word(at + 56) & ~0xffu) | channel;
    for (int n = 0; n < 16; ++n) SourceOf(channel).Push(packet, side);
  }
  void Compare(const Turn& turn) {
    const size_t size = turn.bytes.size();
    if (turn.write) {
      const auto written = [&] {
        for (size_t n = 0; n < size; ++n) {
          if (bench_.memory[turn.addresses[n]] != turn.bytes[n]) return false;
        }
        return true;
      };
      bench_.Until(written, ("write channel " + std::to_string(turn.channel) +
                             " does not write what its descriptor says")
                                .c_str());
      moved_ += size;
      return;
    }
    const std::vector<uint8_t>& bytes = SinkOf(turn.channel).bytes;
    bench_.Until([&] { return bytes.size() >= size; },
                 ("read channel " + std::to_string(turn.channel) + " sends too few bytes").c_str());
    for (size_t n = 0; n < size; ++n) {
      if (bytes[n] != turn.bytes[n])
        Fail("read channel " + std::to_string(turn.channel) +
             " sends other bytes than its descriptor says");
    }
  }

  std::map<uint32_t, uint32_t> words_;  // of registers, as the start program leaves them
  std::set<uint64_t> written_;
  std::vector<Turn> turns_;
};

}  // namespace tessera_bench
