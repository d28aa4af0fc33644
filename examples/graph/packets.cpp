// Packet switching: packets of one stream go to four kernels by their identifier and come back on
// one stream.
#include "example.h"

using namespace adf;

constexpr int kWords = 8;

void core(input_pktstream* in, output_pktstream* out) {
  readincr(in);  // the header
  const uint32 id = getPacketid(out, 0);
  writeHeader(out, 0, id);
  for (int n = 0; n < kWords; ++n) {
    bool tlast = false;
    const int32 value = readincr(in, tlast);
    writeincr(out, value + static_cast<int32>(id) + 1, n == kWords - 1);
  }
}

class PacketGraph : public graph {
 public:
  kernel cores[4];
  pktsplit<4> split;
  pktmerge<4> merge;
  input_plio in;
  output_plio out;
  PacketGraph() {
    in = input_plio::create("Datain0", plio_32_bits, "input.txt");
    out = output_plio::create("Dataout0", plio_32_bits, "output.txt");
    split = pktsplit<4>::create();
    merge = pktmerge<4>::create();
    for (int n = 0; n < 4; ++n) {
      cores[n] = kernel::create(core);
      runtime<ratio>(cores[n]) = 0.9;
      connect<pktstream>(split.out[n], cores[n].in[0]);
      connect<pktstream>(cores[n].out[0], merge.in[n]);
    }
    connect<pktstream>(in.out[0], split.in[0]);
    connect<pktstream>(merge.out[0], out.in[0]);
  }
};

PacketGraph packets;

int main() {
  std::ofstream file("input.txt");
  std::vector<int64> expected;
  for (int n = 0; n < 8; ++n) {
    const uint32 id = static_cast<uint32>(n % 4);
    file << tessera_packet_header(0, id) << "\n";
    expected.push_back(static_cast<int32>(tessera_packet_header(0, id)));
    for (int word = 0; word < kWords; ++word) {
      file << (word == kWords - 1 ? "TLAST\n" : "") << n * 100 + word << "\n";
      expected.push_back(n * 100 + word + static_cast<int>(id) + 1);
    }
  }
  file.close();
  if (packets.init() != return_code::ok) return 1;
  packets.run(2);
  if (packets.end() != return_code::ok) return 1;
  return example::Compare(example::Read<int64>("output.txt"), expected);
}
