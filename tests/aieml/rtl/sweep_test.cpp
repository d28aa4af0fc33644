// Every register of tessera_aieml as the documents list it (tests/aieml/facts.h): what it keeps,
// what it refuses, and what is told of that; and every illegal value of descriptors and queues.
#include <algorithm>
#include <functional>
#include <set>

#include "tests/aieml/facts.h"
#include "tests/aieml/rtl/tile_fixture.h"

namespace tessera::aieml {
namespace {

using facts::Kind;
using facts::Place;

constexpr uint32_t kErrors = kPage + 0x08, kAddress = kPage + 0x0c;
constexpr uint32_t kAbsent = 1, kPartial = 2, kReserved = 4;
constexpr uint32_t kInvalid = 1u << 11, kUnavailable = 1u << 10, kMemoryError = 1u << 9,
                   kLockError = 1u << 8;

class Sweep : public TileTest {
 protected:
  facts::Tile tile() const { return facts::kTiles[static_cast<size_t>(build.image)]; }
  // The first, the last and one between of each place; of descriptors a whole one.
  std::vector<uint32_t> Samples(const Place& place) const {
    std::set<uint32_t> numbers = {0, place.count / 2, place.count - 1};
    for (uint32_t n = 0; n < 8 && n < place.count && place.kind == Kind::kDescriptor; ++n) {
      numbers.insert(n);
    }
    std::vector<uint32_t> offsets;
    for (const uint32_t n : numbers) offsets.push_back(place.first + n * place.pitch);
    return offsets;
  }
  uint32_t BitsOf(const Place& place, uint32_t offset) const {
    if (place.kind != Kind::kDescriptor) return place.bits;
    return ~facts::ReservedOf(tile(), static_cast<int>(offset % 0x20 / 4));
  }
  // What was refused since the last call, and where it was.
  void ExpectError(uint32_t error, uint32_t offset) {
    EXPECT_EQ(Get(kErrors), error) << std::hex << offset;
    EXPECT_EQ(Get(kAddress), offset);
    Set(kErrors, ~0u);
    EXPECT_EQ(Get(kErrors), 0u);
  }
  // The channel of a queue word, back to rest.
  void ResetOf(uint32_t queue) {
    const bool to_stream = queue >= at.mm2s && queue < at.mm2s + 8 * at.channels;
    Reset((queue - (to_stream ? at.mm2s : at.s2mm)) / 8, to_stream);
  }
  static bool Keeps(Kind kind) {
    return kind == Kind::kDescriptor || kind == Kind::kControl || kind == Kind::kLock ||
           kind == Kind::kCounters || kind == Kind::kPorts || kind == Kind::kLockEvents ||
           kind == Kind::kEventChannels;
  }
};

TEST_P(Sweep, BitsReadBack) {
  // From the last on: a counter is looked at before anything makes it count.
  const std::vector<Place>& places = facts::PlacesOf(tile());
  for (auto it = places.rbegin(); it != places.rend(); ++it) {
    const Place& place = *it;
    if (!Keeps(place.kind)) continue;
    for (const uint32_t offset : Samples(place)) {
      const uint32_t bits = BitsOf(place, offset), before = Get(offset);
      for (uint32_t bit = 0; bit < 32; ++bit) {
        if ((bits >> bit & 1) == 0) continue;
        Set(offset, 1u << bit);
        EXPECT_EQ(Get(offset), 1u << bit) << std::hex << offset;
      }
      Set(offset, bits);
      EXPECT_EQ(Get(offset), bits) << std::hex << offset;
      Set(offset, before);
      EXPECT_EQ(Get(offset), before) << std::hex << offset;
    }
  }
  EXPECT_EQ(Get(kErrors), 0u);
}

TEST_P(Sweep, ReservedBitsDoNothingAndAreTold) {
  size_t tried = 0;
  for (const Place& place : facts::PlacesOf(tile())) {
    for (const uint32_t offset : Samples(place)) {
      const uint32_t reserved = ~BitsOf(place, offset);
      for (uint32_t bit = 0; bit < 32; ++bit) {
        if ((reserved >> bit & 1) == 0) continue;
        ++tried;
        const uint32_t before = place.kind == Kind::kQueue ? 0 : Get(offset);
        Set(offset, 1u << bit);
        ExpectError(kReserved, offset);
        if (place.kind == Kind::kQueue) {  // descriptor 0 once, and it is not valid
          ResetOf(offset);
        } else if (place.kind == Kind::kDescriptor) {
          EXPECT_EQ(Get(offset), 1u << bit) << std::hex << offset;  // kept, and means nothing
          Set(offset, before);
        } else if (Keeps(place.kind)) {
          EXPECT_EQ(Get(offset), 0u) << std::hex << offset;
          Set(offset, before);
        } else {
          EXPECT_EQ(Get(offset), before) << std::hex << offset;
        }
      }
    }
  }
  EXPECT_GT(tried, 300u);
}

TEST_P(Sweep, AWriteOfPartOfAWordIsRefused) {
  for (const Place& place : facts::PlacesOf(tile())) {
    for (const uint32_t offset : Samples(place)) {
      const bool readable = place.kind != Kind::kQueue && place.kind != Kind::kLockRequest;
      const uint32_t before = readable ? Get(offset) : 0;
      for (uint8_t strobe = 0; strobe < 15; ++strobe) {
        EXPECT_FALSE(side->bench().Write(offset, ~before, strobe)) << std::hex << offset;
        ExpectError(kPartial, offset);
      }
      if (!readable) continue;
      EXPECT_EQ(Get(offset), before) << std::hex << offset;
    }
  }
  for (uint32_t k = 0; k < at.channels; ++k) {
    EXPECT_EQ(SendStatus(k), 0u);
    EXPECT_EQ(ReceiveStatus(k), 0u);
  }
}

// What may only be read swallows writes, what may only be written reads 0; both are told.
TEST_P(Sweep, ForbiddenDirections) {
  for (const Place& place : facts::PlacesOf(tile())) {
    for (const uint32_t offset : Samples(place)) {
      if (place.kind == Kind::kQueue) {
        EXPECT_EQ(Get(offset), 0u);
        ExpectError(kAbsent, offset);
      }
      if (place.kind == Kind::kCount || place.kind == Kind::kFifo ||
          place.kind == Kind::kLockRequest) {
        Set(offset, 0x7f);
        ExpectError(kAbsent, offset);
      }
    }
  }
  for (uint32_t n = 0; n < at.locks; ++n) EXPECT_EQ(Get(at.lock + 0x10 * n), 0u);
  for (uint32_t k = 0; k < at.channels; ++k) {
    EXPECT_EQ(SendStatus(k), 0u);
    EXPECT_EQ(ReceiveStatus(k), 0u);
    EXPECT_EQ(Get(at.count + 4 * k), 0u);
    EXPECT_EQ(Get(at.fifo + 4 * k), 0u);
  }
}

// So it is in the page.
TEST_P(Sweep, ReadOnlyWordsOfThePage) {
  const std::set<uint32_t> errors = {kErrors},
                           read_only = {0x00, 0x04, 0x0c, 0x80, 0x84, 0xc0, 0xc4};
  for (uint32_t word = 0; word < 0x100; word += 4) {
    const uint32_t offset = kPage + word;
    if (errors.count(offset) != 0) continue;
    if (word < 0x80 && read_only.count(word) == 0) {
      Set(offset, Get(offset));
      EXPECT_EQ(Get(kErrors), 0u) << std::hex << offset;
    } else if (read_only.count(word) != 0) {
      const uint32_t before = Get(offset);
      Set(offset, ~before);
      if (offset != kAddress) {
        EXPECT_EQ(Get(offset), before) << std::hex << offset;
      }
      ExpectError(kAbsent, offset);
    }
  }
}

// Status words change nothing by being written but their sticky bits.
TEST_P(Sweep, StatusIsReadOnly) {
  for (uint32_t k = 0; k < at.channels; ++k) {
    for (const uint32_t offset : {at.s2mm_status + 4 * k, at.mm2s_status + 4 * k}) {
      Set(offset, ~0u);
      EXPECT_EQ(Get(offset), 0u);
    }
  }
  EXPECT_EQ(Get(kErrors), 0u);
}

// Registers of the tile that are not of its DMA, and the words beside those that are.
TEST_P(Sweep, WhatIsNotThere) {
  std::set<uint32_t> there, absent;
  for (const Place& place : facts::PlacesOf(tile())) {
    for (uint32_t n = 0; n < place.count; ++n) there.insert(place.first + n * place.pitch);
  }
  const auto add = [&](uint32_t offset) {
    const bool page = offset >= kPage && offset < kPage + 0x200;
    if (offset < 0x100000 && !page && there.count(offset) == 0) absent.insert(offset);
  };
  for (const Place& place : facts::PlacesOf(tile())) {
    for (const uint32_t offset : Samples(place)) {
      for (const uint32_t beside : {4u, 8u, 12u, place.pitch}) {
        add(offset - beside);
        add(offset + beside);
      }
    }
    add(place.first + place.count * place.pitch);
  }
  for (const Register& entry : RegistersOf(at.kind)) {
    add(entry.first);
    add(entry.first + (entry.count - 1) * entry.pitch);
  }
  EXPECT_GT(absent.size(), 80u);
  for (const uint32_t offset : absent) {
    EXPECT_EQ(Get(offset), 0u);
    ExpectError(kAbsent, offset);
    Set(offset, ~0u);
    ExpectError(kAbsent, offset);
    EXPECT_EQ(Get(offset), 0u);
    Set(kErrors, ~0u);
  }
}

// ---- Illegal values

// A descriptor that is wrong in one way, and the error of the channel that it is given to.
struct Wrong {
  std::string name;
  std::function<void(facts::Words*)> make;
  uint32_t send_error = 0, receive_error = 0;  // 0: it runs
  std::set<int> images = {0, 1, 2};
};

class Illegal : public Sweep {
 protected:
  void Put(facts::Words* words, const char* field, uint32_t value) const {
    facts::Put(tile(), field, value, words);
  }
  facts::Words Good() const {
    facts::Words words{};
    const auto linear = Buffer(0x100, 8);
    std::copy(linear.begin(), linear.end(), words.begin());
    return words;
  }
  void Give(uint32_t bd, const facts::Words& words) {
    const auto used = static_cast<std::ptrdiff_t>(facts::WordsOf(tile()));
    Describe(bd, std::vector<uint32_t>(words.begin(), words.begin() + used));
  }
  std::vector<Wrong> All() const {
    const auto put = [this](const char* field, uint32_t value) {
      return [this, field, value](facts::Words* words) { Put(words, field, value); };
    };
    const auto acquire = [this](uint32_t lock) {
      return [this, lock](facts::Words* words) {
        Put(words, "Lock_Acq_Enable", 1);
        Put(words, "Lock_Acq_ID", lock);
      };
    };
    const auto release = [this](uint32_t lock) {
      return [this, lock](facts::Words* words) {
        Put(words, "Lock_Rel_Value", 1);
        Put(words, "Lock_Rel_ID", lock);
      };
    };
    const auto chain = [this](uint32_t next) {
      return [this, next](facts::Words* words) {
        Put(words, "Use_Next_BD", 1);
        Put(words, "Next_BD", next);
      };
    };
    const uint32_t east = build.east ? 0 : kMemoryError;
    std::vector<Wrong> all = {
        {"not valid", put("Valid_BD", 0), kInvalid, kInvalid},
        {"a chain to a descriptor that is not valid", chain(7), kInvalid, kInvalid},
        {"burst length 3", put("Burst_Length", 3), 0, 0, {1}},
        {"more words than 2^30 - 1", put("Buffer_Length", 1u << 30), kInvalid, kInvalid, {1}},
        {"all words", put("Buffer_Length", ~0u), kInvalid, kInvalid, {1}},
        {"east of the east window", put("Base_Address", 0x60000), kMemoryError, kMemoryError, {0}},
        {"the last word of the space",
         put("Base_Address", 0x7ffff),
         kMemoryError,
         kMemoryError,
         {0}},
        {"the east window", put("Base_Address", 0x40000), east, east, {0}},
        {"over the end of memory", put("Base_Address", 0x3ffc), kMemoryError, kMemoryError, {2}},
        {"zeros after a dimension without end", put("D0_Zero_After", 3), 0, 0, {0}},
        {"zeros of a dimension that is never reached", put("D1_Zero_Before", 3), 0, 0, {0}},
    };
    for (const uint32_t next : {24u, 47u, 48u, 63u}) {
      all.push_back(
          {"a chain to " + std::to_string(next), chain(next), kUnavailable, kUnavailable, {0}});
    }
    for (const uint32_t lock : {0u, 1u, 63u, 128u, 191u, 192u, 255u}) {
      if (lock < 64 ? build.west : lock < 192 && build.east) continue;
      all.push_back(
          {"acquire of " + std::to_string(lock), acquire(lock), kLockError, kLockError, {0}});
      all.push_back(
          {"release of " + std::to_string(lock), release(lock), kLockError, kLockError, {0}});
    }
    return all;
  }
};

TEST_P(Illegal, Descriptors) {
  size_t tried = 0;
  for (const Wrong& wrong : All()) {
    if (wrong.images.count(build.image) == 0) continue;
    for (const bool to_stream : {true, false}) {
      const uint32_t expected = to_stream ? wrong.send_error : wrong.receive_error;
      facts::Words words = Good();
      wrong.make(&words);
      Give(0, words);
      Give(1, Good());
      if (to_stream) {
        Send(0, 0);
        Send(0, 1);
      } else {
        Feed(0, 16);
        Receive(0, 0);
        Receive(0, 1);
      }
      side->Clock(250);
      const uint32_t status = to_stream ? SendStatus(0) : ReceiveStatus(0);
      EXPECT_EQ(status & 0x3f00, expected)
          << wrong.name << (to_stream ? " to " : " from ") << "a stream";
      if (expected != 0) {  // it stays, and the next task waits, until the reset
        // What memory refused is done; what was not loaded is in hand.
        EXPECT_EQ(status >> 20 & 7, expected == kMemoryError ? 0u : 1u) << wrong.name;
        EXPECT_NE(Get(kPage + 0x44), 0u) << wrong.name;
        Set(to_stream ? at.mm2s_status : at.s2mm_status, ~0u);
        EXPECT_EQ((to_stream ? SendStatus(0) : ReceiveStatus(0)) & 0x3f00, expected) << wrong.name;
        Reset(0, to_stream);
        Set(kPage + 0x44, ~0u);
        EXPECT_EQ((to_stream ? SendStatus(0) : ReceiveStatus(0)) & 0xffff3fu, 0u) << wrong.name;
        if (to_stream) Send(0, 1);
        if (!to_stream) {
          const uint64_t left = side->Left(0);
          Feed(0, static_cast<uint32_t>(left < 8 ? 8 - left : 0));
          Receive(0, 1);
        }
        side->Clock(250);
        EXPECT_EQ((to_stream ? SendStatus(0) : ReceiveStatus(0)) & 0x7fff00, 0u) << wrong.name;
      }
      ++tried;
      SetUp();  // a tile of its own for the next
    }
  }
  EXPECT_GE(tried, 6u);
}

TEST_P(Illegal, StartsOfTasks) {
  if (!memory())
    GTEST_SKIP() << "a queue word of a shim or compute tile names no more than there is";
  side->Clock(60);  // descriptors are cleared after a reset
  for (uint32_t channel = 0; channel < 6; ++channel) {
    for (uint32_t bd = 0; bd < 64; ++bd) {
      const bool usable = channel % 2 == 0 ? bd < 24 : bd >= 24 && bd < 48;
      for (const bool to_stream : {true, false}) {
        if (to_stream) Send(channel, bd);
        if (!to_stream) Receive(channel, bd);
        side->Clock(25);
        const uint32_t status = to_stream ? SendStatus(channel) : ReceiveStatus(channel);
        EXPECT_EQ(status & 0x3f00, usable ? kInvalid : kUnavailable) << channel << " " << bd;
        Set((to_stream ? at.mm2s : at.s2mm) + 8 * channel, 2);
        Set((to_stream ? at.mm2s : at.s2mm) + 8 * channel, 0);
      }
    }
  }
}

// Headers that name descriptors which the channel cannot use.
TEST_P(Illegal, HeadersOutOfOrder) {
  if (wide()) GTEST_SKIP() << "wide streams have no headers";
  Give(3, Good());
  for (const uint32_t bd : {4u, 15u, 16u, 23u, 24u, 47u, 48u, 63u}) {
    Set(at.s2mm, 8);
    Receive(0, 0);
    side->Feed(0, {{PacketHeader(1, 2, bd, 0, 0), false}});
    side->Clock(100);
    const bool there = memory() ? bd < 24 : bd < 16;
    EXPECT_EQ(ReceiveStatus(0) & 0x3f00, there ? kInvalid : kUnavailable) << bd;
    Reset(0, false);
    EXPECT_EQ(ReceiveStatus(0) & 0x3f00, 0u) << bd;
  }
  Set(at.s2mm, 8);
  Receive(0, 0x80000000);  // asks for a token, which there is none out of order
  side->Feed(0, {{PacketHeader(1, 2, 3, 0, 0), false}});
  Feed(0, 8);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->At(at.local + 0x100), 0x1000u);
  EXPECT_TRUE(side->Tokens().empty());
}

// A descriptor of no words is done at once: no header, no TLAST, no word of memory.
TEST_P(Illegal, NoWords) {
  facts::Words words = Good();
  Put(&words, "Buffer_Length", 0);
  if (!wide()) Put(&words, "Enable_Packet", 1);
  Give(0, words);
  Send(0, 3u << 16);
  Receive(0, 3u << 16);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->SentWords(0), 0u);
  EXPECT_EQ(side->bench().bursts(), 0u);
  EXPECT_EQ(SendStatus(0) & 0x3fff00, 0u);
  EXPECT_EQ(ReceiveStatus(0) & 0x3fff00, 0u);
}

