// What tests of tessera_mover4d share: a bench of a build, lists on its channels, comparison with
// the norm.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/model/reference.h"
#include "tb/mover4d/mover_bench.h"
#include "tb/random/place.h"
#include "tb/sim/model.h"

namespace tessera {

class MoverTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!FindNamed(Movers(), GetParam()))
      GTEST_SKIP() << "build " << GetParam() << " of tessera_mover4d is not built";
  }

  static constexpr uint64_t kLists = 0x100000, kData = 0x200000;
  static constexpr int kPlaceBits = 24;  // of an address: where its list or data are

  void Make(const MoverBenchOptions& options = {}) {
    bench_ = std::make_unique<MoverBench>(MakeMover(GetParam(), options.seed), options);
  }
  MoverBench& bench() { return *bench_; }
  const MoverConfig& config() { return bench_->config(); }
  int element() { return config().element_bytes; }
  int writer() { return config().reads; }  // the first write channel

  // Resets everything, and takes back what streams have not given.
  void ResetAll() {
    const int sources = config().check ? config().reads : config().writes;
    for (int k = 0; k < sources; ++k) bench().source(k).Hold(true);
    bench().Reset();
    for (int k = 0; k < sources; ++k) {
      bench().source(k).DiscardUnsent();
      bench().source(k).Hold(false);
    }
  }

  // Starts what is set up, resets everything so many cycles later, and looks whether all is as on
  // the first day.
  void StartAndReset(uint64_t cycles) {
    bench().Set(mover::kControl, mover::kStart);
    bench().Step(static_cast<int>(cycles));
    ResetAll();
    EXPECT_EQ(bench().Get(mover::kControl), mover::kIdle);
    EXPECT_EQ(bench().Get(mover::kErrors), 0U);
    for (int c = 0; c < config().channels(); ++c) {
      EXPECT_EQ(Register(c, mover::kStatus), 0U) << "channel " << c;
      EXPECT_EQ(Register(c, mover::kCount), 0U) << "channel " << c;
      EXPECT_EQ(Long(c, mover::kBytes), 0U) << "channel " << c;
    }
  }

  // The status of a channel: the reason in its list, 0 if all was done.
  uint32_t Error(int channel) {
    return bench().Get(mover::Channel(channel) + mover::kStatus) >> 8 & 15;
  }
  uint32_t Register(int channel, uint32_t offset) {
    return bench().Get(mover::Channel(channel) + offset);
  }
  uint64_t Long(int channel, uint32_t offset) {
    return bench().Get64(mover::Channel(channel) + offset);
  }

  uint64_t ListAt(int channel) const {
    return lists_above_ + kLists + 0x8000 * static_cast<uint64_t>(channel);
  }
  uint64_t DataAt(int channel) const {
    return data_above_ + kData + 0x100000 * static_cast<uint64_t>(channel);
  }
  // From now on lists and data lie anywhere in the address space.
  void DrawPlace(Rng& rng) {
    lists_above_ = DrawMultiple(rng, kPlaceBits, config().channel.addr_width);
    data_above_ = DrawMultiple(rng, kPlaceBits, config().channel.addr_width);
  }

  // Channels that have nothing to do have a list of nothing.
  void Rest() {
    for (int c = 0; c < config().channels(); ++c) {
      bench().Give(c, ListAt(c), std::vector<Cuboid>{});
      bench().SetBase(c, DataAt(c));
      bench().SetOptions(c, MoverLast::kNever);
    }
  }

  template <typename Descriptor>
  void GiveList(int channel, const std::vector<Descriptor>& list,
                MoverLast last = MoverLast::kNever) {
    bench().Give(channel, ListAt(channel), list);
    bench().SetBase(channel, DataAt(channel));
    bench().SetOptions(channel, last, std::is_same_v<Descriptor, Pattern>);
  }

  model::Build Build() {
    const Config& channel = config().channel;
    return {.addr_width = channel.addr_width,
            .data_bytes = channel.data_bytes,
            .stream_bytes = channel.stream_bytes,
            .walk = config().patterns,
            .bounds = true};  // strides of 2^31 and more
  }

  // What the norm says that a read channel sends.
  std::vector<model::StreamBeat> Sent(const std::vector<model::Transfer>& transfers) {
    Memory& memory = bench().memory();
    const model::MemoryImage image([&](uint64_t addr) { return memory.ReadByte(addr); });
    model::ReadModel norm(Build(), image);
    for (const model::Transfer& transfer : transfers) norm.Run(transfer);
    return norm.beats();
  }
  // The beats of a sink from one on, against these.
  void ExpectBeats(StreamSink& sink, const std::vector<model::StreamBeat>& wanted,
                   size_t from = 0) {
    ASSERT_EQ(sink.beats().size() - from, wanted.size());
    for (size_t n = 0; n < wanted.size(); ++n) {
      const StreamBeat& beat = sink.beats()[from + n];
      ASSERT_EQ(beat.last, wanted[n].last) << "TLAST of beat " << n;
      ASSERT_EQ(size_t{beat.count}, wanted[n].keep.count()) << "beat " << n;
      for (size_t lane = 0; lane < beat.count; ++lane) {
        ASSERT_EQ(sink.bytes()[beat.first + lane], wanted[n].data[lane])
            << "byte " << lane << " of beat " << n;
      }
    }
  }

  static uint64_t Bytes(const std::vector<model::Transfer>& transfers) {
    uint64_t bytes = 0;
    for (const model::Transfer& t : transfers) {
      bytes += model::Positions(t) * static_cast<uint64_t>(t.elem);
    }
    return bytes;
  }
  // Gives a write channel the bytes that its transfers take, and says what memory must hold after.
  std::vector<std::pair<uint64_t, uint8_t>> Feed(int channel,
                                                 const std::vector<model::Transfer>& transfers,
                                                 Rng rng) {
    std::vector<uint8_t> data(Bytes(transfers));
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(rng());
    if (!data.empty()) bench().source(channel - config().reads).Push(data, PieceEnd::kLast);
    const auto lanes = static_cast<size_t>(config().channel.stream_bytes);
    std::vector<model::StreamBeat> beats;
    for (size_t n = 0; n < data.size(); n += lanes) {
      model::StreamBeat beat;
      for (size_t lane = 0; lane < lanes && n + lane < data.size(); ++lane) {
        beat.data[lane] = data[n + lane];
        beat.keep[lane] = true;
      }
      beats.push_back(beat);
    }
    model::MemoryImage image;
    model::WriteModel norm(Build(), image);
    norm.Offer(beats);
    for (const model::Transfer& transfer : transfers) EXPECT_TRUE(norm.Run(transfer));
    std::vector<std::pair<uint64_t, uint8_t>> wanted;
    image.ForEachWritten(
        [&](uint64_t address, uint8_t value) { wanted.emplace_back(address, value); });
    return wanted;
  }
  void ExpectMemory(const std::vector<std::pair<uint64_t, uint8_t>>& wanted) {
    for (const auto& [address, value] : wanted) {
      ASSERT_EQ(bench().memory().ReadByte(address), value) << fmt::format("at {:#x}", address);
    }
  }

  std::unique_ptr<MoverBench> bench_;
  uint64_t lists_above_ = 0, data_above_ = 0;
};

// A box of so many elements from an array with this many in a row and in a plane.
inline Cuboid Box(int64_t bias, std::array<uint64_t, 4> size, std::array<int64_t, 4> stride) {
  return {.bias = bias, .stride = stride, .size = size};
}

inline std::vector<std::string> AllMovers() {
  std::vector<std::string> names;
  for (const MoverConfig& config : Movers()) {
    if (!config.ranges) names.push_back(config.channel.name);
  }
  return names;
}

// Of these builds those that are there.
inline std::vector<std::string> Built(const std::vector<std::string>& names) {
  std::vector<std::string> built;
  for (const std::string& name : names) {
    if (FindNamed(Movers(), name)) built.push_back(name);
  }
  return built;
}

// A build folder may have none of them.
#define TESSERA_MOVER_SUITE(Suite, builds)                             \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Suite);                \
  INSTANTIATE_TEST_SUITE_P(Builds, Suite, ::testing::ValuesIn(builds), \
                           [](const auto& info) { return info.param; })
#define TESSERA_ALL_MOVERS(Suite) TESSERA_MOVER_SUITE(Suite, AllMovers())

}  // namespace tessera
