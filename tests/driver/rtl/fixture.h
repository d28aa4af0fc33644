// The driver on a simulated board, in every build: channel 0 each way, and descriptors for both.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sw/driver/tessera/driver.hpp"
#include "sw/driver/tessera/text.hpp"
#include "tb/board/board.h"

namespace tessera::driver {

using simulation::Board;
using simulation::BoardBus;
using simulation::Bytes;
using BoardChannel = Channel<BoardBus, 8>;

inline Bytes Counting(size_t count, uint8_t first = 0) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

class RtlTest : public ::testing::TestWithParam<std::string> {
 protected:
  void Make(const DmaBenchOptions& options = {}) {
    board_ = std::make_unique<Board>(GetParam(), options);
    bus_ = std::make_unique<BoardBus>(board());
    device_ = std::make_unique<Device<BoardBus>>(bus());
    reader_ = std::make_unique<BoardChannel>(device(), Direction::kToStream, 0);
    writer_ = std::make_unique<BoardChannel>(device(), Direction::kFromStream, 0);
    const DmaConfig& c = config();
    ASSERT_EQ(Text(device().Open()), Text(Reason::none));
    descriptors_ = DescriptorPool(build().descriptors);
    ASSERT_TRUE(reader().Open().ok());
    ASSERT_TRUE(writer().Open().ok());
    const uint64_t end = ~uint64_t{0} >> (64 - c.channel.addr_width);
    for (uint32_t n = 0; c.windows > 0 && n < static_cast<uint32_t>(c.channels()); ++n) {
      const auto reads = static_cast<uint32_t>(c.reads);
      ASSERT_TRUE(SetWindow(device(), n < reads ? Direction::kToStream : Direction::kFromStream,
                            n < reads ? n : n - reads, 0, {0, end & ~uint64_t{0xfff}, true, true})
                      .ok());
    }
  }
  void TearDown() override {
    if (board_ == nullptr) return;
    EXPECT_TRUE(board().refused().empty()) << board().refused().front();
  }

  Board& board() { return *board_; }
  const DmaConfig& config() { return board().config(); }
  BoardBus& bus() { return *bus_; }
  Device<BoardBus>& device() { return *device_; }
  const Capabilities& build() { return device().build(); }
  BoardChannel& reader() { return *reader_; }
  BoardChannel& writer() { return *writer_; }
  DescriptorPool& descriptors() { return *descriptors_; }
  Descriptor Linear(uint64_t at, uint32_t bytes) { return Copy(at, bytes, build()).value; }
  bool Has(uint32_t feature) { return build().Has(feature); }

 private:
  std::unique_ptr<Board> board_;
  std::unique_ptr<BoardBus> bus_;
  std::unique_ptr<Device<BoardBus>> device_;
  std::unique_ptr<BoardChannel> reader_, writer_;
  std::optional<DescriptorPool> descriptors_;
};

inline auto EveryBuild() {
  std::vector<std::string> names;
  for (const DmaConfig& c : Dmas()) {
    if (c.takes_programs()) names.push_back(c.channel.name);
  }
  return ::testing::ValuesIn(names);
}
inline std::string BuildName(const ::testing::TestParamInfo<std::string>& info) {
  return info.param;
}

}  // namespace tessera::driver
