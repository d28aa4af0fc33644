// A window of an image to the stream, with fill around it: the library in C++.
#include <cstdio>
#include <tessera/sim.hpp>

using namespace tessera::sim;

int main() try {
  constexpr uint32_t kWidth = 16, kHeight = 8;
  std::vector<uint8_t> image(kWidth * kHeight);
  for (size_t n = 0; n < image.size(); ++n) image[n] = static_cast<uint8_t>(n);

  Options options;
  options.latency_min = options.latency_max = 20;
  Simulation sim(options);
  sim.WriteMemory(0x1000, image.data(), image.size());

  Transfer tile;  // 6 x 4 pixels from column -1, row -1 on
  tile.base = 0x1000;
  tile.count = {6, 4, 1, 1};
  tile.stride = {1, kWidth, 0, 0};
  tile.start = {-1, -1, 0, 0};
  tile.bound = {kWidth, kHeight, std::nullopt, std::nullopt};
  tile.fill = 0xff;
  sim.Queue(Direction::kRead, tile);
  sim.Run();

  const std::vector<uint8_t> stream = sim.Receive();
  for (size_t n = 0; n < stream.size(); ++n) {
    std::printf("%02x%c", stream[n], n % 6 == 5 ? '\n' : ' ');
  }
  const Record record = sim.record(Direction::kRead, 0);
  std::printf("%d bytes, status %u\n", static_cast<int>(record.bytes), record.status);
  return record.bytes == 24 && stream[0] == 0xff && stream[8] == 0x01 && stream[13] == 0x10 ? 0 : 1;
} catch (const Error& error) {
  std::puts(error.what());
  return 1;
}
