// Registers of the behavioural model; see dma_model.h.
#include <algorithm>

#include "lib/aieml/dma_layout.h"
#include "lib/aieml/dma_model.h"
#include "lib/aieml/dma_view.h"

namespace tessera::aieml {
namespace {

// Which of `count` registers from `first` at this pitch an offset is.
std::optional<uint32_t> Number(uint32_t offset, uint32_t first, uint32_t pitch, uint32_t count) {
  if (offset < first || offset >= first + pitch * count) return std::nullopt;
  if ((offset - first) % pitch != 0) return std::nullopt;
  return (offset - first) / pitch;
}

}  // namespace

bool DmaModel::Post(const Access& access) {
  if (access_ || answer_) return false;
  access_ = access;
  return true;
}

std::optional<uint32_t> DmaModel::Answer() {
  const auto answer = answer_;
  answer_.reset();
  return answer;
}

uint32_t DmaModel::StatusOf(const Channel& channel) const {
  const bool memory = ports_.kind == TileKind::kMemory;
  const bool active = channel.state != State::kIdle && channel.state != State::kHalted;
  uint32_t word = (channel.bd & (memory ? 63u : 15u)) << 24;
  word |= static_cast<uint32_t>(channel.queue.size()) << 20;
  word |= active || !channel.queue.empty() ? 1u << 19 : 0;
  word |= channel.overflow ? 1u << 18 : 0;
  word |= channel.errors;
  word |= channel.state == State::kToken || channel.waits_fifo ? 1u << 5 : 0;
  word |= channel.waits_stream ? 1u << 4 : 0;
  word |= channel.state == State::kAcquire ? 1u << 2 : 0;
  word |= channel.state == State::kRun || channel.state == State::kToken ? 2u : active ? 1u : 0u;
  return word;
}

uint32_t DmaModel::RequestLock(uint32_t number) {
  const uint32_t lock = number >> 8;
  const auto amount = static_cast<int32_t>(number << 25) >> 25;
  if ((number >> 7 & 1) != 0) return locks_.Acquire(lock, amount) ? 1 : 0;
  locks_.Release(lock, amount);
  return 1;
}

uint32_t DmaModel::ReadRegister(uint32_t offset) {
  const DmaLayout at = LayoutOf(ports_.kind);
  if (const auto n = Number(offset, at.descriptor, 4, at.descriptors * 8)) {
    return words_[*n];
  }
  for (Channel& channel : channels_) {
    const uint32_t control = (channel.to_stream ? at.mm2s_control : at.s2mm_control);
    if (offset == control + 8 * channel.number) return channel.control;
    const uint32_t status = (channel.to_stream ? at.mm2s_status : at.s2mm_status);
    if (offset == status + 4 * channel.number) return StatusOf(channel);
    if (channel.to_stream) continue;
    if (offset == at.count + 4 * channel.number) return static_cast<uint32_t>(channel.written);
    if (offset == at.fifo + 4 * channel.number) {
      if (channel.counts.empty()) return 0;
      const uint32_t word = channel.counts.front();
      channel.counts.pop_front();
      ++changes_;
      return word;
    }
  }
  if (const auto n = Number(offset, at.lock, 0x10, at.locks)) return locks_.Value(*n);
  if (const auto n = Number(offset, at.request, 4, at.locks * 256)) return RequestLock(*n);
  if (const auto n = Number(offset, at.over, 4, at.locks == 64 ? 2 : 1)) {
    return static_cast<uint32_t>(locks_.over() >> 32 * *n);
  }
  if (const auto n = Number(offset, at.under, 4, at.locks == 64 ? 2 : 1)) {
    return static_cast<uint32_t>(locks_.under() >> 32 * *n);
  }
  return 0;
}

void DmaModel::WriteRegister(uint32_t offset, uint32_t value) {
  const DmaLayout at = LayoutOf(ports_.kind);
  if (const auto n = Number(offset, at.descriptor, 4, at.descriptors * 8)) {
    if (*n % 8 < DescriptorWords(ports_.kind)) words_[*n] = value;
    return;
  }
  for (Channel& channel : channels_) {
    const uint32_t control =
        (channel.to_stream ? at.mm2s_control : at.s2mm_control) + 8 * channel.number;
    const uint32_t status =
        (channel.to_stream ? at.mm2s_status : at.s2mm_status) + 4 * channel.number;
    if (offset == control) return WriteControl(channel, value);
    if (offset == control + 4) return WriteQueue(channel, value);
    if (offset == status) {
      if ((value >> 18 & 1) != 0) channel.overflow = false;
      channel.errors &= ~(value & (kErrorSlave | kErrorDecode));
      return;
    }
  }
  if (const auto n = Number(offset, at.lock, 0x10, at.locks)) return locks_.Set(*n, value);
  if (const auto n = Number(offset, at.over, 4, at.locks == 64 ? 2 : 1)) {
    return locks_.ClearOver(uint64_t{value} << 32 * *n);
  }
  if (const auto n = Number(offset, at.under, 4, at.locks == 64 ? 2 : 1)) {
    locks_.ClearUnder(uint64_t{value} << 32 * *n);
  }
}

void DmaModel::WriteControl(Channel& channel, uint32_t value) {
  channel.control = value;
  if (ports_.kind == TileKind::kShim || (value >> 1 & 1) == 0) return;
  Reset(channel);
}

void DmaModel::Reset(Channel& channel) {
  channel.queue.clear();
  channel.state = State::kIdle;
  channel.errors = 0;
  channel.overflow = false;
  channel.ready.clear();
  channel.unit.clear();
  channel.counts.clear();
}

void DmaModel::WriteQueue(Channel& channel, uint32_t value) {
  const bool in_reset =
      hold_.in_reset || (ports_.kind != TileKind::kShim && (channel.control >> 1 & 1) != 0);
  if (in_reset) return;
  if (channel.queue.size() >= kQueueDepth) {
    channel.overflow = true;
    ++channel.lost;
    return;
  }
  channel.queue.push_back(value);
}

std::vector<std::string> DmaModel::Waiting() {
  const auto lost = [this](ChannelName name) {
    const auto found = std::find_if(channels_.begin(), channels_.end(), [&](const Channel& c) {
      return ChannelName{c.to_stream, c.number} == name;
    });
    return found == channels_.end() ? 0 : found->lost;
  };
  return DescribeWaiting({ports_.kind, hold_.runs, [this](uint32_t at) { return ReadRegister(at); },
                          lost,
                          [this](bool west, uint32_t lock) {
                            TileLocks* locks = west ? west_ : east_;
                            return locks == nullptr ? 0 : locks->Value(lock);
                          }});
}

}  // namespace tessera::aieml
