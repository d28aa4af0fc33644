// A program of tessera_dma: what every channel is told, and the streams of write channels.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/bus/axis.h"
#include "tb/dma/native.h"

namespace tessera {

struct DmaProgram {
  struct Push {
    uint32_t tag = 0;
    native::Task task;
  };
  struct Piece {
    std::vector<uint8_t> bytes;
    PieceEnd end = PieceEnd::kLast;
  };
  struct Channel {
    uint32_t weight = 0, controller = 0;  // of STANDING
    uint32_t trigger = 0;                 // as in the register TRIGGER
    bool silent_ends = false;  // tasks may end without a record: the driver does not push these
    int lock = -1;             // its descriptors take of it and give as much back
    std::vector<native::Descriptor> list;
    uint64_t list_base = 0;
    bool list_anywhere = false;  // a run may put it elsewhere
    std::vector<Push> tasks;
  };
  std::vector<int> locks;  // their values, from lock 0 on
  std::vector<std::pair<int, native::Descriptor>> descriptors;
  std::vector<Channel> channels;            // reads first
  std::vector<std::vector<Piece>> streams;  // of a write channel
  std::string text;                         // a line for each thing drawn
};

}  // namespace tessera
