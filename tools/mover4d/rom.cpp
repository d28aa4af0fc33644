// Values of text files as bytes; see rom.h.
#include "tools/mover4d/rom.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "tb/files/input.h"

namespace tessera::gen {
namespace {

using job::Reader;

void Append(uint64_t value, size_t size, std::vector<uint8_t>* out) {
  for (size_t n = 0; n < size; ++n) out->push_back(static_cast<uint8_t>(value >> (8 * n)));
}

// IEEE 754 binary16, nearest, ties to even; false if the value is too large.
bool ToHalf(double value, uint64_t* bits) {
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) {
    *bits = sign | 0x7e00;
  } else if (std::isinf(value)) {
    *bits = sign | 0x7c00;
  } else if (size < std::ldexp(1.0, -14)) {  // without leading one, steps of 2^-24
    *bits = sign | static_cast<uint64_t>(std::nearbyint(std::ldexp(size, 24)));
  } else {
    int exponent = 0;
    std::frexp(size, &exponent);  // size is 0.5 to 1 times 2^exponent
    const auto digits = static_cast<uint64_t>(std::nearbyint(std::ldexp(size, 11 - exponent)));
    *bits = sign | ((static_cast<uint64_t>(exponent + 14) << 10) + digits - 0x400);
    return (*bits & 0x7fff) < 0x7c00;
  }
  return true;
}

// "" if the text is a value of this type, else what a legal one is.
std::string Floating(const std::string& text, std::string_view type, std::vector<uint8_t>* out) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return fmt::format("a {}", type);
  if (type == "double") {
    if (std::isinf(value) && text.find_first_of("iI") == std::string::npos) return "a double";
    Append(std::bit_cast<uint64_t>(value), 8, out);
  } else if (type == "float") {
    const auto narrow = static_cast<float>(value);
    if (std::isinf(narrow) && !std::isinf(value)) return "a float, which this is too large for";
    Append(std::bit_cast<uint32_t>(narrow), 4, out);
  } else {
    uint64_t bits = 0;
    if (!ToHalf(value, &bits)) return "a half, which this is too large for";
    Append(bits, 2, out);
  }
  return "";
}

std::string Integer(const std::string& text, std::string_view type, std::vector<uint8_t>* out) {
  const int bits = std::atoi(std::string(type.substr(3)).c_str());
  const bool negative = text.starts_with('-');
  const std::string digits = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  errno = 0;
  char* end = nullptr;
  const bool number = !digits.empty() && std::isdigit(static_cast<unsigned char>(digits[0])) != 0;
  const uint64_t size = number ? std::strtoull(digits.c_str(), &end, hex ? 16 : 10) : 0;
  const uint64_t half = uint64_t{1} << (bits - 1);
  const uint64_t most = negative ? half : hex ? half - 1 + half : half - 1;
  if (!number || *end != 0 || errno == ERANGE || size > most)
    return fmt::format("an integer from -{} to {}", half, half - 1);
  Append(negative ? -size : size, static_cast<size_t>(bits / 8), out);
  return "";
}

std::string Stripped(const std::string& line) {
  const std::string text = line.substr(0, line.find('#'));
  const size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

std::vector<uint8_t> FromFile(const Reader& rom) {
  const Reader name = rom.Need("file", "a text file with a value a line");
  const Reader kind = rom.Need("type", "half, float, double, int8, int16, int32 or int64");
  const std::string_view type = kRomTypes[kind.Word(kRomTypes)];
  uint64_t count = 0;
  if (rom.Has("num")) count = rom.At("num").Unsigned(1, uint64_t{1} << 22);
  const std::filesystem::path path = std::filesystem::path(rom.file()).parent_path() / name.Path();
  std::istringstream file;
  try {
    file.str(ReadInput(path.string(), 0, uint64_t{256} << 20));
  } catch (const std::invalid_argument& error) {
    throw job::ErrorAt(
        rom.file(), name.place(), job::Shown(name.json()),
        fmt::format("{} {}, legal is the name of a file", path.string(), error.what()));
  }
  std::vector<uint8_t> out;
  uint64_t taken = 0, number = 0;
  for (std::string line; (count == 0 || taken < count) && std::getline(file, line);) {
    ++number;
    const std::string text = Stripped(line);
    if (text.empty()) continue;
    const std::string wrong =
        type.starts_with("int") ? Integer(text, type, &out) : Floating(text, type, &out);
    if (!wrong.empty()) {
      name.Refuse(
          fmt::format("a file in which line {}, {}, is {}", number, job::Shown(text), wrong));
    }
    ++taken;
  }
  if (taken == 0) name.Refuse("a file with at least one value");
  if (taken < count)
    name.Refuse(fmt::format("a file with at least {} values: it has {}", count, taken));
  return out;
}

std::vector<uint8_t> FromBeats(const Reader& beats, size_t beat_bytes) {
  std::vector<uint8_t> out;
  for (size_t n = 0; n < beats.Array(static_cast<size_t>(kMostRomBeats)); ++n) {
    const Reader beat = beats.At(n);
    const std::string text = beat.json().is_string() ? beat.Text() : "";
    const bool good = text.size() == 2 + 2 * beat_bytes && text.starts_with("0x") &&
                      text.find_first_not_of("0123456789abcdef", 2) == std::string::npos;
    if (!good)
      beat.Refuse(fmt::format("0x and {} hexadecimal digits, in lower case", 2 * beat_bytes));
    for (size_t b = 0; b < beat_bytes; ++b) {
      const std::string digits = text.substr(text.size() - 2 * (b + 1), 2);
      out.push_back(static_cast<uint8_t>(std::strtoul(digits.c_str(), nullptr, 16)));
    }
  }
  if (out.empty()) beats.Refuse("an array of at least one beat");
  return out;
}

}  // namespace

std::vector<uint8_t> ReadRom(const Reader& rom, size_t beat_bytes) {
  if (!rom.json().is_object()) rom.Refuse("an object with file and type, or with beats");
  if (rom.Has("beats")) {
    rom.Object({"beats"});
    return FromBeats(rom.At("beats"), beat_bytes);
  }
  rom.Object({"file", "type", "num"});
  std::vector<uint8_t> out = FromFile(rom);
  out.resize((out.size() + beat_bytes - 1) / beat_bytes * beat_bytes);
  if (out.size() / beat_bytes > static_cast<size_t>(kMostRomBeats)) {
    rom.At("file").Refuse(fmt::format("a file of at most {} beats of {} bytes: it has {}",
                                      kMostRomBeats, beat_bytes, out.size() / beat_bytes));
  }
  return out;
}

std::vector<std::string> RomBeats(const std::vector<uint8_t>& bytes, size_t beat_bytes) {
  std::vector<std::string> out;
  for (size_t at = 0; at < bytes.size(); at += beat_bytes) {
    std::string text = "0x";
    for (size_t b = beat_bytes; b-- > 0;) text += fmt::format("{:02x}", bytes[at + b]);
    out.push_back(text);
  }
  return out;
}

}  // namespace tessera::gen
