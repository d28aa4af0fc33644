// Kernels on a verilated tessera_mover4d: what host code does to each channel, and what must come
// of it.
#pragma once

#include <array>

#include "bench.hpp"

namespace tessera_bench {

// What the build has, as its specification says.
struct Expected {
  unsigned reads = 1, writes = 1, memory_bytes = 8, stream_bytes = 8, element_bytes = 8, ram = 0;
  bool ranges = false, check = false, base_first = false;
  std::vector<uint8_t> rom;  // contents
};

class KernelTest {
 public:
  KernelTest(Bench& bench, const Expected& expected) : bench_(bench), is_(expected) {}

  // Throws std::runtime_error with what is wrong.
  void Run() {
    bench_.Reset();
    Identity();
    for (uint64_t at = 0; at < kSpan * is_.reads; ++at) bench_.memory[kFrom + at] = Garbage(at);
    for (unsigned c = 0; c < is_.reads; ++c) SetUpRead(c);
    for (unsigned c = 0; c < is_.writes; ++c) SetUpWrite(c);
    Start();
    for (unsigned c = 0; c < is_.reads; ++c) FinishRead(c);
    for (unsigned c = 0; c < is_.writes; ++c) FinishWrite(c);
    if (is_.check) Mismatch();
  }
  uint64_t moved() const { return moved_; }

 private:
  static constexpr uint64_t kFrom = 0x100000, kTo = 0x400000, kLists = 0x80000, kSpan = 0x10000;
  static constexpr uint32_t kOptions = 0x00, kStatus = 0x04, kBytes = 0x28, kMismatches = 0x40,
                            kMismatch = 0x44, kResult = 0x4c, kRamPlace = 0x50, kRamData = 0x54;

  static uint8_t Garbage(uint64_t at) { return static_cast<uint8_t>((at * 2654435761u) >> 13); }
  [[noreturn]] static void Fail(const std::string& what) { throw std::runtime_error(what); }
  static void Same(const char* what, uint64_t is, uint64_t should) {
    if (is != should)
      Fail(std::string(what) + " is " + std::to_string(is) + " and should be " +
           std::to_string(should));
  }
  static uint32_t Channel(unsigned channel) { return 0x1000 + 0x80 * channel; }
  bool stored() const { return is_.ram > 0 || !is_.rom.empty(); }

  void Set64(uint32_t address, uint64_t value) {
    bench_.Write32(address, static_cast<uint32_t>(value));
    bench_.Write32(address + 4, static_cast<uint32_t>(value >> 32));
  }
  // The list or, with ranges, the address; the address of the data or, with ranges, the size.
  void SetArguments(unsigned channel, uint64_t list, uint64_t base) {
    Set64(0x10 + 24 * channel + (is_.base_first ? 12 : 0), list);
    Set64(0x10 + 24 * channel + (is_.base_first ? 0 : 12), base);
  }

  void Identity() {
    Same("ID", bench_.Read32(0xf00), 0x5453524d);
    const uint32_t is = bench_.Read32(0xf08);
    Same("read channels", is & 0x1f, is_.reads);
    Same("write channels", is >> 5 & 0x1f, is_.writes);
    Same("bytes of a beat of memory", 1u << (is >> 16 & 0xf), is_.memory_bytes);
    Same("bytes of a beat of a stream", 1u << (is >> 20 & 0xf), is_.stream_bytes);
    Same("bytes of an element", 1u << (is >> 24 & 0xf), is_.element_bytes);
    Same("the order of arguments", is >> 29 & 1, is_.base_first);
    Same("beats of the ROM or RAM", bench_.Read32(0xf18),
         is_.ram > 0 ? is_.ram : is_.rom.size() / is_.stream_bytes);
    bench_.Read32(0xf40);
    Same("the answer to an address that holds nothing", bench_.response, 2);
  }

  void Start() {
    bench_.Write32(0x00, 1);
    bool done = false;
    for (unsigned turn = 0; turn < 50000 && !done; ++turn) done = (bench_.Read32(0x00) & 2) != 0;
    Same("done", done, 1);
    Same("channels with an error", bench_.Read32(0xf0c), 0);
  }

