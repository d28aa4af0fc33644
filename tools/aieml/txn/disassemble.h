// NPU transaction binaries as text: operation by operation, registers by name, field by field.
//
// Stands on the reader of the driver and the register table; runs nothing.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "lib/aieml/registers.h"
#include "sw/driver/tessera/aieml/player.hpp"

namespace tessera::txn {

// What is wrong with a file, in a sentence.
class Error : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

// The words of a file: binary little-endian, or text with a word of eight hexadecimal digits a line
// where the name ends with ".txt". Throws Error.
std::vector<uint32_t> Load(const std::string& path);

// The tiles that the header of a binary tells of: row 0 is the shim, then memory tiles, then
// compute tiles. The base of a tile is its address.
std::vector<driver::npu::Tile> TilesOf(const driver::npu::Header& header);

// The sentence for a fault of `file`.
std::string Sentence(const std::string& file, const std::vector<uint32_t>& words,
                     const driver::npu::Fault& fault);

// Throws Error.
driver::npu::Header HeaderOf(const std::string& file, const std::vector<uint32_t>& words);
// The header in a line. Throws Error.
std::string HeaderLine(const std::string& file, const std::vector<uint32_t>& words);

// Appends the text of one operation, in one or more lines.
void Disassemble(const driver::npu::Operation& operation,
                 const std::vector<driver::npu::Tile>& tiles, std::string* text);

// All of a binary. Throws Error at the first operation that cannot be read.
std::string Disassemble(const std::string& file, const std::vector<uint32_t>& words);

// Reads all of it and refuses what a player would refuse; arguments may be any. Throws Error.
void Check(const std::string& file, const std::vector<uint32_t>& words);

}  // namespace tessera::txn
