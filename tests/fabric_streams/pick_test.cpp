// tsr_header_pick in several shapes at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "tests/fabric_streams/streams.h"
#include "units/Vpick_top.h"

namespace tessera {
namespace {

constexpr std::array<int, 3> kBytes = {4, 8, 64};
constexpr int kCells = static_cast<int>(kBytes.size());

class PickUnit : public StreamUnit<Vpick_top> {
 public:
  explicit PickUnit(uint64_t seed) : StreamUnit(seed), rng_(Rng(seed).Stream("ids")) {
    on_sample = [this] {
      if (!model().rst_ni) return;
      for (int cell = 0; cell < kCells; ++cell) {
        if (PinBit(model().id_ready_i, cell) && PinBit(model().id_valid_o, cell)) {
          ids[static_cast<size_t>(cell)].push_back(PinBytes(model().id_o)[cell]);
        }
        shorts[static_cast<size_t>(cell)] += PinBit(model().short_o, cell) ? 1 : 0;
        if (PinBit(model().m_tvalid, cell) && PinBit(model().m_tready, cell) &&
            PinBit(model().m_tlast, cell)) {
          uint32_t side = 0;
          std::memcpy(&side, PinBytes(model().m_side) + 4 * cell, sizeof(side));
          sides[static_cast<size_t>(cell)].push_back(side);
        }
      }
    };
    on_cycle = [this](uint64_t) {
      for (int cell = 0; cell < kCells; ++cell) {
        SetPinBit(model().id_ready_i, cell, rng_.Chance(id_rate));
      }
    };
    for (int cell = 0; cell < kCells; ++cell) {
      SetPinBit(model().enable_i, cell, true);
      SetPinBit(model().clear_i, cell, false);
      SetPinBit(model().id_ready_i, cell, false);
    }
  }
  void AddEnds(const StreamSourceOptions& source = {}, const StreamSinkOptions& sink = {}) {
    for (int cell = 0; cell < kCells; ++cell) {
      AddSource(cell, kBytes[static_cast<size_t>(cell)], source);
      AddSink(cell, kBytes[static_cast<size_t>(cell)], sink, Keep::kAny, Null::kWithLast);
    }
  }
  StreamSource& In(int cell) { return source(static_cast<size_t>(cell)); }
  StreamSink& Out(int cell) { return sink(static_cast<size_t>(cell)); }
  void Clear(bool on) {
    for (int cell = 0; cell < kCells; ++cell) SetPinBit(model().clear_i, cell, on);
  }
  void Enable(bool on) {
    for (int cell = 0; cell < kCells; ++cell) SetPinBit(model().enable_i, cell, on);
  }

  double id_rate = 1;  // how often an id is taken
  std::array<std::vector<int>, kCells> ids;
  std::array<int, kCells> shorts = {};              // packets without a whole header
  std::array<std::vector<uint32_t>, kCells> sides;  // of last beats

