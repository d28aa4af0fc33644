// One tile of the simulated array. Inside lib/aieml alone; see array.h.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lib/aieml/array.h"
#include "lib/aieml/events.h"
#include "lib/aieml/stream_switch.h"
#include "lib/aieml/tile_control.h"

namespace tessera::aieml {

// An access on its way; whoever asks keeps it until it is done.
struct Request {
  Access access;
  bool queued = false, done = false;
  uint32_t value = 0;
};

// What the DMA of a tile sees as memory.
class TileMemory final : public WordMemory {
 public:
  TileMemory(TileKind kind, HostMemory* host);
  bool Read(uint64_t address, uint32_t* word) override;
  bool Write(uint64_t address, uint32_t word) override;
  std::vector<uint32_t>& words() { return words_; }
  void Neighbours(TileMemory* west, TileMemory* east) { west_ = west, east_ = east; }
  void Reach(bool west, bool east) { reach_west_ = west, reach_east_ = east; }

 private:
  uint32_t* Find(uint64_t address);
  TileKind kind_;
  HostMemory* host_;
  std::vector<uint32_t> words_;
  TileMemory* west_ = nullptr;
  TileMemory* east_ = nullptr;
  bool reach_west_ = true, reach_east_ = true;
};

// Runs a stub kernel on the registers of its tile.
class KernelRunner {
 public:
  explicit KernelRunner(Kernel kernel) : kernel_(std::move(kernel)) {}
  void Clock(ArrayTile& tile);
  bool Quiet() const { return failed_ >= 2; }
  uint64_t changes() const { return granted_; }
  const Kernel& kernel() const { return kernel_; }

 private:
  enum class State : uint8_t { kTakeIn, kTakeOut, kGiveIn, kGiveOut };
  uint32_t Offset() const;
  void Compute(ArrayTile& tile);
  Kernel kernel_;
  State state_ = State::kTakeIn;
  Request request_;
  uint32_t failed_ = 0;
  uint64_t granted_ = 0;
  size_t in_ = 0, out_ = 0;
};

// Executes the control packets that reach a tile, and answers reads.
class ControlPackets {
 public:
  ControlPackets(Link* in, Link* out) : in_(in), out_(out) {}
  void Clock(ArrayTile& tile);
  bool Quiet() const { return left_ == 0 && !request_.queued && response_.empty(); }
  uint32_t errors = 0;  // as in the status register

 private:
  Link *in_, *out_;
  uint32_t left_ = 0, operation_ = 0, address_ = 0, stream_ = 0;
  Request request_;
  std::deque<Word> response_;
  bool skip_ = false, last_ = false;
};

// The memory tile of a column outside of the array: its memory, and a DMA for its locks that is
// never clocked.
struct Outside {
  explicit Outside(HostMemory* host);
  TileMemory memory;
  std::unique_ptr<TileDma> dma;
};

// The eight ports of a stream switch whose streams are events.
class PortMonitor {
 public:
  uint32_t* Register(uint32_t number) { return &select_[number]; }
  void Select() { watches_ = true; }  // from now on
  bool watches() const { return watches_; }
  // The events of a cycle, from `first` on: running and TLAST, idle and stalled.
  void Clock(const StreamSwitch& streams, uint32_t first, EventSet* pulses, EventSet* levels);

 private:
  struct Seen {
    const Link* link = nullptr;
    size_t moves = 0;
  };
  uint32_t select_[2] = {};
  Seen seen_[8] = {};
  bool watches_ = false;
};

class ArrayTile {
 public:
  ArrayTile(Array* array, TileKind kind, uint32_t column, uint32_t row);

  void Ask(Request* request);
  void Clock();
  bool Quiet() const;
  uint64_t changes() const;
  bool Watched() const;     // events of this tile count, or are waited for
  uint64_t Steady() const;  // cycles that are like the last one, as Events has it
  void Skip(uint64_t cycles);

  TileKind kind;
  uint32_t column, row;
  TileMemory memory;
  StreamSwitch streams;
  TileControl controls;
  std::vector<Link*> to_memory, to_stream;
  std::vector<bool> routed_in, routed_out;  // channels that a route has taken
  Link *tokens, *control_in, *control_out;
  std::unique_ptr<TileDma> dma;
  std::vector<KernelRunner> kernels;
  std::map<uint32_t, uint32_t> remembered;  // registers without a unit, by offset
  Link* south_out[6] = {};                  // of a shim: to what is not the DMA

 private:
  void Obey();  // clocks, resets, isolation
  void ConnectShim();
  void ClockRequest();
  bool Execute(Request* request);  // of units other than the DMA
  void ClockTokens();
  void ClockEvents();
  bool ExecuteEvents(Request* request);

  Array* array_;
  ControlPackets control_;
  std::deque<Request*> requests_;
  bool posted_ = false;
  uint32_t host_requests_ = 0;
  uint32_t mux_ = 0, demux_ = 0;
  std::vector<Events> events_;
  PortMonitor ports_;
  uint32_t event_channels_ = 0;  // of a memory tile: which channels are events
  uint32_t control_errors_ = 0;  // as last seen
};

}  // namespace tessera::aieml
