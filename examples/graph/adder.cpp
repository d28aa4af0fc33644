// Kernels on streams: two inputs word by word, a running sum behind them.
#include "example.h"

using namespace adf;

void adder(input_stream<int32>* a, input_stream<int32>* b, output_stream<int32>* out) {
  for (int n = 0; n < 16; ++n) writeincr(out, readincr(a) + readincr(b));
}
void accumulate(input_stream_int32* in, output_stream_int32* out) {
  static int32 sum = 0;
  for (int n = 0; n < 16; ++n) {
    sum += readincr(in);
    writeincr(out, sum);
  }
}

class SumGraph : public graph {
 public:
  SumGraph() {
    add_ = kernel::create(adder);
    sum_ = kernel::create(accumulate);
    connect<stream>(a.out[0], add_.in[0]);
    connect<stream>(b.out[0], add_.in[1]);
    connect<stream> between(add_.out[0], sum_.in[0]);
    fifo_depth(between) = 16;
    connect<stream>(sum_.out[0], out.in[0]);
  }
  PLIO a{"a", plio_32_bits, "a.txt"};
  PLIO b{"b", plio_64_bits, "b.txt", 250.0};
  PLIO out{"out", plio_32_bits, "output.txt"};

 private:
  kernel add_, sum_;
};

SumGraph sums;

int main() {
  const auto a = example::Ramp<int32>(64, 5), b = example::Ramp<int32>(64, -3, 100);
  example::Write("a.txt", a);
  example::Write("b.txt", b, 2);
  if (sums.init() != return_code::ok) return 1;
  sums.run();  // until the files end
  if (sums.end() != return_code::ok) return 1;
  std::vector<int32> expected;
  int32 sum = 0;
  for (size_t n = 0; n < a.size(); ++n) expected.push_back(sum += a[n] + b[n]);
  return example::Compare(example::Read<int32>("output.txt"), expected);
}
