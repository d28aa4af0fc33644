// The ports of read_port_top.sv and write_port_top.sv.
#pragma once

namespace tessera {

struct PortShape {
  const char* name;
  int cell, channels, addr_width, bytes, max_burst, outstanding, windows;
  bool guard;
  int id_width, timeout;
};
inline constexpr PortShape kPorts[] = {
    {"one", 0, 1, 64, 8, 16, 64, 0, true, 4, 64},
    {"four", 1, 4, 64, 8, 256, 16, 4, true, 1, 50},
    {"sixteen", 2, 16, 32, 4, 16, 64, 16, true, 2, 100},
    {"wide", 3, 4, 40, 64, 4, 8, 1, true, 3, 64},
    {"trusted", 4, 4, 64, 8, 16, 64, 2, false, 1, 64},
    {"bare", 5, 1, 32, 8, 16, 16, 0, false, 4, 64},
    {"three", 6, 3, 64, 16, 2, 4, 3, true, 1, 33},
};

}  // namespace tessera
