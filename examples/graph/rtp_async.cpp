// An asynchronous run-time parameter: it stays until it is updated.
#include "example.h"

using namespace adf;

void gain(input_window<int32>* in, output_window<int32>* out, int32 factor) {
  for (unsigned n = 0; n < 16; ++n) window_writeincr(out, factor * window_readincr(in));
}

class GainGraph : public graph {
 public:
  input_port in, factor;
  output_port out;
  GainGraph() {
    k_ = kernel::create(gain);
    connect<window<64>>(in, k_.in[0]);
    connect<window<64>>(k_.out[0], out);
    connect<parameter>(factor, async(k_.in[1]));
    initial_value(k_.in[1]) = 3;
  }

 private:
  kernel k_;
};

GainGraph amplifier;
PLIO in0("in0", "input.txt"), out0("out0", "output.txt");
simulation::platform<1, 1> platform(&in0, &out0);
connect<> net0(platform.src[0], amplifier.in);
connect<> net1(amplifier.out, platform.sink[0]);

int main() {
  const auto numbers = example::Ramp<int32>(96);
  example::Write("input.txt", numbers);
  if (amplifier.init() != return_code::ok) return 1;
  amplifier.run(2);
  amplifier.wait();
  if (amplifier.update(amplifier.factor, 10) != return_code::ok) return 1;
  amplifier.run(2);
  amplifier.wait();
  amplifier.update(amplifier.factor, -1);
  amplifier.run(2);
  if (amplifier.end() != return_code::ok) return 1;
  std::vector<int32> expected;
  for (size_t n = 0; n < numbers.size(); ++n) {
    expected.push_back(numbers[n] * (n < 32 ? 3 : n < 64 ? 10 : -1));
  }
  return example::Compare(example::Read<int32>("output.txt"), expected);
}
