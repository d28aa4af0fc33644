// What directed engine tests share: one instance of each test for every configuration in the
// program.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "tb/check/encode.h"
#include "tb/check/plan.h"
#include "tb/soak/run_case.h"

namespace tessera {

using model::LastRule;
using model::Transfer;
using model::WalkLevel;

inline constexpr uint64_t kReadBase = 0x10000;
inline constexpr uint64_t kWriteBase = 0x40000000;

inline void PrintTo(const Config& config, std::ostream* out) { *out << config.name; }

class EngineTest : public ::testing::TestWithParam<Config> {
 protected:
  const Config& config() const { return GetParam(); }
  model::Build build() const { return BuildOf(config()); }
  int bus() const { return config().data_bytes; }
  int stream() const { return config().stream_bytes; }
  // An element of `bytes` bytes, or as wide as this bus can.
  int Elem(int bytes) const { return std::min(bytes, bus()); }

  Case NewCase() const {
    Case value;
    value.config = config().name;
    return value;
  }

  // `bytes` elements of one byte.
  static Transfer Copy(uint64_t base, uint32_t bytes) {
    Transfer t;
    t.base = base;
    t.count[0] = bytes;
    t.stride[0] = 1;
    return t;
  }
  static Transfer OnLast(Transfer t) {
    t.finish = model::Finish::kLast;
    return t;
  }

  // Memory to stream; a loopback writes what is read to plain buffers.
  Case Reads(std::vector<Transfer> chain) const {
    Case value = NewCase();
    value.reads = std::move(chain);
    if (config().loopback) {
      for (size_t k = 0; k < value.reads.size(); ++k)
        value.writes.push_back(Copy(kWriteBase + 0x100000 * k, 0));
      EXPECT_TRUE(Repair(&value, config()));
    }
    return value;
  }

  // Stream to memory from these pieces. A loopback reads the pieces as plain buffers, which only
  // works for what its stream can say.
  Case Writes(std::vector<Transfer> chain, std::vector<StreamPiece> stream) const {
    Case value = NewCase();
    value.writes = std::move(chain);
    value.stream = std::move(stream);
    return value;
  }
  bool NeedsStream() const { return !config().loopback; }

  CaseResult Run(const Case& value, EngineBench::Hook* hook = nullptr) const {
    const CaseResult result = RunCase(value, hook);
    EXPECT_TRUE(result.passed()) << result.message << "\nreplay with engine_random --replay of:\n"
                                 << ToJson(value).dump();
    return result;
  }
};

inline std::string ConfigName(const ::testing::TestParamInfo<Config>& info) {
  return info.param.name;
}

#define TESSERA_EVERY_CONFIG(suite) \
  INSTANTIATE_TEST_SUITE_P(Every, suite, ::testing::ValuesIn(Configs()), ConfigName)

}  // namespace tessera
