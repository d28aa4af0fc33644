// Parts of cases against predicates whose smallest failing case is known.
#include "tb/random/parts.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tb/check/plan.h"

namespace tessera {
namespace {

// Three groups of four: a0 to a3, b0 to b3, c0 to c3.
Parts Twelve() {
  Parts parts;
  for (size_t group = 0; group < 3; ++group) {
    for (const char digit : {'0', '1', '2', '3'})
      parts.Add(std::string{static_cast<char>('a' + group), digit}, group);
  }
  return parts;
}

std::string Smallest(const std::function<bool(const Parts&)>& fails, uint64_t* runs = nullptr) {
  Parts parts = Twelve();
  uint64_t calls = 0;
  parts.Shrink(1000, [&](const Parts& p) { return ++calls, fails(p); });
  if (runs != nullptr) *runs = calls;
  return parts.ToString();
}

TEST(Parts, AreNamesWithCommas) {
  Parts parts = Twelve();
  EXPECT_EQ(parts.kept(), 12u);
  parts.Keep("a1,c3");
  EXPECT_EQ(parts.ToString(), "a1,c3");
  EXPECT_TRUE(parts.Has("c3"));
  EXPECT_FALSE(parts.Has("c2"));
  EXPECT_EQ(parts.kept(), 2u);
  Parts none = Twelve();
  none.Keep("none");
  EXPECT_EQ(none.ToString(), "none");
  EXPECT_THROW(parts.Has("d0"), std::out_of_range);
  EXPECT_THROW(parts.Keep("a1,d0"), std::invalid_argument);
  EXPECT_THROW(parts.Keep("a1,,c3"), std::invalid_argument);
}

TEST(Parts, WhatIsNotNeededGoes) {
  Proves({"random.shrink"});
  uint64_t runs = 0;
  EXPECT_EQ(Smallest([](const Parts& p) { return p.Has("b2"); }, &runs), "b2");
  EXPECT_LT(runs, 40u);
  EXPECT_EQ(Smallest([](const Parts& p) { return p.Has("a3") && p.Has("c0"); }), "a3,c0");
  EXPECT_EQ(Smallest([](const Parts&) { return true; }), "none");
  uint64_t all = 0;
  EXPECT_EQ(Smallest([](const Parts& p) { return p.kept() == 12; }, &all), Twelve().ToString());
  EXPECT_LT(all, 200u);
}

// As many of one group as of another, or the case has no end: they go together.
TEST(Parts, WhatTwoGroupsHandToAndFroGoesTogether) {
  Proves({"random.shrink"});
  const auto number = [](const Parts& p, char group) {
    int n = 0;
    for (const char digit : {'0', '1', '2', '3'}) n += p.Has(std::string{group, digit});
    return n;
  };
  EXPECT_EQ(
      Smallest([&](const Parts& p) { return number(p, 'a') == number(p, 'b') && p.Has("c1"); }),
      "c1");
  EXPECT_EQ(Smallest([&](const Parts& p) {
              return number(p, 'a') == number(p, 'b') && p.Has("a2");
            }).size(),
            5u);  // a2 and one of b
}

TEST(Parts, AttemptsHaveALimit) {
  Proves({"random.shrink"});
  Parts parts = Twelve();
  uint64_t runs = 0;
  parts.Shrink(3, [&](const Parts&) { return ++runs, false; });
  EXPECT_EQ(runs, 3u);
  EXPECT_EQ(parts.kept(), 12u);
  parts.Shrink(0, [&](const Parts&) { return ++runs, true; });
  EXPECT_EQ(runs, 3u);
  EXPECT_EQ(parts.kept(), 12u);
  parts.Shrink(1, [](const Parts&) { return true; });
  EXPECT_EQ(parts.kept(), 8u);
}

TEST(Parts, AKindOfFailureHasNoNumbers) {
  Proves({"random.shrink"});
  EXPECT_EQ(KindOfFailure("memory 0x7fa is 0x3, expected 0x4\nmore"), "memory is expected");
  EXPECT_EQ(KindOfFailure("memory 0x8 is 0x33, expected 0x1"),
            KindOfFailure("memory 0x7fa is 0x3, expected 0x4"));
  EXPECT_NE(KindOfFailure("memory 0x8 was written"), KindOfFailure("memory 0x8 was not written"));
  EXPECT_EQ(KindOfFailure(""), "");
}

}  // namespace
}  // namespace tessera
