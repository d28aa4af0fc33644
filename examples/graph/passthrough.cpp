// The smallest graph: one kernel, a window in and a window out, files at both ends.
#include "example.h"

using namespace adf;

void passthrough(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < 32; ++n) window_writeincr(out, window_readincr(in));
}

class simpleGraph : public graph {
 public:
  kernel k;
  input_port in;
  output_port out;
  simpleGraph() {
    k = kernel::create(passthrough);
    connect<window<128>>(in, k.in[0]);
    connect<window<128>>(k.out[0], out);
    source(k) = "passthrough.cpp";
    runtime<ratio>(k) = 0.1;
  }
};

simpleGraph mygraph;
simulation::platform<1, 1> platform("input.txt", "output.txt");
connect<> net0(platform.src[0], mygraph.in);
connect<> net1(mygraph.out, platform.sink[0]);

int main() {
  const auto numbers = example::Ramp<int32>(128, 3);
  example::Write("input.txt", numbers);
  if (mygraph.init() != return_code::ok) return 1;
  mygraph.run(4);
  std::printf("%s", lowering(mygraph).c_str());
  if (mygraph.end() != return_code::ok) return 1;
  return example::Compare(example::Read<int32>("output.txt"), numbers);
}
