// What the tests of the fabric share: one instance of each test for every fabric in the program,
// plain copies in a region of each channel, and the comparison of all channels with the reference
// model.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tb/check/plan.h"
#include "tb/model/transfer.h"
#include "tb/random/case.h"
#include "tb/run/fabric_bench.h"

namespace tessera {

// What one channel is given.
struct ChannelWork {
  std::vector<model::Transfer> reads, writes;
};

class FabricTest : public ::testing::TestWithParam<FabricConfig> {
 protected:
  const FabricConfig& config() const { return GetParam(); }
  uint64_t bus() const { return static_cast<uint64_t>(config().channel.data_bytes); }

  static uint64_t ReadBase(int k) { return 0x01000000 * static_cast<uint64_t>(k + 1); }
  static uint64_t WriteBase(int k) { return 0x80000000 + ReadBase(k); }
  // `bytes` elements of one byte.
  static model::Transfer Copy(uint64_t base, uint64_t bytes);

  // With windows, each channel is permitted everything by its first.
  void MakeBench(const FabricBenchOptions& options);
  // Writes a window (channels: reads, then writes); false if that is refused.
  bool SetWindow(const Fabric::Window& window);
  // `count` copies of `bytes` bytes one after the other, read or written by channel k.
  void Reads(int k, uint64_t count, uint64_t bytes);
  void Writes(int k, uint64_t count, uint64_t bytes);
  void AddRead(int k, const model::Transfer& transfer);
  void AddWrite(int k, const model::Transfer& transfer);
  void Feed(int k, uint64_t bytes);  // random bytes, one packet
  // Runs to the end and compares streams, records and memory.
  void RunAndCompare();
  // All channels, or all but one that was disturbed, whose region of memory may hold anything.
  void Compare(int except = -1);
  // The last cycle in which a channel had a record, in either direction.
  uint64_t LastRecord(int k);
  // After a reset of it, a channel works as if nothing had been: copies of `bytes`, compared.
  void WorksAgain(int k, Direction direction, uint64_t bytes);
  // Resets one direction of a channel and waits until it is in reset and out of it again.
  void Reset(int k, Direction direction, bool give_up, uint64_t most);
  Fabric::Control& control(int k, Direction direction) {
    return bench_->fabric().control(k, direction);
  }
  const Fabric::State& state(int k, Direction direction) {
    return bench_->fabric().state(k, direction);
  }
  bool Finished(int k, Direction direction);
  bool OthersFinished(int except);  // both directions of all channels but one, or of all: -1
  // What a wait may be as many times as long as with four channels: each has its turn.
  uint64_t Turns() const {
    return std::max<uint64_t>(1, static_cast<uint64_t>(config().channels()) / 4);
  }
  // Steps until it holds; fails after `most` cycles for each four channels.
  template <typename Condition>
  void StepUntil(const char* what, uint64_t most, Condition&& condition) {
    for (uint64_t n = 0; n < most * Turns(); ++n) {
      if (condition()) return;
      bench_->Step();
      ASSERT_EQ(bench_->violations().count(), 0U) << bench_->violations().kept().front().message;
    }
    FAIL() << what << " is not so after " << most * Turns() << " cycles\n" << bench_->Dump();
  }

  std::unique_ptr<FabricBench> bench_;
  std::vector<ChannelWork> work_;
  std::unique_ptr<Memory> before_;
  Rng rng_{1};
};

inline std::string FabricName(const ::testing::TestParamInfo<FabricConfig>& info) {
  return info.param.channel.name;
}

#define TESSERA_EVERY_FABRIC(suite) \
  INSTANTIATE_TEST_SUITE_P(Every, suite, ::testing::ValuesIn(Fabrics()), FabricName)

}  // namespace tessera
