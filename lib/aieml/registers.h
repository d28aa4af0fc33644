// The registers and fields of the three kinds of AI Engine-ML tiles: the one table that the
// disassembler, the simulated array, the manual and the tests read.
//
// A line of the table is a register that exists once or many times at a pitch. Offsets count from
// the first register of a tile, which has a megabyte. Nothing here knows how a register behaves.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sw/driver/tessera/aieml/player.hpp"

namespace tessera::aieml {

using TileKind = driver::npu::TileKind;

inline constexpr TileKind kKinds[] = {TileKind::kShim, TileKind::kMemory, TileKind::kCompute};
std::string_view NameOf(TileKind kind);  // "shim", "memory tile", "compute tile"

// How the value of a field is written for people.
enum class Form : uint8_t { kPlain, kHex, kOneLess, kSigned7 };

struct Field {
  std::string_view name;
  uint8_t high, low;
  Form form = Form::kPlain;
  std::string_view note = {};

  constexpr uint32_t Of(uint32_t word) const {
    return word >> low & (0xffffffffu >> (31 - (high - low)));
  }
  constexpr uint32_t In(uint32_t value) const {
    return (value & (0xffffffffu >> (31 - (high - low)))) << low;
  }
};

// Who answers accesses to a register.
enum class Home : uint8_t {
  kDma,         // the DMA: descriptors, channels, locks
  kSwitch,      // the stream switch and the multiplexers of the shim
  kEvents,      // timers, performance counters, event status and monitored ports
  kControl,     // clocks, resets, control packets
  kMemory,      // the data memory of the tile
  kRemembered,  // nothing: it reads back what was written
};

struct Register {
  std::string_view name;  // "{}" stands for the number
  uint32_t first;
  uint32_t pitch;
  uint32_t count;
  std::span<const Field> fields;
  Home home;
  std::string_view note = {};
};

// Every register of a tile of this kind, by offset; descriptors word by word.
std::span<const Register> RegistersOf(TileKind kind);

struct Found {
  const Register* entry;
  uint32_t number;
  std::string name() const;  // with its number
};

// The register at an offset, if the table has one.
std::optional<Found> Find(TileKind kind, uint32_t offset);

// The fields of `word` that are not 0, as "Name=value, Name=value"; empty if none is named.
std::string Decode(const Register& entry, uint32_t word);

// How a register stands in the simulated array, in a word or two.
std::string_view StandingOf(const Register& entry);

// The table as a page of the manual has it: one Markdown table for each kind of tile.
std::string Markdown();

}  // namespace tessera::aieml