// Nor does it end the beat that a descriptor without TLAST has left open.
TEST_P(Illegal, NoWordsBetweenWords) {
  facts::Words words = Good();
  Put(&words, "Buffer_Length", 5);
  Put(&words, "TLAST_Suppress", 1);
  Put(&words, "Use_Next_BD", 1);
  Put(&words, "Next_BD", 1);
  Give(0, words);
  words = Good();
  Put(&words, "Buffer_Length", 0);
  Put(&words, "Use_Next_BD", 1);
  Put(&words, "Next_BD", 2);
  Give(1, words);
  words = Good();
  Put(&words, "Buffer_Length", 7);
  Give(2, words);
  Send(0, 0);
  ASSERT_TRUE(side->Settle(500));
  const std::vector<Word> sent = side->Sent(0);
  ASSERT_EQ(sent.size(), 12u);
  for (size_t n = 0; n < sent.size(); ++n) EXPECT_EQ(sent[n].last, n == 11) << n;
  EXPECT_EQ(side->bench().sink(0).beats().size(), Beats(12));
}

// The second mode of finish-on-TLAST: tokens without counts, as the first mode.
TEST_P(Illegal, FinishWithCountsInTokens) {
  Give(0, Good());
  Set(at.s2mm, 2u << 16 | 5u << 8);
  Receive(0, 1u << 31);
  Feed(0, 3);
  ASSERT_TRUE(side->Settle(500));
  ASSERT_EQ(side->Tokens().size(), 1u);
  EXPECT_EQ(side->Tokens()[0] & 0xff, 5u);
  EXPECT_EQ(Get(at.fifo), 0u);
  EXPECT_EQ(Get(at.count), 3u);
  EXPECT_EQ(ReceiveStatus(0) & 0x3f00, 0u);
}

TESSERA_ALL_TILES(Sweep);
TESSERA_ALL_TILES(Illegal);

}  // namespace
}  // namespace tessera::aieml
