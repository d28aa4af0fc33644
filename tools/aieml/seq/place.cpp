// Addresses of buffers that the text does not place; see lower.h.
#include <fmt/format.h>

#include <algorithm>

#include "tools/aieml/seq/lower.h"

namespace tessera::seq {
namespace {

using aieml::TileKind;

struct Tile {
  int64_t bytes, stack;
  size_t banks;
};

void BySize(std::vector<Buffer*>* buffers) {
  std::stable_sort(buffers->begin(), buffers->end(),
                   [](const Buffer* a, const Buffer* b) { return a->Bytes() > b->Bytes(); });
}

// False: a buffer fits into no bank.
bool IntoBanks(const Tile& tile, const std::vector<Buffer*>& all,
               const std::vector<Buffer*>& open) {
  const int64_t size = tile.bytes / static_cast<int64_t>(tile.banks);
  std::vector<int64_t> next(tile.banks);
  for (size_t n = 0; n < tile.banks; ++n) next[n] = static_cast<int64_t>(n) * size;
  next[0] += tile.stack;
  const auto put = [&](Buffer* buffer, size_t bank) {
    const int64_t end = next[bank] + buffer->Bytes();
    if (end > static_cast<int64_t>(bank + 1) * size) return false;
    buffer->address = next[bank];
    next[bank] = end;
    return true;
  };
  for (const Buffer* buffer : all) {
    if (!buffer->address || *buffer->address < 0 || *buffer->address >= tile.bytes) continue;
    int64_t& end = next[static_cast<size_t>(*buffer->address / size)];
    end = std::max(end, *buffer->address + buffer->Bytes());
  }
  std::vector<Buffer*> left;
  for (Buffer* buffer : open) {
    const bool named =
        buffer->bank && *buffer->bank >= 0 && *buffer->bank < static_cast<int64_t>(tile.banks);
    if (!named || !put(buffer, static_cast<size_t>(*buffer->bank))) left.push_back(buffer);
  }
  BySize(&left);
  size_t bank = 0;
  for (Buffer* buffer : left) {
    size_t tried = 0;
    for (; tried < tile.banks && !put(buffer, (bank + tried) % tile.banks); ++tried) continue;
    if (tried == tile.banks) return false;
    bank = (bank + tried + 1) % tile.banks;
  }
  return true;
}

}  // namespace

void PlaceBuffers(const Lexer& text, const Device& device,
                  const std::map<uint32_t, int64_t>& stacks, std::vector<Buffer>* buffers) {
  std::map<uint32_t, std::vector<Buffer*>> tiles;
  for (Buffer& buffer : *buffers) {
    tiles[driver::npu::AddressOf(buffer.tile.column, buffer.tile.row, 0)].push_back(&buffer);
  }
  for (auto& [address, all] : tiles) {
    const bool memory = device.KindOf(driver::npu::RowOf(address)) == TileKind::kMemory;
    const auto core = stacks.find(address);
    const Tile tile{memory ? 0x80000 : 0x10000, core == stacks.end() ? 0 : core->second,
                    memory ? size_t{8} : size_t{4}};
    std::vector<Buffer*> open;
    for (Buffer* buffer : all) {
      if (!buffer->address && buffer->shape.Elements() >= 0) open.push_back(buffer);
    }
    if (open.empty() || IntoBanks(tile, all, open)) continue;
    BySize(&all);
    int64_t next = tile.stack;
    for (Buffer* buffer : all) {  // those with an address too
      if (buffer->shape.Elements() < 0) continue;
      buffer->address = next;
      next += buffer->Bytes();
    }
    if (next <= tile.bytes) continue;
    text.Fail(open.front()->place,
              fmt::format("the buffers of tile ({},{}) and a stack of {} bytes take {} bytes: "
                          "legal are {}",
                          driver::npu::ColumnOf(address), driver::npu::RowOf(address), tile.stack,
                          next, tile.bytes));
  }
}

}  // namespace tessera::seq
