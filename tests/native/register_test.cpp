// Each register by itself, from the generated table: reset value, access, bytes, locks. And by
// hand: what follows from an access in which cycle, coalescing, windows, the first error.
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

// Registers that hold what is written, and nothing else changes.
bool Plain(const Place& place) {
  const RegisterRow& row = *place.row;
  if (std::string(place.group->name) == "WINDOW") return false;
  if (row.outside && std::string(row.name) != "TAG" && std::string(row.name) != "COALESCE")
    return false;
  return row.clears == 0 && row.given == 0 && (row.writable & row.readable) != 0;
}

TEST(NativeRegisters, HaveTheirResetValues) {
  NativeUnit unit(1);
  size_t checked = 0;
  for (const auto& [address, place] : unit.expected().places()) {
    const RegisterRow& row = *place.row;
    // The model behind unit compares each read; here the table alone is asked.
    const NativeUnit::Response response = unit.Read(address);
    ASSERT_EQ(unit.failure(), "") << Name(address, place);
    EXPECT_FALSE(response.error) << Name(address, place);
    if (row.given == 0 && (!row.outside || row.clears == 0)) {
      EXPECT_EQ(response.data, row.reset & row.readable) << Name(address, place);
      ++checked;
    }
  }
  EXPECT_GT(checked, 100U);
}

TEST(NativeRegisters, KeepTheBytesThatAreWritten) {
  Proves({"register.access"});
  NativeUnit unit(2);
  size_t checked = 0;
  for (const auto& [address, place] : unit.expected().places()) {
    const RegisterRow& row = *place.row;
    if (!Plain(place)) continue;
    uint32_t held = row.reset;
    for (uint32_t strobe = 0; strobe < 16; ++strobe) {
      const uint32_t data =
          (strobe % 2 == 0 ? 0xffffffffU : 0x5a3c6996U * (strobe + 3)) & ~row.lock;
      for (uint32_t byte = 0; byte < 4; ++byte) {
        const uint32_t mask = (strobe >> byte & 1) != 0 ? 0xffU << 8 * byte : 0;
        held = (held & ~mask) | (data & mask & row.writable & row.readable);
      }
      EXPECT_FALSE(unit.Write(address, data, strobe).error) << Name(address, place);
      EXPECT_EQ(unit.Read(address).data, held) << Name(address, place);
      ASSERT_EQ(unit.failure(), "") << Name(address, place);
      ++checked;
    }
  }
  EXPECT_GT(checked, 16U * 5 * 5);
}

TEST(NativeRegisters, RefuseWritesOfWhatIsReadOnly) {
  Proves({"register.access"});
  NativeUnit unit(3);
  size_t checked = 0;
  for (const auto& [address, place] : unit.expected().places()) {
    if (place.row->writable != 0) continue;
    EXPECT_TRUE(unit.Write(address, 0xffffffffU).error) << Name(address, place);
    ++checked;
  }
  EXPECT_EQ(unit.failure(), "");
  EXPECT_GT(checked, 10U);
}

TEST(NativeRegisters, RefuseWhatIsNotThere) {
  Proves({"register.access"});
  NativeUnit unit(4);
  for (const uint32_t address :
       {0x0006cU, 0x000fcU, 0x00100U, 0x0106cU, 0x0107cU, 0x01300U, 0x02200U, 0x02f00U, 0x030a0U,
        0x03008U, 0x03400U, 0x04000U, 0x07ffcU, 0x09400U, 0x0fffcU, 0x10014U, 0x10060U, 0x10600U,
        0x12400U, 0x14000U, 0x1fffcU, 0x2c400U, 0x2fffcU, 0x30000U, 0x3fffcU}) {
    EXPECT_TRUE(unit.Read(address).error) << fmt::format("{:#07x}", address);
    EXPECT_TRUE(unit.Write(address, 0).error) << fmt::format("{:#07x}", address);
    ASSERT_EQ(unit.failure(), "");
  }
}

