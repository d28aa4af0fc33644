// A way around a kernel, which a parameter opens and closes.
#include "example.h"

using namespace adf;

void square(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < 8; ++n) {
    const int32 value = window_readincr(in);
    window_writeincr(out, value * value);
  }
}

class BypassGraph : public graph {
 public:
  input_port in, around;
  output_port out;
  BypassGraph() {
    k_ = kernel::create(square);
    b_ = bypass::create(k_);
    connect<window<32>>(in, b_.in[0]);
    connect<window<32>>(b_.out[0], out);
    connect<parameter>(around, b_.bp);
  }

 private:
  kernel k_;
  bypass b_;
};

BypassGraph g;
simulation::platform<1, 1> platform("input.txt", "output.txt");
connect<> net0(platform.src[0], g.in);
connect<> net1(g.out, platform.sink[0]);

int main() {
  const auto numbers = example::Ramp<int32>(32);
  example::Write("input.txt", numbers);
  if (g.init() != return_code::ok) return 1;
  for (int turn = 0; turn < 4; ++turn) {
    g.update(g.around, turn % 2);
    g.run(1);
    if (g.wait() != return_code::ok) return 1;
  }
  if (g.end() != return_code::ok) return 1;
  std::vector<int32> expected;
  for (const int32 n : numbers) expected.push_back(n / 8 % 2 == 0 ? n * n : n);
  return example::Compare(example::Read<int32>("output.txt"), expected);
}
