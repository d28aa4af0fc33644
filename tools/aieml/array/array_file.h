// Array files: a simulated array, what stands in its tiles, and the buffers of a run, as JSON.
//
// {"columns": 1, "memory_rows": 1, "compute_rows": 4, "neighbours": ["west", "east"],
//  "rtl": [[column, row], ...],
//  "routes": [{"from": [column, row, channel], "to": [[column, row, channel], ...],
//              "packet": 1, "keep_header": 0}, ...],
//  "locks": [{"tile": [column, row], "lock": 0, "value": 1}, ...],
//  "writes": [{"tile": [column, row], "offset": 0, "value": 0}, ...],
//  "kernels": [{"tile": [column, row], "kernel": "add", "constant": 1, "words": 16,
//               "in": {"addresses": [1024], "take": 1, "give": 0},
//               "out": {"addresses": [2048], "take": 2, "give": 3}}, ...],
//  "arguments": [{"bytes": 256, "ramp": 0}, {"bytes": 256, "equals": {"argument": 0, "plus": 1}}]}
//
// Everything may be left out. What is wrong is one sentence with its place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lib/aieml/array.h"
#include "tb/files/output.h"

namespace tessera::array {

class Error : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

struct Argument {
  uint64_t bytes = 0;
  std::string file;                // contents; else a ramp of words, or zeros
  std::optional<uint32_t> ramp;    // its first word
  std::string expect, dump;        // files
  std::optional<uint32_t> equals;  // an argument of which every word is this one less `plus`
  uint32_t plus = 0;
};

struct RegisterWrite {
  uint32_t address = 0, value = 0;
};

struct ArrayFile {
  std::string path;
  aieml::ArrayOptions options;
  std::vector<RegisterWrite> writes;  // before the run; of locks as well
  std::vector<Argument> arguments;
  bool neighbours = false;  // it says which there are
  bool rtl = false;         // all tiles are the RTL; else these alone
  std::vector<std::pair<uint32_t, uint32_t>> rtl_tiles = {};  // columns and rows
};

// The bytes of a regular file of at most so many. Throws Error.
std::string ReadFile(const std::string& path, uint64_t most);

// Throws Error.
ArrayFile Parse(const std::string& text, const std::string& path);
ArrayFile Load(const std::string& path);

// A program for so many columns of a device of this generation (as the header of its binary has it)
// runs in a part of the array unless it has all columns: there are others on both sides, if the
// file does not say which.
void Partition(uint32_t generation, uint32_t columns, ArrayFile* file);

// An array as the file has it, with its arguments in the memory of the host, one after the other
// from 0x10000 on, each at a multiple of 4096.
struct Machine {
  std::unique_ptr<aieml::Array> array;
  std::vector<uint64_t> arguments;
  std::vector<std::string> expected;  // bytes of each argument after the run; empty: any
};
// `names` are the other files of the command. Before the work, throws what WriteOutput would of a
// dump, and std::invalid_argument if a dump is one of those, or a file that is read.
Machine Build(const ArrayFile& file, FileNames names = {});

// Compares the arguments after a run; what differs, a sentence each.
std::vector<std::string> Compare(const ArrayFile& file, Machine& machine);
// Writes the dumps, after the verdict; as cli::WriteAfter for each of them.
int WriteDumps(const ArrayFile& file, Machine& machine, int status);

// What a run leaves to be said: cycles, tokens, registers without a unit, what stands still.
std::string Report(Machine& machine);

}  // namespace tessera::array
