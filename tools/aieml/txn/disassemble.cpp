// See disassemble.h.
#include "tools/aieml/txn/disassemble.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <iterator>
#include <sstream>

#include "sw/driver/tessera/text.hpp"
#include "tb/files/input.h"
#include "tb/sim/counted.h"

namespace tessera::txn {
namespace {

using namespace driver::npu;  // NOLINT(google-build-using-namespace): words of the format
using driver::Reason;

constexpr uint64_t kMostBytes = uint64_t{64} << 20;

std::vector<uint32_t> ParseText(const std::string& path, const std::string& text) {
  std::vector<uint32_t> words;
  size_t at = 0;
  for (size_t line = 1; at < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view digits(text.data() + at, end - at);
    while (!digits.empty() && (digits.back() == '\r' || digits.back() == ' ')) {
      digits.remove_suffix(1);
    }
    at = end + 1;
    if (digits.empty()) continue;
    uint32_t word = 0;
    const auto [rest, error] = std::from_chars(digits.begin(), digits.end(), word, 16);
    if (error != std::errc() || rest != digits.end() || digits.size() > 8) {
      throw Error(fmt::format("{}: line {} is \"{:.20}\": legal are 1 to 8 hexadecimal digits",
                              path, line, digits));
    }
    words.push_back(word);
  }
  return words;
}

// A bus that nobody may use: a check touches nothing.
struct NoBus {
  uint32_t read32(uint32_t) const { return 0; }
  void write32(uint32_t, uint32_t) const {}
  void barrier() const {}
  bool load_pdi(uint32_t, uint32_t, uint64_t) const { return true; }
};

const Tile* TileAt(const std::vector<Tile>& tiles, uint32_t column, uint32_t row) {
  for (const Tile& tile : tiles) {
    if (tile.column == column && tile.row == row) return &tile;
  }
  return nullptr;
}

// "(0,1) 0xa0604 DMA_S2MM_0_Start_Queue"
std::string Place(uint32_t address, const Tile* tile) {
  std::string text =
      fmt::format("({},{}) {:#07x}", ColumnOf(address), RowOf(address), OffsetOf(address));
  if (tile == nullptr) return text;
  if (const auto found = aieml::Find(tile->kind, OffsetOf(address))) text += " " + found->name();
  return text;
}

std::string Value(uint32_t address, uint32_t value, const Tile* tile) {
  std::string text = fmt::format("{:#010x}", value);
  if (tile == nullptr) return text;
  if (const auto found = aieml::Find(tile->kind, OffsetOf(address))) {
    const std::string fields = aieml::Decode(*found->entry, value);
    if (!fields.empty()) text += "  " + fields;
  }
  return text;
}

}  // namespace

std::vector<uint32_t> Load(const std::string& path) {
  std::string bytes;
  try {
    bytes = ReadNamed(path, "a transaction binary", kMostBytes);
  } catch (const std::invalid_argument& error) {
    throw Error(error.what());
  }
  if (path.ends_with(".txt")) return ParseText(path, bytes);
  if (bytes.size() % 4 != 0) {
    throw Error(fmt::format("{}: has {}: legal is a whole number of words", path,
                            Counted(bytes.size(), "byte")));
  }
  std::vector<uint32_t> words(bytes.size() / 4);
  for (size_t n = 0; n < bytes.size(); ++n) {
    words[n / 4] |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[n])) << 8 * (n % 4);
  }
  return words;
}

std::vector<Tile> TilesOf(const Header& header) {
  std::vector<Tile> tiles;
  const uint32_t columns = std::min<uint32_t>(header.columns, 128);
  const uint32_t rows = std::min<uint32_t>(header.rows, 32);
  for (uint32_t column = 0; column < columns; ++column) {
    for (uint32_t row = 0; row < rows; ++row) {
      const TileKind kind = row == 0                    ? TileKind::kShim
                            : row <= header.memory_rows ? TileKind::kMemory
                                                        : TileKind::kCompute;
      tiles.push_back({static_cast<uint8_t>(column), static_cast<uint8_t>(row), kind,
                       AddressOf(column, row, 0)});
    }
  }
  return tiles;
}

// The operation at a word as text, as "sync (0,0) S2MM 0"; empty if none begins there.
std::string OperationAt(const std::vector<uint32_t>& words, uint32_t at) {
  Reader reader(words.data(), static_cast<uint32_t>(words.size()));
  Header header;
  if (!reader.Open(header).ok()) return "";
  const std::vector<Tile> tiles = TilesOf(header);
  Operation operation;
  while (!reader.AtEnd() && reader.Next(operation).ok()) {
    if (operation.at != at) continue;
    std::string text, line;
    Disassemble(operation, tiles, &text);
    std::istringstream first(text.substr(0, text.find('\n')));
    std::string word;
    for (first >> word; first >> word;) line += (line.empty() ? "" : " ") + word;
    return line;
  }
  return "";
}

