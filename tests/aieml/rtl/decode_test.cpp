// The decoders of tessera_aieml alone: descriptors field by field and offset by offset, against the
// documents as tests/aieml/facts.h has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "lib/aieml/dma_model.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/aieml/facts.h"
#include "units/Vdecode_top.h"

namespace tessera {
namespace {

using facts::Tile;
using facts::Words;
using Fields = std::map<std::string, uint32_t>;

constexpr uint32_t kErrorLength = 6;           // descriptor_error_e
constexpr uint32_t kEndless = (1u << 30) - 1;  // more words than any length
constexpr int kImages = 3;

// How a channel stands: flags of aieml_mode_t and the descriptor that is asked for.
struct Asked {
  uint32_t mode = 0;
  uint32_t descriptor = 0;
  bool available = true;
};
bool Has(const Asked& asked, uint32_t flag) { return (asked.mode & flag) != 0; }

int32_t Signed7(uint32_t value) {
  return value >= 64 ? static_cast<int32_t>(value) - 128 : static_cast<int32_t>(value);
}

// What the decoder makes of a descriptor: words of a native one (docs/programming.md), and what
// goes beside it.
struct Decoded {
  std::array<uint32_t, 4> sequence{};  // words 12 to 15, for the sequencer
  std::array<uint32_t, 28> rows{};     // words 0 to 15 for the preparation, then 12 of its bounds
  bool padded = false, chained = false, equal = false;
  uint32_t header = 0, words = 0, stage = 0, side = 0, error = 0;
  bool operator==(const Decoded&) const = default;
};

// `bare`: the unit with PadIncoming and without stages.
Decoded Expected(Tile tile, Fields f, const Asked& asked, bool bare) {
  const bool receives = Has(asked, rtl::AiemlMode::kReceives);
  Decoded d;
  d.chained = f["Use_Next_BD"] != 0 && !Has(asked, rtl::AiemlMode::kByHeader);
  d.equal = f["Lock_Acq_Enable"] != 0 && Signed7(f["Lock_Acq_Value"]) >= 0;
  d.words = f["Buffer_Length"] & kEndless;
  uint64_t base = uint64_t{f["Base_Address"]} * 4;
  if (tile == Tile::kShim) {
    base = uint64_t{f["Base_Address_High"]} << 32 | uint64_t{f["Base_Address_Low"]} << 2;
  }
  base += (uint64_t{f["Iteration_Step"]} + 1) * 4 * f["Iteration_Current"];
  d.rows[0] = static_cast<uint32_t>(base);
  d.rows[1] = static_cast<uint32_t>(base >> 32);

  // Dimensions: stride, count, and where they have zeros start and bound.
  uint32_t padded = 0;
  std::array<uint32_t, 4> count{}, start{}, bound{};
  for (uint32_t k = 0; k < 4; ++k) {
    const std::string name = "D" + std::to_string(k);
    const uint32_t wrap = f[name + "_Wrap"];
    d.rows[6 + k] = (f[name + "_Step"] + 1) * 4;
    count[k] = wrap == 0 ? kEndless : wrap;
    bound[k] = kEndless;
    const uint32_t before = f[name + "_Zero_Before"], after = f[name + "_Zero_After"];
    if ((before == 0 && after == 0) || (receives && !bare)) continue;
    padded |= 1u << k;
    start[k] = 0u - before;
    if (wrap != 0) bound[k] = wrap;
    if (wrap != 0) count[k] = before + wrap + after;
  }
  d.padded = padded != 0;
  // Without wraps and zeros there is a row alone.
  const bool linear = f["D0_Wrap"] == 0 && !d.padded;
  if (linear) count = {f["Buffer_Length"], 1, 1, 1};
  for (size_t k = 0; k < 4; ++k) {
    d.rows[2 + k] = count[k];
    d.rows[16 + k] = start[k];
    d.rows[20 + k] = bound[k];
  }
  d.rows[26] = padded;
  d.rows[10] = f["Buffer_Length"];

  const bool finish = receives && Has(asked, rtl::AiemlMode::kFinish);
  // Wide streams: no words leave an open beat open.
  const bool never = f["TLAST_Suppress"] != 0 || (bare && f["Buffer_Length"] == 0);
  const uint32_t control = 2u | (linear ? 0 : 8u) | (never ? 0 : 1u << 4) |
                           (bare && never ? 1u << 9 : 0) | (finish ? 1u << 10 : 0) |
                           (d.padded ? 1u << 14 : 0) | 1u << 31;
  const bool counts = receives && Has(asked, rtl::AiemlMode::kCounts);
  // Whose lock it is: 0 the tile's own, 1 the one to the west, 2 to the east. Others are refused.
  const auto lock = [tile](uint32_t id) {
    constexpr std::array<uint32_t, 4> sides = {1, 0, 2, 2};
    return (tile == Tile::kMemory ? sides[id / 64] << 6 : 0) | (id & 63);
  };
  d.sequence = {f["Lock_Rel_Value"] << 24 | lock(f["Lock_Rel_ID"]) << 16 |
                    f["Lock_Acq_Enable"] << 15 | f["Lock_Acq_Value"] << 8 | lock(f["Lock_Acq_ID"]),
                (d.chained ? 1u << 8 : 0) | f["Next_BD"], 0, control | (counts ? 0 : 1u << 13)};

  const bool compressed = f["Enable_Compression"] != 0 && Has(asked, rtl::AiemlMode::kCompresses);
  const bool headed = f["Enable_Packet"] != 0 && !receives;
  d.stage = (compressed ? 2u : 0) | (finish ? 1u : 0);
  // compressed, SMID, AxCACHE, AxQoS, secure
  d.side = (compressed ? 1u << 13 : 0) | f["SMID"] << 9 | f["AxCACHE"] << 5 | f["AxQoS"] << 1 |
           f["Secure_Access"];
  if (headed) {
    d.header = aieml::PacketHeader(f["Packet_ID"], f["Packet_Type"], f["Out_Of_Order_BD_ID"], 3, 1);
  }

  const bool upper = asked.descriptor >= 24;  // for odd channels
  const bool sides[] = {Has(asked, rtl::AiemlMode::kWest), true, Has(asked, rtl::AiemlMode::kEast),
                        false};
  const auto local = [&sides](uint32_t id) { return sides[id / 64]; };
  const bool reach =
      tile != Tile::kMemory || ((f["Lock_Acq_Enable"] == 0 || local(f["Lock_Acq_ID"])) &&
                                (f["Lock_Rel_Value"] == 0 || local(f["Lock_Rel_ID"])));
  auto error = static_cast<uint32_t>(rtl::LoadError::kNone);
  if (f["Buffer_Length"] > kEndless) error = kErrorLength;
  if (!reach) error = static_cast<uint32_t>(rtl::LoadError::kLock);
  if (bare && (headed || compressed)) error = static_cast<uint32_t>(rtl::LoadError::kExtension);
  if (f["Valid_BD"] == 0) error = static_cast<uint32_t>(rtl::LoadError::kInvalid);
  if (!asked.available || (tile == Tile::kMemory && upper != Has(asked, rtl::AiemlMode::kOdd))) {
    error = static_cast<uint32_t>(rtl::LoadError::kUnavailable);
  }
  d.error = error;
  d.rows[15] = error == 0 ? control : error;
  return d;
}

// Words once the iteration has gone on by one.
Words Advanced(Tile tile, const Words& words, Fields f) {
  Words next = words;
  const uint32_t current = f["Iteration_Current"], size = f["Iteration_Wrap"] + 1;
  facts::Put(tile, "Iteration_Current", current + 1 >= size ? 0 : current + 1, &next);
  return next;
}

class Decode : public ::testing::Test {
 protected:
  // Puts the words and compares what both units of the image make of them.
  void Check(Tile tile, const Words& words, const Asked& asked, const std::string& what) {
    for (int w = 0; w < 8; ++w) pins_.words_i()[w] = words[static_cast<size_t>(w)];
    pins_.descriptor_i() = asked.descriptor;
    pins_.available_i() = asked.available;
    pins_.mode_i() = asked.mode;
    unit_.Evaluate();
    const Fields f = facts::Read(tile, words);
    for (const bool bare : {false, true}) {
      const int n = static_cast<int>(tile) + (bare ? kImages : 0);
      Decoded made;
      for (int w = 0; w < 4; ++w)
        made.sequence[static_cast<size_t>(w)] = pins_.sequence_o()[4 * n + w];
      for (int w = 0; w < 28; ++w) made.rows[static_cast<size_t>(w)] = pins_.rows_o()[28 * n + w];
      made.padded = pins_.padded_o()[n];
      made.chained = pins_.chained_o()[n];
      made.equal = pins_.equal_o()[n];
      made.header = pins_.header_o()[n];
      made.words = pins_.words_o()[n];
      made.stage = pins_.stage_o()[n];
      made.side = pins_.side_o()[n];
      made.error = pins_.error_o()[n];
      const Decoded expected = Expected(tile, f, asked, bare);
      EXPECT_EQ(made.sequence, expected.sequence) << Where(n, what, asked);
      EXPECT_EQ(made.rows, expected.rows) << Where(n, what, asked);
      EXPECT_EQ(made.header, expected.header) << Where(n, what, asked);
      EXPECT_EQ(made.error, expected.error) << Where(n, what, asked);
      EXPECT_TRUE(made == expected) << Where(n, what, asked);
      EXPECT_EQ(bool{pins_.has_iteration_o()[n]}, f.at("Iteration_Wrap") != 0) << what;
      const size_t iteration = tile == Tile::kCompute ? 4 : 6;
      EXPECT_EQ(uint32_t{pins_.next_word_o()[n]}, Advanced(tile, words, f)[iteration])
          << Where(n, what, asked);
    }
    ++checked_;
  }
  std::string Where(int n, const std::string& what, const Asked& asked) const {
    return "image " + std::to_string(n) + " " + what + " mode " + std::to_string(asked.mode) +
           " descriptor " + std::to_string(asked.descriptor);
  }
  // In each direction, with every mode.
  void CheckAll(Tile tile, const Words& words, const std::string& what) {
    for (uint32_t mode = 0; mode < 256; ++mode) {
      Check(tile, words, {mode, mode % 4 < 2 ? 3u : 30u}, what);
    }
  }

