// Random accesses, legal and not, of two masters with every pacer, while the surroundings do what
// they like. TESSERA_NATIVE_ACCESSES=N makes N of them instead of 50,000; TESSERA_NATIVE_SEED=N
// begins with another seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "tb/check/plan.h"
#include "tests/native/native_unit.h"

namespace tessera {
namespace {

uint64_t Setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

class Accesses {
 public:
  explicit Accesses(const NativeModel& model, const Rng& rng) : rng_(rng) {
    for (const auto& [address, place] : model.places()) known_.push_back(address);
  }

  NativeAccess Draw() {
    NativeAccess access;
    access.write = rng_.Below(100) < 50;
    access.data = static_cast<uint32_t>(rng_());
    const uint64_t kind = rng_.Below(100);
    if (kind < 40) access.data &= static_cast<uint32_t>(rng_());
    if (kind > 90) access.data = static_cast<uint32_t>(rng_.Below(4));
    access.strobe = rng_.Below(100) < 60 ? 15 : static_cast<uint32_t>(rng_.Below(16));
    access.address = Address() + static_cast<uint32_t>(rng_.Below(10) == 0 ? rng_.Below(4) : 0);
    // Locked registers stay so: locks are rare, that there is something to write until the next
    // reset.
    if (access.write && rng_.Below(100) < 97) access.data &= 0x7fffffff;
    return access;
  }

 private:
  uint32_t Address() {
    const auto below = [this](uint64_t n) { return static_cast<uint32_t>(rng_.Below(n)); };
    switch (rng_.Below(10)) {
      case 0:
        return below(1 << 16) * 4;
      case 1:
        return 0x3000 + 4 * below(0x110);
      case 2:
        return 0x8000 + 4 * below(0x600);
      case 3:
        return 0x10000 + 0x200 * below(32) + 4 * below(40);
      case 4:
        return 0x20000 + 4 * below(0x3200);
      case 5:
        return 0x1000 + 0x1000 * below(2) + 4 * below(0x180);
      default:
        return known_[below(known_.size())];
    }
  }

  Rng rng_;
  std::vector<uint32_t> known_;
};

TEST(NativeRandom, EveryAccessIsAnsweredAsTheModelSays) {
  Proves({"register.access"});
  const uint64_t accesses = Setting("TESSERA_NATIVE_ACCESSES", 50000);
  const uint64_t first = Setting("TESSERA_NATIVE_SEED", 1);
  uint64_t done = 0, refused = 0, runs = 0;
  while (done < accesses) {
    const uint64_t seed = first + runs++;
    Rng rng = Rng(seed).Stream("options");
    NativeOptions options;
    const auto pace = [&rng] {
      return static_cast<uint32_t>(rng.Below(3) == 0 ? 100 : 5 + rng.Below(90));
    };
    options.aw = pace();
    options.w = pace();
    options.ar = pace();
    options.b = pace();
    options.r = pace();
    options.answers = pace();
    options.second = rng.Below(2) == 0 ? 0 : pace();
    options.restless = true;
    NativeUnit unit(seed, options);
    Accesses draw(unit.expected(), rng.Stream("axil")),
        second(unit.expected(), rng.Stream("second"));
    // The high half of the cycles counts soon.
    if (seed % 2 == 0) unit.Jump((uint64_t{2} << 32) - 64 * rng.Below(100));
    unit.second_access = [&second] { return second.Draw(); };
    for (int i = 0; i < 2500; ++i) unit.Queue(draw.Draw());
    unit.Finish(400000);
    ASSERT_EQ(unit.failure(), "") << fmt::format(
        "TESSERA_NATIVE_SEED={} TESSERA_NATIVE_ACCESSES=1 native_tests "
        "--gtest_filter=NativeRandom.*",
        seed);
    done += unit.accesses();
    refused += unit.refused();
  }
  EXPECT_GT(refused, done / 20);
  EXPECT_GT(done - refused, done / 20);
  RecordProperty("accesses", fmt::format("{}", done));
}

}  // namespace
}  // namespace tessera
