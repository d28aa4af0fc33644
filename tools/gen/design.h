// What a specification becomes: the interfaces of the generated module, pin by pin, and how they
// reach the top.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/gen/spec.h"

namespace tessera::gen {

struct Port {
  std::string name;     // of the generated module
  std::string logical;  // in the bus: ARADDR, TDATA; empty for a signal
  std::string pin;      // of the top
  int64_t index = 0;    // which slice of it
  int64_t width = 1;
  bool input = false;
};

struct Interface {
  std::string name, about;
  Kind kind = Kind::kSignal;
  bool master = false;
  std::vector<Port> ports;
  std::string clock;              // the pin
  bool crosses = false;           // a stream of another clock than the top's
  int64_t reads = 0, writes = 0;  // bursts in flight, at most

  const Port* Find(std::string_view logical) const;
  int64_t Width(std::string_view logical) const;  // 0 if there is none
  int64_t DataWidth() const;                      // of a bus, read or written
  int64_t AddressWidth() const;
  // A slave that processors read and write as memory.
  bool IsMemory() const { return kind == Kind::kAxi4 && !master; }
};

struct Clock {
  std::string name, reset;
  double mhz = 0;
};

// A pin of the top that the generated module does not show, or its lowest bits.
struct Tie {
  std::string pin;
  int64_t width = 1;
  bool input = false;
};

struct Design {
  Spec spec;
  Values values;              // parameters and what follows from them
  std::vector<Clock> clocks;  // that of the top first
  std::vector<Interface> interfaces;
  std::vector<Tie> ties;
  int64_t span = 0;  // bytes of the registers
  // Bytes of the on-chip buffer, 0 if there is none, and its address for processors: the first
  // multiple of its size behind the registers.
  int64_t buffer_bytes = 0;
  uint64_t buffer_address = 0;

  const Top& top() const { return *spec.top; }
  int64_t Value(std::string_view name) const { return values.find(name)->second; }
  std::vector<const Interface*> Of(Kind kind, bool master) const;
  // Names of the bus interfaces of a clock, with this between.
  std::string Busses(const Clock& clock, std::string_view between = ":") const;
};

// Throws job::Error where the specification asks for names that clash.
Design Elaborate(const Spec& spec);

// Words that several writers use.
std::string Upper(std::string_view text);
std::string Hertz(double mhz);
std::string BusType(Kind kind);  // "aximm", "axis"

}  // namespace tessera::gen
