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
  Accesses(const NativeModel& model, const Rng& rng, bool causes) : rng_(rng), causes_(causes) {
    for (const auto& [address, place] : model.places()) {
      known_.push_back(address);
      const uint32_t offset = place.row->offset;
      if (!place.of_channel || (offset != 0 && (offset < 0x18 || offset > 0x30))) continue;
      if (place.channel < 3) causes_known_.push_back(address);
    }
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
    // COALESCE: times that go by. CONTROL: orders that come and go.
    if ((access.address & 0xfc) == 0x30 && rng_.Below(4) != 0) access.data &= 0x1001f;
    if ((access.address & 0xfc) == 0 && rng_.Below(4) != 0) access.data &= 0x3;
    // Locked registers stay so: locks are rare, that there is something to write until the next
    // reset.
    if (access.write && rng_.Below(1000) < 995) access.data &= 0x7fffffff;
    return access;
  }

 private:
  uint32_t Address() {
    const auto below = [this](uint64_t n) { return static_cast<uint32_t>(rng_.Below(n)); };
    if (causes_ && below(2) == 0) return causes_known_[below(causes_known_.size())];
    switch (below(10)) {
      case 0:
        return below(1 << 16) * 4;
      case 1:
        return 0x3000 + 4 * below(0x110);
      case 2:
        return 0x8000 + 4 * below(0x2000);
      case 3:
        return 0x10000 + 0x200 * below(32) + 4 * below(0x80);
      case 4:
        return 0x20000 + 4 * below(0x3200);
      case 5:
        return 0x1000 + 0x1000 * below(2) + 4 * below(0x400);
      default:
        return known_[below(known_.size())];
    }
  }

  Rng rng_;
  bool causes_;  // errors, interrupts and orders of few channels above all
  std::vector<uint32_t> known_, causes_known_;
};

TEST(NativeRandom, EveryAccessIsAnsweredAsTheModelSays) {
  Proves({"register.access", "program.error-sticky", "program.coalesce", "program.task-queue"});
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
    for (PacerSpec* spec : {&options.master.aw, &options.master.w, &options.master.ar,
                            &options.master.b, &options.master.r}) {
      *spec = PacerSpec::Random(rng);
    }
    options.answers = pace();
    options.second = rng.Below(2) == 0 ? 0 : pace();
    options.build = static_cast<uint32_t>(seed % kBuilds.size());
    options.events = static_cast<uint32_t>(rng.Below(3) == 0 ? 40 : rng.Below(10));
    options.restless = true;
    NativeUnit unit(seed, options);
    const bool causes = rng.Below(2) == 0;
    Accesses draw(unit.expected(), rng.Stream("axil"), causes),
        second(unit.expected(), rng.Stream("second"), causes);
    unit.second_access = [&second] { return second.Draw(); };
    const auto queue = [&](int count) {
      for (int i = 0; i < count; ++i) unit.Queue(draw.Draw());
    };
    // A reset in the midst of it, then again.
    queue(1000);
    unit.Wait(rng.Below(4000));
    unit.Cycle(true);
    // The high half of the cycles counts soon.
    if (seed % 2 == 0) unit.Jump((uint64_t{2} << 32) - 64 * rng.Below(100));
    queue(2000);
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
