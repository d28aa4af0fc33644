// Beside the random accesses: reset values of the generated table, addresses without a register,
// locks, the two halves of the cycles, latency and rate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "sw/driver/tessera/registers.hpp"
#include "tb/check/plan.h"
#include "tests/native/native_unit.h"

namespace tessera {
namespace {

using Place = NativeModel::Place;

std::string Name(uint32_t address, const Place& place) {
  return fmt::format("{}.{} at {:#07x}", place.group->name, place.row->name, address);
}

// Of each build.
class NativeRegisters : public ::testing::TestWithParam<uint32_t> {
 protected:
  NativeRegisters() : unit_(GetParam(), {.build = GetParam()}) {}
  ~NativeRegisters() override { EXPECT_EQ(unit_.failure(), ""); }
  bool has(uint32_t feature) const { return unit_.build().has(feature); }
  uint32_t last() const { return unit_.build().channels() - 1; }

  NativeUnit unit_;
};
INSTANTIATE_TEST_SUITE_P(Builds, NativeRegisters, ::testing::Range(0U, 3U));

TEST_P(NativeRegisters, HaveTheirResetValues) {
  size_t checked = 0;
  for (const auto& [address, place] : unit_.expected().places()) {
    const RegisterRow& row = *place.row;
    // The model behind the unit compares each read; here the table alone is asked.
    const LiteResponse response = unit_.Read(address);
    ASSERT_EQ(unit_.failure(), "") << Name(address, place);
    EXPECT_TRUE(response.okay()) << Name(address, place);
    if (row.given != 0 || (row.outside && row.clears != 0)) continue;
    EXPECT_EQ(response.data, row.reset & row.readable) << Name(address, place);
    ++checked;
  }
  EXPECT_GT(checked, 12U * last());
}

TEST_P(NativeRegisters, RefuseWhatIsNotThere) {
  Proves({"register.access"});
  std::vector<uint32_t> missing = {0x0006c, 0x000fc, 0x00100, 0x0106c, 0x0107c, 0x03008,
                                   0x03400, 0x04000, 0x07ffc, 0x10014, 0x14000, 0x1fffc,
                                   0x2c400, 0x2fffc, 0x30000, 0x3fffc};
  const NativeBuild& build = unit_.build();
  if (build.reads < 16) missing.push_back(0x1000 + 0x100 * build.reads);
  if (build.writes < 16) missing.push_back(0x2000 + 0x100 * build.writes);
  if (build.locks < 64) missing.push_back(0x3000 + 0x10 * build.locks);
  if (build.locks < 64) missing.push_back(0x8000 + 0x200 * build.locks);
  if (build.windows < 16) missing.push_back(0x10000 + 0x20 * build.windows);
  if (build.reads < 16) missing.push_back(0x10000 + 0x200 * build.reads);
  if (build.locks <= 32) missing.insert(missing.end(), {0x44, 0x4c});
  if (build.locks == 0) missing.insert(missing.end(), {0x40, 0x48});
  if (!has(kTriggers)) missing.insert(missing.end(), {0x34, 0x1010, 0x2010});
  if (!has(kPackets)) missing.insert(missing.end(), {0x50, 0x54, 0x58, 0x5c});
  if (!has(kLists) && !has(kCounters)) missing.insert(missing.end(), {0x1080, 0x20c0});
  for (const uint32_t address : missing) {
    EXPECT_FALSE(unit_.Read(address).okay()) << fmt::format("{:#07x}", address);
    EXPECT_FALSE(unit_.Write(address, 0).okay()) << fmt::format("{:#07x}", address);
    ASSERT_EQ(unit_.failure(), "");
  }
}

TEST_P(NativeRegisters, LockUntilReset) {
  Proves({"register.access"});
  for (const uint32_t offset : {0x00U, 0x34U}) {
    const uint32_t address = unit_.base(1) + offset;
    EXPECT_TRUE(unit_.Write(address, 0x80000001U).okay());
    EXPECT_FALSE(unit_.Write(address, 0).okay());
    EXPECT_FALSE(unit_.Write(address, 0, 8).okay());
    EXPECT_EQ(unit_.Read(address).data, 0x80000001U);
    EXPECT_TRUE(unit_.Write(unit_.base(0) + offset, 3).okay());  // a neighbour's is free
  }
  // Time-outs and quiesce of the whole.
  EXPECT_TRUE(unit_.Write(0x20, 0x80000052U).okay());
  EXPECT_FALSE(unit_.Write(0x20, 1).okay());
  EXPECT_FALSE(unit_.Write(0x20, 8).okay());  // nor are counters cleared
  EXPECT_FALSE(unit_.Write(0x20, 0, 8).okay());
  EXPECT_EQ(unit_.Read(0x20).data, 0x80000052U);
  EXPECT_TRUE(unit_.Write(0x1c, 1).okay());
  unit_.Cycle(true);
  EXPECT_TRUE(unit_.Write(0x20, 1).okay());
  EXPECT_TRUE(unit_.Write(unit_.base(1), 2).okay());
  EXPECT_TRUE(unit_.Write(unit_.base(1) + 0x34, 2).okay());
}

TEST_P(NativeRegisters, TheHighHalfOfTheCyclesIsThatOfTheLastReadOfTheLowOne) {
  constexpr uint32_t kLow = 0x2c, kHigh = 0x30, kScratch = 0x1c;
  unit_.Write(kScratch, 5);
  unit_.Jump((uint64_t{3} << 32) - 64);
  EXPECT_EQ(unit_.Read(kHigh).data, 0U) << "the low half has not been read";
  EXPECT_GE(unit_.Read(kLow).data, 0xffffffc0U);
  EXPECT_EQ(unit_.Read(kHigh).data, 2U);
  unit_.Wait(100);
  EXPECT_EQ(unit_.Read(kScratch).data, 5U);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(unit_.Read(kHigh).data, 2U);
  EXPECT_LT(unit_.Read(kLow).data, 0x1000U);
  EXPECT_EQ(unit_.Read(kHigh).data, 3U);
}

// From AXI4-Lite, with a cycle for the response. A write waits one cycle, of what events change too
// two, a read four, of a channel five.
TEST_P(NativeRegisters, LatencyAndRate) {
  uint64_t begun = 0;
  bool waits = false;
  unit_.on_cycle = [&] {
    Vnative_top& m = unit_.model();
    const bool valid = m.s_axil_arvalid || m.s_axil_awvalid;
    if (valid && !waits) begun = unit_.cycle();
    waits = valid && !m.s_axil_arready && !m.s_axil_awready;
  };
  unit_.Read(0x1c);
  const auto write = [&](uint32_t address) { return unit_.Write(address, 1).cycle - begun; };
  const auto read = [&](uint32_t address) { return unit_.Read(address).cycle - begun; };
  const uint32_t base = unit_.base(1);
  EXPECT_EQ(write(0x1c), 2U);
  EXPECT_EQ(write(base), 2U);
  EXPECT_EQ(write(base + 0x08), 3U);
  EXPECT_LE(write(base + 0x28), 5U);
  EXPECT_EQ(read(0x1c), 5U);
  EXPECT_EQ(read(base + 0x04), 6U);
  EXPECT_EQ(read(base + 0x40), 6U);
  EXPECT_LE(read(base + 0x18), 7U);
  const auto rate = [this](const NativeAccess& access) {
    const uint64_t start = unit_.cycle();
    for (int i = 0; i < 100; ++i) unit_.Queue(access);
    unit_.Finish(1000);
    return unit_.cycle() - start;
  };
  EXPECT_LE(rate({true, 0x1c, 1, 15}), 302U);
  EXPECT_LE(rate({false, 0x1c, 0, 0}), 602U);
  EXPECT_LE(rate({false, base + 4, 0, 0}), 702U);
}

// The header for drivers says the same as the table.
TEST(NativeAlone, HeaderForDrivers) {
  namespace regs = registers;
  static_assert(regs::ReadAddress(3) == 0x1300 && regs::WriteAddress(15) == 0x2f00);
  static_assert(regs::WindowAddress(31, 15) == 0x13fe0 && regs::DescriptorAddress(255) == 0x23fc0);
  constexpr auto kTask =
      regs::channel::Task{}.set_start(0xa3).set_repeats(5).set_token(1).set_from_list(1);
  static_assert(kTask.word == 0x120005a3 && kTask.repeats() == 5 && kTask.endless() == 0);
  static_assert(regs::channel::Task{0xffffffffU}.set_repeats(0).word == 0xff0000ffU);
  static_assert(regs::descriptor::Stride::Offset(3) == 0x24 &&
                regs::channel::Control::kWritable == 0x807f013f);
  EXPECT_EQ(regs::kVersion, kRegistersVersion);
  size_t found = 0;
  for (const RegisterRow& row : kRegisterRows) {
    if (std::strcmp(row.name, "COALESCE") == 0) {
      EXPECT_EQ(row.offset, regs::channel::Coalesce::kOffset);
      EXPECT_EQ(row.writable, regs::channel::Coalesce::kWritable);
      ++found;
    }
  }
  EXPECT_EQ(found, 2U);
}

}  // namespace
}  // namespace tessera
