// Start programs of files and specifications, checked against the registers of the build; see
// spec.h.
#include "tools/gen/spec.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "tb/files/input.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

using job::Reader;

// Throws the error of a write: what is legal instead of it.
using Refuse = std::function<void(const std::string& legal)>;

// Which places of a register an address means, the outermost first; false if none.
bool PlacesOf(const Register& reg, int64_t address, std::vector<int64_t>* places) {
  int64_t rest = address - reg.address;
  places->clear();
  for (const auto& [count, stride] : reg.places) {
    if (rest < 0 || rest / stride >= count) return false;
    places->push_back(rest / stride);
    rest %= stride;
  }
  return rest == 0;
}

// "READ[3].TASK".
std::string NameOf(const Register& reg, const std::vector<int64_t>& places) {
  std::string out;
  size_t next = 0;
  for (const char c : reg.name) {
    if (c == '*') {
      out += fmt::format("[{}]", places[next++]);
    } else {
      out += c;
    }
  }
  return out;
}

void CheckAddress(int64_t address, const Top& top, const Values& values, const Refuse& refuse) {
  std::vector<int64_t> places;
  for (const Register& reg : top.writable) {
    if (!PlacesOf(reg, address, &places)) continue;
    Values known = values;
    if (!places.empty()) known["Place"] = places[0];
    if (places.size() > 1) known["Inner"] = places[1];
    for (const Reach& reach : top.reaches) {
      if (!reg.name.starts_with(reach.under) || Evaluate(reach.that, known) != 0) continue;
      refuse(fmt::format("the address of a register that this build has: {:#x} is {}, and {} is {}",
                         address, NameOf(reg, places), reach.of,
                         top.Find(reach.of)->Shown(values.at(reach.of))));
    }
    return;
  }
  refuse(fmt::format("the address of a register that takes writes: at {:#x} is none", address));
}

std::string FileText(const Reader& start) {
  const std::filesystem::path path =
      std::filesystem::path(start.file()).parent_path() / start.Path();
  try {
    return ReadInput(path.string(), 0, uint64_t{1} << 20);
  } catch (const std::invalid_argument& error) {
    throw job::ErrorAt(
        start.file(), start.place(), job::Shown(start.json()),
        fmt::format("{} {}, legal is the name of a file", path.string(), error.what()));
  }
}

std::vector<StartWrite> FromFile(const Reader& start, const Top& top, const Values& values) {
  static const std::regex write(
      R"(\s*(?:(?:0x)?([0-9a-fA-F]{1,5})\s+(?:0x)?([0-9a-fA-F]{1,8})\s*)?)");
  std::istringstream text(FileText(start));
  std::vector<StartWrite> out;
  size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const std::string code = line.substr(0, line.find('#'));
    const Refuse refuse = [&](const std::string& legal) {
      start.Refuse(
          fmt::format("a file in which line {}, {}, is {}", number, job::Shown(line), legal));
    };
    std::smatch match;
    const bool good = code.size() < 200 && std::regex_match(code, match, write);
    if (good && !match[1].matched) continue;
    const int64_t address = good ? std::stoll(match[1], nullptr, 16) : 1;
    if (address % 4 != 0 || address >= top.Span()) {
      refuse(fmt::format(
          "an address (a multiple of 4 below {:x}) and a value of 32 bits, both hexadecimal",
          top.Span()));
    }
    CheckAddress(address, top, values, refuse);
    out.push_back(
        {static_cast<uint32_t>(address), static_cast<uint32_t>(std::stoul(match[2], nullptr, 16))});
  }
  if (out.empty()) start.Refuse("a file with at least one write");
  if (out.size() > kMostStartWrites) {
    start.Refuse(
        fmt::format("a file of at most {} writes: it has {}", kMostStartWrites, out.size()));
  }
  return out;
}

std::vector<StartWrite> FromArray(const Reader& start, const Top& top, const Values& values) {
  std::vector<StartWrite> out;
  for (size_t n = 0; n < start.Array(kMostStartWrites); ++n) {
    const Reader write = start.At(n);
    if (!write.json().is_array() || write.json().size() != 2)
      write.Refuse("an address and a value, such as [\"0x1008\", \"0x1000000\"]");
    const Reader address = write.At(0);
    const uint64_t at = address.Unsigned(0, ~uint64_t{0});
    const auto span = static_cast<uint64_t>(top.Span());
    if (at % 4 != 0 || at >= span)
      address.Refuse(fmt::format("a multiple of 4 from 0 to {:#x}", span - 4));
    CheckAddress(static_cast<int64_t>(at), top, values,
                 [&](const std::string& legal) { address.Refuse(legal); });
    out.push_back(
        {static_cast<uint32_t>(at), static_cast<uint32_t>(write.At(1).Unsigned(0, 0xffffffff))});
  }
  if (out.empty()) start.Refuse("an array of at least one write");
  return out;
}

}  // namespace

std::vector<StartWrite> ReadStart(const Reader& start, const Top& top, const Values& values) {
  if (start.json().is_string()) return FromFile(start, top, values);
  if (start.json().is_array()) return FromArray(start, top, values);
  start.Refuse("the name of a file, or an array of [address, value]");
}

std::string StartLiteral(const std::vector<StartWrite>& writes) {
  std::vector<std::string> words;
  for (const StartWrite& write : writes)
    words.push_back(fmt::format("64'h{:08x}{:08x}", write.address, write.value));
  return Concatenation(words);
}

}  // namespace tessera::gen
