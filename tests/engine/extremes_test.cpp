// Every field at the ends of its range, in pairs, with and without a traversal, both ways.
//
// A pair that validation refuses is left out; one with many positions is cut by `length`, or, on
// the way in, ended by TLAST. Pairs grow with the square of the settings, so that not each level of
// a traversal goes along each dimension: the inner and a middle one go along dimensions 0, 1, 3,
// the other two along dimension 2. Where TLAST is sent is a matter of reads.
#include <functional>
#include <limits>
#include <set>

#include "tests/engine/fixture.h"

namespace tessera {
namespace {

constexpr uint32_t kManyElements = 24;  // of a transfer, before it is cut
constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();
constexpr int32_t kHighest = std::numeric_limits<int32_t>::max();
constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();

struct Setting {
  int field;  // two settings of one field are no pair
  std::function<void(Transfer*)> set;
};

class Extremes : public EngineTest {
 protected:
  // Fields of dimensions 0 to 3 and levels 0 to 3 have numbers of their own.
  enum Field {
    kElem,
    kBase,
    kOffset,
    kLength,
    kFill,
    kCount,
    kStride = 9,
    kStart = 13,
    kBound = 17,
    kStep = 21,
    kTurns = 25,
    kLastRule = 29,
    kJoin
  };

  std::vector<Setting> Settings(bool reads) const {
    std::vector<Setting> list;
    const auto add = [&](size_t field, std::function<void(Transfer*)> set) {
      list.push_back({static_cast<int>(field), std::move(set)});
    };
    for (int elem = 1; elem <= bus(); elem *= 2)
      add(kElem, [elem](Transfer* t) { t->elem = elem; });
    const uint64_t top = build().AddressMask();
    for (const uint64_t base : {uint64_t{0}, top, top / 2, top & 0xFFFFFFFE, top & 0xFFFFFFFFF001})
      add(kBase, [base](Transfer* t) { t->base = base; });
    add(kOffset, [](Transfer* t) { t->offset = ~uint64_t{0}; });
    for (const uint32_t length : {1u, 2u, 0u})
      add(kLength, [length](Transfer* t) { t->length = length; });
    add(kFill, [](Transfer* t) { t->fill = ~uint64_t{0} >> (t->elem < 8 ? 64 - 8 * t->elem : 0); });
    for (const size_t d : {0u, 1u, 2u, 3u}) {
      for (const uint32_t count : {1u, 2u, kMost})
        add(kCount + d, [=](Transfer* t) {
          t->count[d] = d == 0 ? count / static_cast<uint32_t>(t->elem) : count;
        });
      const int64_t far = std::numeric_limits<int64_t>::max();
      for (const int64_t stride : {int64_t{0}, far, -far - 1, int64_t{1} << 32, int64_t{kLowest}})
        add(kStride + d, [=](Transfer* t) { t->stride[d] = stride; });
      add(kStride + d, [=](Transfer* t) { t->stride[d] = -t->elem; });
      for (const int32_t start : {kLowest, kHighest - 4, -1, 1})
        add(kStart + d, [=](Transfer* t) { t->start[d] = start; });
      for (const uint32_t bound : {0u, 1u, uint32_t{model::kMaxBound}})
        add(kBound + d, [=](Transfer* t) { t->bound[d] = bound; });
    }
    if (reads) {
      add(kLastRule, [](Transfer* t) { t->last_rule = LastRule::kNever; });
      add(kLastRule, [](Transfer* t) {
        t->last_rule = LastRule::kTask;
        t->task_end = true;
      });
      for (const int level : {0, 3, 4, 7})
        add(kLastRule, [level](Transfer* t) {
          t->last_rule = LastRule::kLevel;
          t->last_level = level;
        });
      add(kJoin, [](Transfer* t) { t->join_next = true; });
    }
    if (!config().walk) return list;
    for (const size_t k : {0u, 1u, 2u, 3u}) {
      const std::vector<int> dims = k % 2 == 0 ? std::vector<int>{0, 1, 3} : std::vector<int>{2};
      for (const int dim : dims) {
        for (const int32_t step : {kLowest, kHighest, -1, 1})
          add(kStep + k, [=](Transfer* t) {
            if (!t->walk[k]) t->walk[k] = WalkLevel{0, 0, 3};
            t->walk[k]->dim = dim;
            t->walk[k]->step = step;
          });
      }
      for (const uint32_t turns : {1u, 2u, kMost})
        add(kTurns + k, [=](Transfer* t) {
          if (!t->walk[k]) t->walk[k] = WalkLevel{0, -1, 1};
          t->walk[k]->count = turns;
        });
    }
    return list;
  }

  // What is not set: a few rows, dense or apart; with bounds, and a traversal of an outer level.
  Transfer Plain(uint64_t base, int variant) const {
    Transfer t;
    t.elem = Elem(4);
    t.base = base;
    t.count = {3, 2, 1, 1};
    t.stride = {t.elem, 64, -256, 1024};
    if (variant == 1) t.stride[0] = t.elem + 1;
    if (variant == 2) {
      if (config().bounds) {
        t.start[0] = -1;
        t.bound[0] = static_cast<uint32_t>(model::kMaxBound);
      }
      if (config().walk) t.walk[3] = WalkLevel{0, kHighest / 2, 2};
    }
    return t;
  }

