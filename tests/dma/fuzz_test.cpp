// Register fuzz with the same seeds in every run; `dma_random --fuzz 1000000 --cases 1` makes a
// million accesses. By registers: a driver does none of this.
#include "tb/dma/register_fuzz.h"

#include <fmt/format.h>

#include <set>

#include "tb/check/plan.h"
#include "tb/device/device_model.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Fuzz : public ::testing::TestWithParam<std::string> {};

TEST_P(Fuzz, AccessesAreAnsweredWhateverTheyAre) {
  Proves({"register.access"});
  uint64_t refused = 0;
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    const ProgramResult result = FuzzRegisters(GetParam(), seed, 20000);
    ASSERT_TRUE(result.message.empty()) << result.message << "\ndma_random --config " << GetParam()
                                        << " --fuzz 20000 --seed " << seed << " --cases 1";
    refused += result.compared;
  }
  EXPECT_GT(refused, 1000u);
}

// The model of the device (tb/device) answers every access as the registers do, while no task runs.
TEST_P(Fuzz, TheModelOfTheDeviceAnswersTheSame) {
  Proves({"register.access"});
  DmaBench bench(MakeDma(GetParam(), 1), {});
  const DmaConfig& config = bench.config();
  model::MemoryImage memory;
  DeviceModel model(native::BuildOfDevice(config, false), &memory);
  Rng rng(5);
  // Time, ports and streams, which the model does not have.
  const std::set<uint32_t> unknown = {0x08, 0x0c, 0x14, 0x18, 0x24, 0x2c, 0x30, 0x3c};
  uint64_t refused = 0, writes = 0;
  for (int n = 0; n < 20000; ++n) {
    uint32_t address = 4 * static_cast<uint32_t>(rng.Below(1 << 16));
    const uint32_t channel = rng.Chance(0.5)
                                 ? native::Channel(kRead, static_cast<int>(rng.Below(17)))
                                 : native::Channel(kWrite, static_cast<int>(rng.Below(16)));
    const uint32_t near = static_cast<uint32_t>(rng.Below(128));
    switch (rng.Below(8)) {
      case 0:
        address = near;
        break;
      case 1:
      case 2:
        address = channel + 2 * near;
        break;
      case 3:
        address = native::kLocks + 4 * near;
        break;
      case 4:
        address =
            native::kTryLock + 0x200 * (near % 20) + 4 * static_cast<uint32_t>(rng.Below(128));
        break;
      case 5:
        address = native::kWindows + 0x200 * (near % 32) + 4 * static_cast<uint32_t>(rng.Below(64));
        break;
      case 6:
        address =
            native::kDescriptors + 0x4000 * (near % 4) + 4 * static_cast<uint32_t>(rng.Below(300));
        break;
      default:
        break;
    }
    address &= ~3U;
    const bool of_channel = address >= 0x1000 && address < 0x3000;
    const uint32_t offset = of_channel ? address % 0x100 : 0;
    if (of_channel ? offset == native::kStatus || offset >= 0xc0 : unknown.contains(address)) {
      continue;
    }
    uint32_t is = 0, wanted = 0;
    bool good = false, allowed = false;
    // No task, no order, no lock that lasts.
    const bool acts = of_channel ? offset == native::kTask || offset == native::kControl
                                 : address == native::kGlobalControl;
    if (rng.Chance(0.5) && !acts) {
      const uint32_t value = static_cast<uint32_t>(rng()) & 0x7fff'ffff;
      // Registers take whole words, locks their lowest byte; bytes of others are those of memory.
      const bool lock = address >= native::kLocks && address < native::kWindows;
      const bool bytes = address >= native::kWindows || (of_channel && offset >= 0x80);
      const uint8_t strobe = bytes || rng.Chance(0.7) ? 15 : static_cast<uint8_t>(rng.Below(16));
      good = bench.Write(address, value, strobe);
      if (strobe == 15 || (lock && strobe % 2 == 1)) {
        allowed = model.Write(address, value);
      } else {
        allowed = !lock && strobe == 0 && model.Writable(address) != 0;
      }
      ++writes;
    } else {
      good = bench.Read(address, &is);
      allowed = model.Read(address, &wanted);
      // A saturated lock is seen when the round of looks comes to its channel.
      const bool slow = of_channel ? offset == native::kError || offset == native::kIrqStatus
                                   : address == native::kIrqChannels;
      for (int c = 0; slow && is != wanted && c < config.channels(); ++c) bench.Read(address, &is);
    }
    ASSERT_EQ(good, allowed) << n << fmt::format(": {:#x}: {}", address, model.refusal());
    refused += good ? 0 : 1;
    if (!good) continue;
    ASSERT_EQ(is, wanted) << n << fmt::format(": {:#x}", address);
  }
  EXPECT_GT(refused, 1000U);
  EXPECT_GT(writes, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Builds, Fuzz, EveryDmaForPrograms(), DmaName);

}  // namespace
}  // namespace tessera
