// Reads and writes the text files at the edges of a graph.
#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

namespace adf::detail {
namespace {

const char* NameOf(Format format) {
  return format == Format::kFloat ? "float" : format == Format::kUnsigned ? "unsigned" : "signed";
}

// Appends one number; false if the word is none, or out of range.
bool Parse(const std::string& word, ElementType type, bool hex, std::vector<uint8_t>& bytes) {
  const char* begin = word.data();
  const char* const end = word.data() + word.size();
  uint8_t raw[8] = {};
  if (!hex && type.format == Format::kFloat) {
    float value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end) return false;
    std::memcpy(raw, &value, sizeof(value));
  } else {
    const bool prefixed = word.starts_with("0x") || word.starts_with("0X");
    if (prefixed) begin += 2;
    const unsigned bits = type.bytes * 8;
    uint64_t value = 0;
    std::from_chars_result result{};
    if (hex || prefixed) {
      result = std::from_chars(begin, end, value, 16);
      if (bits < 64 && value >> bits != 0) return false;
    } else if (word.starts_with('-')) {
      int64_t negative = 0;
      result = std::from_chars(begin, end, negative);
      if (negative < (type.format == Format::kUnsigned ? 0 : -(int64_t{1} << (bits - 1)))) {
        return false;
      }
      value = static_cast<uint64_t>(negative);
    } else {
      // Words of packet headers are written without sign into files of signed numbers.
      result = std::from_chars(begin, end, value);
      if (bits < 64 && value >> bits != 0) return false;
    }
    if (result.ec != std::errc() || result.ptr != end) return false;
    std::memcpy(raw, &value, sizeof(value));
  }
  bytes.insert(bytes.end(), raw, raw + type.bytes);
  return true;
}

std::string Print(const uint8_t* at, ElementType type, bool hex) {
  uint64_t value = 0;
  std::memcpy(&value, at, type.bytes);
  if (hex) return fmt::format("{:0{}x}", value, type.bytes * 2);
  if (type.format == Format::kFloat) {
    float real = 0;
    std::memcpy(&real, at, sizeof(real));
    return fmt::format("{}", real);
  }
  if (type.format == Format::kUnsigned) return fmt::format("{}", value);
  const unsigned shift = 64 - type.bytes * 8;
  return fmt::format("{}", static_cast<int64_t>(value << shift) >> shift);
}

size_t NumbersOfALine(const FileNode& file, ElementType type) {
  const size_t bytes = static_cast<size_t>(file.width_bits) / 8;
  // A number wider than the port fills several of its words and stands on a line of its own.
  return std::max<size_t>(bytes / type.bytes, type.parts);
}

}  // namespace

FileData ReadFile(const FileNode& file, ElementType type) {
  std::ifstream in(file.file);
  if (!in) Fail(fmt::format("{}: cannot read the file '{}'", file.name, file.file));
  const size_t columns = NumbersOfALine(file, type);
  FileData data;
  std::string line;
  bool last = false;
  for (size_t number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;) row.push_back(word);
    if (row.empty() || row[0] == "T") continue;  // a time stamp
    if (row[0] == "TLAST") {
      last = true;
      continue;
    }
    if (row.size() != columns) {
      Fail(
          fmt::format("{}:{}: {} numbers on the line; a port of {} bits with {} numbers of {} bits "
                      "has {}",
                      file.file, number, row.size(), file.width_bits, NameOf(type.format),
                      type.bytes * 8, columns));
    }
    for (const std::string& word : row) {
      if (Parse(word, type, file.hex, data.bytes)) continue;
      Fail(fmt::format("{}:{}: '{}' is no {}{} number of {} bits", file.file, number, word,
                       file.hex ? "hexadecimal " : "", NameOf(type.format), type.bytes * 8));
    }
    if (last) data.packets.push_back(data.bytes.size());
    last = false;
  }
  if (last) Fail(fmt::format("{}: TLAST at the end has no line after it", file.file));
  return data;
}

void WriteFile(const FileNode& file, ElementType type, const FileData& data) {
  if (file.file.empty()) return;
  std::ofstream out(file.file);
  const size_t columns = NumbersOfALine(file, type);
  const size_t row = columns * type.bytes;
  auto packet = data.packets.begin();
  for (size_t at = 0; at < data.bytes.size();) {
    size_t stop = std::min(at + row, data.bytes.size());
    if (packet != data.packets.end() && *packet <= stop) {
      stop = *packet++;
      out << "TLAST\n";
    }
    for (const size_t begin = at; at + type.bytes <= stop; at += type.bytes) {
      out << (at == begin ? "" : " ") << Print(data.bytes.data() + at, type, file.hex);
    }
    out << "\n";
    at = stop;
  }
  out.close();
  if (!out) Fail(fmt::format("{}: cannot write the file '{}'", file.name, file.file));
}

}  // namespace adf::detail
