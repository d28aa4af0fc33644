// Packets from channels to channels, past the switches: the id in the header of a packet says where
// it goes. Inside lib/aieml alone; see array.h.
//
// A packet that reaches several ends moves when all of them can take it. An end serves one source
// until TLAST. A packet whose id leads nowhere waits for ever.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "lib/aieml/link.h"

namespace tessera::aieml {

class PacketRoutes {
 public:
  struct End {
    Link* link;
    bool keep_header;
  };
  void Add(Link* from, uint32_t id, End to) { sources_[from].ends[id].push_back(to); }
  void Clock();

 private:
  struct Source {
    std::map<uint32_t, std::vector<End>> ends;  // by id
    const std::vector<End>* open = nullptr;     // of the packet under way
    bool header = false;                        // its next word is the header
  };
  bool Open(Link* from, Source* source);

  std::map<Link*, Source> sources_;
  std::map<Link*, const Source*> owners_;  // of ends that are in use
};

}  // namespace tessera::aieml
