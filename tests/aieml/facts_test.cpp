// The tables and the decoder of lib/aieml against the documents as facts.h has them.
#include "tests/aieml/facts.h"

#include <gtest/gtest.h>

#include <random>

#include "lib/aieml/descriptor.h"
#include "lib/aieml/registers.h"

namespace tessera::aieml {
namespace {

using facts::Tile;

TileKind KindOf(Tile tile) {
  return tile == Tile::kMemory ? TileKind::kMemory
         : tile == Tile::kShim ? TileKind::kShim
                               : TileKind::kCompute;
}
int32_t Signed7(uint32_t value) { return static_cast<int32_t>(value << 25) >> 25; }

void Compare(Tile tile, const facts::Words& words, const std::string& what) {
  const TileDescriptor d = DecodeDescriptor(KindOf(tile), words);
  auto f = facts::Read(tile, words);
  const auto expect = [&](const char* name, uint64_t value, uint64_t expected) {
    EXPECT_EQ(value, expected) << name << " of " << what;
  };
  const uint64_t shim = uint64_t{f["Base_Address_High"]} << 32 | uint64_t{f["Base_Address_Low"]}
                                                                     << 2;
  expect("base", d.base, tile == Tile::kShim ? shim : uint64_t{f["Base_Address"]} * 4);
  expect("length", d.length, f["Buffer_Length"]);
  for (size_t k = 0; k < 4; ++k) {
    const std::string name = "D" + std::to_string(k);
    expect("step", d.step[k], f[name + "_Step"] + 1);
    if (k == 3) continue;
    expect("wrap", d.wrap[k], f[name + "_Wrap"]);
    expect("before", d.before[k], f[name + "_Zero_Before"]);
    expect("after", d.after[k], f[name + "_Zero_After"]);
  }
  expect("iteration step", d.iteration_step, f["Iteration_Step"] + 1);
  expect("iteration size", d.iteration_size, f["Iteration_Wrap"] + 1);
  expect("iteration current", d.iteration_current, f["Iteration_Current"]);
  expect("packet", d.packet, f["Enable_Packet"]);
  expect("packet id", d.packet_id, f["Packet_ID"]);
  expect("packet type", d.packet_type, f["Packet_Type"]);
  expect("out of order", d.out_of_order, f["Out_Of_Order_BD_ID"]);
  expect("suppress", d.suppress_last, f["TLAST_Suppress"]);
  expect("compression", d.compression, f["Enable_Compression"]);
  expect("valid", d.valid, f["Valid_BD"]);
  expect("use next", d.use_next, f["Use_Next_BD"]);
  expect("next", d.next, f["Next_BD"]);
  expect("acquire", d.acquire, f["Lock_Acq_Enable"]);
  expect("acquire lock", d.acquire_lock, f["Lock_Acq_ID"]);
  expect("release lock", d.release_lock, f["Lock_Rel_ID"]);
  EXPECT_EQ(d.acquire_value, Signed7(f["Lock_Acq_Value"])) << what;
  EXPECT_EQ(d.release_value, Signed7(f["Lock_Rel_Value"])) << what;
}

TEST(Facts, WordVectors) {
  for (const facts::Vector& vector : facts::Vectors()) Compare(vector.tile, vector.words, "vector");
}

TEST(Facts, EveryFieldAtItsEnds) {
  for (const Tile tile : facts::kTiles) {
    for (const facts::Bits& field : facts::FieldsOf(tile)) {
      for (const uint32_t value : {0u, 1u, field.ones()}) {
        facts::Words words{};
        facts::Put(tile, field.name, value, &words);
        Compare(tile, words, std::string(field.name));
        for (uint32_t& word : words) word = ~word;
        Compare(tile, words, "other than " + std::string(field.name));
      }
    }
  }
}

TEST(Facts, AnyWords) {
  std::mt19937 random(3);
  for (int n = 0; n < 5000; ++n) {
    facts::Words words{};
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    Compare(facts::kTiles[static_cast<size_t>(n) % 3], words, "case " + std::to_string(n));
  }
}

// The table that the manual is made of has the fields of the documents, and no others.
TEST(Facts, FieldsOfTheTable) {
  for (const Tile tile : facts::kTiles) {
    size_t seen = 0;
    for (const facts::Bits& field : facts::FieldsOf(tile)) {
      const uint32_t at = facts::PlacesOf(tile).back().kind == facts::Kind::kDescriptor
                              ? facts::PlacesOf(tile).back().first
                              : facts::PlacesOf(tile).front().first;
      const auto found = Find(KindOf(tile), at + 4 * static_cast<uint32_t>(field.word));
      ASSERT_TRUE(found) << field.name;
      for (const Field& entry : found->entry->fields) {
        if (entry.name != field.name) continue;
        EXPECT_EQ(entry.high, field.high) << field.name;
        EXPECT_EQ(entry.low, field.low) << field.name;
        ++seen;
      }
    }
    EXPECT_EQ(seen, facts::FieldsOf(tile).size()) << NameOf(KindOf(tile));
    size_t listed = 0;
    for (const Register& entry : RegistersOf(KindOf(tile))) {
      if (entry.name.starts_with("DMA_BD")) listed += entry.fields.size();
    }
    EXPECT_EQ(listed, facts::FieldsOf(tile).size()) << NameOf(KindOf(tile));
  }
}

// Every register of the documents is in the table, and names fields within the bits that mean
// something.
TEST(Facts, PlacesOfTheTable) {
  for (const Tile tile : facts::kTiles) {
    for (const facts::Place& place : facts::PlacesOf(tile)) {
      for (uint32_t n = 0; n < place.count; ++n) {
        const uint32_t at = place.first + n * place.pitch;
        const auto found = Find(KindOf(tile), at);
        ASSERT_TRUE(found) << std::hex << at;
        for (const Field& field : found->entry->fields) {
          if (place.kind == facts::Kind::kDescriptor) continue;
          EXPECT_EQ(field.In(~0u) & ~place.bits, 0u) << found->name() << " " << field.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::aieml
