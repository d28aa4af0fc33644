// Asynchronous windows: a kernel that takes four blocks for each that it gives, by its own calls.
#include "example.h"

using namespace adf;

void decimate(input_window<int32>* in, output_window<int32>* out) {
  window_acquire(out);
  for (int block = 0; block < 4; ++block) {
    window_acquire(in);
    for (int n = 0; n < 4; ++n) {
      int32 sum = 0;
      for (int k = 0; k < 4; ++k) sum += window_readincr(in);
      window_writeincr(out, sum);
    }
    window_release(in);
  }
  window_release(out);
}

class DecimateGraph : public graph {
 public:
  input_port in;
  output_port out;
  DecimateGraph() {
    k_ = kernel::create(decimate);
    connect<window<64>>(in, async(k_.in[0]));
    connect<window<64>>(async(k_.out[0]), out);
  }

 private:
  kernel k_;
};

DecimateGraph g;
simulation::platform<1, 1> platform("input.txt", "output.txt");
connect<> net0(platform.src[0], g.in);
connect<> net1(g.out, platform.sink[0]);

int main() {
  const auto numbers = example::Ramp<int32>(192);
  example::Write("input.txt", numbers);
  if (g.init() != return_code::ok) return 1;
  g.run(3);
  if (g.end() != return_code::ok) return 1;
  std::vector<int32> expected;
  for (size_t n = 0; n < numbers.size(); n += 4) {
    expected.push_back(numbers[n] + numbers[n + 1] + numbers[n + 2] + numbers[n + 3]);
  }
  return example::Compare(example::Read<int32>("output.txt"), expected);
}
