// The reference model: what a chain of transfers does, by the norm alone.
//
// It enumerates indices and copies bytes. It knows nothing of bursts, buffers or cycles.
// `ReadModel` turns memory into stream beats, `WriteModel` turns stream beats into memory; both
// return the record of each transfer. A model keeps between transfers only what the norm says is
// kept.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tb/model/memory_image.h"
#include "tb/model/transfer.h"

namespace tessera::model {

// One beat of a stream. Lanes without keep are null bytes: they carry nothing and hold 0 here.
struct StreamBeat {
  std::array<uint8_t, kMaxElem> data{};
  std::bitset<kMaxElem> keep;
  bool last = false;
  bool operator==(const StreamBeat&) const = default;
};

// The record of a transfer.
struct Record {
  uint64_t addr = 0;     // read: bus word of the first error response, else 0
  uint64_t bytes = 0;    // stream bytes moved for positions of the transfer
  uint64_t dropped = 0;  // stream bytes of an overlong packet past them
  bool last = false;     // TLAST was sent or seen with the last byte
  bool slverr = false;
  bool decerr = false;
  bool overlong = false;
  bool partial_element = false;
  bool sparse_keep = false;
  bool illegal = false;
  bool operator==(const Record&) const = default;
};

// Where a beat comes from: the last transfer of a chain in its beat of the engine, and whether what
// comes behind it begins a beat.
struct Origin {
  size_t transfer = 0;
  bool ends = false;
  bool operator==(const Origin&) const = default;
};

// Bytes of memory that answer with an error: every bus word with one of them in it.
struct ErrorRange {
  uint64_t first = 0;
  uint64_t last = 0;  // inclusive
  bool decerr = false;
  bool operator==(const ErrorRange&) const = default;
};

// Byte `n` of a fill element: little-endian, repeated every 8 bytes.
inline uint8_t FillByte(uint64_t fill, size_t n) {
  return static_cast<uint8_t>(fill >> (8 * (n % 8)));
}

// Memory to stream.
class ReadModel {
 public:
  // `memory` must outlive the model.
  ReadModel(const Build& build, const MemoryImage& memory, std::vector<ErrorRange> errors = {});

  // Executes one transfer and appends the beats it completes.
  Record Run(const Transfer& transfer);

  // The beats of all transfers, or those since the last Forget().
  const std::vector<StreamBeat>& beats() const { return beats_; }
  // Where each beat comes from.
  const std::vector<Origin>& origins() const { return origins_; }
  // For who compares as it goes: long runs need no memory for beats.
  void Forget() {
    beats_.clear();
    origins_.clear();
  }
  // Bytes of a joined transfer that wait for the next one.
  int held() const { return filled_; }

 private:
  void Put(std::span<const uint8_t> bytes);
  void Flush(bool last, bool ends);
  void Send(int bytes, bool last, const Origin& origin);
  void NoteErrors(uint64_t addr, int bytes, Record& record) const;

  Build build_;
  const MemoryImage& memory_;
  std::vector<ErrorRange> errors_;
  size_t transfers_ = 0;
  StreamBeat open_;       // the beat that is being filled
  size_t open_last_ = 0;  // the transfer of its last byte
  int filled_ = 0;
  std::array<uint8_t, kMaxElem> wide_data_{};  // a beat of the stream
  size_t wide_last_ = 0;                       // the transfer of its last byte
  int wide_ = 0;  // its bytes, where it is wider than those of the engine
  std::vector<StreamBeat> beats_;
  std::vector<Origin> origins_;
};

// Stream to memory.
class WriteModel {
 public:
  // `memory` must outlive the model.
  WriteModel(const Build& build, MemoryImage& memory);

  // Gives the next beat that arrives; false if there is none.
  using Source = std::function<bool(StreamBeat& beat)>;
  // Where beats come from.
  void Offer(Source source) { source_ = std::move(source); }
  // Beats that arrive, in order.
  void Offer(std::vector<StreamBeat> beats);

  // Executes one transfer. Nothing if it is still waiting for beats when they have all been taken.
  std::optional<Record> Run(const Transfer& transfer);

  // From now on writes go to another memory, which must outlive the model.
  void Redirect(MemoryImage& memory) { memory_ = &memory; }
  // The bytes that the latest transfer took for its positions, in order.
  const std::vector<uint8_t>& taken() const { return bytes_; }
  // Beats accepted so far.
  size_t accepted() const { return accepted_; }
  // Bytes of the last beat kept for the next transfer.
  int held() const { return static_cast<int>(left_ - taken_); }
  // So many beats belong to the transfer before.
  void Skip(size_t beats) {
    for (Record record; beats != 0; --beats) Accept(record);
  }

 private:
  enum class Take { kBytes, kPacketEnd, kStarved };

  bool Accept(Record& record);
  Take TakeBytes(bool on_last, uint64_t most, std::span<const uint8_t>& bytes, Record& record);
  bool DropRest(Record& record);

  Build build_;
  MemoryImage* memory_;
  std::vector<uint8_t> bytes_;
  Source source_;
  StreamBeat beat_;                       // the accepted beat
  size_t accepted_ = 0;                   // beats
  std::array<uint8_t, kMaxElem> data_{};  // its `left_` bytes, null ones left out
  size_t left_ = 0;
  size_t taken_ = 0;         // so many of them are gone
  bool left_last_ = false;   // that beat had TLAST
  bool packet_end_ = false;  // the running transfer has taken its packet's TLAST
};

}  // namespace tessera::model
