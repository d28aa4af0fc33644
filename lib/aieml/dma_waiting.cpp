// What the channels of the behavioural model wait for, in words.
#include <fmt/format.h>

#include "lib/aieml/dma_layout.h"
#include "lib/aieml/dma_model.h"

namespace tessera::aieml {
namespace {

std::string ErrorText(uint32_t errors) {
  for (const auto& [bit, text] :
       {std::pair{kErrorLock, "no lock of its descriptor can be reached"},
        std::pair{kErrorMemory, "an address of its descriptor is in no memory that it reaches"},
        std::pair{kErrorUnavailable, "the descriptor is not one that it can use"},
        std::pair{kErrorInvalid, "the descriptor is not valid"},
        std::pair{kErrorFotLength, "no TLAST came within the length of its descriptor"},
        std::pair{kErrorDecode, "an address of its descriptor is in no memory of the host"}}) {
    if ((errors & bit) != 0) return text;
  }
  return "its status tells why";
}

}  // namespace

std::string DmaModel::WhyItWaits(const Channel& channel) const {
  const TileDescriptor& d = channel.descriptor;
  uint32_t number = 0;
  switch (channel.state) {
    case State::kIdle:
      return "has tasks that it does not begin";
    case State::kHalted:
      return fmt::format("has halted in descriptor {}: {}", channel.bd, ErrorText(channel.errors));
    case State::kLoad:
      return channel.waits_stream ? "waits for a packet, whose header names its descriptor"
                                  : fmt::format("is about to load descriptor {}", channel.bd);
    case State::kAcquire: {
      const Locks* locks = LockOf(channel, d.acquire_lock, &number);
      const uint32_t beside = ports_.kind == TileKind::kMemory ? d.acquire_lock / 64 : 1;
      return fmt::format("waits in descriptor {} for lock {}{} to be {}{}, which is {}", channel.bd,
                         number,
                         beside == 1   ? ""
                         : beside == 0 ? " of the tile to the west"
                                       : " of the tile to the east",
                         d.acquire_value < 0 ? "at least " : "",
                         d.acquire_value < 0 ? -d.acquire_value : d.acquire_value,
                         locks == nullptr ? 0 : locks->Value(number));
    }
    case State::kToken:
      return "waits to send its token";
    case State::kRun:
      break;
  }
  if (channel.waits_fifo) return "waits for room for the length of a packet";
  if (!channel.waits_stream) return fmt::format("moves data of descriptor {}", channel.bd);
  return channel.to_stream
             ? fmt::format("waits in descriptor {} for its stream to take words", channel.bd)
             : fmt::format("waits in descriptor {} for words on its stream", channel.bd);
}

std::vector<std::string> DmaModel::Waiting() const {
  std::vector<std::string> all;
  for (const Channel& channel : channels_) {
    const std::string name =
        fmt::format("{} {}", channel.to_stream ? "MM2S" : "S2MM", channel.number);
    if (channel.lost != 0) {
      all.push_back(fmt::format("{} has lost {} push{} to its queue, which was full with {}", name,
                                channel.lost, channel.lost == 1 ? "" : "es", kQueueDepth));
    }
    if (channel.state == State::kIdle && channel.queue.empty()) continue;
    std::string why = WhyItWaits(channel);
    if (!hold_.runs) why = "has work, and its clock is off";
    if (ports_.kind == TileKind::kShim && (channel.control & 6) != 0) why = "is paused";
    all.push_back(fmt::format("{} {}", name, why));
  }
  return all;
}

}  // namespace tessera::aieml
