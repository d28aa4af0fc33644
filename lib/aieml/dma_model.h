// A behavioural model of the DMA of an AI Engine-ML tile, written from the documents alone:
// registers, queues, descriptors, locks, tokens, padding, iteration, compression, out-of-order
// packets and finish-on-TLAST. It moves a word a cycle and channel and spends no cycle between
// descriptors on anything but locks; cycle counts are those of the model, not of tessera_aieml.
//
// Where the documents are unsure: an acquire of an equal value leaves the lock, a release
// saturates, a descriptor of length 0 ends at once, a reset clears the queue and drops what is in
// flight, padding and compression of a descriptor are looked at in their own direction only.
#pragma once

#include <deque>

#include <optional>
#include <string>
#include <vector>

#include "lib/aieml/descriptor.h"
#include "lib/aieml/locks.h"
#include "lib/aieml/tile_dma.h"

namespace tessera::aieml {

class DmaModel final : public TileDma {
 public:
  explicit DmaModel(const DmaPorts& ports);

  bool Post(const Access& access) override;
  std::optional<uint32_t> Answer() override;
  void Clock() override;
  bool Quiet() const override;
  uint64_t changes() const override { return changes_ + locks_.changes(); }
  DmaActivity activity() const override { return activity_; }
  std::vector<std::string> Waiting() override;
  void Hold(const DmaHold& hold) override;
  TileLocks& locks() override { return locks_; }
  void Neighbours(TileDma* west, TileDma* east) override;

 private:
  enum class State : uint8_t { kIdle, kLoad, kAcquire, kRun, kToken, kHalted };

  struct Channel {
    bool to_stream = false;
    uint32_t number = 0;
    Link* link = nullptr;
    uint32_t control = 0;
    std::deque<uint32_t> queue;
    State state = State::kIdle;
    uint32_t task = 0, left = 0, bd = 0;  // left: executions of the chain, or packets
    TileDescriptor descriptor;
    Walk walk;
    bool header_due = false, compressed = false;
    uint64_t written = 0;
    uint32_t errors = 0;  // as in the status word
    uint32_t lost = 0;    // pushes to a full queue
    bool overflow = false, waits_stream = false, waits_fifo = false;
    std::deque<Word> ready;       // compressed, on its way out
    std::vector<uint32_t> unit;   // compressed, as it came in
    std::deque<uint32_t> counts;  // FIFO of finish-on-TLAST
  };

  uint32_t ReadRegister(uint32_t offset);
  void WriteRegister(uint32_t offset, uint32_t value);
  uint32_t RequestLock(uint32_t number);
  void WriteControl(Channel& channel, uint32_t value);
  static void Reset(Channel& channel);
  static uint32_t BitOf(const Channel& channel) {
    return 1u << (channel.number + (channel.to_stream ? 8 : 0));
  }
  void Watch(const Channel& channel);
  void WriteQueue(Channel& channel, uint32_t value);
  uint32_t StatusOf(const Channel& channel) const;

  void ClockChannels();
  void Step(Channel& channel);
  void StepState(Channel& channel);
  void Load(Channel& channel);
  void Acquire(Channel& channel);
  void Send(Channel& channel);
  void Receive(Channel& channel);
  void CompressUnit(Channel& channel);
  void DecompressWord(Channel& channel, uint32_t word);
  void FinishDescriptor(Channel& channel);
  void FinishTask(Channel& channel);
  void IssueToken(Channel& channel);
  void Halt(Channel& channel, uint32_t error);

  bool Usable(const Channel& channel, uint32_t bd) const;
  // The locks and the number in them of a lock id of a descriptor; null if there is none.
  TileLocks* LockOf(const Channel& channel, uint32_t id, uint32_t* number);
  bool MayReach(const Channel& channel, uint64_t address) const;
  uint32_t FotMode(const Channel& channel) const { return channel.control >> 16 & 3; }
  bool OutOfOrder(const Channel& channel) const {
    return !channel.to_stream && (channel.control >> 3 & 1) != 0;
  }

  DmaPorts ports_;
  Locks locks_;
  std::vector<uint32_t> words_;  // of all descriptors, eight each
  std::vector<Channel> channels_;
  DmaHold hold_;
  TileLocks* west_ = nullptr;
  TileLocks* east_ = nullptr;
  uint64_t wrong_ = 0;  // locks that were over or under in the cycle before
  std::optional<Access> access_;
  std::optional<uint32_t> answer_;
  uint64_t changes_ = 0;  // of channels
  DmaActivity activity_;
};

// The header word of a packet, with parity.
uint32_t PacketHeader(uint32_t id, uint32_t type, uint32_t out_of_order, uint32_t column,
                      uint32_t row);
// The word of a task-complete token; and what one says.
uint32_t TokenWord(TileKind kind, uint32_t column, uint32_t row, bool to_stream, uint32_t channel,
                   uint32_t controller);
struct Token {
  uint32_t column, row, channel;
  bool to_stream;
};
std::optional<Token> ReadToken(TileKind kind, uint32_t word);
// The word with bit 31 such that the number of ones is odd.
uint32_t WithParity(uint32_t word);

}  // namespace tessera::aieml
