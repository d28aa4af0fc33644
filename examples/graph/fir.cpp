// A FIR filter on windows that overlap: every window begins with the last samples of the one
// before, so that no state is kept between calls.
#include "example.h"

using namespace adf;

constexpr unsigned kBlock = 64, kTaps = 8;  // samples

const int16 taps[kTaps] = {1, -2, 3, 4, 4, 3, -2, 1};

void fir(input_window<int16>* in, output_window<int16>* out) {
  int16 sample[kTaps - 1 + kBlock + 1];
  for (unsigned n = 0; n < kTaps + kBlock; ++n) window_readincr(in, sample[n]);
  for (unsigned n = 0; n < kBlock; ++n) {
    int32 sum = 0;
    for (unsigned t = 0; t < kTaps; ++t) sum += taps[t] * sample[kTaps + n - t];
    window_writeincr(out, static_cast<int16>(sum >> 2));
  }
}

class FirGraph : public graph {
 public:
  input_plio in;
  output_plio out;
  FirGraph() {
    k_ = kernel::create(fir);
    source(k_) = "fir.cpp";
    runtime<ratio>(k_) = 0.8;
    in = input_plio::create("samples", plio_32_bits, "input.txt");
    out = output_plio::create("filtered", plio_32_bits, "output.txt");
    connect<stream, window<kBlock * 2, kTaps * 2>>(in.out[0], k_.in[0]);
    connect<window<kBlock * 2>, stream>(k_.out[0], out.in[0]);
  }

 private:
  kernel k_;
};

FirGraph filter;

int main() {
  std::vector<int16> samples(kBlock * 6);
  for (size_t n = 0; n < samples.size(); ++n) {
    samples[n] = static_cast<int16>((n * 7919 % 2001) - 1000);
  }
  example::Write("input.txt", samples, 2);
  if (filter.init() != return_code::ok) return 1;
  filter.run(6);
  if (filter.wait() != return_code::ok) return 1;
  std::printf("%s", lowering(filter).c_str());
  if (filter.end() != return_code::ok) return 1;

  std::vector<int16> expected(samples.size());
  for (size_t n = 0; n < samples.size(); ++n) {
    int32 sum = 0;
    for (size_t t = 0; t < kTaps && t <= n; ++t) sum += taps[t] * samples[n - t];
    expected[n] = static_cast<int16>(sum >> 2);
  }
  return example::Compare(example::Read<int16>("output.txt"), expected);
}
