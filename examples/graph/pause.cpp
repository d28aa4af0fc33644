// A graph that runs for ever: time-limited waits, resume, and an end with a limit.
#include "example.h"

using namespace adf;

void count(input_window<int32>* in, output_window<int32>* out) {
  static int32 calls = 0;
  ++calls;
  for (unsigned n = 0; n < 16; ++n) window_writeincr(out, window_readincr(in) + calls);
}

class EndlessGraph : public graph {
 public:
  EndlessGraph() {
    k_ = kernel::create(count);
    connect<window<64>>(in.out[0], k_.in[0]);
    connect<window<64>>(k_.out[0], out.in[0]);
  }
  PLIO in{"in", "input.txt"};
  PLIO out{"out", "output.txt"};

 private:
  kernel k_;
};

EndlessGraph g;

int main() {
  example::Write("input.txt", example::Ramp<int32>(320));
  if (g.init() != return_code::ok) return 1;
  g.run();
  for (int turn = 0; turn < 3; ++turn) {
    if (g.wait(200) != return_code::ok || g.resume() != return_code::ok) return 1;
  }
  if (g.end(100000) != return_code::ok) return 1;
  std::vector<int32> expected;
  for (int n = 0; n < 320; ++n) expected.push_back(n + n / 16 + 1);
  return example::Compare(example::Read<int32>("output.txt"), expected);
}
