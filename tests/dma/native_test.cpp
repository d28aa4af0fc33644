// What the harness knows of the manual by heart: descriptors beside those of the driver, and shapes
// that no default build has.
#include "tb/dma/native.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string_view>

#include "tb/check/plan.h"
#include "tb/device/gen/register_table.h"
#include "tb/dma/random_program.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Descriptors : public DmaTest {};

// Word by word; the driver knows nothing of native::Encode, nor that of the driver.
TEST_P(Descriptors, OfTheDriverAreThoseOfTheManual) {
  Proves({"program.descriptor-fields"});
  Make();
  Rng rng(7);
  int bounds = 0, walks = 0;
  for (int n = 0; n < 4000; ++n) {
    const Direction way = rng.Chance(0.5) ? kRead : kWrite;
    const int lock = config().locks == 0 || rng.Chance(0.3)
                         ? -1
                         : static_cast<int>(rng.Below(static_cast<uint64_t>(config().locks)));
    native::Descriptor d = DrawDescriptor(rng, config(), way, 0, lock);
    if (d.iteration_size == 0) d.iteration_step = 0;
    if (lock >= 0 && rng.Chance(0.5))
      d.acquire = native::LockOp{lock, 63 - static_cast<int>(rng.Below(127))};
    if (lock >= 0 && rng.Chance(0.5)) d.release = {lock, 63 - static_cast<int>(rng.Below(127))};
    if (d.release.value == 0) d.release.id = 0;
    if (rng.Chance(0.5)) {
      d.next = static_cast<int>(rng.Below(static_cast<uint64_t>(config().descriptors)));
    }
    if (config().headers() && way == kRead && rng.Chance(0.5)) {
      d.header = rtl::HeaderRequest{.enable = true,
                                    .kind = static_cast<uint8_t>(rng.Below(8)),
                                    .bd = static_cast<uint8_t>(rng.Below(64)),
                                    .id = static_cast<uint8_t>(rng.Below(32))};
    }
    SCOPED_TRACE(fmt::format("{}: {}", n, model::ToString(d.transfer)));
    const driver::Descriptor built = Built(d, software().device().build());
    if ((built.word(15) >> 14 & 1) == 0) d.transfer.fill = 0;  // without bounds nothing is filled
    const native::Image image = native::Encode(d);
    const auto same = [&](uint32_t w, uint32_t driver, uint32_t manual) {
      if (driver != manual) ADD_FAILURE() << "word " << w << ": " << driver << ", " << manual;
    };
    for (uint32_t w = 0; w < 16; ++w) {
      same(w, built.word(w), image.base[w]);
      if (image.bounds && w != 11) same(w, built.bounds_word(w), (*image.bounds)[w]);
      if (image.walk && w < 9) same(w, built.walk_word(w), (*image.walk)[w]);
    }
    if (HasFailure()) return;
    bounds += image.bounds.has_value();
    walks += image.walk.has_value();
  }
  EXPECT_EQ(bounds > 100, config().channel.bounds);
  EXPECT_EQ(walks > 100, config().channel.walk);
}

INSTANTIATE_TEST_SUITE_P(Builds, Descriptors, EveryDma(), DmaName);

// The header for drivers says the same as the manual.
TEST(Native, HeaderForDrivers) {
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
  for (const RegisterRow& row : kRegisterRows) {
    if (std::string_view(row.name) != "COALESCE") continue;
    EXPECT_EQ(row.offset, regs::channel::Coalesce::kOffset);
    EXPECT_EQ(row.writable, regs::channel::Coalesce::kWritable);
  }
}

// Tokens name write channels from 0 on and read channels behind them: from 6, or from 16 where
// there are more than 6 that write.
TEST(Native, ActorsOfTokens) {
  DmaConfig config;
  config.reads = 2;
  config.writes = 6;
  EXPECT_EQ(native::Actor(config, Direction::kWrite, 5), 5);
  EXPECT_EQ(native::Actor(config, Direction::kRead, 1), 7);
  config.writes = 7;
  EXPECT_EQ(native::Actor(config, Direction::kWrite, 6), 6);
  EXPECT_EQ(native::Actor(config, Direction::kRead, 0), 16);
  config.reads = config.writes = 16;
  EXPECT_EQ(native::Actor(config, Direction::kRead, 15), 31);
}

}  // namespace
}  // namespace tessera
