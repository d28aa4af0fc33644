// A matrix product: tiles of A by rows and transposed tiles of B come from buffers on the chip,
// which the DMA fills from files and reads tile by tile.
#include "example.h"

using namespace adf;

constexpr uint32_t kSize = 16, kTile = 4, kAcross = kSize / kTile;

// One tile of C: kAcross pairs of tiles, those of B column by column.
void multiply(input_window<int16>* a, input_window<int16>* b, output_window<int32>* c) {
  int32 sum[kTile][kTile] = {};
  for (unsigned k = 0; k < kAcross; ++k) {
    int16 left[kTile][kTile], right[kTile][kTile];
    for (auto& row : left) {
      for (int16& x : row) window_readincr(a, x);
    }
    for (auto& column : right) {
      for (int16& x : column) window_readincr(b, x);
    }
    for (unsigned y = 0; y < kTile; ++y) {
      for (unsigned x = 0; x < kTile; ++x) {
        for (unsigned n = 0; n < kTile; ++n) sum[y][x] += left[y][n] * right[x][n];
      }
    }
  }
  for (auto& row : sum) {
    for (const int32 x : row) window_writeincr(c, x);
  }
}

class MatrixGraph : public graph {
 public:
  input_plio a, b;
  output_plio c;
  MatrixGraph() {
    k_ = kernel::create(multiply);
    repetition_count(k_) = kAcross * kAcross;
    a = input_plio::create("A", plio_64_bits, "a.txt");
    b = input_plio::create("B", plio_64_bits, "b.txt");
    c = output_plio::create("C", plio_32_bits, "output.txt");
    in_a_ = shared_buffer<int16>::create({kSize, kSize}, 1, 1);
    in_b_ = shared_buffer<int16>::create({kSize, kSize}, 1, 1);
    num_buffers(in_b_) = 2;
    out_ = shared_buffer<int32>::create({kSize, kSize}, 1, 1);
    // Tiles along a row of A; each row of tiles once for every column of C.
    read_access(in_a_.out[0]) =
        tiling({.buffer_dimension = {kSize, kSize},
                .tiling_dimension = {kTile, kTile},
                .offset = {0, 0},
                .tile_traversal = {{0, kTile, kAcross}, {0, 0, kAcross}, {1, kTile, kAcross}}});
    // A tile of one column, turned kTile times, is a transposed tile. Tiles go down a column of B.
    read_access(in_b_.out[0]) =
        tiling({.buffer_dimension = {kSize, kSize},
                .tiling_dimension = {1, kTile},
                .offset = {0, 0},
                .tile_traversal = {
                    {0, 1, kTile}, {1, kTile, kAcross}, {0, kTile, kAcross}, {1, 0, kAcross}}});
    write_access(out_.in[0]) =
        tiling({.buffer_dimension = {kSize, kSize},
                .tiling_dimension = {kTile, kTile},
                .offset = {0, 0},
                .tile_traversal = {{0, kTile, kAcross}, {1, kTile, kAcross}}});
    connect<stream>(a.out[0], in_a_.in[0]);
    connect<stream>(b.out[0], in_b_.in[0]);
    connect<stream, window<kSize * kTile * 2>>(in_a_.out[0], k_.in[0]);
    connect<stream, window<kSize * kTile * 2>>(in_b_.out[0], k_.in[1]);
    connect<window<kTile * kTile * 4>, stream>(k_.out[0], out_.in[0]);
    connect<stream>(out_.out[0], c.in[0]);
  }

 private:
  kernel k_;
  shared_buffer<int16> in_a_, in_b_;
  shared_buffer<int32> out_;
};

MatrixGraph product;

int main() {
  constexpr int kRounds = 2;
  std::vector<int16> a, b;
  for (uint32_t n = 0; n < kRounds * kSize * kSize; ++n) {
    a.push_back(static_cast<int16>(n * 7 % 101 - 50));
    b.push_back(static_cast<int16>(n * 13 % 89 - 44));
  }
  example::Write("a.txt", a, 4);
  example::Write("b.txt", b, 4);
  if (product.init() != return_code::ok) return 1;
  product.run(kRounds);
  std::printf("%s", lowering(product).c_str());
  std::ofstream("graph.svg") << drawing(product);
  std::ofstream("placement.svg") << placement_drawing(product);
  if (product.end() != return_code::ok) return 1;
  std::vector<int32> expected;
  for (uint32_t round = 0; round < kRounds; ++round) {
    const uint32_t at = round * kSize * kSize;
    for (uint32_t y = 0; y < kSize; ++y) {
      for (uint32_t x = 0; x < kSize; ++x) {
        int32 sum = 0;
        for (uint32_t n = 0; n < kSize; ++n) sum += a[at + y * kSize + n] * b[at + n * kSize + x];
        expected.push_back(sum);
      }
    }
  }
  return example::Compare(example::Read<int32>("output.txt"), expected);
}
