// Validation names the first rule violated: field, value, what is legal.
#include "tests/model/support.h"

namespace tessera::model {
namespace {

std::string Broken(const Transfer& t, const Build& build = {}) {
  return Validate(t, build).value_or("valid");
}

TEST(Validate, AcceptsWhatTheNormAllows) {
  Proves({"validate.first-rule"});
  Transfer t;
  EXPECT_EQ(Broken(t), "valid");
  t.elem = 8;
  t.base = ~uint64_t{0};
  t.count = {0, ~0u, 1, 1};
  t.stride = {0, -1, INT64_MIN, INT64_MAX};
  t.bound[0] = 0x80000000;
  t.walk[3] = WalkLevel{3, INT32_MIN, ~0u};
  t.fill = ~uint64_t{0};
  EXPECT_EQ(Broken(t), "valid");
}

TEST(Validate, NamesFieldValueAndWhatIsLegal) {
  Proves({"validate.first-rule", "field.elem", "field.bound"});
  Transfer t;
  t.elem = 3;
  EXPECT_EQ(Broken(t), "elem is 3: legal are the powers of two from 1 to the bus width, 8 bytes");
  t.elem = 16;
  EXPECT_EQ(Broken(t), "elem is 16: legal are the powers of two from 1 to the bus width, 8 bytes");
  t.elem = 0;
  EXPECT_EQ(Broken(t), "elem is 0: legal are the powers of two from 1 to the bus width, 8 bytes");
  t.elem = 1;
  Build narrow;
  narrow.addr_width = 32;
  t.base = 0x100000000;
  EXPECT_EQ(Broken(t, narrow), "base is 0x100000000: legal is 0 to 0xffffffff, 32 address bits");
  t.base = 0;
  t.elem = 8;
  t.count[0] = 0x20000000;
  EXPECT_EQ(Broken(t),
            "count[0] is 536870912: legal is at most 536870911, 2^32 - 1 bytes in a row");
  t.count[0] = 1;
  t.length = 0x20000000;
  EXPECT_EQ(Broken(t), "length is 536870912: legal is at most 536870911, 2^32 - 1 bytes");
  t.length.reset();
  t.elem = 1;
  t.bound[2] = 0x80000001;
  EXPECT_EQ(Broken(t), "bound[2] is 2147483649: legal is 0 to 2147483648, or unbounded");
  t.bound[2] = 7;
  Build plain;
  plain.bounds = false;
  plain.walk = false;
  EXPECT_EQ(Broken(t, plain), "bound[2] is 7: this build has no bounds, legal is unbounded");
  t.bound[2] = {};
  t.walk[1] = WalkLevel{0, 1, 9};
  EXPECT_EQ(Broken(t, plain), "walk[1] has count 9: this build has no traversal, legal is absent");
  t.walk[1]->dim = 4;
  EXPECT_EQ(Broken(t), "walk[1].dim is 4: legal is 0 to 3");
  t.walk[1] = {};
  t.fill = 0x100;
  EXPECT_EQ(Broken(t), "fill is 0x100: legal is what fits in an element of 1 byte");
  t.fill = 0xFF;
  t.last_level = 8;
  EXPECT_EQ(Broken(t), "last_level is 8: legal is 0 to 3 for dimensions, 4 to 7 for walk levels");
}

TEST(Validate, CoordinatesOfABoundedDimensionStayInThirtyTwoBits) {
  Proves({"validate.first-rule"});
  Transfer t;
  t.start[1] = INT32_MAX;
  t.count[1] = 2;
  EXPECT_EQ(Broken(t), "valid");
  t.bound[1] = 1;
  EXPECT_EQ(Broken(t),
            "start[1] is 2147483647: a coordinate of this bounded dimension reaches 2147483648, "
            "legal is -2^31 to 2^31-1");
  t.start[1] = INT32_MIN;
  EXPECT_EQ(Broken(t), "valid");
  t.walk[0] = WalkLevel{1, -1, 2};
  EXPECT_EQ(Broken(t),
            "start[1] is -2147483648: a coordinate of this bounded dimension reaches -2147483649, "
            "legal is -2^31 to 2^31-1");
}

TEST(Validate, LengthCountsForTheCoordinatesOfTheLastDimension) {
  Proves({"validate.first-rule", "length.steps-on"});
  Transfer t;
  t.count = {2, 1, 1, 1};
  t.bound[3] = 1;
  t.length = 0xFFFFFFFF;
  EXPECT_EQ(Broken(t), "valid");  // 2^31 steps: 0 to 2^31 - 1
  t.start[3] = 1;
  EXPECT_NE(Broken(t), "valid");
}

TEST(Validate, RefusedIsWhatTheHardwareCanSee) {
  Proves({"illegal.refused"});
  Build plain;
  plain.bounds = false;
  plain.walk = false;
  Transfer t;
  t.start = {5, -5, 0, 0};
  EXPECT_FALSE(IsRefused(t, plain));
  t.bound[3] = 1;
  EXPECT_TRUE(IsRefused(t, plain));
  EXPECT_FALSE(IsRefused(t, {}));
  t.bound[3] = {};
  t.walk[2] = WalkLevel{};
  EXPECT_TRUE(IsRefused(t, plain));
  t.walk[2] = {};
  t.elem = 16;
  EXPECT_TRUE(IsRefused(t, {}));
}

TEST(Validate, TextNamesWhatDiffersFromTheDefault) {
  Proves({"validate.first-rule"});
  Transfer t = Copy(0x1000, 5);
  t.walk[1] = WalkLevel{0, -2, 3};
  t.last_rule = LastRule::kLevel;
  EXPECT_EQ(ToString(t),
            "E=1 base=0x1000 offset=0x0 dim0(count 5 stride 1 start 0 bound none)"
            " walk1(dim 0 step -2 count 3) fill=0x0 last=level(0) finish=by-length");
}

}  // namespace
}  // namespace tessera::model
