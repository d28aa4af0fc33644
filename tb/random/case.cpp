// What a case means and what keeps it sensible; see case.h.
#include "tb/random/case.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tb/check/encode.h"
#include "tb/model/walk.h"

namespace tessera {
namespace {

constexpr uint64_t kMostPositions = 200000;  // of a whole chain
constexpr uint64_t kTailBytes = 16;          // of a packet that is added to feed hungry writes

uint64_t BytesOf(const model::Transfer& t, const model::Build& build) {
  return model::IsRefused(t, build) ? 0 : model::Positions(t) * static_cast<uint64_t>(t.elem);
}

std::set<uint64_t> Blocks(const std::vector<model::Transfer>& chain, const model::Build& build) {
  std::set<uint64_t> blocks;
  for (const model::Transfer& t : chain) {
    if (model::IsRefused(t, build)) continue;
    model::Walk(t, build, [&](const model::Position& p) {
      const uint64_t last = (p.addr + static_cast<uint64_t>(t.elem) - 1) & build.AddressMask();
      if (p.valid) blocks.insert({p.addr / kMaxBusBytes, last / kMaxBusBytes});
      return true;
    });
  }
  return blocks;
}

bool TooMuch(const std::vector<model::Transfer>& chain, const model::Build& build) {
  uint64_t positions = 0;
  for (const model::Transfer& t : chain) {
    if (model::IsRefused(t, build)) continue;
    positions += std::min(model::Positions(t), kMostPositions + 1);
  }
  return positions > kMostPositions;
}

// True if the writes do not wait for data that the stream does not have.
bool Fed(const Case& value, const model::Build& build) {
  model::MemoryImage memory([](uint64_t) { return uint8_t{0}; });
  model::WriteModel model(build, memory);
  model.Offer(DenseBeats(value, build.stream_bytes));
  return std::all_of(value.writes.begin(), value.writes.end(),
                     [&](const model::Transfer& t) { return model.Run(t).has_value(); });
}

// A piece of no bytes after an open one would end a beat or be a beat, as the cut falls: its end
// moves to the piece before. One of no bytes and no end is nothing.
void MergeEmptyPieces(Case* value) {
  std::vector<StreamPiece> pieces;
  for (const StreamPiece& piece : value->stream) {
    const bool ends = piece.end == PieceEnd::kLast || piece.end == PieceEnd::kNullLast;
    if (piece.bytes > 0 || (ends && (pieces.empty() || pieces.back().end != PieceEnd::kOpen))) {
      pieces.push_back(piece);
    } else if (piece.end != PieceEnd::kOpen && !pieces.empty() &&
               pieces.back().end == PieceEnd::kOpen) {
      pieces.back().end = piece.end;
    }
  }
  value->stream = std::move(pieces);
}

// Enough packets for the writes whatever has been lost to an abort or a reset before: each drops
// what the buffer of the engine holds.
void AddTail(Case* value, const Config& config) {
  const model::Build build = BuildOf(config);
  const uint64_t cuts = value->abort_write.size() + (value->reset ? 1 : 0);
  uint64_t packets =
      2 + cuts * (4 + std::max<uint64_t>(32, 2 * static_cast<uint64_t>(config.max_burst)));
  for (const model::Transfer& t : value->writes) packets += 2 + BytesOf(t, build) / kTailBytes;
  const StreamPiece packet{kTailBytes, PieceEnd::kLast};
  for (auto it = value->stream.rbegin(); it != value->stream.rend() && *it == packet; ++it) {
    if (packets > 0) --packets;  // what an earlier repair has added
  }
  value->stream.insert(value->stream.end(), packets, packet);
}

// Every write takes exactly what its read gives.
void Pair(Case* value, const model::Build& build) {
  value->stream.clear();
  for (size_t k = 0; k < value->reads.size(); ++k) {
    const model::Transfer& read = value->reads[k];
    model::Transfer& write = value->writes[k];
    const uint64_t bytes = BytesOf(read, build);
    if (bytes != BytesOf(write, build)) {
      const uint64_t base = write.base;
      write = {};
      write.base = base;
      write.count[0] = static_cast<uint32_t>(bytes);
      write.stride[0] = 1;
    }
    const bool one_packet = read.last_rule == model::LastRule::kTransfer && bytes > 0 &&
                            (k == 0 || !value->reads[k - 1].joins() ||
                             value->reads[k - 1].last_rule == model::LastRule::kTransfer);
    if (!one_packet) write.finish = model::Finish::kLength;
  }
}

}  // namespace

std::vector<uint8_t> StreamBytes(const Case& value) {
  uint64_t total = 0;
  for (const StreamPiece& piece : value.stream) total += piece.bytes;
  Rng rng = Rng(value.seed).Stream("stream data");
  std::vector<uint8_t> bytes(total);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng());
  return bytes;
}

std::vector<model::StreamBeat> DenseBeats(const Case& value, int stream_bytes) {
  return DenseBeats(value.stream, StreamBytes(value), stream_bytes);
}

bool Collides(const Case& value, const Config& config) {
  const model::Build build = BuildOf(config);
  const std::set<uint64_t> reads = Blocks(value.reads, build);
  const std::set<uint64_t> writes = Blocks(value.writes, build);
  return std::any_of(writes.begin(), writes.end(),
                     [&](uint64_t block) { return reads.contains(block); });
}

bool Repair(Case* value, const Config& config) {
  const model::Build build = BuildOf(config);
  if (TooMuch(value->reads, build) || TooMuch(value->writes, build)) return false;
  if (config.loopback) {
    value->writes.resize(std::min(value->reads.size(), value->writes.size()));
    value->reads.resize(value->writes.size());
  }
  if (!value->reads.empty()) value->reads.back().join_next = false;
  if (config.loopback) {
    Pair(value, build);
    value->abort_read.clear();
    value->abort_write.clear();
    value->reset.reset();
  } else {
    if (value->writes.empty()) value->stream.clear();
    MergeEmptyPieces(value);
    if ((!value->abort_write.empty() || value->reset) && !value->writes.empty()) {
      AddTail(value, config);
    }
    while (!Fed(*value, build)) value->stream.push_back({kTailBytes, PieceEnd::kLast});
  }
  return (!value->reads.empty() || !value->writes.empty()) && !Collides(*value, config);
}

}  // namespace tessera
