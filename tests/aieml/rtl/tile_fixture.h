// What tests of single images share: one build of tessera_aieml, its registers by channel.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tb/sim/model.h"
#include "tests/aieml/rtl/pair.h"

namespace tessera::aieml {

class TileTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    build = FindNamed(Tiles(), GetParam()).value();
    at = OffsetsOf(KindOf(build));
    side = std::make_unique<RtlSide>(build, 1);
  }

  bool memory() const { return at.kind == TileKind::kMemory; }
  bool shim() const { return at.kind == TileKind::kShim; }
  // Streams of more than a word: no headers, no compression.
  bool wide() const { return build.stream_bytes > 4; }
  uint32_t Beats(uint32_t words) const {  // of a stream
    const auto in_beat = static_cast<uint32_t>(build.stream_bytes / 4);
    return (words + in_beat - 1) / in_beat;
  }
  uint32_t Get(uint32_t offset) { return side->Read(offset); }
  void Set(uint32_t offset, uint32_t value) { side->Write(offset, value); }
  void Describe(uint32_t bd, const std::vector<uint32_t>& words) {
    for (uint32_t n = 0; n < words.size(); ++n) Set(at.descriptor + 0x20 * bd + 4 * n, words[n]);
  }
  std::vector<uint32_t> Buffer(uint32_t offset, uint32_t words) const {
    return Linear(at.kind, at.local + offset, words);
  }
  // Puts an acquire into the words of a descriptor.
  void Acquire(std::vector<uint32_t>* words, uint32_t lock, int32_t value) const {
    const uint32_t low = static_cast<uint32_t>(value) & 127;
    if (memory()) {
      words->back() |= 1u << 15 | low << 8 | lock;
    } else {
      words->back() |= 1u << 12 | low << 5 | lock;
    }
  }
  void Send(uint32_t channel, uint32_t word) { Set(at.mm2s + 8 * channel + 4, word); }
  void Receive(uint32_t channel, uint32_t word) { Set(at.s2mm + 8 * channel + 4, word); }
  uint32_t SendStatus(uint32_t channel) { return Get(at.mm2s_status + 4 * channel); }
  uint32_t ReceiveStatus(uint32_t channel) { return Get(at.s2mm_status + 4 * channel); }
  void Feed(uint32_t channel, uint32_t words, bool last = true) {
    std::vector<Word> stream(words);
    for (uint32_t n = 0; n < words; ++n) stream[n] = {0x1000 + n, last && n + 1 == words};
    side->Feed(channel, stream);
  }
  // Resets a channel, by its control word or by the page.
  void Reset(uint32_t channel, bool to_stream) {
    const uint32_t control = (to_stream ? at.mm2s : at.s2mm) + 8 * channel;
    Set(shim() ? kPage + 0x30 : control, shim() ? 1u << (channel + (to_stream ? 16 : 0)) : 2);
    side->Clock(50);
    Set(shim() ? kPage + 0x30 : control, 0);
  }

  TileConfig build;
  Offsets at{};
  std::unique_ptr<RtlSide> side;
};

inline std::vector<std::string> AllTiles() {
  std::vector<std::string> names;
  for (const TileConfig& config : Tiles()) names.push_back(config.name);
  return names;
}
// A build folder may have none.
#define TESSERA_ALL_TILES(Suite)                                           \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Suite);                    \
  INSTANTIATE_TEST_SUITE_P(Images, Suite, ::testing::ValuesIn(AllTiles()), \
                           [](const auto& info) { return info.param; })

}  // namespace tessera::aieml