  // All pairs that are legal, none twice.
  std::vector<Transfer> Pairs(uint64_t base, bool cut, bool reads) const {
    const std::vector<Setting> settings = Settings(reads);
    std::vector<Transfer> chain;
    std::set<std::string> seen;
    for (int variant = 0; variant < 3; ++variant) {
      for (size_t a = 0; a < settings.size(); ++a) {
        for (size_t b = a + 1; b < settings.size(); ++b) {
          if (settings[a].field == settings[b].field) continue;
          Transfer t = Plain(base, variant);
          const int64_t dense = t.stride[0] - t.elem;
          settings[a].set(&t);
          if (settings[a].field == kElem) t.stride[0] = t.elem + dense;
          settings[b].set(&t);
          if (model::Validate(t, build())) continue;
          if (model::Positions(t) > kManyElements && cut) t.length = kManyElements;
          if (seen.insert(model::ToString(t)).second) chain.push_back(t);
        }
      }
    }
    return chain;
  }

  template <typename RunPart>
  static void InParts(const std::vector<Transfer>& chain, const RunPart& run) {
    constexpr size_t kPart = 250;
    ASSERT_GT(chain.size(), kPart);
    for (size_t first = 0; first < chain.size() && !HasFailure(); first += kPart) {
      const auto begin = chain.begin() + static_cast<ptrdiff_t>(first);
      const auto size = static_cast<ptrdiff_t>(std::min(kPart, chain.size() - first));
      run(std::vector<Transfer>(begin, begin + size));
    }
  }
};
TESSERA_EVERY_CONFIG(Extremes);

TEST_P(Extremes, InPairsRead) {
  Proves({"field.count", "field.stride", "field.start", "field.bound", "field.walk"});
  if (!NeedsStream()) GTEST_SKIP() << "see Loopback";
  InParts(Pairs(kReadBase, true, true), [&](std::vector<Transfer> part) {
    part.back().join_next = false;
    Run(Reads(std::move(part)));
  });
}

TEST_P(Extremes, InPairsWriteByLength) {
  Proves({"field.count", "field.stride", "field.start", "field.bound", "field.walk"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  InParts(Pairs(kWriteBase, true, false), [&](const std::vector<Transfer>& part) {
    uint64_t bytes = 0;
    for (const Transfer& t : part) bytes += model::Positions(t) * static_cast<uint64_t>(t.elem);
    Run(Writes(part, {{bytes, PieceEnd::kLast}}));
  });
}

TEST_P(Extremes, InPairsWriteOnTlast) {
  Proves({"field.count", "field.stride", "field.start", "field.bound", "field.walk"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  InParts(Pairs(kWriteBase, false, false), [&](const std::vector<Transfer>& part) {
    std::vector<Transfer> chain;
    std::vector<StreamPiece> stream;
    for (const Transfer& t : part) {
      chain.push_back(OnLast(t));
      const uint64_t positions = std::min<uint64_t>(model::Positions(t), kManyElements);
      if (positions > 0)
        stream.push_back({positions * static_cast<uint64_t>(t.elem), PieceEnd::kLast});
    }
    Run(Writes(chain, stream));
  });
}

// The bound in bytes is beyond what a start that has moved back can still be compared with.
TEST_P(Extremes, ADenseRowWhoseBoundNoByteCountHolds) {
  Proves({"field.bound", "field.walk"});
  if (!NeedsStream() || !config().walk || !config().bounds) GTEST_SKIP() << "needs walk and bounds";
  for (const int32_t step : {-4, kLowest / 8, kLowest / 4, kLowest}) {
    for (int elem = 1; elem <= bus(); elem *= 2) {
      Transfer t = Copy(kReadBase, 5);
      t.elem = elem;
      t.stride[0] = elem;
      t.bound[0] = static_cast<uint32_t>(model::kMaxBound);
      t.walk[1] = WalkLevel{0, step, 2};
      Run(Reads({t}));
    }
  }
}

// If one bit of the turns did not count, the level would end with its second turn.
TEST_P(Extremes, TurnsHaveAllTheirBits) {
  Proves({"field.walk"});
  if (!NeedsStream() || !config().walk) GTEST_SKIP() << "needs a walk and a stream";
  for (size_t k = 0; k < 4; ++k) {
    for (int bit = 2; bit < 32; ++bit) {
      Transfer t = Copy(kReadBase, 3);
      t.stride[1] = 16;
      t.walk[k] = WalkLevel{1, 1, (uint32_t{1} << bit) + 2};
      t.length = 5 * 3;
      Run(Reads({t, Copy(kReadBase, 3)}));
    }
  }
}

// Steps and moves at the ends of what two coordinates can differ.
TEST_P(Extremes, TraversalFromTheLowestCoordinateToTheHighest) {
  Proves({"field.walk", "order.coordinate"});
  if (!NeedsStream() || !config().walk || !config().bounds) GTEST_SKIP() << "needs walk and bounds";
  for (const size_t dim : {0u, 1u, 3u}) {
    for (int elem = 1; elem <= bus(); elem *= 2) {
      for (const bool forward : {true, false}) {
        Transfer t = Copy(kReadBase, 2);
        t.elem = elem;
        t.stride = {elem, 100, 1000, 10000};
        t.count[dim] = 2;
        t.start[dim] = forward ? kLowest : kHighest - 1;
        t.bound[dim] = static_cast<uint32_t>(model::kMaxBound);
        const int32_t step = forward ? kHighest : -kHighest;
        t.walk[0] = WalkLevel{static_cast<int>(dim), forward ? 1 : -1, 2};
        t.walk[2] = WalkLevel{static_cast<int>(dim), step, 3};
        if (model::Validate(t, build())) t.walk[0]->count = 1;  // one turn too many
        ASSERT_FALSE(model::Validate(t, build())) << *model::Validate(t, build());
        Run(Reads({t}));
      }
    }
  }
}

}  // namespace
}  // namespace tessera
