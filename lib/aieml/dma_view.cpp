// See dma_view.h.
#include "lib/aieml/dma_view.h"

#include <fmt/format.h>

#include <utility>

#include "lib/aieml/descriptor.h"
#include "lib/aieml/dma_layout.h"

namespace tessera::aieml {
namespace {

constexpr uint32_t kErrors = kErrorSlave | kErrorDecode | kErrorFotLength | kErrorInvalid |
                             kErrorUnavailable | kErrorMemory | kErrorLock;

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

uint32_t ControlOffset(TileKind kind, ChannelName channel) {
  const DmaLayout at = LayoutOf(kind);
  return (channel.to_stream ? at.mm2s_control : at.s2mm_control) + 8 * channel.number;
}

std::string WaitsForLock(const DmaView& view, uint32_t bd) {
  const DmaLayout at = LayoutOf(view.kind);
  const bool memory = view.kind == TileKind::kMemory;
  std::vector<uint32_t> words;
  for (uint32_t n = 0; n < DescriptorWords(view.kind); ++n) {
    words.push_back(view.read(at.descriptor + 0x20 * bd + 4 * n));
  }
  const TileDescriptor d = DecodeDescriptor(view.kind, words);
  const uint32_t lock = d.acquire_lock % at.locks, window = memory ? d.acquire_lock / at.locks : 1;
  const char* where = window == 1   ? ""
                      : window == 0 ? " of the tile to the west"
                                    : " of the tile to the east";
  const uint32_t value =
      window == 1 ? view.read(at.lock + 0x10 * lock) : view.beside(window == 0, lock);
  return fmt::format("waits in descriptor {} for lock {}{} to be {}{}, which is {}", bd, lock,
                     where, d.acquire_value < 0 ? "at least " : "",
                     d.acquire_value < 0 ? -d.acquire_value : d.acquire_value, value);
}

// Empty: it has nothing to do.
std::string WhyItWaits(const DmaView& view, ChannelName channel) {
  const uint32_t status = view.read(StatusOffset(view.kind, channel));
  const uint32_t control = view.read(ControlOffset(view.kind, channel));
  const uint32_t bd = status >> 24 & 63, queued = status >> 20 & 7, state = status & 3;
  const auto is = [status](uint32_t bit) { return (status >> bit & 1) != 0; };
  if (state == 0 && queued == 0 && (status & kErrors) == 0) return "";
  if (!view.runs) return "has work, and its clock is off";
  if (view.kind == TileKind::kShim && (control & 6) != 0) return "is paused";
  if (state == 0 && (status & kErrors) != 0) {
    return fmt::format("has halted in descriptor {}: {}", bd, ErrorText(status & kErrors));
  }
  if (state == 0) return "has tasks that it does not begin";
  if (is(2)) return WaitsForLock(view, bd);
  if (is(5)) {
    return !channel.to_stream && (control >> 16 & 3) == 3
               ? "waits for room for the length of a packet"
               : "waits to send its token";
  }
  if (is(4) && !channel.to_stream && state == 1) {
    return "waits for a packet, whose header names its descriptor";
  }
  if (is(4)) {
    return fmt::format("waits in descriptor {} for {}", bd,
                       channel.to_stream ? "its stream to take words" : "words on its stream");
  }
  return state == 1 ? fmt::format("is about to load descriptor {}", bd)
                    : fmt::format("moves data of descriptor {}", bd);
}

}  // namespace

std::vector<std::string> DescribeWaiting(const DmaView& view) {
  std::vector<std::string> all;
  for (const bool to_stream : {false, true}) {
    for (uint32_t n = 0; n < LayoutOf(view.kind).channels; ++n) {
      const std::string name = fmt::format("{} {}", to_stream ? "MM2S" : "S2MM", n);
      if (const uint32_t lost = view.lost({to_stream, n})) {
        all.push_back(fmt::format("{} has lost {} push{} to its queue, which was full with {}",
                                  name, lost, lost == 1 ? "" : "es", kQueueDepth));
      }
      const std::string why = WhyItWaits(view, {to_stream, n});
      if (!why.empty()) all.push_back(fmt::format("{} {}", name, why));
    }
  }
  return all;
}

std::vector<uint32_t> DescriptorOffsets(TileKind kind) {
  const DmaLayout at = LayoutOf(kind);
  std::vector<uint32_t> offsets;
  for (uint32_t bd = 0; bd < at.descriptors; ++bd) {
    for (uint32_t n = 0; n < DescriptorWords(kind); ++n) {
      offsets.push_back(at.descriptor + 0x20 * bd + 4 * n);
    }
  }
  return offsets;
}

std::optional<ChannelName> QueueAt(TileKind kind, uint32_t offset) {
  for (const bool to_stream : {false, true}) {
    for (uint32_t n = 0; n < LayoutOf(kind).channels; ++n) {
      if (offset == ControlOffset(kind, {to_stream, n}) + 4) return ChannelName{to_stream, n};
    }
  }
  return std::nullopt;
}

std::optional<ChannelName> ResetBy(TileKind kind, uint32_t offset, uint32_t value) {
  if (kind == TileKind::kShim || (value >> 1 & 1) == 0) return std::nullopt;
  return QueueAt(kind, offset + 4);
}

bool QueueFull(uint32_t status) { return (status >> 20 & 7) >= kQueueDepth; }

uint32_t StatusOffset(TileKind kind, ChannelName channel) {
  const DmaLayout at = LayoutOf(kind);
  return (channel.to_stream ? at.mm2s_status : at.s2mm_status) + 4 * channel.number;
}

}  // namespace tessera::aieml
