// Descriptors as values: where every field lies, and every rule that is checked.
#include <array>
#include <cstring>
#include <functional>
#include <new>
#include <string>

#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

Capabilities Build() {
  Capabilities build;
  build.data_log2 = 3;
  build.address_bits = 40;
  build.descriptors = 16;
  build.locks = 8;
  return build;
}

TEST(Descriptor, FieldsLieWhereTheManualSays) {
  Descriptor d;
  d.Base(0x1122334455667788).Element(2).Dim(0, 5, -4).Dim(3, 7, 0x7fffffff);
  d.Length(99).Iteration(4, -16).Acquire(3, -2).Release(5, 1).Next(9).Side(0x11, 0x22, 0x3344);
  d.Last(LastRule::kLevel, 6).Join().FinishOnLast().Packet(21, 5, 33).Interrupt().NoRecord();
  EXPECT_EQ(d.word(0), 0x55667788u);
  EXPECT_EQ(d.word(1), 0x11223344u);
  EXPECT_EQ(d.word(2), 5u);
  EXPECT_EQ(d.word(3), 1u);
  EXPECT_EQ(d.word(5), 7u);
  EXPECT_EQ(d.word(6), 0xfffffffcu);
  EXPECT_EQ(d.word(9), 0x7fffffffu);
  EXPECT_EQ(d.word(10), 99u);
  EXPECT_EQ(d.word(11), 0xfffffff0u);
  EXPECT_EQ(d.word(12), 3u | 0x7eu << 8 | 1u << 15 | 5u << 16 | 1u << 24);
  EXPECT_EQ(d.word(13), 9u | 1u << 8 | 4u << 16);
  EXPECT_EQ(d.word(14), 0x33442211u);
  EXPECT_EQ(d.word(15), 2u | 1u << 3 | 3u << 4 | 6u << 6 | 1u << 9 | 1u << 10 | 1u << 11 |
                            1u << 12 | 1u << 13 | 21u << 16 | 5u << 21 | 33u << 24 | 1u << 31);
  EXPECT_FALSE(d.has_bounds());
}

TEST(Descriptor, AFreshOneIsOneByteWithTlast) {
  const Descriptor d;
  EXPECT_EQ(d.word(2), 1u);
  EXPECT_EQ(d.word(5), 1u);
  EXPECT_EQ(d.word(15), 1u << 31 | 1u << 4);
  EXPECT_TRUE(d.Check(Build()).ok());
}

// It may be copied as a whole before its extensions are used.
TEST(Descriptor, EveryWordOfAFreshOneHasAValue) {
  alignas(Descriptor) uint8_t storage[sizeof(Descriptor)];
  void* (*volatile fill)(void*, int, size_t) = std::memset;  // not seen through
  fill(storage, 0xee, sizeof(storage));
  const Descriptor* d = new (storage) Descriptor;
  for (uint32_t n = 0; n < kDescriptorWords; ++n) {
    EXPECT_EQ(d->bounds_word(n), 0u) << n;
    EXPECT_EQ(d->walk_word(n), n < kWalkLevels ? 1u : 0u) << n;
  }
}

TEST(Descriptor, BoundsAndWalkLieInTheirExtensions) {
  Descriptor d;
  d.Dim(1, 4, int64_t{-1} << 35)
      .Start(1, -3)
      .Bound(1, 10)
      .Fill(0x0102030405060708)
      .Walk(2, 3, -5, 6)
      .Walk(0, 1, 2, 3);
  EXPECT_TRUE(d.has_bounds());
  EXPECT_TRUE(d.has_walk());
  EXPECT_EQ(d.bounds_word(1), 0xfffffffdu);
  EXPECT_EQ(d.bounds_word(5), 10u);
  EXPECT_EQ(d.bounds_word(8), 0x05060708u);
  EXPECT_EQ(d.bounds_word(9), 0x01020304u);
  EXPECT_EQ(d.bounds_word(10), 2u);
  EXPECT_EQ(d.bounds_word(13), 0xfffffff8u);
  EXPECT_EQ(d.walk_word(0), 3u);
  EXPECT_EQ(d.walk_word(1), 1u);  // a level that is not used counts 1
  EXPECT_EQ(d.walk_word(2), 6u);
  EXPECT_EQ(d.walk_word(4), 2u);
  EXPECT_EQ(d.walk_word(6), 0xfffffffbu);
  EXPECT_EQ(d.walk_word(8), 1u | 3u << 4);
}

TEST(Descriptor, AWideStrideNeedsTheExtension) {
  Descriptor d;
  d.Dim(1, 2, int64_t{1} << 31);
  EXPECT_TRUE(d.has_bounds());
  Descriptor fits;
  fits.Dim(1, 2, -(int64_t{1} << 31));
  EXPECT_FALSE(fits.has_bounds());
  EXPECT_EQ(d.stride(1), int64_t{1} << 31);
  EXPECT_EQ(d.words()[registers::descriptor::Stride::kWord + 1], 0x80000000u);
}

