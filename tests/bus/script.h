// Cycles of a bus as text, for the tests of the rules of its monitor.
//
// "!AR W.last=0; AR R.resp=2; reset": a cycle in which AR waits and a beat of W that is not the
// last one moves, a cycle in which AR and R move, a cycle of reset. What is not named is as in a
// good burst of one beat of 8 bytes at 0x1000.
#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tb/sim/lanes.h"
#include "tb/sim/ports.h"
#include "tb/sim/tick.h"

namespace tessera {

inline void SetGood(AxiAddress* a) { *a = {.addr = 0x1000, .size = 3, .burst = 1}; }
inline void SetGood(AxiReadBeat* r) {
  *r = {.last = true};
  r->data.fill(0x22);
}
inline void SetGood(AxiWriteBeat* w) {
  *w = {.strb = FirstLanes(8), .last = true};
  w->data.fill(0x11);
}
template <typename Payload>
void SetGood(Payload* payload) {
  *payload = {};
}

// `last`, `lane` (one more strobe), `byte` (of lane 7) and so on, of a payload that has them.
template <typename Payload>
void SetField(Payload* p, const std::string& field, uint64_t value) {
  const auto put = [value](auto* member) {
    *member = static_cast<std::remove_pointer_t<decltype(member)>>(value);
  };
  if constexpr (requires { p->addr; }) {
    if (field == "addr") return put(&p->addr);
  }
  if constexpr (requires { p->burst; }) {
    if (field == "beats") return void(p->len = static_cast<uint8_t>(value - 1));
    if (field == "size") return put(&p->size);
    if (field == "burst") return put(&p->burst);
  }
  if constexpr (requires { p->id; }) {
    if (field == "id") return put(&p->id);
  }
  if constexpr (requires { p->resp; }) {
    if (field == "resp") return put(&p->resp);
  }
  if constexpr (requires { p->last; }) {
    if (field == "last") return put(&p->last);
    if (field == "byte") return put(&p->data[7]);
  }
  if constexpr (requires { p->last, p->strb; }) {
    if (field == "lanes") return void(p->strb = FirstLanes(static_cast<int>(value)));
    if (field == "lane") return p->strb.Set(static_cast<int>(value));
  }
  throw std::invalid_argument("no field " + field);
}

// Shows the cycles of a script at a port, from number `cycle` on, to a monitor.
template <typename Port, typename Monitor>
void Play(const std::string& script, Port* port, Monitor* monitor, uint64_t* cycle) {
  std::istringstream cycles(script);
  for (std::string text; std::getline(cycles, text, ';');) {
    bool reset = false;
    const auto free = [](auto*... channels) {
      ((channels->ready = true, channels->valid = false), ...);
    };
    free(&port->ar, &port->r, &port->aw, &port->w, &port->b);
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const bool waits = word[0] == '!';
      std::istringstream parts(word.substr(waits ? 1 : 0));
      std::string name, field;
      std::getline(parts, name, '.');
      const auto show = [&](auto* channel) {
        channel->valid = true;
        channel->ready = !waits;
        SetGood(&channel->payload);
        while (std::getline(parts, field, '.')) {
          const size_t equals = field.find('=');
          SetField(&channel->payload, field.substr(0, equals),
                   std::stoull(field.substr(equals + 1), nullptr, 0));
        }
      };
      if (name == "AR")
        show(&port->ar);
      else if (name == "R")
        show(&port->r);
      else if (name == "AW")
        show(&port->aw);
      else if (name == "W")
        show(&port->w);
      else if (name == "B")
        show(&port->b);
      else if (name == "reset")
        reset = true;
      else
        throw std::invalid_argument("no channel " + name);
    }
    monitor->Sample({(*cycle)++, reset});
  }
}

}  // namespace tessera
