// Firmware on emulated processors: the driver as each compiler makes it, against the mock; what
// operations cost.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "tb/board/processor.h"
#include "tests/driver/fixture.h"

namespace tessera::firmware {
namespace {

// The mock, with the processor's memory as its own.
class Shared : public Device {
 public:
  explicit Shared(const mock::Config& config) : mock(config) {}
  bool Read32(uint32_t offset, uint32_t& value) override { return mock.Read32(offset, value); }
  bool Write32(uint32_t offset, uint32_t value) override {
    // A barrier is an instruction, which the mock cannot see; the order of accesses is checked on
    // the host.
    if (offset == 0x1008 || offset == 0x1108 || offset == 0x118c) {
      mock.Barrier();
      for (size_t n = 0; processor != nullptr && n < shared_bytes; ++n) {
        mock.memory().Write(shared + n, processor->ram()[shared - Processor::kRam + n]);
      }
    }
    return mock.Write32(offset, value);
  }
  void Step() override { mock.Step(); }

  mock::MockDevice mock;
  Processor* processor = nullptr;
  uint64_t shared = 0;
  size_t shared_bytes = 0;
};

// The rows of the tables of a page, by their first cell.
std::map<std::string, std::vector<std::string>> TableRows(const char* path) {
  std::map<std::string, std::vector<std::string>> rows;
  std::ifstream page(path);
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ")) continue;
    std::vector<std::string> cells;
    std::istringstream rest(line.substr(2));
    for (std::string cell; std::getline(rest, cell, '|');) {
      const size_t first = cell.find_first_not_of(' ');
      if (first == std::string::npos) continue;
      cells.push_back(cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    }
    if (!cells.empty()) rows[cells[0]] = cells;
  }
  return rows;
}

class FirmwareTest : public ::testing::TestWithParam<Target> {
 protected:
  static std::string Program(const std::string& name) {
    return fmt::format("{}/{}_{}.elf", TESSERA_FIRMWARE, name, GetParam().name);
  }
  void SetUp() override {
    if (!std::filesystem::exists(Program("operations"))) {
      GTEST_SKIP() << "no cross compiler for " << GetParam().name << ": scripts/setup installs it";
    }
  }
};

TEST_P(FirmwareTest, TheSmallestProgramSendsItsTile) {
  Shared device{{}};
  Processor processor(GetParam().architecture, Program("tile_and_wait"), device);
  // On a processor of 32 bits an argument of 64 begins at an even register.
  const std::vector<uint64_t> arguments =
      GetParam().architecture == Architecture::kCortexR5
          ? std::vector<uint64_t>{Processor::kRegisters, 0, 0x4000, 0}
          : std::vector<uint64_t>{Processor::kRegisters, 0x4000};
  EXPECT_EQ(processor.Call("tile_and_wait", arguments), 0u);
  std::vector<uint8_t> expected;
  for (uint64_t turn = 0; turn < 3; ++turn) {
    for (uint64_t z = 2; z < 6; ++z) {
      for (uint64_t y = 8; y < 16; ++y) {
        for (uint64_t byte = 0; byte < 32; ++byte) {
          expected.push_back(
              device.mock.memory().Read(0x4000 + ((z * 32 + y) * 64 + 16 + 16 * turn) * 2 + byte));
        }
      }
    }
  }
  EXPECT_EQ(device.mock.sent_bytes(0), expected);
  EXPECT_TRUE(device.mock.violations().empty()) << device.mock.violations().front();
}

TEST_P(FirmwareTest, AProgramThatAsksForNoTextHasNone) {
  for (const char* name : {"tile_and_wait", "operations", "day", "standalone"}) {
    std::ifstream stream(Program(name), std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(stream)),
                           std::istreambuf_iterator<char>());
    ASSERT_GT(file.size(), 1000u);
    EXPECT_EQ(file.find(driver::Text(driver::Reason::no_walk)), std::string::npos) << name;
  }
}

TEST_P(FirmwareTest, AStrangerIsRefused) {
  mock::Config config;
  config.id = 0x12345678;
  Shared device(config);
  Processor processor(GetParam().architecture, Program("operations"), device);
  EXPECT_EQ(processor.Call("op_setup", {Processor::kRegisters}),
            static_cast<uint32_t>(driver::Reason::unknown_device));
}

TEST_P(FirmwareTest, CostsOfOperations) {
  Shared device{{}};
  Processor processor(GetParam().architecture, Program("operations"), device);
  device.processor = &processor;
  struct Row {
    const char* name;
    Processor::Cost cost;
  };
  std::vector<Row> rows;
  const auto call = [&](const char* name, const char* function,
                        const std::vector<uint64_t>& arguments) {
    const uint32_t reason = processor.Call(function, arguments);
    EXPECT_EQ(reason, 0u) << name << ": " << driver::Text(static_cast<driver::Reason>(reason));
    if (name != nullptr) rows.push_back({name, processor.cost()});
  };
  const auto finish = [&](const char* wait) {
    call(nullptr, wait, {});
    EXPECT_TRUE(device.mock.violations().empty()) << device.mock.violations().front();
  };
  call(nullptr, "op_setup", {Processor::kRegisters});
  call(nullptr, "op_copy", {0x1000, 64});  // the descriptor comes from the pool once
  finish("op_wait");
  call("copy", "op_copy", {0x1000, 64});
  finish("op_wait");
  call("2-D window", "op_window", {0x1000, 16, 4, 64});
  finish("op_wait");
  const uint64_t arrays = Processor::kRam + Processor::kRamBytes / 2;
  const uint32_t numbers[8] = {4, 3, 2, 2, 4, 64, 512, 4096};
  std::memcpy(processor.ram() + Processor::kRamBytes / 2, numbers, sizeof(numbers));
  call("4-D tile", "op_tile", {0x1000, arrays, arrays + 16});
  const Processor::Cost tile = processor.cost();
  finish("op_wait");
  EXPECT_EQ(device.mock.sent_bytes(0).size(), 64 + 64 + 64 + 192u);
  call("start again", "op_restart", {});
  const Processor::Cost restart = processor.cost();
  finish("op_wait");
  call("first tile of a tensor with edges", "op_edge_tile", {0x1000, 0xffffffffu, 0xffffffffu});
  finish("op_wait_edge");
  call("next tile of it, with a shadow", "op_edge_tile", {0x1000, 60, 61});
  const Processor::Cost edge = processor.cost();
  finish("op_wait_edge");
  EXPECT_EQ(device.mock.executed(0).back().start[1], 61);
  device.shared = processor.Symbol("ring_places");
  device.shared_bytes = 64 * 8;
  call(nullptr, "op_ring_start",
       GetParam().architecture == Architecture::kCortexR5 ? std::vector<uint64_t>{device.shared, 0}
                                                          : std::vector<uint64_t>{device.shared});
  call("ring entry", "op_ring_entry", {0x2000, 32});
  const Processor::Cost entry = processor.cost();
  for (int n = 0; n < 20; ++n) device.mock.Step();
  EXPECT_EQ(device.mock.sent_bytes(1).size(), 32u);
  EXPECT_TRUE(device.mock.violations().empty()) << device.mock.violations().front();

  for (const Row& row : rows) {
    fmt::print("{:10} {:33} {:5} instructions {:3} register writes {:3} reads\n", GetParam().name,
               row.name, row.cost.instructions, row.cost.writes, row.cost.reads);
  }
  // The manual has these figures; another release of a compiler may move them a little.
  const auto page = TableRows(TESSERA_SOURCE_DIR "/docs/driver.md");
  const auto target = std::ranges::find(kTargets, GetParam().architecture, &Target::architecture);
  const auto column = static_cast<size_t>(2 + (target - std::begin(kTargets)));
  for (const Row& row : rows) {
    const auto told = page.find(row.name);
    if (told == page.end()) {
      ADD_FAILURE() << "docs/driver.md has no row " << row.name;
      continue;
    }
    EXPECT_EQ(row.cost.writes, std::stoull(told->second.at(1))) << row.name;
    const double instructions = std::stod(told->second.at(column));
    EXPECT_NEAR(static_cast<double>(row.cost.instructions), instructions, 0.05 * instructions)
        << row.name;
  }
  EXPECT_EQ(restart.writes, 1u);
  EXPECT_EQ(restart.reads, 0u);
  EXPECT_LE(tile.writes, 18u);
  EXPECT_EQ(tile.reads, 0u);
  EXPECT_LE(edge.writes, 18u);
  EXPECT_EQ(entry.writes, 1u);
  if (GetParam().architecture == Architecture::kAarch64) {
    EXPECT_LE(tile.instructions, 250u);
  }
}

// A task ends and its handler comes before instruction n of Service(): whoever serves the channel,
// the end has been seen when Service() returns, for every n.
TEST_P(FirmwareTest, AHandlerMayComeBetweenAnyTwoInstructionsOfService) {
  Shared device{{}};
  Processor processor(GetParam().architecture, Program("operations"), device);
  ASSERT_EQ(processor.Call("op_setup", {Processor::kRegisters}), 0u);
  processor.SetHandler("op_interrupt");
  uint64_t taken = 0;
  for (uint64_t n = 1; taken + 1 == n; ++n) {
    device.mock.Freeze(0);
    ASSERT_EQ(processor.Call("op_copy", {0x1000, 64}), 0u);
    processor.InterruptAt(n, [&] {
      device.mock.Freeze(0, false);
      for (int step = 0; step < 20; ++step) device.mock.Step();
    });
    processor.Call("op_service", {});
    taken = processor.interrupts();
    if (taken == n) {
      ASSERT_EQ(processor.Call("op_running", {}), 0u) << "interrupted before instruction " << n;
    }
    device.mock.Freeze(0, false);
    ASSERT_EQ(processor.Call("op_wait", {}), 0u) << n;
    ASSERT_FALSE(device.mock.interrupt()) << n;
  }
  EXPECT_GT(taken, 20u);
  EXPECT_EQ(device.mock.sent_bytes(0).size(), 64 * (taken + 1));
  EXPECT_TRUE(device.mock.violations().empty()) << device.mock.violations().front();
}

INSTANTIATE_TEST_SUITE_P(Processors, FirmwareTest, ::testing::ValuesIn(kTargets),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace tessera::firmware
