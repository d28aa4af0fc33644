// See protocol.h.
#include "tools/aieml/serve/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "tb/sim/counted.h"

namespace tessera::serve {
namespace {

constexpr uint64_t kNpi = 0xf70a0000;  // network and power control, a megabyte
constexpr uint64_t kNpiSpan = 1 << 20;
constexpr size_t kNpiMost = 4096;
constexpr size_t kMostPolled = 1024;  // registers

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while (at < line.size()) {
    const size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Decimal, or hexadecimal behind 0x; false if it is neither, or too long.
bool Number(std::string_view word, uint64_t* value) {
  int base = 10;
  if (word.starts_with("0x") || word.starts_with("0X")) {
    word.remove_prefix(2);
    base = 16;
  }
  *value = 0;
  const auto [end, error] = std::from_chars(word.begin(), word.end(), *value, base);
  return !word.empty() && error == std::errc() && end == word.end();
}

std::string Shown(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 40)) shown += c >= ' ' && c <= '~' ? c : '.';
  return shown;
}

std::string Error(const std::string& sentence) { return "error: " + sentence + "\n"; }

}  // namespace

bool Protocol::MayWrite(uint32_t client) {
  if (writer_ == 0) writer_ = client;
  return writer_ == client;
}

void Protocol::Gone(uint32_t client) {
  if (writer_ == client) writer_ = 0;
  read_at_.erase(client);
}

// Who reads a register again has waited: that is the time of a poll.
void Protocol::Poll(uint32_t client, uint64_t address) {
  std::map<uint64_t, uint64_t>& registers = read_at_[client];
  if (const auto found = registers.find(address); found != registers.end()) {
    const uint64_t gone = target_->cycles() - found->second;
    if (gone < options_.cycles_a_poll) target_->Run(options_.cycles_a_poll - gone);
  } else if (registers.size() >= kMostPolled) {
    registers.clear();
  }
  registers[address] = target_->cycles();
}

void Protocol::Pass(uint64_t microseconds) {
  constexpr uint64_t kBusyCycles = 256;
  const uint64_t cycles = microseconds * options_.cycles_a_microsecond;
  target_->Run(target_->Still() ? cycles : std::min(cycles, kBusyCycles));
}

bool Protocol::ReadRegister(uint64_t address, uint32_t* value) {
  *value = 0;
  if (address >= kNpi && address - kNpi < kNpiSpan && options_.base != 0) {
    for (const auto& [at, kept] : npi_) {
      if (at == address) *value = kept;
    }
    return true;
  }
  return address >= options_.base && target_->Read(address - options_.base, value);
}

bool Protocol::WriteRegister(uint64_t address, uint32_t value) {
  if (address >= kNpi && address - kNpi < kNpiSpan && options_.base != 0) {
    const auto found = std::find_if(npi_.begin(), npi_.end(),
                                    [&](const auto& kept) { return kept.first == address; });
    if (found != npi_.end()) {
      found->second = value;
    } else if (npi_.size() < kNpiMost) {
      npi_.emplace_back(address, value);
    }
    return true;
  }
  return address >= options_.base && target_->Write(address - options_.base, value);
}

std::string Protocol::Answer(uint32_t client, std::string_view line) {
  const std::vector<std::string_view> words = Words(line);
  if (words.empty()) return "";
  try {
    return Execute(client, words);
  } catch (const std::runtime_error& error) {
    message_(error.what());
    if (words[0] == "W") return "";
    if (words[0] == "R") return "0x00000000\n";
    const std::string_view text = error.what();
    return Error(std::string(text.substr(0, text.find('\n'))));
  }
}

std::string Protocol::Execute(uint32_t client, const std::vector<std::string_view>& words) {
  if (words[0] == "R" || words[0] == "W") return DriverLine(client, words);
  return Command(client, words);
}

// A driver waits for eleven bytes after a read, whatever happens, and for nothing after a write.
std::string Protocol::DriverLine(uint32_t client, const std::vector<std::string_view>& words) {
  const bool read = words[0] == "R";
  const auto answer = [&](uint32_t word, const std::string& message) {
    if (!message.empty()) message_(message);
    return read ? fmt::format("0x{:08x}\n", word) : std::string();
  };
  uint64_t address = 0, value = 0;
  if (words.size() != (read ? 2u : 3u) || !Number(words[1], &address) ||
      (!read && !Number(words[2], &value)) || value > 0xffffffff) {
    return answer(
        0,
        fmt::format("client {}: a bad line that begins with \"{}\": legal are \"R 0XADDRESS\" and "
                    "\"W 0XADDRESS 0XVALUE\"",
                    client, words[0]));
  }
  uint32_t word = 0;
  if (!read && !MayWrite(client)) {
    return answer(
        0, fmt::format("client {}: a write to {:#x} is dropped: client {} has write access", client,
                       address, writer_));
  }
  if (read) {
    Poll(client, address);
  } else {
    read_at_.erase(client);
  }
  const bool done =
      read ? ReadRegister(address, &word) : WriteRegister(address, static_cast<uint32_t>(value));
  return answer(word,
                done ? std::string()
                     : fmt::format("client {}: there is no register at {:#x}, or it refuses this",
                                   client, address));
}