TEST(NativeRegisters, ClearByWrittenOnes) {
  Proves({"program.error-sticky"});
  NativeUnit unit(5);
  for (uint32_t c = 0; c < kChannels; ++c) {
    unit.pins().events[c] = 0x7f;
    unit.Cycle();
    unit.pins().events[c] = 0;
    const uint32_t base = NativeModel::ChannelBase(c);
    EXPECT_EQ(unit.Read(base + 0x18).data, 0x700U);
    EXPECT_EQ(unit.Read(base + 0x2c).data, 0x2fU);
    EXPECT_FALSE(unit.Write(base + 0x18, 0x100, 1).error);  // another byte
    EXPECT_EQ(unit.Read(base + 0x18).data, 0x700U);
    EXPECT_FALSE(unit.Write(base + 0x18, 0x100).error);
    EXPECT_EQ(unit.Read(base + 0x18).data, 0x600U);
    EXPECT_FALSE(unit.Write(base + 0x18, 0xffffffffU).error);
    EXPECT_EQ(unit.Read(base + 0x18).data, 0U);
    EXPECT_FALSE(unit.Write(base + 0x2c, 0x21).error);
    EXPECT_EQ(unit.Read(base + 0x2c).data, 0x0eU);
  }
  EXPECT_EQ(unit.failure(), "");
}

TEST(NativeRegisters, LockUntilReset) {
  Proves({"register.access"});
  NativeUnit unit(6);
  for (const uint32_t offset : {0x00U, 0x34U}) {
    const uint32_t address = NativeModel::ChannelBase(1) + offset;
    EXPECT_FALSE(unit.Write(address, 0x80000001U).error);
    EXPECT_TRUE(unit.Write(address, 0).error);
    EXPECT_TRUE(unit.Write(address, 0, 8).error);
    EXPECT_EQ(unit.Read(address).data, 0x80000001U);
    EXPECT_FALSE(
        unit.Write(NativeModel::ChannelBase(2) + offset, 3).error);  // a neighbour's is free
  }
  // Time-outs and quiesce of the whole.
  EXPECT_FALSE(unit.Write(0x20, 0x80000052U).error);
  EXPECT_TRUE(unit.Write(0x20, 1).error);
  EXPECT_TRUE(unit.Write(0x20, 8).error);  // nor are counters cleared
  EXPECT_TRUE(unit.Write(0x20, 0, 8).error);
  EXPECT_EQ(unit.Read(0x20).data, 0x80000052U);
  EXPECT_FALSE(unit.Write(0x1c, 1).error);
  unit.Cycle(true);
  EXPECT_FALSE(unit.Write(0x20, 1).error);
  EXPECT_FALSE(unit.Write(NativeModel::ChannelBase(1), 2).error);
  EXPECT_EQ(unit.failure(), "");
}

TEST(NativeRegisters, PushesATaskInTheCycleOfTheHandshake) {
  Proves({"program.task-queue"});
  NativeUnit unit(7);
  unit.Write(0x1000 + 0x0c, 0x12345678);
  uint64_t handshake = 0, push = 0;
  unit.on_cycle = [&] {
    Vnative_top& m = unit.model();
    if (m.s_axil_awvalid && m.s_axil_wvalid && m.s_axil_awready && m.s_axil_wready)
      handshake = unit.cycle();
    if (m.task_valid_o != 0) {
      push = unit.cycle();
      EXPECT_EQ(m.task_o, 0x120005a3U);
      EXPECT_EQ(m.task_tag_o, 0x12345678U);
    }
  };
  const NativeUnit::Response response = unit.Write(0x1000 + 0x08, 0x120005a3);
  EXPECT_FALSE(response.error);
  EXPECT_EQ(push, handshake);
  EXPECT_EQ(response.cycle, handshake + 1);
  EXPECT_EQ(unit.failure(), "");
}