TEST(Descriptor, EveryRuleHasItsReason) {
  struct Row {
    Reason reason;
    uint32_t index;
    std::function<void(Descriptor&)> make;
  };
  const Row rows[] = {
      {Reason::element_size, 0, [](auto& d) { d.Element(4); }},
      {Reason::element_size, 8, [](auto& d) { d.Element(8); }},
      {Reason::base_range, 0, [](auto& d) { d.Base(uint64_t{1} << 40); }},
      {Reason::row_bytes, 0, [](auto& d) { d.Element(1).Dim(0, 0x80000000u, 2); }},
      {Reason::row_bytes, 0,  // the bus has 40 bits: this stride is 2
       [](auto& d) { d.Element(1).Dim(0, 0x80000000u, (int64_t{1} << 40) + 2); }},
      {Reason::row_bytes, 0,
       [](auto& d) { d.Element(1).Dim(0, 0x80000000u, 2 - (int64_t{1} << 40)); }},
      {Reason::length_bytes, 0, [](auto& d) { d.Element(3).Length(0x20000000u); }},
      {Reason::bound_range, 2, [](auto& d) { d.Bound(2, 0x80000001u); }},
      {Reason::coordinate_range, 1,
       [](auto& d) { d.Dim(1, 3, 1).Start(1, INT32_MAX - 1).Bound(1, 5); }},
      {Reason::coordinate_range, 3,
       [](auto& d) { d.Start(3, INT32_MAX - 1).Bound(3, 5).Length(9); }},
      {Reason::walk_reach, 1, [](auto& d) { d.Bound(2, 5).Walk(1, 2, 1 << 16, 1u << 15); }},
      {Reason::walk_reach, 0,
       [](auto& d) { d.Bound(2, 5).Walk(0, 2, 1 << 15, 1u << 14).Walk(1, 2, 1, 2); }},
      {Reason::walk_reach, 0,
       [](auto& d) { d.Element(2).Dim(0, 4, 4).Bound(0, 5).Walk(0, 0, 1 << 15, 1u << 14); }},
      {Reason::walk_reach, 1,
       [](auto& d) { d.Bound(2, 5).Walk(1, 2, -(1 << 16), (1u << 15) + 1); }},
      {Reason::walk_reach, 3,  // a step of 2^31 bytes, though it is never made
       [](auto& d) { d.Element(2).Dim(0, 4, 4).Bound(0, 5).Walk(3, 0, 1 << 29, 0); }},
      {Reason::coordinate_range, 2,
       [](auto& d) { d.Start(2, INT32_MIN).Bound(2, 5).Walk(1, 2, -1, 2); }},
      {Reason::dimension_number, 4, [](auto& d) { d.Dim(4, 1, 1); }},
      {Reason::dimension_number, 7, [](auto& d) { d.Start(7, 1); }},
      {Reason::dimension_number, 9, [](auto& d) { d.Walk(0, 9, 1, 1); }},
      {Reason::walk_level, 4, [](auto& d) { d.Walk(4, 0, 1, 1); }},
      {Reason::last_level, 8, [](auto& d) { d.Last(LastRule::kLevel, 8); }},
      {Reason::iteration_size, 0, [](auto& d) { d.Iteration(0, 4); }},
      {Reason::lock_number, 8, [](auto& d) { d.Acquire(8, 1); }},
      {Reason::lock_number, 9, [](auto& d) { d.Release(9, 1); }},
      {Reason::lock_value, 1, [](auto& d) { d.Acquire(1, 64); }},
      {Reason::lock_value, 1, [](auto& d) { d.Acquire(1, -64); }},
      {Reason::lock_value, 1, [](auto& d) { d.Release(1, -65); }},
      {Reason::descriptor_number, 16, [](auto& d) { d.Next(16); }},
      {Reason::packet_id, 32, [](auto& d) { d.Packet(32, 0); }},
      {Reason::packet_type, 8, [](auto& d) { d.Packet(0, 8); }},
      {Reason::packet_slot, 64, [](auto& d) { d.Packet(0, 0, 64); }},
  };
  for (const Row& row : rows) {
    Descriptor d;
    row.make(d);
    const Status status = d.Check(Build());
    EXPECT_EQ(status.reason(), row.reason) << Text(row.reason) << ", but: " << Text(status);
    EXPECT_EQ(status.index(), row.index) << Text(row.reason);
    EXPECT_EQ(status.code(), Code::user_error);
  }
}

