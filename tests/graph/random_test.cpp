// Random graphs of kernels that pass, add and fan out, on memory: what comes is what the same
// operations give on vectors, natively and on the RTL.
#include <random>

#include "tests/graph/fixture.h"

using adf::return_code;

namespace tessera::graph {
namespace {

constexpr size_t kWords = 192;  // of each input: a multiple of every block

void pass_block(adf::input_buffer<int32>& in, adf::output_buffer<int32>& out) {
  for (size_t n = 0; n < in.size(); ++n) out[n] = in[n] + 1;
}
void add_block(adf::input_buffer<int32>& a, adf::input_buffer<int32>& b,
               adf::output_buffer<int32>& out) {
  for (size_t n = 0; n < a.size(); ++n) out[n] = a[n] + b[n];
}
void pass_word(input_stream<int32>* in, output_stream<int32>* out) {
  writeincr(out, readincr(in) * 3);
}
void add_word(input_stream<int32>* a, input_stream<int32>* b, output_stream<int32>* out) {
  writeincr(out, readincr(a) - readincr(b));
}

class RandomGraph : public adf::graph {
 public:
  using Values = std::vector<int32>;
  std::vector<adf::GMIO> ins, outs;
  std::vector<Values> given, expected;

  explicit RandomGraph(uint32_t seed) : random_(seed) {
    const size_t sources = 1 + Draw(2);
    for (size_t n = 0; n < sources; ++n) {
      ins.emplace_back("", 64, 100);
      Values values(kWords);
      for (int32& value : values) value = static_cast<int32>(random_() % 1000);
      given.push_back(values);
      open_.push_back({&ins.back().out[0], values});
      kept_.push_back(ins.back());
      open_.back().port = &kept_.back().out[0];
    }
    for (size_t n = 1 + Draw(3); n > 0; --n) Add();
    for (Open& end : open_) {
      outs.emplace_back("", 64, 100);
      Join(*end.port, outs.back().in[0]);
      expected.push_back(end.values);
    }
  }

 private:
  struct Open {
    adf::port<adf::output>* port;
    Values values;
  };
  size_t Draw(size_t most) { return random_() % most; }
  Open Take() {
    const size_t n = Draw(open_.size());
    Open taken = open_[n];
    // A source may go on to others: fan-out.
    if (Draw(4) != 0) open_.erase(open_.begin() + static_cast<ptrdiff_t>(n));
    return taken;
  }
  template <adf::direction D>
  void Join(adf::port<adf::output>& from, adf::port<D>& to) {
    adf::connect<> net(from, to);
    adf::fifo_depth(net) = kWords + 16;  // no deadlock where ways meet again
  }
  void Add() {
    const bool words = Draw(2) != 0;
    const bool adds = open_.size() >= 2 && Draw(2) != 0;
    constexpr uint32_t kBlocks[] = {4, 16, 24, 64, 96};
    const uint32_t block = kBlocks[Draw(5)];
    kernels_.push_back(words ? adds ? adf::kernel::create(add_word) : adf::kernel::create(pass_word)
                       : adds ? adf::kernel::create(add_block)
                              : adf::kernel::create(pass_block));
    adf::kernel& k = kernels_.back();
    Open a = Take();
    if (adds) {
      const Open b = open_[Draw(open_.size())];
      Join(*b.port, k.in[1]);
      if (!words) adf::dimensions(k.in[1]) = {block};
      for (size_t n = 0; n < kWords; ++n) {
        a.values[n] = words ? a.values[n] - b.values[n] : a.values[n] + b.values[n];
      }
    } else {
      for (int32& value : a.values) value = words ? value * 3 : value + 1;
    }
    Join(*a.port, k.in[0]);
    if (!words) {
      adf::dimensions(k.in[0]) = {block};
      adf::dimensions(k.out[0]) = {block};
    }
    open_.push_back({&k.out[0], a.values});
  }

  std::mt19937 random_;
  std::deque<adf::kernel> kernels_;
  std::deque<adf::GMIO> kept_;
  std::vector<Open> open_;
};

class Random : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(On, Random, Backends(), NameOf);

TEST_P(Random, GraphsGiveWhatTheirOperationsGive) {
  const uint32_t cases = GetParam() == std::string("native") ? 100 : 25;
  uint32_t ran = 0;
  for (uint32_t seed = 1; seed <= cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Restart({.backend = GetParam(), .seed = seed});
    RandomGraph g(seed);
    const return_code code = g.init();
    if (code == return_code::unsupported) continue;  // more channels than the build has
    ASSERT_EQ(code, return_code::ok);
    std::vector<int32*> to;
    ASSERT_EQ(g.run(), return_code::ok);
    for (size_t n = 0; n < g.outs.size(); ++n) {
      to.push_back(static_cast<int32*>(adf::GMIO::malloc(kWords * 4)));
      ASSERT_EQ(g.outs[n].aie2gm_nb(to[n], kWords * 4), return_code::ok);
    }
    for (size_t n = 0; n < g.ins.size(); ++n) {
      auto* from = static_cast<int32*>(adf::GMIO::malloc(kWords * 4));
      std::copy(g.given[n].begin(), g.given[n].end(), from);
      ASSERT_EQ(g.ins[n].gm2aie_nb(from, kWords * 4), return_code::ok);
    }
    for (size_t n = 0; n < g.outs.size(); ++n) {
      ASSERT_EQ(g.outs[n].wait(), return_code::ok);
      EXPECT_EQ(std::vector<int32>(to[n], to[n] + kWords), g.expected[n]) << "output " << n;
    }
    ASSERT_EQ(g.end(), return_code::ok);
    ++ran;
  }
  EXPECT_GE(ran, cases / 2) << "too few graphs fit on the build";
  RecordProperty("cases", static_cast<int>(ran));
  Restart({});
}

}  // namespace
}  // namespace tessera::graph
