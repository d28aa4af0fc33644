#include "tb/dma/woven_model.h"

#include "tb/dma/native.h"

namespace tessera {
namespace {

// Channels, locks and descriptors as register writes by the manual.
void SetUp(const DmaConfig& config, const DmaProgram& program, DeviceModel* model) {
  for (size_t k = 0; k < program.locks.size(); ++k) {
    model->Write(native::kLocks + 0x10 * static_cast<uint32_t>(k),
                 static_cast<uint32_t>(program.locks[k]));
  }
  for (int c = 0; c < config.channels(); ++c) {
    const DmaProgram::Channel& told = program.channels[static_cast<size_t>(c)];
    const uint32_t at = native::ChannelOf(config, c);
    model->Write(at + native::kStanding, told.weight | told.controller << 16);
    model->Write(at + native::kTrigger, told.trigger);
    model->Write(at + native::kListBase, static_cast<uint32_t>(told.list_base));
    model->Write(at + native::kListBase + 4, static_cast<uint32_t>(told.list_base >> 32));
    model->Write(at + native::kListCount, static_cast<uint32_t>(told.list.size()));
    model->Write(at + native::kListControl, (native::kListPitch / 64 - 1) << 4);
  }
  for (const auto& [number, descriptor] : program.descriptors) {
    native::WriteWords(number, descriptor,
                       [model](uint32_t address, uint32_t word) { model->Write(address, word); });
  }
}

void Push(const DmaConfig& config, const DmaProgram& program, DeviceModel* model) {
  for (size_t c = 0; c < program.channels.size(); ++c) {
    const uint32_t at = native::ChannelOf(config, static_cast<int>(c));
    for (const DmaProgram::Push& push : program.channels[c].tasks) {
      model->Write(at + native::kTag, push.tag);
      model->Write(at + native::kTask, push.task.Word());
    }
  }
}

}  // namespace

StreamBeats PlannedBeats(const DmaConfig& config, const DmaProgram& program) {
  const size_t width = static_cast<size_t>(config.channel.stream_bytes);
  StreamBeats streams;
  for (const auto& pieces : program.streams) {
    std::vector<model::StreamBeat>& beats = streams.emplace_back();
    for (const DmaProgram::Piece& piece : pieces) {
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

std::vector<std::vector<DeviceExecution>> ExecutionsOf(const DmaConfig& config,
                                                       const DmaProgram& program) {
  model::MemoryImage memory, lists;
  DeviceModel device(native::BuildOfDevice(config, true), &memory, {}, {}, &lists);
  SetUp(config, program, &device);
  for (const DmaProgram::Channel& channel : program.channels) {
    for (size_t n = 0; n < channel.list.size(); ++n) {
      lists.Write(channel.list_base + native::kListPitch * n, native::BytesOf(channel.list[n]));
    }
  }
  Push(config, program, &device);
  model::StreamBeat beat;  // ends a packet, so that none is too short
  beat.last = true;
  for (int lane = 0; lane < config.channel.stream_bytes; ++lane) {
    beat.keep.set(static_cast<size_t>(lane));
  }
  const std::vector<model::StreamBeat> beats(64, beat);
  for (bool waits = true; waits;) {
    device.Run();
    waits = false;
    for (int w = 0; w < config.writes; ++w) {
      if (device.WaitsFor(config.reads + w) != DeviceModel::Wait::kData) continue;
      device.Feed(w, beats);
      waits = true;
    }
  }
  std::vector<std::vector<DeviceExecution>> all;
  for (int c = 0; c < config.channels(); ++c) all.push_back(device.executions(c));
  return all;
}

WovenModel::WovenModel(const DmaConfig& config, const DmaProgram& program,
                       const StreamBeats& streams, const Memory& before,
                       const std::vector<model::ErrorRange>& errors)
    : image_(model::MemoryImage::PageBackground(
          [&before](uint64_t address, std::span<uint8_t> page) { before.Read(address, page); })),
      device_(native::BuildOfDevice(config, true), &image_, errors, errors) {
  SetUp(config, program, &device_);
  for (size_t w = 0; w < streams.size(); ++w) device_.Feed(static_cast<int>(w), streams[w]);
  Push(config, program, &device_);
  device_.Run();
}

}  // namespace tessera