// native_top.sv has tokens and no triggers.
TEST(NativeRegisters, RefusesATaskThatWaitsForATriggerWithoutTriggers) {
  NativeUnit unit(9);
  bool pushed = false;
  unit.on_cycle = [&] { pushed = pushed || unit.model().task_valid_o != 0; };
  for (const uint32_t word : {1U << 26, 1U << 27, 3U << 26 | 5}) {
    EXPECT_TRUE(unit.Write(0x1000 + 0x08, word).error);
  }
  EXPECT_FALSE(pushed);
  EXPECT_EQ(unit.failure(), "");
}

// The list of a channel and headers that choose its descriptors do not go together.
TEST(NativeRegisters, RefusesATaskOfAListWhileHeadersChoose) {
  NativeUnit unit(10);
  const uint32_t base = NativeModel::ChannelBase(3);
  uint64_t pushes = 0;
  unit.on_cycle = [&] { pushes += unit.model().task_valid_o != 0 ? 1 : 0; };
  EXPECT_FALSE(unit.Write(base + 0x08, 1U << 28).error);
  EXPECT_FALSE(unit.Write(base, 0x100).error);
  EXPECT_TRUE(unit.Write(base + 0x08, 1U << 28).error);
  EXPECT_EQ(unit.Read(base + 0x18).data, 1U << 11);
  EXPECT_FALSE(unit.Write(base + 0x08, 5).error);
  EXPECT_FALSE(unit.Write(NativeModel::ChannelBase(4) + 0x08, 1U << 28).error);  // a neighbour's
  EXPECT_FALSE(unit.Write(base, 0).error);
  EXPECT_FALSE(unit.Write(base + 0x08, 1U << 28).error);
  EXPECT_EQ(pushes, 4U);
  EXPECT_EQ(unit.failure(), "");
}

TEST(NativeRegisters, RefusesAPushWhenTheQueueIsFull) {
  Proves({"program.task-queue"});
  NativeUnit unit(8);
  unit.pins().task_ready = 0x1d;  // not channel 1
  EXPECT_TRUE(unit.Write(0x1108, 5).error);
  EXPECT_EQ(unit.Read(0x1118).data, 1U << 11);
  EXPECT_EQ(unit.Read(0x112c).data, 8U);
  EXPECT_FALSE(unit.Write(0x1008, 5).error);
  EXPECT_EQ(unit.Read(0x1018).data, 0U);
  EXPECT_TRUE(
      unit.Write(0x1008, 5, 7).error);  // a byte is missing: refused, and no error of the channel
  EXPECT_EQ(unit.Read(0x1018).data, 0U);
  EXPECT_EQ(unit.failure(), "");
}

// AR to R 2 cycles, AW and W to B 1; a write in two cycles, a read in three.
TEST(NativeRegisters, LatencyAndRate) {
  NativeUnit unit(9);
  unit.Write(0x1c, 1);
  uint64_t address = 0;
  unit.on_cycle = [&] {
    if (unit.model().s_axil_arvalid && unit.model().s_axil_arready) address = unit.cycle();
  };
  const uint64_t answer = unit.Read(0x1c).cycle;
  EXPECT_EQ(answer, address + 2);
  const uint64_t start = unit.cycle();
  for (int i = 0; i < 100; ++i) unit.Queue({true, 0x1c, static_cast<uint32_t>(i), 15});
  unit.Finish(1000);
  EXPECT_LE(unit.cycle() - start, 202U);
  const uint64_t second = unit.cycle();
  for (int i = 0; i < 100; ++i) unit.Queue({false, 0x1c, 0, 0});
  unit.Finish(1000);
  EXPECT_LE(unit.cycle() - second, 302U);
  EXPECT_EQ(unit.failure(), "");
}

