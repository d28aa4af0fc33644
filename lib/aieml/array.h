// A small simulated array: columns of a shim, memory tiles and compute tiles, each with its DMA,
// its memory, its stream switch and its registers, and stub kernels.
//
// Registers are reached by address: column << 25 | row << 20 | offset. Every access takes simulated
// time. Registers that no unit has read back what was written, and are remembered for the list at
// the end of a run. Streams follow the switches, or routes that are given once and go past them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/aieml/host_memory.h"
#include "lib/aieml/kernel.h"
#include "lib/aieml/link.h"
#include "lib/aieml/packet_routes.h"
#include "lib/aieml/tile_dma.h"

namespace tessera::aieml {

class ArrayTile;
struct Outside;

// A stream from a channel to one or more others, past the switches.
struct Endpoint {
  uint32_t column = 0, row = 0, channel = 0;
  bool control = false;  // no channel of the DMA, but the control packets of the tile
  bool operator==(const Endpoint&) const = default;
};
struct Route {
  Endpoint from;
  std::vector<Endpoint> to;
  std::optional<uint32_t> packet = {};  // only packets of this id, and without their header
  bool keep_header = false;
};

using MakeDma = std::function<std::unique_ptr<TileDma>(const DmaPorts&)>;

struct ArrayOptions {
  uint32_t columns = 1;       // 1 to 8
  uint32_t memory_rows = 1;   // 0 to 2
  uint32_t compute_rows = 4;  // 0 to 8
  // A column outside: memory and locks of its memory tiles are there, and no tile runs.
  bool west = false, east = false;
  std::vector<Route> routes;
  std::vector<Kernel> kernels;
  MakeDma make_dma;  // without one, or where it gives none: the behavioural model
};

class Array {
 public:
  explicit Array(const ArrayOptions& options);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  uint32_t columns() const { return options_.columns; }
  uint32_t rows() const { return 1 + options_.memory_rows + options_.compute_rows; }
  TileKind KindOf(uint32_t row) const;
  bool Has(uint32_t column, uint32_t row) const { return column < columns() && row < rows(); }
  // The tiles, for a player; the base of one is its address.
  std::vector<driver::npu::Tile> Tiles() const;

  // False: there is no such register, or nobody answered in time.
  bool Read(uint32_t address, uint32_t* value);
  bool Write(uint32_t address, uint32_t value);

  void Clock(uint64_t cycles = 1);
  uint64_t cycles() const { return cycles_; }
  // As Clock, but time in which nothing can happen is skipped; ends early once `stop` holds.
  void Run(uint64_t cycles, const std::function<bool()>& stop = {});
  // Nothing moves, and nothing will without another access.
  bool Quiet() const;
  // Clocks until quiet, at most so many cycles.
  bool Settle(uint64_t most);
  // Nothing has changed for so long that nothing will without another access.
  bool Still();

  // True once for each token of this channel; row 0 of a column is its shim.
  bool TakeToken(uint32_t column, uint32_t row, bool to_stream, uint32_t channel);
  uint64_t tokens() const { return tokens_; }

  HostMemory& host() { return host_; }
  // Words that left a column through its shim to neither DMA nor token.
  const std::vector<Word>& Left(uint32_t column) const { return left_[column]; }

  // What was written to registers that nothing stands behind: address to value.
  std::map<uint32_t, uint32_t> Unbuilt() const;
  // Streams that stand still, a sentence each.
  std::vector<std::string> Waiting() const;
  // Channels of DMAs that have something to do, and what they wait for.
  std::vector<std::string> WaitingChannels() const;
  // Every word of every access, a line each; null: none.
  void Trace(std::function<void(const std::string&)> line) { trace_ = std::move(line); }

 private:
  friend class ArrayTile;
  ArrayTile& At(uint32_t column, uint32_t row) const;
  Link* NewLink();
  void Wire();
  void WireNeighbours();
  void WireRoutes();
  void ClockRoutes();
  void CollectTokens();
  void Deliver(const ArrayTile& tile, uint32_t word);
  bool Perform(uint32_t address, bool write, uint32_t* value);
  uint64_t Changes() const;
  bool Watched() const;  // by counters, timers or monitored ports
  void Skip(uint64_t most);
  std::vector<std::string> OfTiles(
      const std::function<std::vector<std::string>(const ArrayTile&)>& lines) const;

  ArrayOptions options_;
  HostMemory host_;
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<std::unique_ptr<ArrayTile>> tiles_;
  std::vector<std::unique_ptr<Outside>> outside_;
  struct Wired {
    Link* from;
    std::vector<Link*> to;
  };
  std::vector<Wired> routes_;
  PacketRoutes packets_;
  std::map<uint32_t, uint32_t> arrived_;  // tokens by tile, direction and channel
  std::vector<std::vector<Word>> left_;
  std::vector<Link*> south_;  // words that leave a shim, not to its DMA
  std::vector<uint32_t> south_column_;
  uint64_t cycles_ = 0, tokens_ = 0;
  Traffic traffic_;                     // of all links
  uint64_t changes_ = 0, changed_ = 0;  // as last seen; the cycle when it was another number
  std::function<void(const std::string&)> trace_;
};

}  // namespace tessera::aieml
