// Columns of files: 128 bits of 16-bit numbers in, hexadecimal bytes out.
#include "example.h"

using namespace adf;

void halve(input_window<uint16>* in, output_window<uint8>* out) {
  for (unsigned n = 0; n < 64; ++n)
    window_writeincr(out, static_cast<uint8>(window_readincr(in) / 2));
}

class ColumnGraph : public graph {
 public:
  ColumnGraph() {
    k_ = kernel::create(halve);
    connect<window<128>>(in.out[0], k_.in[0]);
    connect<window<64>>(k_.out[0], out.in[0]);
    single_buffer(k_.in[0]);
  }
  PLIO in{"in", plio_128_bits, "input.txt", 250.0};
  PLIO out{"out", plio_64_bits, "output.txt", 500.0, true};

 private:
  kernel k_;
};

ColumnGraph g;

int main() {
  const auto numbers = example::Ramp<uint16>(128, 3);
  example::Write("input.txt", numbers, 8);
  if (g.init() != return_code::ok) return 1;
  g.run(2);
  if (g.end() != return_code::ok) return 1;
  std::vector<int> came, expected;
  std::ifstream file("output.txt");
  for (int value = 0; file >> std::hex >> value;) came.push_back(value);
  for (const uint16 n : numbers) expected.push_back(n / 2);
  return example::Compare(came, expected);
}
