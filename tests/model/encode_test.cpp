// From transfer to the words of a descriptor.
#include "tb/check/encode.h"

#include "tests/model/support.h"

namespace tessera {
namespace {

using model::Transfer;
using model::WalkLevel;

TEST(Encode, BaseHasTheOffset) {
  Proves({"engine.first-address"});
  Transfer t;
  t.base = 0xffff'ffff;
  t.offset = 0x21;
  t.count = {6, 7, 8, 9};
  t.stride = {4, -64, 0, 1};
  const EngineTransfer e = Encode(t);
  EXPECT_EQ(e.base[0], 0x20u);
  EXPECT_EQ(e.base[1], 1u);
  EXPECT_EQ(e.base[5], 9u);
  EXPECT_EQ(e.base[7], uint32_t(-64));
  EXPECT_FALSE(e.bounds || e.walk);
  EXPECT_EQ(Encode(t, {.addr_width = 32}).base[1], 0u);
}

TEST(Encode, AStartIsInTheBaseWhereThereAreNoBounds) {
  Proves({"engine.first-address"});
  Transfer t;
  t.base = 0x1000;
  t.stride = {4, -64, 0, 1};
  t.start = {-1, 2, 9, 3};
  EngineTransfer e = Encode(t, {.bounds = false});
  EXPECT_EQ(e.base[0], 0x1000u - 4 - 128 + 3);
  EXPECT_FALSE(e.bounds);
  e = Encode(t);
  EXPECT_EQ(e.base[0], 0x1000u);
  ASSERT_TRUE(e.bounds);
  EXPECT_EQ((*e.bounds)[0], uint32_t(-1));
  EXPECT_EQ((*e.bounds)[3], 3u);
  EXPECT_EQ(e.base[15] >> 14 & 3, 1u);
}

TEST(Encode, BoundsAndFill) {
  Proves({"field.bound", "field.fill"});
  Transfer t;
  t.bound[1] = 0x80000000;
  t.fill = 0x1122334455667788;
  const EngineTransfer e = Encode(t);
  ASSERT_TRUE(e.bounds);
  EXPECT_EQ((*e.bounds)[5], 0x80000000u);
  EXPECT_EQ((*e.bounds)[8], 0x55667788u);
  EXPECT_EQ((*e.bounds)[9], 0x11223344u);
  EXPECT_EQ((*e.bounds)[10], 2u);
}

TEST(Encode, AWideStrideHasAHighHalf) {
  Proves({"field.stride"});
  Transfer t;
  t.stride[2] = int64_t{5} << 32;
  EngineTransfer e = Encode(t);
  ASSERT_TRUE(e.bounds);
  EXPECT_EQ((*e.bounds)[14], 5u);
  EXPECT_FALSE(Encode(t, {.addr_width = 32}).bounds);  // modulo the address width
}

TEST(Encode, WalkLevelsThatAreNotThereTurnOnce) {
  Proves({"field.walk"});
  Transfer t;
  EXPECT_FALSE(Encode(t).walk);
  t.walk[2] = WalkLevel{1, -3, 7};
  const EngineTransfer e = Encode(t);
  ASSERT_TRUE(e.walk);
  EXPECT_EQ((*e.walk)[2], 7u);
  EXPECT_EQ((*e.walk)[6], uint32_t(-3));
  EXPECT_EQ((*e.walk)[8], 1u << 4);
  EXPECT_EQ((*e.walk)[0], 1u);
  EXPECT_EQ(e.base[15] >> 14 & 3, 2u);
}

TEST(Encode, StreamAttributes) {
  Proves({"engine.first-address"});
  Transfer t;
  t.elem = 16;
  t.last_rule = model::LastRule::kLevel;
  t.last_level = 5;
  t.join_next = true;
  t.task_end = true;
  t.finish = model::Finish::kLast;
  t.length = 0;
  const EngineTransfer e = Encode(t);
  EXPECT_EQ(e.base[15], 4u | 1 << 3 | 3 << 4 | 5 << 6 | 1 << 9 | 1 << 10 | 1U << 31);
  EXPECT_EQ(e.base[10], 0u);
  EXPECT_TRUE(e.task_end);
}

TEST(Encode, StatusBits) {
  Proves({"record.fields"});
  model::Record record;
  EXPECT_EQ(StatusOf(record), 0);
  record.overlong = record.decerr = true;
  EXPECT_EQ(StatusOf(record), rtl::Status::kOverlong | rtl::Status::kDecerr);
  EXPECT_EQ(StatusText(StatusOf(record)), "decerr overlong");
  EXPECT_EQ(StatusText(0), "ok");
}

}  // namespace
}  // namespace tessera