// The address long before the data, and the other way round.
TEST(NativeRegisters, TakesAddressAndDataInAnyOrder) {
  for (const bool address_first : {true, false}) {
    NativeOptions options;
    options.aw = address_first ? 100 : 3;
    options.w = address_first ? 3 : 100;
    NativeUnit unit(10, options);
    size_t first = 0;
    unit.on_cycle = [&] {
      Vnative_top& m = unit.model();
      first += address_first ? m.s_axil_awvalid && m.s_axil_awready && !m.s_axil_wvalid
                             : m.s_axil_wvalid && m.s_axil_wready && !m.s_axil_awvalid;
    };
    for (uint32_t i = 0; i < 20; ++i) unit.Queue({true, 0x1c, i, 15});
    EXPECT_TRUE(unit.Finish(5000)) << unit.failure();
    EXPECT_GT(first, 10U);
    EXPECT_EQ(unit.Read(0x1c).data, 19U);
  }
}

TEST(NativeRegisters, CoalescesRecords) {
  Proves({"program.coalesce"});
  NativeUnit unit(11);
  const auto records = [&](uint32_t c, int count) {
    unit.pins().events[c] = 4;
    for (int i = 0; i < count; ++i) unit.Cycle();
    unit.pins().events[c] = 0;
  };
  const auto wait = [&](int cycles) {
    for (int i = 0; i < cycles; ++i) unit.Cycle();
  };
  records(0, 1);
  EXPECT_EQ(unit.Read(0x102c).data, 4U);  // each
  unit.Write(0x102c, 4);
  unit.Write(0x1030, 20);
  records(0, 19);
  wait(1000);
  EXPECT_EQ(unit.Read(0x102c).data, 0U);  // one too few, and no time is set
  records(0, 1);
  wait(64);
  EXPECT_EQ(unit.Read(0x102c).data, 4U);
  unit.Write(0x102c, 4);
  wait(200);
  EXPECT_EQ(unit.Read(0x102c).data, 0U);  // they do not count twice
  unit.Write(0x1030, 3 << 16 | 31);
  records(0, 1);
  wait(3 * 64 - 10);
  EXPECT_EQ(unit.Read(0x102c).data, 0U);
  wait(2 * 64);
  EXPECT_EQ(unit.Read(0x102c).data, 4U);  // by time
  EXPECT_EQ(unit.Read(0x112c).data, 0U);  // a neighbour had none
  EXPECT_EQ(unit.failure(), "");
}

TEST(NativeRegisters, KeepsTheFirstError) {
  Proves({"program.error-sticky"});
  NativeUnit unit(12);
  const auto report = [&](uint32_t causes, uint32_t descriptor, uint32_t address) {
    unit.pins().report[4] = {causes, descriptor, address, 7};
    unit.pins().report_valid = 1U << 4;
    for (int i = 0; i < 40; ++i) unit.Cycle();
    EXPECT_EQ(unit.pins().report_valid, 0U);
  };
  report(0x2, 0x11, 0xabc0);
  report(0x8, 0x22, 0xdef0);
  const uint32_t base = NativeModel::ChannelBase(4);
  EXPECT_EQ(unit.Read(base + 0x18).data, 0xaU);
  EXPECT_EQ(unit.Read(base + 0x1c).data, 0x11U);
  EXPECT_EQ(unit.Read(base + 0x20).data, 0xabc0U);
  EXPECT_EQ(unit.Read(base + 0x24).data, 7U);
  unit.Write(base + 0x18, 0xa);
  EXPECT_EQ(unit.Read(base + 0x1c).data, 0U);
  EXPECT_EQ(unit.Read(base + 0x20).data, 0U);
  report(0x8, 0x33, 0x10);
  EXPECT_EQ(unit.Read(base + 0x1c).data, 0x33U);
  EXPECT_EQ(unit.Read(0x38).data, 0x20000U);
  EXPECT_EQ(unit.failure(), "");
}

