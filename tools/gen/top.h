// A top that can be generated: parameters of rtl/*/*.toml, pins of the RTL, interfaces of
// tops.json.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/sim/names.h"
#include "tools/gen/embedded.h"

namespace tessera::gen {

struct Product;

struct Parameter {
  std::string name, about, legal;  // "an integer from 1 to 16"
  std::string value;               // unless given; it may depend on parameters before it
  int64_t usual = 0;               // that, with all others unless given
  int64_t from = 0, to = 1;
  bool flag = false, power = false;  // one bit; powers of two alone

  bool Takes(int64_t number) const;
  std::string Shown(int64_t number) const;  // "true" of a flag
};

// What must hold between parameters.
struct Rule {
  std::string of, that, legal;
};

// A register that takes writes, in all its places. Its name has a * for each of them: "READ*.TASK".
struct Register {
  std::string name;
  int64_t address = 0;                              // of the first place
  std::vector<std::pair<int64_t, int64_t>> places;  // how many, and bytes from one to the next
};

// Which places of registers a build has: those whose name begins with `under` need `that`, an
// expression of parameters, Place (outermost) and Inner.
struct Reach {
  std::string under, of, that;
};

struct Pin {
  std::string name;
  bool input = false;
  std::string width;  // an expression
};

enum class Kind { kAxi4, kAxiLite, kStream, kInterrupt, kSignal };
constexpr std::array<std::string_view, 5> NamesOf(Kind) {
  return {"axi4", "axilite", "axis", "interrupt", "signal"};
}

// Pins of a prefix: one interface, or `count` of them side by side in vectors.
struct Group {
  std::string prefix, about, count, condition;
  std::string reads, writes;  // bursts in flight of each interface, expressions
  std::string split;          // so many are of read channels, `prefix`_rd_k, the rest _wr_k
  std::string first;          // those below have no pins; empty: 0
  Kind kind = Kind::kSignal;
  bool master = false;
  bool data = false;  // a stream of a channel: it may have a clock of its own
  std::map<std::string, std::string> optional;  // end of a pin's name: when the pin is there
};

struct Top {
  std::string name, about, clock, reset;
  std::string registers, register_cell;  // their map; the instance that holds them
  std::string compatible;                // for the device tree
  const Product* product = nullptr;      // that it belongs to; of the core: none
  std::vector<Parameter> parameters;
  std::vector<std::pair<std::string, std::string>> derived;  // localparams: name, expression
  std::vector<Pin> pins;
  std::vector<Rule> rules;
  std::vector<Group> groups;
  std::vector<Register> writable;  // of a top with a start program
  std::vector<Reach> reaches;
  std::vector<std::string> sources;  // in the order in which they can be read

  const Parameter* Find(std::string_view parameter) const;
  int64_t Span() const;  // bytes of the registers
};

// Every top inside the program.
const std::vector<Top>& Tops();
const Top* FindTop(std::string_view name);

}  // namespace tessera::gen
