// From transfer to engine pins, field by field.
#include "tb/check/encode.h"

#include "tests/model/support.h"

namespace tessera {
namespace {

using model::Transfer;
using model::WalkLevel;

TEST(Encode, AddressIsThatOfTheFirstPosition) {
  Proves({"engine.first-address"});
  Transfer t;
  t.base = 0x1000;
  t.offset = 0x20;
  t.stride = {4, -64, 0, 1};
  t.start = {-1, 2, 9, 3};
  const EngineTransfer e = Encode(t);
  EXPECT_EQ(e.addr, 0x1020u - 4 - 128 + 3);
  EXPECT_EQ(e.dim[1].stride, uint64_t(-64));
}

TEST(Encode, BoundsAreTheIndicesAroundThem) {
  Proves({"field.bound"});
  Transfer t;
  t.elem = 4;
  t.count = {6, 7, 1, 1};
  t.stride = {8, 100, 0, 0};  // not dense: positions are elements
  t.start = {-1, 2, 0, 0};
  t.bound[0] = 5;  // coordinates -1 .. 4 inside 0 .. 4: indices 1 .. 5
  t.bound[1] = 4;  // coordinates 2 .. 8 inside 0 .. 3: indices 0 .. 1
  EngineTransfer e = Encode(t);
  EXPECT_FALSE(e.dense);
  EXPECT_EQ(e.dim[0].count, 6u);
  EXPECT_EQ(e.dim[0].ahead, 0);
  EXPECT_EQ(e.dim[0].last, 5);
  EXPECT_EQ(e.dim[1].ahead, -3);
  EXPECT_EQ(e.dim[1].last, 1);
  EXPECT_FALSE(e.dim[0].unbounded);
  EXPECT_TRUE(e.dim[2].unbounded);
  t.stride[0] = 4;  // dense: positions of dimension 0 are bytes
  t.walk[0] = WalkLevel{0, 6, 2};
  e = Encode(t);
  EXPECT_TRUE(e.dense);
  EXPECT_EQ(e.dim[0].count, 24u);
  EXPECT_EQ(e.dim[0].ahead, 3);
  EXPECT_EQ(e.dim[0].last, 23);
  EXPECT_EQ(e.walk[0].step, 24u);
  t.bound[0] = 0x80000000;  // far beyond every index, and cut to what fits
  t.start[0] = INT32_MIN;
  e = Encode(t);
  // A traversal may still move it by 32 bits.
  EXPECT_EQ(e.dim[0].ahead, (int64_t{1} << 33) - (int64_t{1} << 31) - 1);
  EXPECT_EQ(e.dim[0].last, (int64_t{1} << 33) - (int64_t{1} << 31) - 1);
}

// Cut bounds stay farther than any index when a traversal moves them; what moves by more than 32
// bits of bytes is said in elements, and then what cannot be reached does not count.
TEST(Encode, BoundsThatATraversalMovesAreExact) {
  Proves({"field.bound"});
  Transfer t;
  t.elem = 8;
  t.count[0] = 5;
  t.stride[0] = 8;
  t.bound[0] = 0x80000000;
  t.walk[1] = WalkLevel{0, -4, 2};
  EngineTransfer e = Encode(t);
  EXPECT_TRUE(e.dense);
  EXPECT_EQ(e.dim[0].ahead, -1);
  EXPECT_EQ(e.dim[0].last, (int64_t{1} << 33) - (int64_t{1} << 31) - 1);
  t.bound[0] = 0x20000000;
  EXPECT_EQ(Encode(t).dim[0].last, 0x20000000 * int64_t{8} - 1);
  t.bound[0] = 0x80000000;
  t.walk[1] = WalkLevel{0, INT32_MAX, 2};
  t.start[0] = INT32_MIN;
  e = Encode(t);
  EXPECT_FALSE(e.dense);
  EXPECT_EQ(e.dim[0].count, 5u);
  EXPECT_EQ(e.dim[0].ahead, INT32_MAX);
  EXPECT_EQ(e.dim[0].last, int64_t{UINT32_MAX});
  EXPECT_EQ(e.walk[1].step, uint32_t{INT32_MAX});
  t.walk[1] = WalkLevel{0, INT32_MAX, 3};
  e = Encode(t);
  EXPECT_FALSE(e.dense);
  EXPECT_EQ(e.dim[0].last, int64_t{UINT32_MAX});  // coordinates up to 2^31 + 1
  t.count[0] = 1;
  EXPECT_EQ(Encode(t).dim[0].last, 2 * int64_t{INT32_MAX});  // nothing beyond 2^31 - 2 is reached
  t.bound[0].reset();
  EXPECT_TRUE(Encode(t).dense);
}

TEST(Encode, LengthIsBytesAndCutsTheFirstRow) {
  Proves({"field.length"});
  Transfer t;
  t.elem = 4;
  t.count[0] = 10;
  t.stride[0] = 4;
  t.length = 7;
  EngineTransfer e = Encode(t);
  EXPECT_EQ(e.length, 28u);
  EXPECT_EQ(e.dim[0].count, 28u);
  t.stride[0] = 5;
  e = Encode(t);
  EXPECT_EQ(e.length, 28u);
  EXPECT_EQ(e.dim[0].count, 10u);
  t.length = 0x40000000;
  EXPECT_THROW(Encode(t), std::out_of_range);
  t.length.reset();
  t.stride[0] = 4;
  t.count[0] = 0x40000000;
  EXPECT_THROW(Encode(t), std::out_of_range);
}

TEST(Encode, WalkStrideIsStepTimesTheStrideOfItsDimension) {
  Proves({"engine.first-address"});
  Transfer t;
  t.stride = {1, 100, 0, 0};
  EXPECT_FALSE(Encode(t).has_walk);
  t.walk[2] = WalkLevel{1, -3, 7};
  const EngineTransfer e = Encode(t);
  EXPECT_TRUE(e.has_walk);
  EXPECT_EQ(e.walk[2].stride, uint64_t(-300));
  EXPECT_EQ(e.walk[2].step, uint32_t(-3));
  EXPECT_EQ(e.walk[2].count, 7u);
  EXPECT_EQ(e.walk[2].dim, 1);
  EXPECT_EQ(e.walk[0].count, 1u);
  EXPECT_EQ(e.walk[0].stride, 0u);
}

TEST(Encode, FillIsRepeatedToSixtyFourBits) {
  Proves({"field.fill"});
  Transfer t;
  t.fill = 0xA5;
  EXPECT_EQ(Encode(t).fill, 0xA5A5A5A5A5A5A5A5u);
  t.elem = 2;
  t.fill = 0x1234;
  EXPECT_EQ(Encode(t).fill, 0x1234123412341234u);
  t.elem = 4;
  EXPECT_EQ(Encode(t).fill, 0x0000123400001234u);
  t.elem = 8;
  EXPECT_EQ(Encode(t).fill, 0x1234u);
  t.elem = 16;
  EXPECT_EQ(Encode(t).fill, 0x1234u);
  EXPECT_EQ(Encode(t).elem_log2, 4);
}

TEST(Encode, StreamAttributes) {
  Proves({"engine.first-address"});
  Transfer t;
  t.last_rule = model::LastRule::kLevel;
  t.last_level = 5;
  t.join_next = true;
  t.task_end = true;
  t.finish = model::Finish::kLast;
  t.length = 0;
  const EngineTransfer e = Encode(t);
  EXPECT_EQ(e.last_rule, rtl::LastRule::kLevel);
  EXPECT_EQ(e.last_level, 5);
  EXPECT_TRUE(e.join_next && e.task_end && e.finish == rtl::Finish::kLast && e.has_length);
  EXPECT_EQ(e.length, 0u);
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