std::string Protocol::Command(uint32_t client, const std::vector<std::string_view>& words) {
  const std::string_view name = words[0];
  uint64_t first = 0, second = 0;
  const bool one = words.size() == 2 && Number(words[1], &first);
  const bool two = words.size() == 3 && Number(words[1], &first) && Number(words[2], &second);
  if (name == "hello" || name == "cycles") {
    if (words.size() != 1) return Error(fmt::format("{} takes no words", name));
    if (name == "hello") return "tessera serve 1\n";
    return fmt::format("{}\n", target_->cycles());
  }
  if (name == "readblock" || name == "memread") return Block(words, name == "memread");
  if (name == "memwrite") return WriteBlock(words, true);
  if (name == "memadd") {
    constexpr uint64_t kMostBytes = uint64_t{256} << 20;
    if (!two || second == 0 || second > kMostBytes) {
      return Error(fmt::format("memadd takes an address and 1 to {} bytes", kMostBytes));
    }
    if (!target_->MemoryAdd(first, second)) {
      return Error(
          fmt::format("a buffer of {} at {:#x} meets another, or is beyond the memory: legal is a "
                      "multiple of 4 where nothing is",
                      Counted(second, "byte"), first));
    }
    return "ok\n";
  }
  if (name != "writeblock" && name != "run" && name != "wait" && name != "trace") {
    return Error(fmt::format(
        "\"{}\" is no command: legal are R, W, readblock, writeblock, memadd, memread, memwrite, "
        "run, wait, cycles, trace, hello",
        Shown(name)));
  }
  if (!MayWrite(client)) {
    return Error(
        fmt::format("client {} has write access: legal are reads, and writes of host "
                    "memory, until it goes",
                    writer_));
  }
  read_at_.erase(client);
  if (name == "writeblock") return WriteBlock(words, false);
  if (name == "run" || name == "wait") {
    if (!one || first > options_.most_cycles) {
      return Error(fmt::format("{} takes 0 to {} cycles", name, options_.most_cycles));
    }
    if (name == "wait") return target_->Wait(first).value_or("timeout") + "\n";
    target_->Run(first);
    return "ok\n";
  }
  if (words.size() != 2 || (words[1] != "on" && words[1] != "off"))
    return Error("trace takes on or off");
  const Message message = message_;
  target_->Trace(words[1] == "on" ? message : Message());
  return "ok\n";
}

std::string Protocol::Block(const std::vector<std::string_view>& words, bool memory) {
  uint64_t address = 0, count = 0;
  if (words.size() != 3 || !Number(words[1], &address) || !Number(words[2], &count) || count == 0 ||
      count > options_.most_words) {
    return Error(
        fmt::format("{} takes an address and 1 to {} words", words[0], options_.most_words));
  }
  std::string answer;
  for (uint64_t n = 0; n < count; ++n) {
    uint32_t word = 0;
    const uint64_t at = address + 4 * n;
    if (!(memory ? target_->MemoryRead(at, &word) : ReadRegister(at, &word))) {
      return Error(fmt::format("there is no {} at {:#x}",
                               memory ? "memory" : "register that can be read", at));
    }
    answer += fmt::format("{}0x{:08x}", n == 0 ? "" : " ", word);
  }
  return answer + "\n";
}

std::string Protocol::WriteBlock(const std::vector<std::string_view>& words, bool memory) {
  uint64_t address = 0;
  if (words.size() < 3 || !Number(words[1], &address) || words.size() - 2 > options_.most_words) {
    return Error(
        fmt::format("{} takes an address and 1 to {} words", words[0], options_.most_words));
  }
  std::vector<uint32_t> values;
  for (size_t n = 2; n < words.size(); ++n) {
    uint64_t value = 0;
    if (!Number(words[n], &value) || value > 0xffffffff)
      return Error(fmt::format("\"{}\" is no word of 32 bits", Shown(words[n])));
    values.push_back(static_cast<uint32_t>(value));
  }
  for (size_t n = 0; n < values.size(); ++n) {
    const uint64_t at = address + 4 * n;
    if (!(memory ? target_->MemoryWrite(at, values[n]) : WriteRegister(at, values[n]))) {
      return Error(fmt::format("there is no {} at {:#x}; {} written",
                               memory ? "memory" : "register that can be written", at,
                               n == 1 ? std::string("1 word is") : fmt::format("{} words are", n)));
    }
  }
  return "ok\n";
}

}  // namespace tessera::serve
