// Compares what a woven program left on a bench with the model of the device: every record, error,
// interrupt, counter, token, beat, lock and byte of memory.
//
// Of a program that was cut: nothing came that the whole one would not have brought, and records
// and locks tell of the same transfers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tb/dma/dma_bench.h"
#include "tb/dma/software.h"
#include "tb/dma/woven_model.h"

namespace tessera {

// What a run saw of a program beside what the bench holds.
struct WovenSeen {
  struct Channel {
    std::vector<native::Record> records;
    uint32_t error = 0;       // when it was cut
    uint32_t interrupts = 0;  // that the driver has cleared
  };
  std::vector<Channel> channels;
  // How many there were before it: of each write stream, read stream and memory port.
  std::vector<size_t> source_beats, sink_beats, errors;
  // A channel whose doings are not compared, and memory as it would be without it.
  std::optional<int> spoilt_channel{};
  const Memory* memory = nullptr;
  bool cut = false;      // channels were cut before all was done
  bool cut_off = false;  // a reset may have cut off what had begun
  // The memory behind port 0 broke a rule in this direction: its channels end with errors, data
  // that they read mean nothing.
  std::optional<Direction> spoilt{};
  bool told = false;  // one of them must say so
};

struct WovenCompared {
  uint64_t compared = 0;    // bytes, beats, records
  uint64_t bus_errors = 0;  // records that tell of one
  uint64_t faults = 0;      // that a channel tells of
  std::vector<std::string> differences;
};

WovenCompared CompareWoven(DmaBench* bench, Software* software, const DmaProgram& program,
                           const WovenModel& model, const WovenSeen& seen);

// Memory against that of the model; calls fail() with each difference. Returns the bytes compared.
// Of a program that was `cut` a part was written, and a byte that is written more than once may
// have any of its values.
uint64_t CompareMemory(const model::MemoryImage& expected, const Memory& seen, bool cut,
                       const std::function<void(const std::string&)>& fail);

// The beats that came on the stream of write channel w since the program began.
std::vector<model::StreamBeat> AcceptedBeats(DmaBench& bench, const WovenSeen& seen, int w);

// Beside every beat of a stream to memory, in runs of random programs.
rtl::DescriptorSide StreamSide(int stream);
// RECORD_SIDE of write channel `number`, whose stream has that. Before its first byte a channel
// shows nothing.
uint32_t ReceivedSide(int number, const native::Record& record);

}  // namespace tessera