 private:
  Rng rng_;
};

// The descriptor stands in bits 10:5 of the header.
Packet WithId(int id, const Packet& payload) {
  return WithHeader(HeaderWord(static_cast<uint32_t>(~id & 31), static_cast<uint32_t>(id) << 5),
                    payload);
}

TEST(HeaderPick, IdsAndPayloadInOrderShortPacketsDropped) {
  constexpr int kSeeds = 20;
  ::testing::Test::RecordProperty("cases", kSeeds * kCells);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    PickUnit unit(seed);
    Rng rng = Rng(seed).Stream("pick");
    unit.id_rate = seed % 2 == 0 ? 0.01 : rng.Chance(0.5) ? 1.0 : 0.2;
    unit.AddEnds({PacerSpec::Random(rng), {}}, {PacerSpec::Random(rng)});
    std::array<std::vector<int>, kCells> ids;
    std::array<int, kCells> shorts = {};
    std::array<std::vector<uint32_t>, kCells> sides;
    std::array<std::vector<Packet>, kCells> packets;
    for (size_t cell = 0; cell < kCells; ++cell) {
      for (int i = 0; i < 40; ++i) {
        StreamSource& in = unit.In(static_cast<int>(cell));
        if (rng.Chance(0.2)) {
          in.Push(RandomBytes(rng, rng.Between(1, 3)), PieceEnd::kLast);
          ++shorts[cell];
          continue;
        }
        ids[cell].push_back(static_cast<int>(rng.Below(64)));
        packets[cell].push_back(RandomBytes(rng, rng.Below(3 * kBytes[cell] + 1)));
        const Packet whole = WithId(ids[cell].back(), packets[cell].back());
        sides[cell].emplace_back();
        std::memcpy(&sides[cell].back(), whole.data(), sizeof(uint32_t));
        in.Push(whole, PieceEnd::kLast);
      }
    }
    unit.Reset();
    unit.RunDry(5000);
    for (size_t cell = 0; cell < kCells; ++cell) {
      EXPECT_EQ(unit.ids[cell], ids[cell]) << "seed " << seed << " cell " << cell;
      EXPECT_EQ(unit.shorts[cell], shorts[cell]) << "seed " << seed << " cell " << cell;
      EXPECT_EQ(unit.sides[cell], sides[cell]) << "seed " << seed << " cell " << cell;
      EXPECT_EQ(Packets(unit.Out(static_cast<int>(cell))), packets[cell])
          << "seed " << seed << " cell " << cell;
    }
    unit.ExpectNoViolations();
  }
}

// A clear in the middle of a packet whose id nobody has taken: nothing more of it comes, and the
// next packet comes whole behind its own id.
TEST(HeaderPick, AClearDropsTheRestOfAPacketAndItsId) {
  Rng rng(2);
  for (int cycles = 3; cycles < 16; ++cycles) {
    PickUnit unit(2);
    unit.id_rate = 0;
    unit.AddEnds();
    const std::vector<Packet> next = {RandomBytes(rng, 70), RandomBytes(rng, 9)};
    for (int cell = 0; cell < kCells; ++cell) {
      const uint64_t beats = 30 * static_cast<uint64_t>(kBytes[static_cast<size_t>(cell)]);
      unit.In(cell).Push(WithId(5, RandomBytes(rng, beats)), PieceEnd::kLast);
      unit.In(cell).Push(WithId(6, next[0]), PieceEnd::kLast);
      unit.In(cell).Push(WithId(7, next[1]), PieceEnd::kLast);
    }
    unit.Reset();
    unit.Run(cycles);
    unit.Clear(true);
    unit.Run(2);
    std::array<size_t, kCells> before;
    for (int cell = 0; cell < kCells; ++cell) {
      EXPECT_FALSE(PinBit(unit.model().id_valid_o, cell)) << "cell " << cell;
      before[static_cast<size_t>(cell)] = unit.Out(cell).bytes().size();
    }
    unit.Clear(false);
    unit.id_rate = 1;
    unit.RunDry();
    for (int cell = 0; cell < kCells; ++cell) {
      const size_t at = before[static_cast<size_t>(cell)];
      EXPECT_EQ(unit.ids[static_cast<size_t>(cell)], (std::vector<int>{6, 7})) << "cell " << cell;
      const std::vector<uint8_t>& bytes = unit.Out(cell).bytes();
      ASSERT_EQ(bytes.size(), at + next[0].size() + next[1].size()) << "cell " << cell;
      EXPECT_TRUE(std::equal(next[0].begin(), next[0].end(), bytes.begin() + static_cast<long>(at)))
          << "cell " << cell << " after " << cycles << " cycles";
    }
  }
}

// Behind the end of `enable_i` the rest of the packet that has begun is dropped; what begins then
// passes as it is.
TEST(HeaderPick, TurnedOffInAPacketTheNextOnePasses) {
  Rng rng(3);
  for (int cycles = 3; cycles < 16; ++cycles) {
    PickUnit unit(3);
    unit.AddEnds();
    const Packet next = RandomBytes(rng, 70);
    for (int cell = 0; cell < kCells; ++cell) {
      const uint64_t beats = 30 * static_cast<uint64_t>(kBytes[static_cast<size_t>(cell)]);
      unit.In(cell).Push(WithId(5, RandomBytes(rng, beats)), PieceEnd::kLast);
      unit.In(cell).Push(next, PieceEnd::kLast);
    }
    unit.Reset();
    unit.Run(cycles);
    unit.Enable(false);
    unit.Run(1);
    std::array<size_t, kCells> before;
    for (int cell = 0; cell < kCells; ++cell) {
      before[static_cast<size_t>(cell)] = unit.Out(cell).bytes().size();
    }
    unit.RunDry();
    for (int cell = 0; cell < kCells; ++cell) {
      const size_t at = before[static_cast<size_t>(cell)];
      const std::vector<uint8_t>& bytes = unit.Out(cell).bytes();
      ASSERT_EQ(bytes.size(), at + next.size()) << "cell " << cell << " after " << cycles;
      EXPECT_TRUE(std::equal(next.begin(), next.end(), bytes.begin() + static_cast<long>(at)))
          << "cell " << cell << " after " << cycles;
    }
  }
}

}  // namespace
}  // namespace tessera
