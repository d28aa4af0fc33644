// The decoders of tessera_aieml alone: descriptors field by field and offset by offset, against the
// documents as tests/aieml/facts.h has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/aieml/facts.h"
#include "units/Vdecode_top.h"

namespace tessera {
namespace {

using facts::Tile;
using facts::Words;
using Fields = std::map<std::string, uint32_t>;

constexpr uint32_t kEndless = (1u << 30) - 1;  // more words than any length
constexpr int kImages = 3;

// How a channel stands: flags of aieml_mode_t and the descriptor that is asked for.
struct Asked {
  uint32_t mode = 0;
  uint32_t descriptor = 0;
  bool final_turn = true, available = true;
};
bool Has(const Asked& asked, uint32_t flag) { return (asked.mode & flag) != 0; }

int32_t Signed7(uint32_t value) {
  return value >= 64 ? static_cast<int32_t>(value) - 128 : static_cast<int32_t>(value);
}

// What a descriptor with these fields means (`bare`: the unit with PadIncoming and without stages).
rtl::Descriptor Expected(Tile tile, Fields f, const Asked& asked, bool bare) {
  const bool receives = Has(asked, rtl::AiemlMode::kReceives);
  const bool chained = f["Use_Next_BD"] != 0 && !Has(asked, rtl::AiemlMode::kByHeader);
  rtl::Descriptor d;
  if (tile == Tile::kShim) {
    d.base = uint64_t{f["Base_Address_High"]} << 32 | uint64_t{f["Base_Address_Low"]} << 2;
  } else {
    d.base = uint64_t{f["Base_Address"]} * 4;
  }
  d.elem_log2 = 2;
  d.has_length = d.has_iteration = true;
  d.length = f["Buffer_Length"];
  d.turn = static_cast<uint16_t>(f["Iteration_Current"]);
  d.iteration_step = (uint64_t{f["Iteration_Step"]} + 1) * 4;
  // Wide streams: no words leave an open beat open.
  d.join_next = f["TLAST_Suppress"] != 0 || (bare && f["Buffer_Length"] == 0);
  d.last_rule = d.join_next ? rtl::LastRule::kNever : rtl::LastRule::kTransfer;
  d.task_end = asked.final_turn && !chained;
  d.finish =
      receives && Has(asked, rtl::AiemlMode::kFinish) ? rtl::Finish::kLast : rtl::Finish::kLength;
  for (auto& level : d.walk) level.count = 1;
  for (size_t k = 0; k < 4; ++k) {
    const std::string name = "D" + std::to_string(k);
    auto& dim = d.dim[k];
    const uint32_t wrap = f[name + "_Wrap"];
    dim.stride = (uint64_t{f[name + "_Step"]} + 1) * 4;
    dim.count = wrap == 0 ? kEndless : wrap;
    dim.unbounded = true;
    const uint32_t before = f[name + "_Zero_Before"], after = f[name + "_Zero_After"];
    if ((before == 0 && after == 0) || (receives && !bare)) continue;
    dim.unbounded = false;
    dim.start = 0u - before;
    dim.count = wrap == 0 ? kEndless : before + wrap + after;
    dim.bound = wrap == 0 ? kEndless : wrap;
  }
  return d;
}

rtl::Loaded Kept(Tile tile, Fields f, const Asked& asked, bool bare) {
  const bool receives = Has(asked, rtl::AiemlMode::kReceives);
  rtl::Loaded kept;
  kept.descriptor = static_cast<uint8_t>(asked.descriptor);
  kept.chained = f["Use_Next_BD"] != 0 && !Has(asked, rtl::AiemlMode::kByHeader);
  kept.task_end = asked.final_turn && !kept.chained;
  kept.next = static_cast<uint8_t>(f["Next_BD"]);
  kept.has_acquire = f["Lock_Acq_Enable"] != 0;
  kept.acquire.id = static_cast<uint8_t>(f["Lock_Acq_ID"] & 63);
  kept.acquire.value = static_cast<int8_t>(Signed7(f["Lock_Acq_Value"]));
  kept.drop.id = static_cast<uint8_t>(f["Lock_Rel_ID"] & 63);
  kept.drop.value = static_cast<int8_t>(Signed7(f["Lock_Rel_Value"]));
  kept.no_record = !receives || !Has(asked, rtl::AiemlMode::kCounts);
  const bool compressed = f["Enable_Compression"] != 0 && Has(asked, rtl::AiemlMode::kCompresses);
  // compressed, SMID, AxCACHE, AxQoS, secure
  const uint32_t side = (compressed ? 1u << 13 : 0) | f["SMID"] << 9 | f["AxCACHE"] << 5 |
                        f["AxQoS"] << 1 | f["Secure_Access"];
  kept.side.user = static_cast<uint16_t>(side >> 16);
  kept.side.id = static_cast<uint8_t>(side >> 8);
  kept.side.dest = static_cast<uint8_t>(side);
  kept.header.enable = f["Enable_Packet"] != 0 && !receives;
  kept.header.kind = static_cast<uint8_t>(f["Packet_Type"]);
  kept.header.bd = static_cast<uint8_t>(f["Out_Of_Order_BD_ID"]);
  kept.header.id = static_cast<uint8_t>(f["Packet_ID"]);

  const bool upper = asked.descriptor >= 24;  // for odd channels
  const auto local = [](uint32_t id) { return id >= 64 && id < 128; };
  const bool reach =
      tile != Tile::kMemory || ((f["Lock_Acq_Enable"] == 0 || local(f["Lock_Acq_ID"])) &&
                                (f["Lock_Rel_Value"] == 0 || local(f["Lock_Rel_ID"])));
  auto error = rtl::LoadError::kOk;
  if (!reach) error = rtl::LoadError::kLock;
  if (bare && (kept.header.enable || compressed)) error = rtl::LoadError::kExtension;
  if (f["Valid_BD"] == 0) error = rtl::LoadError::kInvalid;
  if (!asked.available || (tile == Tile::kMemory && upper != Has(asked, rtl::AiemlMode::kOdd))) {
    error = rtl::LoadError::kUnavailable;
  }
  kept.error = static_cast<uint8_t>(error);
  return kept;
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
    rtl::Decode decode;
    decode.request.descriptor = static_cast<uint8_t>(asked.descriptor);
    decode.request.final_turn = asked.final_turn;
    decode.available = asked.available;
    pins_.decode_i() = decode;
    pins_.mode_i() = asked.mode;
    unit_.Evaluate();
    const Fields f = facts::Read(tile, words);
    for (const bool bare : {false, true}) {
      const int n = static_cast<int>(tile) + (bare ? kImages : 0);
      const rtl::Descriptor made = pins_.descriptor_o()[n];
      const rtl::Loaded kept = pins_.loaded_o()[n];
      EXPECT_TRUE(made == Expected(tile, f, asked, bare)) << "descriptor " << Where(n, what, asked);
      EXPECT_TRUE(kept == Kept(tile, f, asked, bare)) << "loaded " << Where(n, what, asked);
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
    for (uint32_t mode = 0; mode < 64; ++mode) {
      Check(tile, words, {mode, mode % 4 < 2 ? 3u : 30u, mode % 5 != 0}, what);
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
    const Asked asked{static_cast<uint32_t>(rng.Below(64)), static_cast<uint32_t>(rng.Below(64)),
                      rng.Chance(0.5), rng.Chance(0.9)};
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
