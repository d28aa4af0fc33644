// A bench for tests of what travels beside the data: TDEST, TID and TUSER, packet headers, frame
// marks.
#pragma once

#include <bit>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {

inline rtl::DescriptorSide SideNumber(uint64_t n) {
  return {.user = static_cast<uint16_t>(0x1234 + 77 * n),
          .id = static_cast<uint8_t>(3 * n + 1),
          .dest = static_cast<uint8_t>(n)};
}
inline std::vector<uint8_t> Bytes(size_t count, int seed) {
  std::vector<uint8_t> data(count);
  for (size_t n = 0; n < count; ++n)
    data[n] = static_cast<uint8_t>(n * 11 + static_cast<size_t>(seed) * 31);
  return data;
}

class SideTest : public DmaTest {
 protected:
  static DmaBenchOptions Paced(uint64_t seed) {
    DmaBenchOptions options;
    options.seed = seed;
    options.memory = AxiMemoryOptions::Latency(20);
    options.sink.pacer = PacerSpec::Parse("bursts=1-8/0-6");
    options.source.pacer = PacerSpec::Parse("bursts=1-8/0-6");
    return options;
  }
  // The packets that a sink has taken: side information and bytes of each.
  struct Packet {
    std::vector<rtl::DescriptorSide> sides;
    std::vector<uint8_t> bytes;
  };
  std::vector<Packet> Packets(int channel) {
    const std::vector<StreamBeat>& beats = bench().sink(channel).beats();
    EXPECT_TRUE(beats.empty() || beats.back().last) << "a packet is open";
    return Sent(channel, 0);
  }
  // ... from a beat on; the last one may be open.
  std::vector<Packet> Sent(int channel, size_t from) {
    std::vector<Packet> packets(1);
    const StreamSink& sink = bench().sink(channel);
    for (size_t n = from; n < sink.beats().size(); ++n) {
      const StreamBeat& beat = sink.beats()[n];
      packets.back().sides.push_back(beat.side);
      const auto at = sink.bytes().begin() + static_cast<std::ptrdiff_t>(beat.first);
      packets.back().bytes.insert(packets.back().bytes.end(), at, at + beat.count);
      if (beat.last) packets.emplace_back();
    }
    if (packets.back().sides.empty()) packets.pop_back();
    return packets;
  }
  // The header that a packet begins with.
  std::vector<uint8_t> Header(const rtl::HeaderRequest& request) {
    uint32_t word =
        request.id | uint32_t{request.bd} << 5 | uint32_t{request.kind} << 12 | config().place();
    if (std::popcount(word) % 2 == 0) word |= 1U << 31;
    std::vector<uint8_t> bytes;
    for (int byte = 0; byte < 4; ++byte) bytes.push_back(static_cast<uint8_t>(word >> 8 * byte));
    return bytes;
  }
  static native::Descriptor ToLast(uint64_t base, uint32_t bytes) {
    native::Descriptor d = Copy(base, bytes);
    d.transfer.finish = model::Finish::kLast;
    return d;
  }
  // A packet whose header names a descriptor.
  void Send(int id, const std::vector<uint8_t>& data, int channel = 0) {
    const uint32_t word = static_cast<uint32_t>(id) << 5;
    std::vector<uint8_t> packet;
    for (int byte = 0; byte < 4; ++byte) packet.push_back(static_cast<uint8_t>(word >> 8 * byte));
    packet.insert(packet.end(), data.begin(), data.end());
    bench().source(channel).Push(packet, PieceEnd::kLast);
  }
};

}  // namespace tessera
