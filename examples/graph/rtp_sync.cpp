// A synchronous run-time parameter: every iteration of the kernel takes one update.
#include "example.h"

using namespace adf;

void simple_param(input_window<int32>* in, output_window<int32>* out, int32 select, int32& result) {
  result = 0;
  for (unsigned n = 0; n < 8; ++n) {
    const int32 value = window_readincr(in) + select;
    window_writeincr(out, value);
    result += value;
  }
}

class ParameterGraph : public graph {
 public:
  input_port in, select_value;
  output_port out;
  inout_port result;
  ParameterGraph() {
    k_ = kernel::create(simple_param);
    connect<window<32>>(in, k_.in[0]);
    connect<window<32>>(k_.out[0], out);
    connect<parameter>(select_value, k_.in[1]);
    connect<parameter>(sync(k_.inout[0]), result);
  }

 private:
  kernel k_;
};

ParameterGraph mygraph;
simulation::platform<1, 1> platform("input.txt", "output.txt");
connect<> net0(platform.src[0], mygraph.in);
connect<> net1(mygraph.out, platform.sink[0]);

int main() {
  example::Write("input.txt", example::Ramp<int32>(16));
  if (mygraph.init() != return_code::ok) return 1;
  mygraph.run(2);
  int32 first = 0, second = 0;
  mygraph.update(mygraph.select_value, 23);
  mygraph.read(mygraph.result, first);
  mygraph.update(mygraph.select_value, 45);
  mygraph.read(mygraph.result, second);
  if (mygraph.end() != return_code::ok) return 1;
  std::vector<int32> came = example::Read<int32>("output.txt");
  came.push_back(first);
  came.push_back(second);
  std::vector<int32> expected;
  for (int n = 0; n < 16; ++n) expected.push_back(n + (n < 8 ? 23 : 45));
  expected.push_back(28 + 8 * 23);
  expected.push_back(92 + 8 * 45);
  return example::Compare(came, expected);
}
