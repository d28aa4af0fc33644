// GMIO with two buffers each way: while one is worked on the program fills and empties the other.
#include "example.h"

using namespace adf;

constexpr size_t kBlock = 256;  // numbers
constexpr int kTurns = 6;

void weighted_sum(input_window<int32>* in, output_window<int32>* out) {
  int32 before = 0;
  for (unsigned n = 0; n < kBlock; ++n) {
    const int32 value = window_readincr(in);
    window_writeincr(out, 3 * value + before);
    before = value;
  }
}

class GmioGraph : public graph {
 public:
  input_gmio gm_in;
  output_gmio gm_out;
  GmioGraph() {
    k_ = kernel::create(weighted_sum);
    gm_in = input_gmio::create("gmioIn", 64, 1000);
    gm_out = output_gmio::create("gmioOut", 64, 1000);
    connect<window<kBlock * 4>>(gm_in.out[0], k_.in[0]);
    connect<window<kBlock * 4>>(k_.out[0], gm_out.in[0]);
  }

 private:
  kernel k_;
};

GmioGraph gr;

int main() {
  constexpr size_t kBytes = kBlock * sizeof(int32);
  int32* from[2];
  int32* to[2];
  for (int n = 0; n < 2; ++n) {
    from[n] = static_cast<int32*>(GMIO::malloc(kBytes));
    to[n] = static_cast<int32*>(GMIO::malloc(kBytes));
  }
  if (gr.init() != return_code::ok) return 1;
  gr.run(kTurns);
  std::vector<int32> came, expected;
  const auto collect = [&](int turn) {
    if (gr.gm_out.wait() != return_code::ok) std::exit(1);
    came.insert(came.end(), to[turn % 2], to[turn % 2] + kBlock);
  };
  for (int turn = 0; turn < kTurns; ++turn) {
    int32 before = 0;
    for (size_t n = 0; n < kBlock; ++n) {
      const int32 value = static_cast<int32>(n) * (turn + 1);
      from[turn % 2][n] = value;
      expected.push_back(3 * value + before);
      before = value;
    }
    if (gr.gm_in.gm2aie_nb(from[turn % 2], kBytes) != return_code::ok) return 1;
    if (turn > 0) collect(turn - 1);
    if (gr.gm_out.aie2gm_nb(to[turn % 2], kBytes) != return_code::ok) return 1;
  }
  collect(kTurns - 1);
  if (gr.end() != return_code::ok) return 1;
  for (int n = 0; n < 2; ++n) {
    GMIO::free(from[n]);
    GMIO::free(to[n]);
  }
  example::Write("output.txt", came);
  return example::Compare(came, expected);
}
