// tsr_prepare in all builds at once: what comes out, when, and what is refused.
#include <gtest/gtest.h>

#include <functional>

#include "tb/check/plan.h"
#include "tb/random/generate.h"
#include "tests/channel/prepare_bench.h"

namespace tessera {
namespace {

using model::Transfer;
using model::WalkLevel;

constexpr size_t kBuilds = kPrepareBuilds.size();

Config ConfigOf(const PrepareBuild& build) {
  Config config;
  config.addr_width = build.addr_width;
  config.data_bytes = build.data_bytes;
  config.walk = build.walk;
  config.bounds = build.bounds;
  return config;
}

// A random transfer of the build as a descriptor; sometimes of another build, which may refuse it.
Descriptor RandomDescriptor(Rng& rng, size_t build) {
  const size_t of = rng.Chance(0.05) ? rng.Below(kBuilds) : build;
  Descriptor d;
  d.transfer = RandomTransfer(rng, ConfigOf(kPrepareBuilds[of]), rng() >> rng.Below(64), 100000);
  d.transfer.offset = 0;
  d.transfer.last_rule = static_cast<model::LastRule>(rng.Below(4));
  d.transfer.last_level = static_cast<int>(rng.Below(8));
  d.transfer.join_next = rng.Chance(0.3);
  d.transfer.task_end = rng.Chance(0.3);
  d.transfer.finish = rng.Chance(0.3) ? model::Finish::kLast : model::Finish::kLength;
  d.has_iteration = rng.Chance(0.3);
  if (d.has_iteration) {
    d.turn = static_cast<uint16_t>(rng() >> (48 + rng.Below(16)));
    d.iteration_step = static_cast<int64_t>(rng()) >> rng.Below(64);
  }
  d.noise = rng();
  return d;
}

void PushRandom(PrepareBench* bench, uint64_t seed, int number) {
  for (size_t build = 0; build < kBuilds; ++build) {
    Rng rng = Rng(seed).Stream("descriptor", build);
    for (int n = 0; n < number; ++n) bench->Push(build, RandomDescriptor(rng, build));
  }
}

TEST(Prepare, RandomDescriptorsAreWhatTheEncoderSaysInTheCyclesDocumented) {
  Proves({"program.descriptor-fields"});
  PrepareBench bench(1, {});
  PushRandom(&bench, 1, 3000);
  bench.Run();
  for (size_t build = 0; build < kBuilds; ++build) {
    EXPECT_GT(bench.counts(build).transfers, 2500U);
    EXPECT_GT(bench.counts(build).errors, 5U);
  }
}

TEST(Prepare, BackpressureAndGaps) {
  Proves({"program.descriptor-fields"});
  for (const double ready : {0.9, 0.5, 0.1}) {
    PrepareBench bench(2, {.valid = 0.7, .ready = ready});
    PushRandom(&bench, 2, 500);
    bench.Run();
    EXPECT_EQ(bench.counts(0).transfers + bench.counts(0).errors, 500U);
  }
}

TEST(Prepare, FlushDropsWhatIsOfItsTagAndNothingElse) {
  for (const double flush : {0.003, 0.03, 0.3}) {
    PrepareBench bench(3, {.valid = 0.7, .ready = 0.4, .flush = flush});
    PushRandom(&bench, 3, 1500);
    bench.Run();
    for (size_t build = 0; build < kBuilds; ++build) {
      const PrepareBench::Counts& counts = bench.counts(build);
      EXPECT_GT(counts.transfers, 100U);
      EXPECT_GT(counts.dropped, 0U);
      EXPECT_GT(counts.dropped_shown, 0U);
      EXPECT_GT(counts.withdrawn, 0U);
    }
  }
}

TEST(Prepare, TakesADescriptorWithoutProductsACycle) {
  Rng rng(4);
  PrepareBench bench(4, {});
  constexpr int kNumber = 1000;
  for (int n = 0; n < kNumber; ++n) {
    Descriptor d = RandomDescriptor(rng, 4);
    d.transfer.walk = {};
    for (size_t dim = 0; dim < model::kDims; ++dim) {
      if (d.transfer.stride[dim] != 0) d.transfer.start[dim] = 0;
    }
    if (rng.Chance(0.5)) d.turn = 0;
    if (d.turn != 0) d.iteration_step = 0;
    bench.PushAll(d);
  }
  EXPECT_EQ(bench.Run(), kNumber + 1U);
}

// ---- Worked out by hand
// ---------------------------------------------------------------------------

EngineTransfer Hand() {
  EngineTransfer e;
  e.dense = true;
  e.addr = 4973;
  e.dim[0] = {4, 24, -13, 19, false};  // start 3, bound 8, in bytes
  e.dim[1] = {64, 3, 1, 6, false};     // start -2, bound 5
  e.dim[2] = {1000, 2, 0, 0, true};
  e.dim[3] = {7, 1, 0, 0, true};
  e.elem_log2 = 2;
  e.fill = 0x4433221144332211;
  e.has_length = true;
  e.length = 140;
  return e;
}

Descriptor HandDescriptor() {
  Descriptor d;
  Transfer& t = d.transfer;
  t.elem = 4;
  t.base = 0x1000 - 3 * 1024;
  t.count = {6, 3, 2, 1};
  t.stride = {4, 64, 1000, 7};
  t.start = {3, -2, 1, -1};
  t.bound[0] = 8;
  t.bound[1] = 5;
  t.fill = 0x44332211;
  t.length = 35;
  d.has_iteration = true;
  d.turn = 3;
  d.iteration_step = 1024;
  return d;
}

TEST(Prepare, ExampleOfTheManual) {
  const Prepared made = Expect(HandDescriptor(), kPrepareBuilds[0]);
  EXPECT_TRUE(made.transfer == Completed(Hand()));
  EXPECT_EQ(made.cycles, 5 * 2 + 3);
  PrepareBench bench(5, {});
  bench.PushAll(HandDescriptor());
  bench.Run();
  EXPECT_EQ(bench.counts(0).transfers, 1U);
  EXPECT_EQ(bench.counts(3).errors, 1U);
}

// ---- Extremes
// -------------------------------------------------------------------------------------

using Change = std::function<void(Descriptor&)>;

// Every field at its extremes, one change a value.
std::vector<std::vector<Change>> Extremes() {
  std::vector<std::vector<Change>> fields;
  const auto add = [&](const auto& values, auto set) {
    std::vector<Change> changes;
    for (const auto value : values) {
      changes.push_back([set, value](Descriptor& d) { set(d, value); });
    }
    fields.push_back(changes);
  };
  const std::vector<uint32_t> counts = {
      0, 1, 2, 3, 0x1ffffff, 0x2000000, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xffffffff};
  const std::vector<int32_t> coordinates = {
      0, 1, -1, 3, INT32_MAX, INT32_MIN, INT32_MIN + 1, 0x1000000, -0x1000001};
  const std::vector<int64_t> strides = {0,  1,  2,          4,           8,         128,      -4,
                                        -1, 64, 0xffffffff, 0x100000004, INT64_MAX, INT64_MIN};
  const std::vector<uint32_t> bounds = {0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff};
  for (size_t d = 0; d < model::kDims; ++d) {
    if (d == 1) continue;  // as 2
    add(counts, [d](Descriptor& at, uint32_t value) { at.transfer.count[d] = value; });
    add(coordinates, [d](Descriptor& at, int32_t value) { at.transfer.start[d] = value; });
    add(strides, [d](Descriptor& at, int64_t value) { at.transfer.stride[d] = value; });
    add(bounds, [d](Descriptor& at, uint32_t value) { at.transfer.bound[d] = value; });
  }
  const std::vector<uint32_t> turns = {0, 1, 2, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff};
  for (size_t k : {0U, 3U}) {
    const auto level = [k](Descriptor& at) -> WalkLevel& {
      std::optional<WalkLevel>& said = at.transfer.walk[k];
      if (!said) said = WalkLevel{0, 3, 2};
      return *said;
    };
    add(coordinates, [level](Descriptor& at, int32_t value) { level(at).step = value; });
    add(turns, [level](Descriptor& at, uint32_t value) { level(at).count = value; });
    add(std::vector<int>{0, 1, 2, 3}, [level](Descriptor& at, int dim) { level(at).dim = dim; });
  }
  add(counts, [](Descriptor& at, uint32_t value) { at.transfer.length = value; });
  add(std::vector<int>{1, 2, 4, 8, 16, 32, 64, 128},
      [](Descriptor& at, int value) { at.transfer.elem = value; });
  add(std::vector<uint64_t>{0, 0xffffffff, 0x100000000, 0xffffffffff, 0x10000000000, ~uint64_t{0}},
      [](Descriptor& at, uint64_t value) { at.transfer.base = value; });
  add(std::vector<uint64_t>{0, 0xa5, 0x8001, 0x80000001, ~uint64_t{0}},
      [](Descriptor& at, uint64_t value) { at.transfer.fill = value; });
  add(std::vector<int>{0, 1, 0x7fff, 0x8000, 0xffff}, [](Descriptor& at, int value) {
    at.has_iteration = true;
    at.turn = static_cast<uint16_t>(value);
    at.iteration_step = -4097;
  });
  add(strides, [](Descriptor& at, int64_t value) {
    at.has_iteration = true;
    if (at.turn == 0) at.turn = 0xfffe;
    at.iteration_step = value;
  });
  return fields;
}

TEST(Prepare, EveryFieldAtItsExtremesInPairs) {
  Proves({"program.descriptor-fields"});
  // Once from a plain copy, once from a traversal of a padded tile.
  std::vector<Descriptor> from(2);
  from[0].transfer.stride = {1, 16, 256, 4096};
  from[1].transfer.elem = 4;
  from[1].transfer.count = {6, 3, 2, 2};
  from[1].transfer.stride = {4, 64, -1000, 7};
  from[1].transfer.start = {-1, -2, 0, 0};
  from[1].transfer.bound = {8, 5, std::nullopt, 3};
  from[1].transfer.walk[0] = WalkLevel{0, 6, 3};
  from[1].transfer.walk[1] = WalkLevel{1, -3, 2};
  const std::vector<std::vector<Change>> fields = Extremes();
  PrepareBench bench(6, {});
  Rng noise(6);
  for (const Descriptor& start : from) {
    for (size_t a = 0; a < fields.size(); ++a) {
      for (const Change& first : fields[a]) {
        for (size_t b = 0; b <= a; ++b) {
          for (const Change& second : fields[b]) {
            Descriptor d = start;
            first(d);
            if (b < a) second(d);
            d.noise = noise();
            if (d.transfer.elem < 8) {
              d.transfer.fill &= (uint64_t{1} << (8 * d.transfer.elem)) - 1;
            }
            bench.PushAll(d);
            if (b == a) break;
          }
        }
      }
    }
    bench.Run();
    if (HasFatalFailure()) return;
  }
  for (size_t build : {1U, 2U, 5U}) {
    EXPECT_GT(bench.counts(build).transfers, 20000U);
    EXPECT_GT(bench.counts(build).errors, 2000U);
  }
}

// ---- What is refused
// ------------------------------------------------------------------------------

PrepareError ErrorIn(size_t build, const Change& change) {
  Descriptor d;
  d.transfer.stride = {1, 16, 256, 4096};
  change(d);
  PrepareBench bench(7, {});
  bench.Push(build, d);
  bench.Run();
  return Expect(d, kPrepareBuilds[build]).error;
}

TEST(Prepare, RefusesWhatTheBuildDoesNotHave) {
  Proves({"program.descriptor-refused"});
  const auto elem = [](int bytes) { return [bytes](Descriptor& d) { d.transfer.elem = bytes; }; };
  EXPECT_EQ(ErrorIn(0, elem(8)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(0, elem(16)), PrepareError::kElem);
  EXPECT_EQ(ErrorIn(2, elem(128)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(3, elem(8)), PrepareError::kElem);
  const Change walk = [](Descriptor& d) { d.transfer.walk[0] = WalkLevel{0, 0, 1}; };
  EXPECT_EQ(ErrorIn(0, walk), PrepareError::kWalk);
  EXPECT_EQ(ErrorIn(1, walk), PrepareError::kNone);
  const Change bound = [](Descriptor& d) { d.transfer.bound[3] = 1; };
  EXPECT_EQ(ErrorIn(3, bound), PrepareError::kBounds);
  EXPECT_EQ(ErrorIn(0, bound), PrepareError::kNone);
}

TEST(Prepare, RefusesWhatCannotBeSaid) {
  Proves({"program.descriptor-refused"});
  const auto base = [](uint64_t at) { return [at](Descriptor& d) { d.transfer.base = at; }; };
  EXPECT_EQ(ErrorIn(0, base(0xffffffff)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(0, base(0x100000000)), PrepareError::kBase);
  EXPECT_EQ(ErrorIn(2, base(0xffffffffff)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(2, base(0x8000000000000000)), PrepareError::kBase);
  EXPECT_EQ(ErrorIn(1, base(~uint64_t{0})), PrepareError::kNone);
  const auto row = [](int64_t stride, uint32_t count) {
    return [stride, count](Descriptor& d) {
      d.transfer.elem = 4;
      d.transfer.stride[0] = stride;
      d.transfer.count[0] = count;
    };
  };
  EXPECT_EQ(ErrorIn(0, row(4, 0x3fffffff)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(0, row(4, 0x40000000)), PrepareError::kRow);
  EXPECT_EQ(ErrorIn(0, row(5, 0xffffffff)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(0, row(0x100000004, 0x40000000)), PrepareError::kRow);  // modulo 2^32
  EXPECT_EQ(ErrorIn(1, row(0x100000004, 0x40000000)), PrepareError::kNone);
  const auto length = [](uint32_t elements) {
    return [elements](Descriptor& d) {
      d.transfer.elem = 8;
      d.transfer.length = elements;
    };
  };
  EXPECT_EQ(ErrorIn(0, length(0x1fffffff)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(0, length(0x20000000)), PrepareError::kLength);
}

TEST(Prepare, RefusesATraversalThatGoesTooFar) {
  Proves({"program.descriptor-refused"});
  const auto moves = [](int dim, int32_t step, uint32_t count, bool bounded = true, int elem = 1) {
    return [=](Descriptor& d) {
      d.transfer.elem = elem;
      d.transfer.stride[0] = elem;
      if (bounded) d.transfer.bound[static_cast<size_t>(dim)] = 7;
      d.transfer.walk[2] = WalkLevel{dim, step, count};
    };
  };
  EXPECT_EQ(ErrorIn(1, moves(1, 0x7fffffff, 1)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(1, moves(1, 0x40000000, 2)), PrepareError::kReach);
  EXPECT_EQ(ErrorIn(1, moves(1, -0x40000000, 2)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(1, moves(1, -0x40000000, 3)), PrepareError::kReach);
  EXPECT_EQ(ErrorIn(1, moves(1, 1, 0x80000000)), PrepareError::kReach);
  EXPECT_EQ(ErrorIn(1, moves(1, -1, 0x80000000)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(1, moves(1, 0x7fffffff, 0xffffffff, false)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(1, moves(0, 0x10000000, 2, true, 4)), PrepareError::kReach);  // in bytes
  EXPECT_EQ(ErrorIn(1, moves(0, 0x10000000, 1, true, 4)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(1, moves(0, 0x40000000, 1, true, 4)), PrepareError::kReach);
  EXPECT_EQ(ErrorIn(1, moves(0, 0x40000000, 1, false, 4)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(3, moves(1, 0x7fffffff, 0xffffffff, false)), PrepareError::kNone);
  const auto shared = [](int32_t step) {
    return [step](Descriptor& d) {
      d.transfer.bound[2] = 7;
      d.transfer.walk[0] = WalkLevel{2, step, 0x1000};
      d.transfer.walk[3] = WalkLevel{2, 1, 2};
    };
  };
  EXPECT_EQ(ErrorIn(1, shared(0x1ffff)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(1, shared(0x20000)), PrepareError::kReach);
  EXPECT_EQ(ErrorIn(1, shared(-0x20000)), PrepareError::kNone);
  EXPECT_EQ(ErrorIn(1, shared(-0x20001)), PrepareError::kReach);
}

}  // namespace
}  // namespace tessera
