// The lines of the socket protocol, without a socket: a line in, an answer out.
//
// As the open driver's socket back end has them: "W 0X<16 digits> 0X<8 digits>" has no answer,
// "R 0X<16 digits>" answers "0x<8 digits>" and a newline. For everybody else, numbers decimal or
// with 0x: readblock ADDRESS WORDS; writeblock ADDRESS WORD...; memadd ADDRESS BYTES; memread
// ADDRESS WORDS; memwrite ADDRESS WORD...; run CYCLES; wait CYCLES; cycles; trace on|off; hello.
// Each answers one line: what was asked for, "ok", or "error: " and a sentence.
//
// Simulated time runs with `run` and `wait`, with a read of a register that the client has read
// since it last did anything but read, and on its own while no line comes (Pass).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/aieml/serve/target.h"

namespace tessera::serve {

struct ProtocolOptions {
  uint64_t base = 0;                  // of the array, that clients add to addresses
  uint64_t cycles_a_poll = 200'000;   // from a read of a register to the next of the same one
  uint64_t cycles_a_microsecond = 0;  // while no line comes; 0: time stands still then
  uint64_t most_cycles = 1'000'000;   // of one run or wait
  uint32_t most_words = 4096;         // of one block
};

class Protocol {
 public:
  using Message = std::function<void(const std::string&)>;
  Protocol(Target* target, const ProtocolOptions& options, Message message)
      : target_(target), options_(options), message_(std::move(message)) {}

  // Answers a line of `client`; the line has no newline, the answer has one or is empty. What the
  // target throws is told and answered as an error.
  std::string Answer(uint32_t client, std::string_view line);
  // The client has gone: gives up its write access.
  void Gone(uint32_t client);
  // So many microseconds have gone by without a line: simulated time follows, as far as it can in
  // about a millisecond.
  void Pass(uint64_t microseconds);
  // Time may run on its own, and nothing will change but the time.
  bool Still() { return options_.cycles_a_microsecond == 0 || target_->Still(); }

 private:
  bool MayWrite(uint32_t client);
  std::string Execute(uint32_t client, const std::vector<std::string_view>& words);
  std::string DriverLine(uint32_t client, const std::vector<std::string_view>& words);
  std::string Command(uint32_t client, const std::vector<std::string_view>& words);
  std::string Block(const std::vector<std::string_view>& words, bool memory);
  std::string WriteBlock(const std::vector<std::string_view>& words, bool memory);
  void Poll(uint32_t client, uint64_t address);
  bool ReadRegister(uint64_t address, uint32_t* value);
  bool WriteRegister(uint64_t address, uint32_t value);

  Target* target_;
  ProtocolOptions options_;
  Message message_;
  uint32_t writer_ = 0;  // 0: nobody
  // When a client has read a register, since it last did something else.
  std::map<uint32_t, std::map<uint64_t, uint64_t>> read_at_;
  std::vector<std::pair<uint64_t, uint32_t>> npi_;  // what was written to the NPI space
};

}  // namespace tessera::serve
