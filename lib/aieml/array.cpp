// See array.h.
#include "lib/aieml/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "lib/aieml/array_tile.h"
#include "lib/aieml/dma_model.h"

namespace tessera::aieml {
namespace {

constexpr uint64_t kAccessCycles = 1000;
// Kernels that wait for a lock ask for it in turns that are shorter than this.
constexpr uint64_t kStillCycles = 256;
constexpr uint64_t kLookCycles = 64;

void Refuse(bool bad, const std::string& sentence) {
  if (bad) throw std::invalid_argument(sentence);
}

}  // namespace

KernelFunction PassKernel() {
  return [](std::span<const uint32_t> in, std::span<uint32_t> out) {
    std::copy_n(in.begin(), std::min(in.size(), out.size()), out.begin());
  };
}

KernelFunction AddKernel(uint32_t constant) {
  return [constant](std::span<const uint32_t> in, std::span<uint32_t> out) {
    for (size_t n = 0; n < std::min(in.size(), out.size()); ++n) out[n] = in[n] + constant;
  };
}

Array::Array(const ArrayOptions& options) : options_(options), left_(options.columns) {
  Refuse(options.columns < 1 || options.columns > 8,
         fmt::format("the array has {} columns: legal are 1 to 8", options.columns));
  Refuse(
      options.memory_rows > 2,
      fmt::format("the array has {} rows of memory tiles: legal are 0 to 2", options.memory_rows));
  Refuse(options.compute_rows > 8,
         fmt::format("the array has {} rows of compute tiles: legal are 0 to 8",
                     options.compute_rows));
  for (uint32_t column = 0; column < columns(); ++column) {
    for (uint32_t row = 0; row < rows(); ++row) {
      tiles_.push_back(std::make_unique<ArrayTile>(this, KindOf(row), column, row));
    }
  }
  WireRoutes();
  Wire();
  WireNeighbours();
  for (const Kernel& kernel : options.kernels) {
    Refuse(
        !Has(kernel.column, kernel.row) || KindOf(kernel.row) != TileKind::kCompute,
        fmt::format("a kernel is at ({},{}): legal is a compute tile", kernel.column, kernel.row));
    for (const KernelBuffers* buffers : {&kernel.in, &kernel.out}) {
      Refuse(buffers->addresses.empty() || buffers->take_lock > 15 || buffers->give_lock > 15,
             fmt::format("the kernel at ({},{}) lacks a buffer, or has a lock above 15",
                         kernel.column, kernel.row));
      for (const uint32_t address : buffers->addresses) {
        Refuse(
            address % 4 != 0 || address > 0x10000 || buffers->words > (0x10000 - address) / 4,
            fmt::format("the kernel at ({},{}) has a buffer of {} word{} at {:#x}: legal is what "
                        "lies in 64 KiB, at a multiple of 4",
                        kernel.column, kernel.row, buffers->words, buffers->words == 1 ? "" : "s",
                        address));
      }
    }
    At(kernel.column, kernel.row).kernels.emplace_back(kernel);
  }
}

Array::~Array() = default;

TileKind Array::KindOf(uint32_t row) const {
  return row == 0                      ? TileKind::kShim
         : row <= options_.memory_rows ? TileKind::kMemory
                                       : TileKind::kCompute;
}

std::vector<driver::npu::Tile> Array::Tiles() const {
  std::vector<driver::npu::Tile> tiles;
  for (const auto& tile : tiles_) {
    tiles.push_back({static_cast<uint8_t>(tile->column), static_cast<uint8_t>(tile->row),
                     tile->kind, driver::npu::AddressOf(tile->column, tile->row, 0)});
  }
  return tiles;
}

ArrayTile& Array::At(uint32_t column, uint32_t row) const {
  return *tiles_[size_t{column} * rows() + row];
}

Link* Array::NewLink() {
  links_.push_back(std::make_unique<Link>(&traffic_));
  return links_.back().get();
}

void Array::WireRoutes() {
  const auto check = [&](const Endpoint& end) {
    Refuse(
        !Has(end.column, end.row),
        fmt::format("a route has an end at ({},{}): legal are columns below {} and rows below {}",
                    end.column, end.row, columns(), rows()));
    const size_t channels = At(end.column, end.row).to_memory.size();
    Refuse(!end.control && end.channel >= channels,
           fmt::format("a route has an end at channel {} of ({},{}): legal are 0 to {}",
                       end.channel, end.column, end.row, channels - 1));
  };
  // Ends of packets may be shared by packets, and by nothing else.
  std::map<const Link*, bool> used;
  const auto use = [&](Link* link, const Route& route, const Endpoint& end, const char* what) {
    const auto [found, first] = used.emplace(link, route.packet.has_value());
    Refuse(!first && !(found->second && route.packet.has_value()),
           fmt::format("two routes {} channel {} of ({},{}): legal is one, or several of packets",
                       what, end.channel, end.column, end.row));
    return link;
  };
  for (const Route& route : options_.routes) {
    check(route.from);
    ArrayTile& from = At(route.from.column, route.from.row);
    if (!route.from.control) from.routed_out[route.from.channel] = true;
    Wired wired{use(route.from.control ? from.control_out : from.to_stream[route.from.channel],
                    route, route.from, "begin at"),
                {}};
    for (const Endpoint& end : route.to) {
      check(end);
      ArrayTile& to = At(end.column, end.row);
      if (!end.control) to.routed_in[end.channel] = true;
      wired.to.push_back(
          use(end.control ? to.control_in : to.to_memory[end.channel], route, end, "end at"));
      if (route.packet) {
        packets_.Add(wired.from, *route.packet, {wired.to.back(), route.keep_header});
      }
    }
    if (!route.packet) routes_.push_back(wired);
  }
}

void Array::Wire() {
  const auto join = [&](ArrayTile& a, PortKind from, ArrayTile& b, PortKind to, uint32_t count) {
    for (uint32_t n = 0; n < count; ++n) {
      const auto master = a.streams.Master(from, n);
      const auto slave = b.streams.Slave(to, n);
      if (!master || !slave) continue;
      Link* link = NewLink();
      a.streams.ConnectMaster(*master, link);
      b.streams.ConnectSlave(*slave, link);
    }
  };
  for (const auto& owned : tiles_) {
    ArrayTile& tile = *owned;
    StreamSwitch& streams = tile.streams;
    streams.ConnectMaster(*streams.Master(PortKind::kControl, 0), tile.control_in);
    streams.ConnectSlave(*streams.Slave(PortKind::kControl, 0), tile.control_out);
    join(tile, PortKind::kFifo, tile, PortKind::kFifo, 1);
    if (tile.row + 1 < rows()) {
      ArrayTile& above = At(tile.column, tile.row + 1);
      join(tile, PortKind::kNorth, above, PortKind::kSouth, 6);
      join(above, PortKind::kSouth, tile, PortKind::kNorth, 4);
    }
    if (tile.column + 1 < columns()) {
      ArrayTile& east = At(tile.column + 1, tile.row);
      join(tile, PortKind::kEast, east, PortKind::kWest, 4);
      join(east, PortKind::kWest, tile, PortKind::kEast, 4);
    }
    if (tile.kind == TileKind::kShim) {
      for (uint32_t n = 0; n < 6; ++n) {
        tile.south_out[n] = NewLink();
        streams.ConnectMaster(*streams.Master(PortKind::kSouth, n), tile.south_out[n]);
        south_.push_back(tile.south_out[n]);
        south_column_.push_back(tile.column);
      }
    } else {
      for (uint32_t n = 0; n < tile.to_memory.size(); ++n) {
        if (!tile.routed_in[n]) {
          streams.ConnectMaster(*streams.Master(PortKind::kDma, n), tile.to_memory[n]);
        }
        if (!tile.routed_out[n]) {
          streams.ConnectSlave(*streams.Slave(PortKind::kDma, n), tile.to_stream[n]);
        }
      }
    }
    const DmaPorts ports{tile.kind,      tile.column, tile.row,    tile.to_memory,
                         tile.to_stream, tile.tokens, &tile.memory};
    if (options_.make_dma) tile.dma = options_.make_dma(ports);
    if (tile.dma == nullptr) tile.dma = std::make_unique<DmaModel>(ports);
  }
}

void Array::WireNeighbours() {
  struct Side {
    TileMemory* memory = nullptr;
    TileDma* dma = nullptr;
  };
  const auto beside = [&](const ArrayTile& tile, bool west) -> Side {
    if (west ? tile.column > 0 : tile.column + 1 < columns()) {
      ArrayTile& other = At(west ? tile.column - 1 : tile.column + 1, tile.row);
      return {&other.memory, other.dma.get()};
    }
    if (!(west ? options_.west : options_.east)) return {};
    outside_.push_back(std::make_unique<Outside>(&host_));
    return {&outside_.back()->memory, outside_.back()->dma.get()};
  };
  for (const auto& tile : tiles_) {
    if (tile->kind != TileKind::kMemory) continue;
    const Side west = beside(*tile, true), east = beside(*tile, false);
    tile->memory.Neighbours(west.memory, east.memory);
    tile->dma->Neighbours(west.dma, east.dma);
  }
}

void Array::ClockRoutes() {
  for (const Wired& route : routes_) {
    if (route.from->Empty()) continue;
    const bool room = std::all_of(route.to.begin(), route.to.end(),
                                  [](const Link* link) { return link->CanPush(); });
    if (!room) continue;
    const Word word = route.from->Pop();
    for (Link* link : route.to) link->Push(word);
  }
  packets_.Clock();
}

void Array::CollectTokens() {
  for (size_t n = 0; n < south_.size(); ++n) {
    if (south_[n]->Empty()) continue;
    const Word word = south_[n]->Pop();
    const uint32_t row = word.data >> 16 & 31;
    if (word.last && Has(word.data >> 21 & 127, row) && ReadToken(KindOf(row), word.data)) {
      Deliver(At(word.data >> 21 & 127, row), word.data);
    } else {
      left_[south_column_[n]].push_back(word);
    }
  }
}

void Array::Deliver(const ArrayTile& tile, uint32_t word) {
  const auto token = ReadToken(tile.kind, word);
  if (!token) return;
  ++tokens_;
  ++arrived_[tile.column << 16 | tile.row << 8 | (token->to_stream ? 128u : 0u) | token->channel];
}

bool Array::TakeToken(uint32_t column, uint32_t row, bool to_stream, uint32_t channel) {
  const auto found = arrived_.find(column << 16 | row << 8 | (to_stream ? 128u : 0u) | channel);
  if (found == arrived_.end() || found->second == 0) return false;
  --found->second;
  return true;
}

void Array::Clock(uint64_t cycles) {
  for (uint64_t n = 0; n < cycles; ++n) {
    for (const auto& tile : tiles_) tile->Clock();
    ClockRoutes();
    CollectTokens();
    for (const auto& link : links_) link->Commit();
    ++cycles_;
  }
}

bool Array::Quiet() const {
  return traffic_.pushes == traffic_.pops &&
         std::all_of(tiles_.begin(), tiles_.end(), [](const auto& tile) { return tile->Quiet(); });
}

bool Array::Settle(uint64_t most) {
  for (uint64_t n = 0; n < most && !Still(); n += kStillCycles) Clock(kStillCycles);
  return Quiet();
}

uint64_t Array::Changes() const {
  uint64_t all = traffic_.pushes + traffic_.pops;
  for (const auto& tile : tiles_) all += tile->changes();
  return all;
}

bool Array::Still() {
  const uint64_t changes = Changes();
  if (changes != changes_) {
    changes_ = changes;
    changed_ = cycles_;
  }
  return cycles_ - changed_ >= kStillCycles || Quiet();
}

void Array::Run(uint64_t cycles, const std::function<bool()>& stop) {
  const uint64_t end = cycles_ + cycles;
  for (uint64_t n = 0; cycles_ < end && !(stop && stop()); ++n) {
    const bool skip = n % kLookCycles == 0 && Still();
    if (!skip || Watched()) Clock();  // a cycle in which nothing moves, to count its like
    if (skip) Skip(end - cycles_);
  }
}

bool Array::Watched() const {
  return std::any_of(tiles_.begin(), tiles_.end(),
                     [](const auto& tile) { return tile->Watched(); });
}

// Cycles that are like the last one, up to the next event of a timer or counter.
void Array::Skip(uint64_t most) {
  for (const auto& tile : tiles_) most = std::min(most, tile->Steady());
  for (const auto& tile : tiles_) tile->Skip(most);
  cycles_ += most;
}

bool Array::Perform(uint32_t address, bool write, uint32_t* value) {
  const uint32_t column = driver::npu::ColumnOf(address), row = driver::npu::RowOf(address);
  if (!Has(column, row) || address % 4 != 0) return false;
  Request request{{driver::npu::OffsetOf(address), write, *value}, false, false, 0};
  ArrayTile& tile = At(column, row);
  // A read of an array that stands still changes no other tile.
  const bool alone = !write && !Watched() && Still();
  tile.Ask(&request);
  for (uint64_t n = 0; n < kAccessCycles && !request.done; ++n) {
    if (alone) {
      tile.Clock();
      ++cycles_;
    } else {
      Clock();
    }
  }
  Refuse(!request.done, fmt::format("register {:#x} of ({},{}) did not answer in {} cycles",
                                    request.access.offset, column, row, kAccessCycles));
  if (!write) *value = request.value;
  if (write) changed_ = cycles_;
  if (trace_) {
    const auto found = Find(KindOf(row), request.access.offset);
    trace_(fmt::format("{:10} {} ({},{}) {:#07x} {} {:#010x}", cycles_, write ? "write" : "read ",
                       column, row, request.access.offset, found ? found->name() : std::string("-"),
                       *value));
  }
  return true;
}

bool Array::Read(uint32_t address, uint32_t* value) {
  *value = 0;
  return Perform(address, false, value);
}
bool Array::Write(uint32_t address, uint32_t value) { return Perform(address, true, &value); }

std::map<uint32_t, uint32_t> Array::Unbuilt() const {
  std::map<uint32_t, uint32_t> all;
  for (const auto& tile : tiles_) {
    for (const auto& [offset, value] : tile->remembered) {
      all[driver::npu::AddressOf(tile->column, tile->row, offset)] = value;
    }
  }
  return all;
}

std::vector<std::string> Array::Waiting() const {
  return OfTiles([](const ArrayTile& tile) { return tile.streams.Waiting(); });
}

std::vector<std::string> Array::WaitingChannels() const {
  return OfTiles([](const ArrayTile& tile) { return tile.dma->Waiting(); });
}

std::vector<std::string> Array::OfTiles(
    const std::function<std::vector<std::string>(const ArrayTile&)>& lines) const {
  std::vector<std::string> all;
  for (const auto& tile : tiles_) {
    for (const std::string& line : lines(*tile)) {
      all.push_back(fmt::format("({},{}): {}", tile->column, tile->row, line));
    }
  }
  return all;
}

}  // namespace tessera::aieml