std::string Sentence(const std::string& file, const std::vector<uint32_t>& words,
                     const Fault& fault) {
  const std::string value =
      fault.word < words.size() ? fmt::format("{:#x}", words[fault.word]) : std::string("missing");
  const std::string where = fmt::format("{}: word {} is {}: ", file, fault.word, value);
  switch (fault.status.reason()) {
    case Reason::binary_version:
      return where + "legal is version 0.1, whose two low bytes are 0x0100";
    case Reason::binary_bytes:
      return where + fmt::format("legal are the bytes of the file, {}", 4 * words.size());
    case Reason::operation_count:
      return where + "legal is the number of operations that follow, with nothing behind them";
    case Reason::operation_unknown:
      return where + fmt::format(
                         "operation {} is not played: legal are 0 write, 1 block write, 3 "
                         "masked write, 4 and 7 poll, 5 noop, 6 preempt, 8 load PDI, 128 sync, 129 "
                         "address patch",
                         fault.status.index());
    case Reason::tile_unknown:
      return where + "no tile at this column and row: legal are those of the header or the array";
    default: {
      const std::string operation = OperationAt(words, fault.word);
      return where + (operation.empty() ? "" : operation + ": ") +
             driver::Text(fault.status.reason());
    }
  }
}

Header HeaderOf(const std::string& file, const std::vector<uint32_t>& words) {
  Reader reader(words.data(), static_cast<uint32_t>(words.size()));
  Header header;
  if (const Fault fault = reader.Open(header); !fault.ok()) {
    throw Error(Sentence(file, words, fault));
  }
  return header;
}

std::string HeaderLine(const std::string& file, const std::vector<uint32_t>& words) {
  const Header header = HeaderOf(file, words);
  return fmt::format(
      "transaction binary, version {}.{}, device generation {}, {}, {}, {} of them memory tiles: "
      "{}, {}\n",
      header.major, header.minor, header.generation, Counted(header.columns, "column"),
      Counted(header.rows, "row"), header.memory_rows, Counted(header.operations, "operation"),
      Counted(header.bytes, "byte"));
}

void Disassemble(const Operation& operation, const std::vector<Tile>& tiles, std::string* text) {
  auto out = std::back_inserter(*text);
  const uint32_t address = operation.address;
  const Tile* tile = TileAt(tiles, ColumnOf(address), RowOf(address));
  fmt::format_to(out, "{:6}  ", operation.at);
  switch (operation.opcode) {
    case Opcode::write:
      fmt::format_to(out, "write        {} = {}\n", Place(address, tile),
                     Value(address, operation.value, tile));
      return;
    case Opcode::mask_write:
      fmt::format_to(out, "mask write   {} = {}, mask {:#010x}\n", Place(address, tile),
                     Value(address, operation.value, tile), operation.mask);
      return;
    case Opcode::mask_poll:
    case Opcode::mask_poll_busy:
      fmt::format_to(out, "{}  {} until {}, mask {:#010x}\n",
                     operation.opcode == Opcode::mask_poll ? "mask poll  " : "busy poll  ",
                     Place(address, tile), Value(address, operation.value, tile), operation.mask);
      return;
    case Opcode::block_write:
      fmt::format_to(out, "block write  ({},{}) {:#07x}, {}\n", ColumnOf(address), RowOf(address),
                     OffsetOf(address), Counted(operation.count, "word"));
      for (uint32_t n = 0; n < operation.count; ++n) {
        const uint32_t at = address + 4 * n;
        fmt::format_to(out, "          {} = {}\n", Place(at, tile),
                       Value(at, operation.data[n], tile));
      }
      return;
    case Opcode::sync:
      fmt::format_to(out, "sync         ({},{}) {} {}", operation.column, operation.row,
                     operation.to_stream ? "MM2S" : "S2MM", operation.channel);
      if (operation.columns > 1 || operation.rows > 1) {
        fmt::format_to(out, ", {}, {}", Counted(operation.columns, "column"),
                       Counted(operation.rows, "row"));
      }
      *text += '\n';
      return;
    case Opcode::address_patch:
      fmt::format_to(out, "patch        {} with argument {} + {}\n", Place(address, tile),
                     operation.argument, operation.offset);
      return;
    case Opcode::preempt:
      fmt::format_to(out, "preempt      level {}\n", operation.value);
      return;
    case Opcode::load_pdi:
      fmt::format_to(out, "load PDI     {}, {} at {:#x}\n", operation.value,
                     Counted(operation.count, "byte"), operation.pdi);
      return;
    default:
      *text += "noop\n";
  }
}

std::string Disassemble(const std::string& file, const std::vector<uint32_t>& words) {
  std::string text = HeaderLine(file, words);
  Reader reader(words.data(), static_cast<uint32_t>(words.size()));
  Header header;
  (void)reader.Open(header);
  const std::vector<Tile> tiles = TilesOf(header);
  Operation operation;
  while (!reader.AtEnd()) {
    if (const Fault fault = reader.Next(operation); !fault.ok()) {
      throw Error(Sentence(file, words, fault));
    }
    Disassemble(operation, tiles, &text);
  }
  return text;
}

void Check(const std::string& file, const std::vector<uint32_t>& words) {
  const std::vector<Tile> tiles = TilesOf(HeaderOf(file, words));
  constexpr std::array<uint64_t, 256> kAnything{};
  NoBus bus;
  const Player<NoBus> player(bus, tiles.data(), static_cast<uint32_t>(tiles.size()));
  const PlayResult result = player.Check(words.data(), static_cast<uint32_t>(words.size()),
                                         {kAnything.data(), kAnything.size()});
  if (!result.ok()) throw Error(Sentence(file, words, result.fault));
}

}  // namespace tessera::txn
