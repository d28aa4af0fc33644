// What a runtime sequence and the device around it say, as values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/aieml/seq/lexer.h"

namespace tessera::seq {

struct TileRef {
  uint32_t column = 0, row = 0;
};

// A type memref<2x3xi32>.
struct Shape {
  std::vector<int64_t> sizes;  // -1: not known
  uint32_t bits = 32;          // of an element; 0: no element of whole bits
  int64_t Elements() const {
    int64_t all = 1;
    for (const int64_t size : sizes) {
      if (size < 0 || (size > 0 && all > (int64_t{1} << 40) / size)) return -1;
      all *= size;
    }
    return all;
  }
};

struct Buffer {
  Place place;
  TileRef tile;
  std::optional<int64_t> address, bank;
  Shape shape;
  int64_t Bytes() const { return (shape.Elements() * shape.bits + 7) / 8; }
};

struct Lock {
  TileRef tile;
  std::optional<int64_t> number;
  int64_t init = 0;
};

struct Allocation {
  TileRef tile;
  bool to_stream = false;
  uint32_t channel = 0;
};

// What a name stands for.
struct Value {
  enum class Kind : uint8_t { kNumber, kTile, kBuffer, kLock, kArgument, kData, kTask, kOther };
  Kind kind = Kind::kOther;
  int64_t number = 0;  // also: index of argument, buffer, lock, task
  TileRef tile;
  Shape shape;
  std::string symbol;  // of kData
};

// An attribute: a number, a text, a symbol, a list, or members in brackets.
struct Attribute {
  enum class Kind : uint8_t { kNumber, kBool, kText, kSymbol, kList, kMembers, kUnit };
  Kind kind = Kind::kUnit;
  int64_t number = 0;
  std::string text;
  std::vector<int64_t> list;
  std::map<std::string, int64_t> members;
  Place place;
};
using Attributes = std::map<std::string, Attribute>;

struct Number {
  int64_t value = 0;
  Place place;
};

struct Packet {
  Number id, type;
};

// A descriptor of a task, as aie.dma_bd and the operations around it have it.
struct BdText {
  Place place;
  Value buffer;
  Number offset, length;
  bool has_length = false;
  std::vector<Number> sizes, strides;  // outermost first
  std::vector<Number> before, after;   // padding, outermost first
  Attributes attributes;
  std::optional<Packet> packet;
  struct LockUse {
    Place place;
    Value lock;
    enum class Action : uint8_t { kAcquire, kAcquireGreaterEqual, kRelease } action;
    Number value;
  };
  std::vector<LockUse> locks;
};

struct TaskText {
  Place place;
  TileRef tile;
  bool to_stream = false;
  uint32_t channel = 0;
  Number repeat;
  bool token = false;
  std::vector<BdText> chain;
};

struct Memcpy {
  Place place;
  Value buffer;
  std::vector<Number> offsets, sizes, strides;  // outermost first, four each
  std::optional<Packet> packet;
  Attributes attributes;
  Allocation allocation;
};

}  // namespace tessera::seq