// A fault, or a descriptor that was not loaded, that ends and comes again in the next cycle.
TEST(NativeRegisters, TellsOfAnErrorThatComesAgain) {
  Proves({"program.error-sticky"});
  NativeUnit unit(14);
  const uint32_t error = NativeModel::ChannelBase(2) + 0x18;
  const auto run = [&](uint64_t cycles) {
    for (uint64_t i = 0; i < cycles; ++i) unit.Cycle();
  };
  const auto level = [&](bool fault, bool up) {
    uint32_t& word = unit.pins().view[2][fault ? 0 : 1];
    const uint32_t bits = fault ? 1U << 23 : 5U << 8;
    word = up ? word | bits : word & ~bits;
  };
  for (const bool fault : {true, false}) {
    for (uint64_t when = 0; when < 20; ++when) {
      level(fault, true);
      run(40);
      EXPECT_EQ(unit.Read(error).data, fault ? 0x80U : 1U);
      unit.Write(error, 0x81);
      run(when);
      EXPECT_EQ(unit.Read(error).data, 0U);
      level(fault, false);
      run(1);
      level(fault, true);
      run(40);
      EXPECT_EQ(unit.Read(error).data, fault ? 0x80U : 1U) << when;
      level(fault, false);
      run(40);
      unit.Write(error, 0x81);
    }
  }
  EXPECT_EQ(unit.failure(), "");
}

TEST(NativeRegisters, SetsAWindowWithItsFlags) {
  NativeUnit unit(13);
  const uint32_t base = 0x10000 + 0x200 * 17 + 0x20 * 2;  // write channel 1, window 2
  size_t sets = 0;
  unit.on_cycle = [&] {
    Vnative_top& m = unit.model();
    if (!m.window_valid_o) return;
    ++sets;
    EXPECT_EQ(m.window_channel_o, 4);
    EXPECT_EQ(m.window_index_o, 2);
    EXPECT_EQ(m.window_first_o, 0x1234567890000U);
    EXPECT_EQ(m.window_last_o, 0x12345678ff000U);
    EXPECT_EQ(m.window_flags_o, 7);
  };
  unit.Write(base, 0x67890abc);
  unit.Write(base + 4, 0x12345);
  unit.Write(base + 8, 0x678fffff);
  unit.Write(base + 12, 0x12345);
  EXPECT_EQ(unit.Read(base).data, 0x67890000U);
  unit.pins().window_refused = true;
  EXPECT_TRUE(unit.Write(base + 16, 0x80000003U).error);
  EXPECT_EQ(unit.Read(base + 16).data, 0U);
  unit.pins().window_refused = false;
  EXPECT_FALSE(unit.Write(base + 16, 0x80000003U).error);
  for (uint32_t word = 0; word < 5; ++word) EXPECT_TRUE(unit.Write(base + 4 * word, 0).error);
  EXPECT_EQ(unit.Read(base + 16).data, 0x80000003U);
  EXPECT_EQ(unit.failure(), "");
  EXPECT_EQ(sets, 2U);  // offered twice, refused once; a locked one is not offered
}

// As a converter of widths writes the word beside the one that is meant.
TEST(NativeRegisters, AWriteThatNamesNoByteChangesNothing) {
  NativeUnit unit(14);
  unit.on_cycle = [&] {
    Vnative_top& m = unit.model();
    EXPECT_EQ(m.task_valid_o, 0);
    EXPECT_EQ(m.record_pop_o, 0);
    EXPECT_EQ(m.window_valid_o, 0);
  };
  for (uint32_t c = 0; c < kChannels; ++c) unit.pins().record[c][0] = 1 << 8;
  size_t checked = 0;
  for (const auto& [address, place] : unit.expected().places()) {
    const RegisterRow& row = *place.row;
    if (row.writable == 0 || row.given != 0) continue;
    const uint32_t before = unit.Read(address).data;
    unit.Write(address, 0xffffffffU, 0);
    EXPECT_EQ(unit.Read(address).data, before) << Name(address, place);
    ASSERT_EQ(unit.failure(), "") << Name(address, place);
    ++checked;
  }
  EXPECT_GT(checked, 60U);
}

// The header for drivers says the same as the table.
TEST(NativeRegisters, HeaderForDrivers) {
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
