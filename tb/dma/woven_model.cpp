#include "tb/dma/woven_model.h"

#include "tb/dma/native.h"

namespace tessera {
namespace {

// What the driver tells the channels, locks and descriptors, as register writes by the manual.
void Tell(const DmaConfig& config, const WovenProgram& program, DeviceModel* model) {
  for (size_t k = 0; k < program.locks.size(); ++k) {
    model->Write(native::kLocks + 0x10 * static_cast<uint32_t>(k),
                 static_cast<uint32_t>(program.locks[k]));
  }
  for (int c = 0; c < config.channels(); ++c) {
    const WovenProgram::Channel& told = program.channels[static_cast<size_t>(c)];
    const uint32_t at = native::ChannelOf(config, c);
    model->Write(at + native::kStanding, told.weight | told.controller << 16);
    model->Write(at + native::kTrigger, told.trigger);
    model->Write(at + native::kListBase, static_cast<uint32_t>(told.list_base));
    model->Write(at + native::kListBase + 4, static_cast<uint32_t>(told.list_base >> 32));
    model->Write(at + native::kListCount, static_cast<uint32_t>(told.list.size()));
    model->Write(at + native::kListControl, (native::kListPitch / 64 - 1) << 4);
  }
  for (const auto& [number, descriptor] : program.descriptors) {
    const native::Image image = native::Encode(descriptor);
    const auto put = [&, place = 0x40 * static_cast<uint32_t>(number)](uint32_t area,
                                                                       const native::Words& words) {
      for (uint32_t w = 0; w < words.size(); ++w) model->Write(area + place + 4 * w, words[w]);
    };
    if (image.bounds) put(native::kBounds, *image.bounds);
    if (image.walk) put(native::kWalks, *image.walk);
    put(native::kDescriptors, image.base);
  }
}

}  // namespace

StreamBeats PlannedBeats(const DmaConfig& config, const WovenProgram& program) {
  const size_t width = static_cast<size_t>(config.channel.stream_bytes);
  StreamBeats streams;
  for (const auto& pieces : program.streams) {
    std::vector<model::StreamBeat>& beats = streams.emplace_back();
    for (const WovenProgram::Piece& piece : pieces) {
      for (size_t n = 0; n < piece.bytes.size(); n += width) {
        model::StreamBeat& beat = beats.emplace_back();
        for (size_t lane = 0; lane < width && n + lane < piece.bytes.size(); ++lane) {
          beat.data[lane] = piece.bytes[n + lane];
          beat.keep.set(lane);
        }
        beat.last = piece.end == PieceEnd::kLast && n + width >= piece.bytes.size();
      }
    }
  }
  return streams;
}

WovenModel::WovenModel(const DmaConfig& config, const WovenProgram& program,
                       const StreamBeats& streams, const Memory& before,
                       const std::vector<model::ErrorRange>& errors)
    : image_(model::MemoryImage::PageBackground(
          [&before](uint64_t address, std::span<uint8_t> page) { before.Read(address, page); })),
      device_(native::BuildOfDevice(config, true), &image_, errors, errors) {
  Tell(config, program, &device_);
  for (size_t w = 0; w < streams.size(); ++w) device_.Feed(static_cast<int>(w), streams[w]);
  for (size_t c = 0; c < program.channels.size(); ++c) {
    const uint32_t at = native::ChannelOf(config, static_cast<int>(c));
    for (const WovenProgram::Push& push : program.channels[c].tasks) {
      device_.Write(at + native::kTag, push.tag);
      device_.Write(at + native::kTask, push.task.Word());
    }
  }
  device_.Run();
}

}  // namespace tessera