  // ---- Lists

  struct Box {
    int64_t bias;
    std::array<int64_t, 4> stride;
    std::array<uint64_t, 4> size;
  };
  // Whole beats of any stream: 128 elements each.
  static std::array<Box, 3> Boxes(unsigned channel) {
    const auto more = static_cast<int64_t>(channel);
    return {{{3 + more, {1, 17, 64, 0}, {8, 4, 4, 1}},
             {400 + more, {-1, 0, 0, 0}, {128, 1, 1, 1}},
             {500, {16, 1, 0, 0}, {8, 16, 1, 1}}}};
  }
  void Put64(uint64_t at, uint64_t value) {
    for (unsigned b = 0; b < 8; ++b) bench_.memory[at + b] = static_cast<uint8_t>(value >> (8 * b));
  }
  uint64_t PutList(unsigned channel) {
    const uint64_t at = kLists + 0x1000 * channel + 8;
    uint64_t word = at;
    const auto boxes = Boxes(channel);
    const auto put = [&](uint64_t value) { Put64(word, value), word += 8; };
    put(boxes.size());
    for (const Box& box : boxes) {
      put(static_cast<uint64_t>(box.bias));
      for (unsigned d = 0; d < 4; ++d) put(static_cast<uint64_t>(box.stride[d])), put(box.size[d]);
    }
    return at;
  }
  // Every byte of a channel's list, in order.
  template <typename Visit>
  void ForEach(unsigned channel, uint64_t base, Visit visit) const {
    for (const Box& box : Boxes(channel))
      for (uint64_t d = 0; d < box.size[3]; ++d)
        for (uint64_t c = 0; c < box.size[2]; ++c)
          for (uint64_t b = 0; b < box.size[1]; ++b)
            for (uint64_t a = 0; a < box.size[0]; ++a) {
              const int64_t element = box.bias + static_cast<int64_t>(a) * box.stride[0] +
                                      static_cast<int64_t>(b) * box.stride[1] +
                                      static_cast<int64_t>(c) * box.stride[2] +
                                      static_cast<int64_t>(d) * box.stride[3];
              for (unsigned byte = 0; byte < is_.element_bytes; ++byte)
                visit(base + static_cast<uint64_t>(element) * is_.element_bytes + byte);
            }
  }

  // ---- Channels

  uint64_t BaseOf(bool write, unsigned index) const {
    return (write ? kTo : kFrom) + kSpan * index + 256 + (is_.ranges ? 3 + index : 0);
  }
  uint64_t SizeOf(unsigned channel) const { return 1001 + 13 * channel; }

  // What a read channel sends.
  std::vector<uint8_t> Sent(unsigned index) {
    std::vector<uint8_t> out;
    const uint64_t base = BaseOf(false, index);
    if (!is_.ranges) ForEach(index, base, [&](uint64_t at) { out.push_back(bench_.memory[at]); });
    for (uint64_t n = 0; is_.ranges && n < SizeOf(index); ++n) {
      if (!is_.rom.empty())
        out.push_back(is_.rom[n % is_.rom.size()]);
      else if (is_.ram > 0)
        out.push_back(RamByte(index, n % (uint64_t{is_.ram} * is_.stream_bytes)));
      else
        out.push_back(bench_.memory[base + n]);
    }
    return out;
  }
  static uint8_t RamByte(unsigned index, uint64_t at) {
    return static_cast<uint8_t>(Garbage(at) ^ (0x33 + index));
  }
  void FillRam(unsigned index) {
    const uint32_t words = is_.ram * is_.stream_bytes / 4;
    bench_.Write32(Channel(index) + kRamPlace, 0);
    for (uint32_t n = 0; n < words; ++n) {
      uint32_t word = 0;
      for (unsigned b = 4; b-- > 0;) word = word << 8 | RamByte(index, 4 * n + b);
      bench_.Write32(Channel(index) + kRamData, word);
    }
    bench_.Write32(Channel(index) + kRamPlace, words - 1);
    Same("the last byte of the RAM", bench_.Read32(Channel(index) + kRamData) >> 24,
         RamByte(index, 4 * uint64_t{words} - 1));
  }
  // Beats are whole: what is beyond the size does not count.
  std::vector<uint8_t> Whole(std::vector<uint8_t> bytes) const {
    bytes.resize((bytes.size() + is_.stream_bytes - 1) / is_.stream_bytes * is_.stream_bytes, 0xee);
    return bytes;
  }

