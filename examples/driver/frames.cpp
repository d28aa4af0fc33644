// Takes video into three frame buffers for ever, and looks at each frame while the next ones come.
#include "examples/driver/platform.h"

using namespace example;

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  constexpr uint32_t kLine = 48, kLines = 10, kPitch = 64, kFrames = 12, kLock = 0;
  uint8_t* buffers[3];
  uint64_t addresses[3];
  for (uint32_t n = 0; n < 3; ++n) {
    buffers[n] = p.Allocate(kPitch * kLines);
    addresses[n] = p.At(buffers[n]);
  }
  FrameBuffers<TheChannel, 3> frames(p.in, p.descriptors);
  Status status = frames.Start(addresses, {kLine, kLines, kPitch}, kLock);

  // The camera: it sends whether or not anybody looks.
  for (uint32_t frame = 0; frame < kFrames; ++frame) {
    p.board.Send(0, Bytes(kLine * kLines, static_cast<uint8_t>(frame + 1)));
  }
  bool right = true;
  for (uint32_t frame = 0; frame < kFrames && status.ok(); ++frame) {
    Result<uint32_t> next = frames.Next();
    for (uint32_t turn = 0; !next.ok() && turn < 1000; ++turn) next = frames.Next();
    status = next.status;
    if (!status.ok()) break;
    for (uint32_t y = 0; y < kLines; ++y) {
      for (uint32_t x = 0; x < kLine; ++x) {
        right = right && buffers[next.value][y * kPitch + x] == frame + 1;
      }
    }
    status = frames.Release();  // the device may fill it again
  }
  if (status.ok()) status = frames.Cancel();
  return Report(status, right);
}
