// From the operations of a runtime sequence to register operations: descriptors, queues, tokens.
//
// Everything that can be wrong with a value is told with the place of the value, what it is and
// what is legal, and nothing is lowered after that.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/aieml/registers.h"
#include "tools/aieml/seq/module.h"
#include "tools/aieml/seq/program.h"

namespace tessera::seq {

// The device that a file is for: row 0 is the shim, row 1 has memory tiles.
struct Device {
  std::string name = "npu1";
  uint32_t columns = 4, rows = 6, memory_rows = 1, generation = 3;
  std::vector<std::pair<uint32_t, uint32_t>> controllers;  // of tiles: address and id

  aieml::TileKind KindOf(uint32_t row) const {
    return row == 0             ? aieml::TileKind::kShim
           : row <= memory_rows ? aieml::TileKind::kMemory
                                : aieml::TileKind::kCompute;
  }
  uint32_t ChannelsOf(uint32_t row) const {
    return KindOf(row) == aieml::TileKind::kMemory ? 6 : 2;
  }
};

// Fields of a descriptor as its words have them.
struct BdFields {
  uint64_t base = 0;  // bytes
  uint32_t length = 0;
  bool packet = false;
  uint32_t packet_id = 0, packet_type = 0, out_of_order = 0;
  std::array<uint32_t, 3> wrap{};
  std::array<uint32_t, 4> step{};  // less one
  std::array<uint32_t, 3> before{}, after{};
  uint32_t iteration_current = 0, iteration_size = 0, iteration_step = 0;  // less one
  bool use_next = false, valid = true, suppress_last = false, acquire = false;
  uint32_t next = 0;
  uint32_t acquire_lock = 0, release_lock = 0;
  int32_t acquire_value = 0, release_value = 0;
  uint32_t burst = 2, cache = 2;
};
std::vector<uint32_t> Encode(aieml::TileKind kind, const BdFields& fields);

// Where the descriptor and the queue of a channel are.
uint32_t DescriptorAddress(const Device& device, TileRef tile, uint32_t bd);
uint32_t ControlAddress(const Device& device, TileRef tile, bool to_stream, uint32_t channel);

// Gives every buffer of the device without an address one, as the public compiler does: by size, in
// the banks of its tile in turn, behind the stack of its core; if a buffer does not fit into any,
// all of the tile one behind the other.
void PlaceBuffers(const Lexer& text, const Device& device,
                  const std::map<uint32_t, int64_t>& stacks, std::vector<Buffer>* buffers);

// Addresses and values.
using RegisterWrites = std::vector<std::pair<uint32_t, uint32_t>>;

class Lowering {
 public:
  Lowering(const Lexer* text, const Device* device, const std::vector<Buffer>* buffers,
           const std::vector<Lock>* locks)
      : text_(text), device_(device), buffers_(buffers), locks_(locks) {}

  void Copy(const Memcpy& copy);
  void WriteBd(Place place, const Attributes& attributes);
  void Push(Place place, TileRef tile, bool to_stream, uint32_t channel, Number bd, Number repeat,
            bool token);
  void Sync(Place place, const std::array<int64_t, 6>& values);  // column, row, direction ...
  size_t Configure(const TaskText& task);
  // A task that is there before the sequence; its last descriptor leads back to one, or to none.
  void Launch(const TaskText& task, std::optional<size_t> back, RegisterWrites* writes);
  void Start(Place place, size_t task, std::optional<Number> repeat, bool no_token);
  void Await(Place place, size_t task);
  void Free(size_t task);

  // Fails unless least <= value <= most.
  uint32_t Limit(Place place, const std::string& what, int64_t value, int64_t least,
                 int64_t most) const;
  // An attribute that must be there, within limits.
  uint32_t Need(Place place, const Attributes& attributes, const std::string& name, int64_t least,
                int64_t most) const;
  uint32_t Get(const Attributes& attributes, const std::string& name, int64_t least, int64_t most,
               uint32_t otherwise) const;
  void CheckTile(Place place, TileRef tile) const;
  uint32_t BufferAddress(Place place, int64_t buffer) const;

  Program& program() { return program_; }

 private:
  struct Task {
    TaskText text;
    uint32_t first = 0;
    std::vector<uint32_t> bds;
    bool freed = false;
  };
  // Dimensions innermost first, in elements.
  struct Pattern {
    std::vector<Number> sizes, strides, before, after;
  };

  std::vector<BdFields> Describe(const TaskText& text, std::optional<size_t> back, Task* task);
  void Fill(Place place, aieml::TileKind kind, uint32_t bits, const Pattern& pattern, bool iterate,
            BdFields* fields) const;
  static bool Fold(const Pattern& pattern);  // is it one run without gaps?
  void CheckSteps(Place place, aieml::TileKind kind, uint32_t bits, const Pattern& pattern) const;
  BdFields Fields(const TaskText& task, const BdText& bd) const;
  void Pads(const TaskText& task, const BdText& bd, BdFields* fields) const;
  void LocksOf(const TaskText& task, const BdText& bd, BdFields* fields) const;
  void PacketOf(const std::optional<Packet>& packet, BdFields* fields) const;
  uint32_t Burst(const Attributes& attributes) const;
  uint32_t Allocate(const TaskText& task, const BdText& bd);
  void Patch(Place place, TileRef tile, uint32_t bd, const Value& buffer, int64_t bytes);

  const Lexer* text_;
  const Device* device_;
  const std::vector<Buffer>* buffers_;
  const std::vector<Lock>* locks_;
  Program program_;
  std::vector<Task> tasks_;
  std::map<uint32_t, std::set<uint32_t>> used_;  // descriptors in use by tile
};

}  // namespace tessera::seq