TEST(Descriptor, JustInsideEveryLimitIsLegal) {
  const std::function<void(Descriptor&)> rows[] = {
      [](auto& d) { d.Element(3); },
      [](auto& d) { d.Base((uint64_t{1} << 40) - 1); },
      [](auto& d) { d.Element(1).Dim(0, 0x7fffffffu, 2); },
      [](auto& d) { d.Element(1).Dim(0, 0xffffffffu, 4); },  // not dense
      [](auto& d) { d.Element(3).Length(0x1fffffffu); },
      [](auto& d) { d.Bound(2, 0x80000000u); },
      [](auto& d) { d.Dim(1, 2, 1).Start(1, INT32_MAX - 1).Bound(1, 5); },
      [](auto& d) { d.Bound(2, 5).Walk(1, 2, -(1 << 16), 1u << 15); },
      [](auto& d) { d.Walk(1, 2, INT32_MAX, ~0u); },  // nothing is bounded
      [](auto& d) { d.Acquire(7, -63).Release(7, 63); },
      [](auto& d) { d.Next(15).Packet(31, 7, 63).Iteration(0xffff, -1); },
      [](auto& d) { d.Dim(0, 0, 1); },
      [](auto& d) { d.Dim(1, 0, 1).Start(1, INT32_MIN).Bound(1, 5); },  // no position at all
      [](auto& d) { d.Element(1).Dim(0, 0xffffffffu, (int64_t{1} << 32) + 2); },
      [](auto& d) { d.Element(1).Dim(0, 0xffffffffu, (int64_t{1} << 39) + 2); },
      [](auto& d) { d.Bound(2, 5).Walk(1, 2, INT32_MIN, 0); },
      [](auto& d) { d.Bound(2, 5).Walk(0, 2, INT32_MAX, 0).Walk(1, 2, INT32_MIN, 0); },
  };
  for (const auto& make : rows) {
    Descriptor d;
    make(d);
    EXPECT_TRUE(d.Check(Build()).ok()) << &make - rows << ": " << Text(d.Check(Build()));
  }
}

TEST(Descriptor, WhatABuildDoesNotHaveIsUnsupported) {
  Capabilities build = Build();
  build.features = 0;
  Descriptor bounds, walk, header;
  bounds.Bound(0, 1);
  walk.Walk(0, 0, 1, 2);
  header.Packet(1, 1);
  EXPECT_EQ(bounds.Check(build).reason(), Reason::no_bounds);
  EXPECT_EQ(walk.Check(build).reason(), Reason::no_walk);
  EXPECT_EQ(header.Check(build).reason(), Reason::no_headers);
  EXPECT_EQ(header.Check(build).code(), Code::unsupported);
}

TEST(Descriptor, IsMadeByTheCompiler) {
  constexpr Descriptor kMade = Descriptor().Base(0x1000).Dim(0, 64, 1);
  static_assert(kMade.Check(kLargestBuild).ok());
  static_assert(Descriptor().Dim(5, 1, 1).Check(kLargestBuild).reason() ==
                Reason::dimension_number);
  EXPECT_EQ(kMade.count(0), 64u);
}

TEST(Codes, AreThoseOfAdf) {
  EXPECT_EQ(static_cast<int>(Status().code()), 0);
  EXPECT_EQ(static_cast<int>(Status(Reason::zero_size).code()), 1);
  EXPECT_EQ(static_cast<int>(Status(Reason::timeout).code()), 2);
  EXPECT_EQ(static_cast<int>(Status(Reason::host_map).code()), 3);
  EXPECT_EQ(static_cast<int>(Status(Reason::record_unexpected).code()), 4);
  EXPECT_EQ(static_cast<int>(Status(Reason::no_walk).code()), 5);
  EXPECT_STREQ(Text(Code::ok), "ok");
  for (uint8_t n = 0; n < 6; ++n) EXPECT_STRNE(Text(static_cast<Code>(n)), "unknown code");
  EXPECT_STREQ(Text(static_cast<Code>(6)), "unknown code");
}

TEST(Texts, EveryReasonHasOne) {
  uint32_t texts = 0;
  for (uint32_t n = 0; n < 256; ++n) {
    const std::string text = Text(static_cast<Reason>(n));
    texts += text != "unknown reason" ? 1 : 0;
  }
  EXPECT_GT(texts, 80u);
  EXPECT_STREQ(Text(Reason::tile_zero), "a dimension of the tile is 0");
  EXPECT_STREQ(RecordText(1), "the memory answered DECERR");
  EXPECT_STREQ(LoadText(32), "it was not written completely");
  EXPECT_STREQ(LoadText(20), "unknown reason");
  EXPECT_STREQ(LoadText(2), "the build has no traversal");
  EXPECT_STREQ(LoadText(44), "a fault of the port of the lists");
  EXPECT_STREQ(LoadText(45), "unknown reason");
  EXPECT_STREQ(LoadText(48), "unknown reason");
  EXPECT_STREQ(LoadText(49), "the base of the completion entries is not legal");
  EXPECT_STREQ(LoadText(53), "a fault of the port of the lists, at a completion entry");
  EXPECT_STREQ(LoadText(54), "unknown reason");
  EXPECT_STREQ(RecordText(7), "unknown status");
  EXPECT_STREQ(ErrorText(15), "unknown error");
  EXPECT_STREQ(WaitText(5), "the memory");
  EXPECT_STREQ(WaitText(15), "the stream");
  EXPECT_STREQ(WaitText(16), "unknown");
  EXPECT_STREQ(WaitText(3), "a lock");
  EXPECT_STREQ(ErrorText(11),
               "a task was refused: the queue was full, or an abort or a reset went on");
  EXPECT_STREQ(FaultText(9), "a record had a status that stops the channel");
  EXPECT_STREQ(FaultText(10), "unknown fault");
}

}  // namespace
}  // namespace tessera::driver