  void SetUpRead(unsigned index) {
    if (is_.ram > 0) FillRam(index);
    if (is_.ranges)
      SetArguments(index, stored() ? 0 : BaseOf(false, index), SizeOf(index));
    else
      SetArguments(index, PutList(index), BaseOf(false, index));
    bench_.Write32(Channel(index) + kOptions, 1);  // TLAST at the end
    Same("the answer to the options", bench_.response, 0);
    if (is_.check) bench_.sources[index].Push(Whole(Sent(index)));
  }
  void FinishRead(unsigned index) {
    const std::vector<uint8_t> should = Sent(index);
    Same("the bytes that a read channel counts", bench_.Read32(Channel(index) + kBytes),
         should.size());
    moved_ += should.size();
    if (is_.check) {
      Same("the result of the check", bench_.Read32(Channel(index) + kResult), 1);
      return;
    }
    Sink& sink = bench_.sinks[index];
    if (sink.ends.empty()) bench_.Until([&] { return !sink.ends.empty(); }, "TLAST does not come");
    if (sink.bytes != should)
      Fail("stream " + std::to_string(index) + " has other bytes than it should");
    Same("the end of the packet", sink.ends.front(), should.size());
  }
  // A check that cannot fail checks nothing.
  void Mismatch() {
    for (unsigned c = 0; c < is_.reads; ++c) {
      std::vector<uint8_t> wrong = Whole(Sent(c));
      wrong[5 * is_.stream_bytes] ^= 1;
      bench_.sources[c].Push(wrong);
    }
    Start();
    for (unsigned c = 0; c < is_.reads; ++c) {
      Same("the result of a check that fails", bench_.Read32(Channel(c) + kResult), 0);
      Same("mismatches", bench_.Read32(Channel(c) + kMismatches), 1);
      Same("the place of the first", bench_.Read32(Channel(c) + kMismatch), 5 * is_.stream_bytes);
    }
  }

  void SetUpWrite(unsigned index) {
    const unsigned channel = is_.reads + index;
    const uint64_t base = BaseOf(true, index);
    for (uint64_t at = 0; at < kSpan; ++at) bench_.memory[kTo + kSpan * index + at] = Garbage(at);
    std::vector<uint8_t> data;
    const auto take = [&](uint64_t address) {
      data.push_back(static_cast<uint8_t>(Garbage(data.size() + 77 * channel) ^ 0x5a));
      written_[address] = data.back();
    };
    if (is_.ranges) {
      for (uint64_t n = 0; n < SizeOf(channel); ++n) take(base + n);
      SetArguments(channel, base, SizeOf(channel));
    } else {
      ForEach(channel, base, take);
      SetArguments(channel, PutList(channel), base);
    }
    moved_ += data.size();
    bench_.sources[index].Push(Whole(data));
  }
  void FinishWrite(unsigned index) {
    for (uint64_t at = kTo + kSpan * index; at < kTo + kSpan * (index + 1); ++at) {
      const auto found = written_.find(at);
      const uint8_t should =
          found == written_.end() ? Garbage(at - kTo - kSpan * index) : found->second;
      if (bench_.memory[at] != should)
        Fail("write channel " + std::to_string(index) +
             ": a byte of memory is not as it should be");
    }
  }

  Bench& bench_;
  Expected is_;
  std::map<uint64_t, uint8_t> written_;
  uint64_t moved_ = 0;
};

}  // namespace tessera_bench
