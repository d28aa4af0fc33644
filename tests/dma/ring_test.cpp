// Rings of all channels with completion entries, behind any memory: every descriptor that is given
// is executed once, and its entry comes behind its data.
#include <algorithm>
#include <array>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint32_t kEach = 30;       // descriptors of a channel
constexpr uint32_t kPatience = 5;    // 2^5 times as long until a guard calls a memory silent
constexpr uint32_t kMost = 64;       // bytes of a descriptor
constexpr uint64_t kPlaces = 0x400;  // between the data of two descriptors
constexpr uint64_t kLists = 0x20000, kEntries = 0x60000, kApart = 0x1000;

class Rings : public DmaTest {
 protected:
  struct Moved {
    uint64_t place;  // in memory
    std::vector<uint8_t> bytes;
  };
  struct Ring {
    Direction direction;
    int number;
    uint32_t places;
    uint64_t list, entries, data;
    uint32_t given = 0, done = 0;
    std::vector<Moved> moved{};  // by each descriptor
  };

  static DmaBenchOptions AnyMemory(uint64_t seed) {
    Rng rng = Rng(seed).Stream("memory");
    DmaBenchOptions options;
    options.seed = seed;
    options.memory = AxiMemoryOptions::Random(rng);
    options.memory.reorder = false;
    if (rng.Chance(0.5)) options.sink.pacer = PacerSpec::Random(rng);
    if (rng.Chance(0.5)) options.source.pacer = PacerSpec::Random(rng);
    return options;
  }
  Ring Open(int c, Rng& rng) {
    const bool reads = c < config().reads;
    const auto at = static_cast<uint64_t>(c);
    Ring ring{.direction = reads ? kRead : kWrite,
              .number = reads ? c : c - config().reads,
              .places = static_cast<uint32_t>(rng.Between(2, 12)),
              .list = kLists + kApart * at,
              .entries = kEntries + kApart * at,
              .data = 0x100000 + kPlaces * kEach * at};
    const uint32_t channel = native::Channel(ring.direction, ring.number);
    bench().memory().Fill(ring.entries, 16 * ring.places, 0);
    bench().Set(channel + native::kStanding, 1 | Attributes(at) << 4);
    bench().Set64(channel + native::kListBase, ring.list);
    bench().Set64(channel + native::kListDoneBase, ring.entries);
    bench().Set(channel + native::kListCount, ring.places);
    bench().Set(channel + native::kListControl, 1 | 2 | 2 << 4);  // a ring, entries, pitch 192
    bench().Set(channel + native::kTask, native::Task{.endless = true, .from_list = true}.Word());
    return ring;
  }
  // AxQOS, AxCACHE, AxPROT of a channel, as STANDING has them from bit 4 on.
  static uint32_t Attributes(uint64_t channel) {
    return static_cast<uint32_t>((channel * 37 + 9) & 0x7ff);
  }
  static uint32_t Attributes(const AxiAddress& address) {
    return uint32_t{address.qos} | uint32_t{address.cache} << 4 | uint32_t{address.prot} << 8;
  }
  // Fetches and entries carry those of their channel. Nothing is read but what has been given, and
  // none of that again.
  void WatchPort(const std::vector<Ring>& rings) {
    bench().Watch([this, &rings](uint64_t) {
      const AxiPort& port = bench().dma().list_port();
      const auto check = [](const AxiAddress& address, uint64_t from) {
        EXPECT_EQ(Attributes(address), Attributes((address.addr - from) / kApart)) << address.addr;
      };
      if (port.ar.valid) {
        check(port.ar.payload, kLists);
        const Ring& ring = rings.at((port.ar->addr - kLists) / kApart);
        const uint64_t place = (port.ar->addr - ring.list) / native::kListPitch;
        EXPECT_EQ(port.ar->addr, ring.list + native::kListPitch * place);
        EXPECT_LT((place + ring.places - ring.done % ring.places) % ring.places,
                  ring.given - ring.done);
        EXPECT_EQ(port.ar->len + 1, 64 / config().list_bytes());
      }
      if (port.aw.valid) check(port.aw.payload, kEntries);
    });
  }
  // So many descriptors more, and the doorbell.
  void Give(Ring* ring, uint64_t many, Rng& rng) {
    for (; many > 0; --many, ++ring->given) {
      const uint64_t place = ring->data + kPlaces * ring->given + rng.Below(16);
      std::vector<uint8_t> bytes(rng.Between(1, kMost));
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng());
      native::Descriptor d = Copy(place, static_cast<uint32_t>(bytes.size()));
      d.no_record = true;
      native::Load(&bench().memory(),
                   ring->list + native::kListPitch * (ring->given % ring->places), std::array{d});
      if (ring->direction == kRead) {
        bench().memory().Load(place, bytes);
      } else {
        bench().source(ring->number).Push(bytes, PieceEnd::kLast);
      }
      ring->moved.push_back({place, std::move(bytes)});
    }
    Set(ring->direction, native::kListTail, ring->given % ring->places, ring->number);
  }
  // Entries that are there; what they speak of is in memory.
  void Take(Ring* ring) {
    for (; ring->done < ring->given; ++ring->done) {
      const uint64_t at = ring->entries + 16 * (ring->done % ring->places);
      const std::vector<uint8_t> entry = bench().memory().ReadBytes(at, 16);
      const uint8_t phase = ring->done / ring->places % 2 == 0 ? 0x80 : 0;
      if ((entry[15] & 0x80) != phase) return;
      const auto& [place, bytes] = ring->moved[ring->done];
      EXPECT_EQ(entry[4], bytes.size());
      EXPECT_EQ(entry[10], ring->done % ring->places);
      EXPECT_EQ(entry[12], 0);
      if (ring->direction == kRead) continue;
      EXPECT_EQ(bench().memory().ReadBytes(place, bytes.size()), bytes)
          << "descriptor " << ring->done;
    }
  }
};

TEST_P(Rings, OfAllChannelsBehindAnyMemory) {
  Proves({"list.ring", "list.entries", "list.attributes", "list.never-past"});
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Make(AnyMemory(seed));
    if (!config().lists) GTEST_SKIP() << "the build has no lists";
    if (config().guard) bench().Set(native::kGlobalControl, kPatience << 4);
    std::vector<Ring> rings;
    WatchPort(rings);
    Rng rng = Rng(seed).Stream("rings");
    for (int c = 0; c < config().channels(); ++c) rings.push_back(Open(c, rng));
    const auto ended = [](const Ring& ring) { return ring.done == kEach; };
    while (!std::all_of(rings.begin(), rings.end(), ended)) {
      ASSERT_LT(bench().cycle(), 400000u) << bench().Dump();
      Ring& ring = rings[rng.Below(rings.size())];
      const uint64_t room =
          std::min(ring.places - 1 - (ring.given - ring.done), kEach - ring.given);
      if (room > 0) Give(&ring, rng.Between(1, room), rng);
      bench().Step(static_cast<int>(rng.Below(60)));
      for (Ring& each : rings) Take(&each);
      if (HasFailure()) return;
    }
    bench().Step(200);
    for (const Ring& ring : rings) {
      EXPECT_EQ(Get(ring.direction, native::kError, ring.number), 0u);
      EXPECT_EQ(Get(ring.direction, native::kListHead, ring.number), kEach % ring.places);
      if (ring.direction == kWrite) continue;
      std::vector<uint8_t> all;
      for (const Moved& one : ring.moved) all.insert(all.end(), one.bytes.begin(), one.bytes.end());
      EXPECT_EQ(bench().sink(ring.number).bytes(), all);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Rings, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
