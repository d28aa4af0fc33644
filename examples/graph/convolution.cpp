// A tiled 2-D convolution: tiles with a halo are read from an image in external memory, the DMA
// pads what lies outside it with zeros, and results go back as tiles.
#include "example.h"

using namespace adf;

constexpr int kWidth = 32, kHeight = 16, kTile = 8, kSide = kTile + 2;
constexpr int kTiles = kWidth / kTile * (kHeight / kTile);
const int32 weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

void conv3x3(input_window<int32>* in, output_window<int32>* out) {
  int32 tile[kSide][kSide];
  for (auto& row : tile) {
    for (int32& pixel : row) window_readincr(in, pixel);
  }
  for (int y = 0; y < kTile; ++y) {
    for (int x = 0; x < kTile; ++x) {
      int32 sum = 0;
      for (int ky = 0; ky < 3; ++ky) {
        for (int kx = 0; kx < 3; ++kx) sum += weight[ky][kx] * tile[y + ky][x + kx];
      }
      window_writeincr(out, sum);
    }
  }
}

class ConvolutionGraph : public graph {
 public:
  external_buffer<int32> image, result;
  ConvolutionGraph() {
    k_ = kernel::create(conv3x3);
    repetition_count(k_) = kTiles;
    image = external_buffer<int32>::create({kWidth, kHeight}, 0, 1);
    result = external_buffer<int32>::create({kWidth, kHeight}, 1, 0);
    read_access(image.out[0]) =
        tiling({.buffer_dimension = {kWidth, kHeight},
                .tiling_dimension = {kSide, kSide},
                .offset = {-1, -1},
                .tile_traversal = {{0, kTile, kWidth / kTile}, {1, kTile, kHeight / kTile}}});
    write_access(result.in[0]) =
        tiling({.buffer_dimension = {kWidth, kHeight},
                .tiling_dimension = {kTile, kTile},
                .offset = {0, 0},
                .tile_traversal = {{0, kTile, kWidth / kTile}, {1, kTile, kHeight / kTile}}});
    connect<stream, window<kSide * kSide * 4>>(image.out[0], k_.in[0]);
    connect<window<kTile * kTile * 4>, stream>(k_.out[0], result.in[0]);
  }

 private:
  kernel k_;
};

ConvolutionGraph convolution;

int main() {
  constexpr size_t kPixels = kWidth * kHeight;
  auto* image = static_cast<int32*>(GMIO::malloc(kPixels * 4));
  auto* result = static_cast<int32*>(GMIO::malloc(kPixels * 4));
  for (size_t n = 0; n < kPixels; ++n) image[n] = static_cast<int32>(n * 37 % 251);
  convolution.image.setAddress(image);
  convolution.result.setAddress(result);
  if (convolution.init() != return_code::ok) return 1;
  convolution.run(1);
  if (convolution.end() != return_code::ok) return 1;

  std::vector<int32> expected;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      int32 sum = 0;
      for (int ky = -1; ky <= 1; ++ky) {
        for (int kx = -1; kx <= 1; ++kx) {
          const bool inside = x + kx >= 0 && x + kx < kWidth && y + ky >= 0 && y + ky < kHeight;
          if (inside) sum += weight[ky + 1][kx + 1] * image[(y + ky) * kWidth + x + kx];
        }
      }
      expected.push_back(sum);
    }
  }
  const std::vector<int32> came(result, result + kPixels);
  example::Write("output.txt", came, kWidth);
  GMIO::free(image);
  GMIO::free(result);
  return example::Compare(came, expected);
}
