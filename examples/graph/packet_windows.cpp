// Packets into windows and back: headers end at the windows and are made anew behind them.
#include "example.h"

using namespace adf;

void scale(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < 16; ++n) window_writeincr(out, 2 * window_readincr(in));
}
void offset(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < 16; ++n) window_writeincr(out, 7 + window_readincr(in));
}

class SwitchGraph : public graph {
 public:
  SwitchGraph() {
    split_ = pktsplit<2>::create();
    merge_ = pktmerge<2>::create();
    k_[0] = kernel::create(scale);
    k_[1] = kernel::create(offset);
    connect<pktstream>(in.out[0], split_.in[0]);
    for (int n = 0; n < 2; ++n) {
      connect<pktstream, window<64>>(split_.out[n], k_[n].in[0]);
      connect<window<64>, pktstream>(k_[n].out[0], merge_.in[n]);
    }
    connect<pktstream>(merge_.out[0], out.in[0]);
  }
  PLIO in{"in", "input.txt"};
  PLIO out{"out", "output.txt"};

 private:
  kernel k_[2];
  pktsplit<2> split_;
  pktmerge<2> merge_;
};

SwitchGraph switched;

int main() {
  std::ofstream file("input.txt");
  std::vector<int64> expected;
  for (int n = 0; n < 6; ++n) {
    const uint32 id = static_cast<uint32>(n % 2);
    const auto header = tessera_packet_header(0, id);
    file << header << "\n";
    expected.push_back(static_cast<int32>(header));
    for (int word = 0; word < 16; ++word) {
      const int value = n * 16 + word;
      file << (word == 15 ? "TLAST\n" : "") << value << "\n";
      expected.push_back(id == 0 ? 2 * value : value + 7);
    }
  }
  file.close();
  if (switched.init() != return_code::ok) return 1;
  switched.run(3);
  if (switched.end() != return_code::ok) return 1;
  return example::Compare(example::Read<int64>("output.txt"), expected);
}
