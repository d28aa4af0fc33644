// The seam between the simulated array and the DMA of one tile: what stands behind it may be a
// behavioural model (dma_model.h) or the verilated tessera_aieml.
//
// Contract.
// * Registers: Post() takes one access, at an offset of the tile, and answers false if none can be
//   taken now; nothing is posted before the answer to the last. Answer() gives the answer of the
//   posted access once, in a later cycle: the word read, or 0 for a write. Accesses are executed in
//   order. The DMA has the registers of Home::kDma of registers.h; others are not posted.
// * Time: Clock() is one cycle. In it the DMA pops at most one word of each `to_memory` link and
//   pushes at most one word to each `to_stream` link; it looks at Empty() and CanPush() first. The
//   array commits the links after all units have been clocked.
// * Memory: word accesses at byte addresses: of the host for a shim, of the local address space for
//   a tile: 0x00000 to 0x0ffff in a compute tile; in a memory tile the west, own and east memories
//   at 0x00000, 0x80000 and 0x100000. The answer false is a decode error of the shim, and an access
//   to memory that is not there in a memory tile. An RTL instance serves its memory port with it.
// * Locks: a memory tile reaches the locks of its neighbours, whatever stands behind their seams
// and
//   whether they are clocked or not.
// * Tokens: one word for each task with a token (facts: header layout, odd parity), pushed to
//   `tokens`, one a cycle, TLAST set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/aieml/link.h"
#include "lib/aieml/locks.h"
#include "lib/aieml/registers.h"

namespace tessera::aieml {

struct Access {
  uint32_t offset = 0;
  bool write = false;
  uint32_t value = 0;
};

class WordMemory {
 public:
  virtual ~WordMemory() = default;
  // Addresses are multiples of 4. False: nothing is there.
  virtual bool Read(uint64_t address, uint32_t* word) = 0;
  virtual bool Write(uint64_t address, uint32_t word) = 0;
};

struct DmaPorts {
  TileKind kind = TileKind::kShim;
  uint32_t column = 0, row = 0;
  std::vector<Link*> to_memory;  // S2MM channels
  std::vector<Link*> to_stream;  // MM2S channels
  Link* tokens = nullptr;
  WordMemory* memory = nullptr;
};

// What channels did in a cycle: bit n is channel n of S2MM, bit 8 + n of MM2S.
struct DmaActivity {
  uint32_t started = 0, descriptor = 0, task = 0, error = 0;  // tasks, finished ones, errors
  // As long as it is so: waits for a lock; S2MM lacks words of its stream, MM2S cannot send; S2MM
  // has a full FIFO and may not write, MM2S an empty one and may not read.
  uint32_t lock = 0, stream = 0, memory = 0;
  bool lock_error = false;
  bool token_stall = false;  // as long as it is so
  bool operator==(const DmaActivity&) const = default;
};

struct DmaHold {
  bool runs = true, in_reset = false, west = true, east = true;
  bool operator==(const DmaHold&) const = default;
};

class TileDma {
 public:
  virtual ~TileDma() = default;
  virtual bool Post(const Access& access) = 0;
  virtual std::optional<uint32_t> Answer() = 0;
  virtual void Clock() = 0;
  // Nothing is queued, running or on its way.
  virtual bool Quiet() const = 0;
  // A number that grows with every change that is no move of a stream: if neither grows any more,
  // only an access can change anything.
  virtual uint64_t changes() const = 0;
  // In the last cycle; an instance that cannot tell says nothing.
  virtual DmaActivity activity() const { return {}; }
  // What channels with something to do wait for, a sentence each; an instance that cannot tell says
  // nothing.
  virtual std::vector<std::string> Waiting() { return {}; }
  // From now on: whether its clock runs (registers answer in any case), whether it is in reset, and
  // whether the neighbours can be reached.
  virtual void Hold(const DmaHold& hold) = 0;
  virtual TileLocks& locks() = 0;
  // The DMAs of the memory tiles beside this one; null where there is none. Called once.
  virtual void Neighbours(TileDma* west, TileDma* east) = 0;
};

}  // namespace tessera::aieml
