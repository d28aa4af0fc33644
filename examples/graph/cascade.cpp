// A filter of two halves: the first hands its partial sums to the second on a cascade.
#include "example.h"

using namespace adf;

void first_half(input_stream<int32>* in, output_stream<int32>* on, output_cascade<int64>* sums) {
  static int32 past = 0;
  for (int n = 0; n < 8; ++n) {
    const int32 value = readincr(in);
    writeincr(sums, int64{4} * value + int64{3} * past);
    writeincr(on, past);
    past = value;
  }
}
void second_half(input_stream<int32>* in, input_cascade<int64>* sums, output_stream<int32>* out) {
  static int32 past = 0;
  for (int n = 0; n < 8; ++n) {
    const int32 value = readincr(in);
    writeincr(out, static_cast<int32>(readincr(sums) + 2 * past));
    past = value;
  }
}

class CascadeGraph : public graph {
 public:
  input_port in;
  output_port out;
  CascadeGraph() {
    a_ = kernel::create(first_half);
    b_ = kernel::create(second_half);
    connect<stream>(in, a_.in[0]);
    connect<stream>(a_.out[0], b_.in[0]);
    connect<cascade>(a_.out[1], b_.in[1]);
    connect<stream>(b_.out[0], out);
  }

 private:
  kernel a_, b_;
};

CascadeGraph halves;
simulation::platform<1, 1> platform("input.txt", "output.txt");
connect<> net0(platform.src[0], halves.in);
connect<> net1(halves.out, platform.sink[0]);

int main() {
  const auto numbers = example::Ramp<int32>(64, 11, -300);
  example::Write("input.txt", numbers);
  if (halves.init() != return_code::ok) return 1;
  halves.run(8);
  if (halves.end() != return_code::ok) return 1;
  std::vector<int32> expected;
  for (size_t n = 0; n < numbers.size(); ++n) {
    const auto at = [&](size_t back) { return n >= back ? numbers[n - back] : 0; };
    expected.push_back(4 * at(0) + 3 * at(1) + 2 * at(2));
  }
  return example::Compare(example::Read<int32>("output.txt"), expected);
}
