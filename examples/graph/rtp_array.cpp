// Coefficients as an array parameter, and statistics as an array that the kernel gives back.
#include "example.h"

using namespace adf;

void filter_with_array_param(input_window<cint16>* in, output_window<cint16>* out,
                             const int32 (&coefficients)[4], int32 (&statistics)[2]) {
  cint16 past[4] = {};
  for (unsigned n = 0; n < 16; ++n) {
    for (unsigned t = 3; t > 0; --t) past[t] = past[t - 1];
    past[0] = window_readincr(in);
    cint16 sum;
    for (unsigned t = 0; t < 4; ++t) {
      sum.real = static_cast<int16>(sum.real + coefficients[t] * past[t].real);
      sum.imag = static_cast<int16>(sum.imag + coefficients[t] * past[t].imag);
    }
    window_writeincr(out, sum);
    statistics[0] += past[0].real;
    statistics[1] += past[0].imag;
  }
}

class ArrayGraph : public graph {
 public:
  input_port in, coefficients;
  output_port out;
  inout_port statistics;
  ArrayGraph() {
    k_ = kernel::create(filter_with_array_param);
    connect<window<64>>(in, k_.in[0]);
    connect<window<64>>(k_.out[0], out);
    connect<parameter>(coefficients, async(k_.in[1]));
    connect<parameter>(k_.inout[0], statistics);
    initial_value(k_.inout[0]) = {1000, 2000};
  }

 private:
  kernel k_;
};

ArrayGraph filter;
simulation::platform<1, 1> platform("input.txt", "output.txt");
connect<> net0(platform.src[0], filter.in);
connect<> net1(filter.out, platform.sink[0]);

int main() {
  const auto numbers = example::Ramp<int16>(64);  // 32 complex samples
  example::Write("input.txt", numbers, 2);
  if (filter.init() != return_code::ok) return 1;
  const int32 coefficients[4] = {1, 2, 0, -1};
  if (filter.update(filter.coefficients, coefficients, 4) != return_code::ok) return 1;
  filter.run(2);
  filter.wait();
  int32 statistics[2] = {};
  if (filter.read(filter.statistics, statistics, 2) != return_code::ok) return 1;
  if (filter.end() != return_code::ok) return 1;

  std::vector<int32> expected;
  for (int n = 0; n < 32; ++n) {
    for (int part = 0; part < 2; ++part) {
      int32 sum = 0;
      for (int t = 0; t < 4; ++t) {
        if (n % 16 >= t) sum += coefficients[t] * numbers[static_cast<size_t>(2 * (n - t) + part)];
      }
      expected.push_back(static_cast<int16>(sum));
    }
  }
  std::vector<int32> came = example::Read<int32>("output.txt");
  for (int part = 0; part < 2; ++part) {
    int32 sum = 1000 * (part + 1);
    for (int n = 0; n < 32; ++n) sum += numbers[static_cast<size_t>(2 * n + part)];
    expected.push_back(sum);
    came.push_back(statistics[part]);
  }
  return example::Compare(came, expected);
}