  VerilatedUnit<Vdecode_top> unit_{1};
  Vdecode_top_Pins pins_{unit_.model()};
  uint64_t checked_ = 0;
};

TEST_F(Decode, WordVectorsOfTheDocuments) {
  for (const facts::Vector& vector : facts::Vectors()) {
    Fields read = facts::Read(vector.tile, vector.words);
    for (const auto& [name, value] : vector.fields) {
      ASSERT_EQ(read.count(name), 1u) << name;
      EXPECT_EQ(read[name], value) << name;
      read[name] = 0;
    }
    for (const auto& [name, value] : read) EXPECT_EQ(value, 0u) << name;
    CheckAll(vector.tile, vector.words, "vector");
  }
}

// Every field at 0, 1 and all ones, while the others are 0, and while they are all ones.
TEST_F(Decode, EveryFieldAtItsEnds) {
  for (const Tile tile : facts::kTiles) {
    Words zero{}, ones{};
    for (const facts::Bits& field : facts::FieldsOf(tile)) {
      facts::Put(tile, field.name, ~0u, &ones);
    }
    for (const facts::Bits& field : facts::FieldsOf(tile)) {
      for (const Words& others : {zero, ones}) {
        for (const uint32_t value : {0u, 1u, field.ones()}) {
          Words words = others;
          facts::Put(tile, field.name, value, &words);
          CheckAll(tile, words, std::string(field.name) + " " + std::to_string(value));
          facts::Put(tile, "Valid_BD", field.name == "Valid_BD" ? value : 1, &words);
          CheckAll(tile, words, std::string(field.name) + " valid " + std::to_string(value));
        }
      }
    }
  }
  EXPECT_GT(checked_, 60000u);
}

TEST_F(Decode, ReservedBitsMeanNothing) {
  Rng rng(5);
  for (const Tile tile : facts::kTiles) {
    for (int w = 0; w < facts::WordsOf(tile); ++w) {
      const uint32_t reserved = facts::ReservedOf(tile, w);
      for (int bit = 0; bit < 32; ++bit) {
        if ((reserved >> bit & 1) == 0) continue;
        Words words{};
        for (uint32_t& word : words) word = static_cast<uint32_t>(rng());
        for (int n = 0; n < 2; ++n) {
          words[static_cast<size_t>(w)] ^= 1u << bit;
          CheckAll(tile, words, "reserved bit " + std::to_string(bit) + " of " + std::to_string(w));
        }
      }
    }
  }
}

TEST_F(Decode, AnyWords) {
  Rng rng(6);
  for (int n = 0; n < 20000; ++n) {
    const Tile tile = facts::kTiles[static_cast<size_t>(n) % 3];
    Words words{};
    for (uint32_t& word : words) {
      word = static_cast<uint32_t>(rng());
      if (rng.Chance(0.3)) word &= static_cast<uint32_t>(rng());
    }
    if (rng.Chance(0.7)) facts::Put(tile, "Valid_BD", 1, &words);
    if (rng.Chance(0.5)) {
      facts::Put(tile, "Lock_Acq_ID", 64 + static_cast<uint32_t>(rng.Below(64)), &words);
      facts::Put(tile, "Lock_Rel_ID", 64 + static_cast<uint32_t>(rng.Below(64)), &words);
    }
    const Asked asked{static_cast<uint32_t>(rng.Below(256)), static_cast<uint32_t>(rng.Below(64)),
                      rng.Chance(0.9)};
    Check(tile, words, asked, "case " + std::to_string(n));
  }
}

uint32_t RegionOf(facts::Kind kind) {
  using facts::Kind;
  using R = rtl::AiemlRegion;
  switch (kind) {
    case Kind::kDescriptor:
      return R::kDescriptor;
    case Kind::kControl:
      return R::kControl;
    case Kind::kQueue:
      return R::kStart;
    case Kind::kStatus:
      return R::kStatus;
    case Kind::kCount:
      return R::kCount;
    case Kind::kFifo:
      return R::kFifo;
    case Kind::kLock:
      return R::kLock;
    case Kind::kLockRequest:
      return R::kRequest;
    case Kind::kOverflow:
      return R::kOver;
    case Kind::kUnderflow:
      return R::kUnder;
    case Kind::kCounters:
      return R::kCounters;
    case Kind::kPorts:
      return R::kPorts;
    case Kind::kLockEvents:
      return R::kLockEvents;
    case Kind::kEventChannels:
      return R::kEventChannels;
    case Kind::kPackets:
      return R::kPackets;
  }
  return 0;
}

// All 262144 words of each tile: who answers, for which channel, and which bits are reserved.
TEST_F(Decode, EveryOffset) {
  constexpr uint32_t kPage = 0xf8000;
  struct Answer {
    uint32_t region = 0, channel = 0, reserved = 0;
  };
  for (const Tile tile : facts::kTiles) {
    const int image = static_cast<int>(tile);
    std::map<uint32_t, Answer> answers;
    for (const facts::Place& place : facts::PlacesOf(tile)) {
      const bool channels = place.kind == facts::Kind::kControl ||
                            place.kind == facts::Kind::kQueue ||
                            place.kind == facts::Kind::kStatus ||
                            place.kind == facts::Kind::kCount || place.kind == facts::Kind::kFifo;
      for (uint32_t n = 0; n < place.count; ++n) {
        const uint32_t at = place.first + place.pitch * n;
        Answer& answer = answers[at];
        answer.region = RegionOf(place.kind);
        if (channels) answer.channel = n + (place.receives ? facts::ChannelsOf(tile) : 0);
        answer.reserved = ~place.bits;
        if (place.kind == facts::Kind::kDescriptor) {
          answer.reserved = facts::ReservedOf(tile, static_cast<int>(at % 0x20 / 4));
        }
      }
    }
    for (uint32_t at = 0; at < 0x100000; at += 4) {
      pins_.word_i() = at / 4;
      unit_.Evaluate();
      const auto found = answers.find(at);
      Answer expected = found == answers.end() ? Answer{} : found->second;
      if (at >= kPage && at < kPage + 0x200) expected.region = rtl::AiemlRegion::kPage;
      ASSERT_EQ(uint32_t{pins_.region_o()[image]}, expected.region) << std::hex << at;
      ASSERT_EQ(uint32_t{pins_.channel_o()[image]}, expected.channel) << std::hex << at;
      ASSERT_EQ(uint32_t{pins_.reserved_o()[image]}, expected.reserved) << std::hex << at;
    }
  }
}

}  // namespace
}  // namespace tessera
