// Channels of the behavioural model: tasks, descriptors, words. Its registers: dma_registers.cpp.
#include "lib/aieml/dma_model.h"

#include <bit>
#include <utility>

#include "lib/aieml/dma_layout.h"

namespace tessera::aieml {

uint32_t WithParity(uint32_t word) {
  const uint32_t low = word & 0x7fffffff;
  return low | (std::popcount(low) % 2 == 0 ? 0x80000000u : 0u);
}

uint32_t PacketHeader(uint32_t id, uint32_t type, uint32_t out_of_order, uint32_t column,
                      uint32_t row) {
  return WithParity((id & 31) | (out_of_order & 63) << 5 | (type & 7) << 12 | (row & 31) << 16 |
                    (column & 127) << 21);
}

uint32_t TokenWord(TileKind kind, uint32_t column, uint32_t row, bool to_stream, uint32_t channel,
                   uint32_t controller) {
  const bool memory = kind == TileKind::kMemory;
  const uint32_t actor = channel + (to_stream ? (memory ? 16u : 6u) : (memory ? 1u : 0u));
  return WithParity(column << 21 | row << 16 | (0x6000 + (actor << 8)) | (controller & 0xff));
}

std::optional<Token> ReadToken(TileKind kind, uint32_t word) {
  const uint32_t code = word >> 8 & 0xff;
  if (code < 0x60) return std::nullopt;
  const bool memory = kind == TileKind::kMemory;
  const uint32_t actor = code - 0x60;
  const uint32_t to_stream = memory ? 16 : 6, to_memory = memory ? 1 : 0;
  if (actor < to_memory) return std::nullopt;
  const bool stream = actor >= to_stream;
  const uint32_t channel = actor - (stream ? to_stream : to_memory);
  if (channel >= (memory ? 6u : 2u)) return std::nullopt;
  return Token{word >> 21 & 127, word >> 16 & 31, channel, stream};
}

DmaModel::DmaModel(const DmaPorts& ports)
    : ports_(ports),
      locks_(ports.kind == TileKind::kMemory ? 64 : 16),
      words_(size_t{LayoutOf(ports.kind).descriptors} * 8) {
  for (const bool to_stream : {false, true}) {
    const auto& links = to_stream ? ports.to_stream : ports.to_memory;
    for (size_t n = 0; n < links.size(); ++n) {
      Channel channel;
      channel.to_stream = to_stream;
      channel.number = static_cast<uint32_t>(n);
      channel.link = links[n];
      channels_.push_back(channel);
    }
  }
}

void DmaModel::Neighbours(TileDma* west, TileDma* east) {
  west_ = west == nullptr ? nullptr : &west->locks();
  east_ = east == nullptr ? nullptr : &east->locks();
}

bool DmaModel::Quiet() const {
  for (const Channel& channel : channels_) {
    const bool rests = channel.state == State::kIdle || channel.state == State::kHalted;
    if (!rests || (channel.state == State::kIdle && !channel.queue.empty())) return false;
  }
  return !access_;
}

void DmaModel::Clock() {
  activity_ = {};
  ClockChannels();
  const uint64_t wrong = locks_.over() | locks_.under();
  activity_.lock_error = (wrong & ~std::exchange(wrong_, wrong)) != 0;
}

void DmaModel::ClockChannels() {
  if (access_) {
    answer_ = 0;
    if (access_->write) {
      WriteRegister(access_->offset, access_->value);
    } else {
      answer_ = ReadRegister(access_->offset);
    }
    access_.reset();
  }
  if (!hold_.runs || hold_.in_reset) return;
  for (Channel& channel : channels_) Step(channel);
}

// What goes on as long as the channel stays as it is.
void DmaModel::Watch(const Channel& channel) {
  const uint32_t bit = BitOf(channel);
  const bool waits = channel.state == State::kAcquire;
  const bool starves = channel.to_stream ? channel.link->Quiet() : !channel.link->CanPush();
  if (waits) activity_.lock |= bit;
  if (waits && starves) activity_.memory |= bit;
  if (channel.waits_stream) activity_.stream |= bit;
  if (channel.state == State::kToken || channel.waits_fifo) activity_.token_stall = true;
}

// A reset ends all tasks and sets control words and locks to 0; descriptors stay.
void DmaModel::Hold(const DmaHold& hold) {
  if (hold.in_reset && !hold_.in_reset) {
    for (Channel& channel : channels_) {
      channel.control = 0;
      Reset(channel);
    }
    locks_ = Locks(locks_.count());
  }
  hold_ = hold;
}

void DmaModel::Halt(Channel& channel, uint32_t error) {
  channel.errors |= error;
  activity_.error |= BitOf(channel);
  channel.state = State::kHalted;
}

bool DmaModel::Usable(const Channel& channel, uint32_t bd) const {
  if (ports_.kind != TileKind::kMemory) return bd < 16;
  return channel.number % 2 == 0 ? bd < 24 : bd >= 24 && bd < 48;
}

TileLocks* DmaModel::LockOf(const Channel& channel, uint32_t id, uint32_t* number) {
  if (ports_.kind != TileKind::kMemory) {
    *number = id & 15;
    return &locks_;
  }
  *number = id % 64;
  const uint32_t window = id / 64;
  if (window == 1) return &locks_;
  if (window > 2 || channel.number >= 4) return nullptr;
  return window == 0 ? (hold_.west ? west_ : nullptr) : (hold_.east ? east_ : nullptr);
}

bool DmaModel::MayReach(const Channel& channel, uint64_t address) const {
  return ports_.kind != TileKind::kMemory || channel.number < 4 || address >> 19 == 1;
}

void DmaModel::Step(Channel& channel) {
  const State before = channel.state;
  StepState(channel);
  if (channel.state != before) ++changes_;
  if (channel.state != State::kIdle) Watch(channel);
}

void DmaModel::StepState(Channel& channel) {
  channel.waits_stream = channel.waits_fifo = false;
  const bool paused = ports_.kind == TileKind::kShim && (channel.control & 6) != 0;
  if (paused) return;
  if (channel.state == State::kIdle && !channel.queue.empty()) {
    channel.task = channel.queue.front();
    channel.queue.pop_front();
    activity_.started |= BitOf(channel);
    channel.left = (channel.task >> 16 & 0xff) + 1;
    channel.bd = channel.task & (ports_.kind == TileKind::kMemory ? 63 : 15);
    channel.state = State::kLoad;
  }
  if (channel.state == State::kLoad) Load(channel);
  if (channel.state == State::kAcquire) Acquire(channel);
  if (channel.state == State::kRun) {
    if (channel.to_stream) {
      Send(channel);
    } else {
      Receive(channel);
    }
  } else if (channel.state == State::kToken) {
    IssueToken(channel);
  }
}

void DmaModel::Load(Channel& channel) {
  if (OutOfOrder(channel)) {  // the header of the packet names the descriptor
    if (channel.link->Empty()) {
      channel.waits_stream = true;
      return;
    }
    channel.bd = channel.link->Pop().data >> 5 & 63;
  }
  if (!Usable(channel, channel.bd)) return Halt(channel, kErrorUnavailable);
  const std::span<uint32_t> words(&words_[size_t{channel.bd} * 8], 8);
  channel.descriptor = DecodeDescriptor(ports_.kind, words);
  TileDescriptor& d = channel.descriptor;
  if (!d.valid) return Halt(channel, kErrorInvalid);
  uint32_t number = 0;
  if ((d.acquire && LockOf(channel, d.acquire_lock, &number) == nullptr) ||
      (d.release_value != 0 && LockOf(channel, d.release_lock, &number) == nullptr)) {
    return Halt(channel, kErrorLock);
  }
  if (d.iteration_size > 1) {
    const uint32_t next = d.iteration_current + 1;
    StoreIteration(ports_.kind, next >= d.iteration_size ? 0 : next, words);
  }
  if (!channel.to_stream) d.before = d.after = {};
  channel.walk = Walk(d);
  channel.written = 0;
  channel.header_due = channel.to_stream && d.packet;
  channel.compressed =
      ports_.kind != TileKind::kShim && d.compression && (channel.control >> 4 & 1) != 0;
  channel.unit.clear();
  channel.state = State::kAcquire;
}

void DmaModel::Acquire(Channel& channel) {
  const TileDescriptor& d = channel.descriptor;
  uint32_t number = 0;
  if (d.acquire) {
    TileLocks* locks = LockOf(channel, d.acquire_lock, &number);
    if (locks == nullptr) return Halt(channel, kErrorLock);
    if (!locks->Acquire(number, d.acquire_value)) return;
  }
  channel.state = State::kRun;
}

void DmaModel::Send(Channel& channel) {
  if (!channel.link->CanPush()) {
    channel.waits_stream = true;
    return;
  }
  const TileDescriptor& d = channel.descriptor;
  if (channel.walk.Done() && channel.ready.empty()) return FinishDescriptor(channel);
  if (channel.header_due) {
    channel.header_due = false;
    channel.link->Push(
        {PacketHeader(d.packet_id, d.packet_type, d.out_of_order, ports_.column, ports_.row),
         false});
    return;
  }
  if (channel.compressed) {
    if (channel.ready.empty()) CompressUnit(channel);
    if (channel.state != State::kRun) return;
    channel.link->Push(channel.ready.front());
    channel.ready.pop_front();
    if (channel.walk.Done() && channel.ready.empty()) FinishDescriptor(channel);
    return;
  }
  uint32_t word = 0;
  if (const auto address = channel.walk.Next()) {
    if (!MayReach(channel, *address) || !ports_.memory->Read(*address, &word)) {
      return Halt(channel, ports_.kind == TileKind::kShim ? kErrorDecode : kErrorMemory);
    }
  }
  const bool last = channel.walk.Done();
  channel.link->Push({word, last && !d.suppress_last});
  if (last) FinishDescriptor(channel);
}

// Eight words become a mask and the bytes that are not 0.
void DmaModel::CompressUnit(Channel& channel) {
  uint32_t mask = 0;
  std::vector<uint8_t> bytes;
  for (uint32_t n = 0; n < 8 && !channel.walk.Done(); ++n) {
    uint32_t word = 0;
    if (const auto address = channel.walk.Next()) {
      if (!MayReach(channel, *address) || !ports_.memory->Read(*address, &word)) {
        return Halt(channel, kErrorMemory);
      }
    }
    for (uint32_t k = 0; k < 4; ++k) {
      const auto byte = static_cast<uint8_t>(word >> 8 * k);
      if (byte == 0) continue;
      mask |= 1u << (4 * n + k);
      bytes.push_back(byte);
    }
  }
  channel.ready.push_back({mask, false});
  for (size_t n = 0; n < bytes.size(); ++n) {
    if (n % 4 == 0) channel.ready.push_back({0, false});
    channel.ready.back().data |= uint32_t{bytes[n]} << 8 * (n % 4);
  }
  channel.ready.back().last = channel.walk.Done() && !channel.descriptor.suppress_last;
}

void DmaModel::Receive(Channel& channel) {
  if (channel.walk.Done()) return FinishDescriptor(channel);
  if (channel.link->Empty()) {
    channel.waits_stream = true;
    return;
  }
  if (FotMode(channel) == 3 && channel.counts.size() >= kCountDepth) {
    channel.waits_fifo = true;
    return;
  }
  const Word word = channel.link->Pop();
  if (channel.compressed) {
    DecompressWord(channel, word.data);
  } else {
    const auto address = channel.walk.Next();
    if (!MayReach(channel, *address) || !ports_.memory->Write(*address, word.data)) {
      return Halt(channel, ports_.kind == TileKind::kShim ? kErrorDecode : kErrorMemory);
    }
    ++channel.written;
  }
  if (channel.state != State::kRun) return;
  if (FotMode(channel) != 0) {
    if (word.last) return FinishDescriptor(channel);
    if (channel.walk.Done()) Halt(channel, kErrorFotLength);
    return;
  }
  if (channel.walk.Done()) FinishDescriptor(channel);
}

void DmaModel::DecompressWord(Channel& channel, uint32_t word) {
  channel.unit.push_back(word);
  const auto mask = channel.unit[0];
  const auto bytes = static_cast<uint32_t>(std::popcount(mask));
  if (channel.unit.size() < 1 + (bytes + 3) / 4) return;
  uint32_t next = 0;
  for (uint32_t n = 0; n < 8 && !channel.walk.Done(); ++n) {
    uint32_t value = 0;
    for (uint32_t k = 0; k < 4; ++k) {
      if ((mask >> (4 * n + k) & 1) == 0) continue;
      value |= (channel.unit[1 + next / 4] >> 8 * (next % 4) & 0xff) << 8 * k;
      ++next;
    }
    const auto address = channel.walk.Next();
    if (!MayReach(channel, *address) || !ports_.memory->Write(*address, value)) {
      return Halt(channel, kErrorMemory);
    }
    ++channel.written;
  }
  channel.unit.clear();
}

void DmaModel::FinishDescriptor(Channel& channel) {
  ++changes_;
  activity_.descriptor |= BitOf(channel);
  const TileDescriptor& d = channel.descriptor;
  if (d.release_value != 0) {
    uint32_t number = 0;
    if (TileLocks* locks = LockOf(channel, d.release_lock, &number)) {
      locks->Release(number, d.release_value);
    }
  }
  const bool ordered = !OutOfOrder(channel);
  const bool chain_ends = !ordered || !d.use_next;
  const bool task_ends = chain_ends && channel.left == 1;
  if (!channel.to_stream && FotMode(channel) == 3) {
    channel.counts.push_back(0x80000000u | (task_ends ? 1u << 30 : 0u) | channel.bd << 24 |
                             (static_cast<uint32_t>(channel.written) & 0x3ffff));
  }
  channel.state = State::kLoad;
  if (!chain_ends) {
    channel.bd = d.next;
    return;
  }
  if (task_ends) return FinishTask(channel);
  --channel.left;
  if (ordered) channel.bd = channel.task & (ports_.kind == TileKind::kMemory ? 63 : 15);
}

void DmaModel::FinishTask(Channel& channel) {
  activity_.task |= BitOf(channel);
  const bool token = channel.task >> 31 != 0 && !OutOfOrder(channel);
  channel.state = token ? State::kToken : State::kIdle;
}

void DmaModel::IssueToken(Channel& channel) {
  if (!ports_.tokens->CanPush()) return;
  ports_.tokens->Push({TokenWord(ports_.kind, ports_.column, ports_.row, channel.to_stream,
                                 channel.number, channel.control >> 8 & 0xff),
                       true});
  channel.state = State::kIdle;
}

}  // namespace tessera::aieml
