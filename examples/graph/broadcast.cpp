// One source for three kernels: by a stream, by a window, and by a window of another size.
#include "example.h"

using namespace adf;

void producer(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < 32; ++n) window_writeincr(out, window_readincr(in) + 1);
}
void by_word(input_stream<int32>* in, output_stream<int32>* out) {
  for (unsigned n = 0; n < 32; ++n) writeincr(out, readincr(in) * 2);
}
void by_window(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < 32; ++n) window_writeincr(out, window_readincr(in) * 3);
}
void by_half(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < 16; ++n) window_writeincr(out, window_readincr(in) * 5);
}

class BroadcastGraph : public graph {
 public:
  input_port in;
  output_port out[3];
  BroadcastGraph() {
    p_ = kernel::create(producer);
    k_[0] = kernel::create(by_word);
    k_[1] = kernel::create(by_window);
    k_[2] = kernel::create(by_half);
    repetition_count(k_[2]) = 2;
    connect<window<128>>(in, p_.in[0]);
    connect<window<128>, stream>(p_.out[0], k_[0].in[0]);
    connect<window<128>>(p_.out[0], k_[1].in[0]);
    connect<window<128>, window<64>>(p_.out[0], k_[2].in[0]);
    connect<stream>(k_[0].out[0], out[0]);
    connect<window<128>>(k_[1].out[0], out[1]);
    connect<window<64>>(k_[2].out[0], out[2]);
  }

 private:
  kernel p_, k_[3];
};

BroadcastGraph g;
simulation::platform<1, 3> platform("input.txt", "output0.txt", "output1.txt", "output2.txt");
connect<> net(platform.src[0], g.in);
connect<> net0(g.out[0], platform.sink[0]);
connect<> net1(g.out[1], platform.sink[1]);
connect<> net2(g.out[2], platform.sink[2]);

int main() {
  const auto numbers = example::Ramp<int32>(128);
  example::Write("input.txt", numbers);
  if (g.init() != return_code::ok) return 1;
  g.run(4);
  if (g.end() != return_code::ok) return 1;
  const int factor[3] = {2, 3, 5};
  for (int n = 0; n < 3; ++n) {
    std::vector<int32> expected;
    for (const int32 number : numbers) expected.push_back((number + 1) * factor[n]);
    const auto came = example::Read<int32>("output" + std::to_string(n) + ".txt");
    if (example::Compare(came, expected) != 0) return 1;
  }
  return 0;
}
