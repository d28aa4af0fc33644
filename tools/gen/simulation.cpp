// The testbench of a generated folder: pins of the module bound to the bench, and how to build it.
#include <fmt/format.h>

#include "tools/gen/product.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

std::string Bindings(const Design& design) {
  std::string out;
  for (const Interface& interface : design.interfaces) {
    const std::string clock = interface.crosses ? "stream_edge" : "nullptr";
    if (interface.kind == Kind::kAxiLite) {
      out += fmt::format("  bench.registers = TESSERA_REGISTER_PORT(m, {});\n", interface.name);
    } else if (interface.IsMemory()) {
      out += fmt::format("  bench.processor = TESSERA_PROCESSOR_PORT(m, {}, {});\n", interface.name,
                         interface.DataWidth() / 8);
    } else if (interface.kind == Kind::kAxi4) {
      const char* kind = interface.Find("WDATA") == nullptr   ? "TESSERA_READ_PORT"
                         : interface.Find("RDATA") == nullptr ? "TESSERA_WRITE_PORT"
                         : interface.Width("ARID") > 0        ? "TESSERA_MEMORY_PORT"
                                                              : "TESSERA_LIST_PORT";
      out += fmt::format("  bench.AddMemory({}(m, {}, {}));\n", kind, interface.name,
                         interface.DataWidth() / 8);
    } else if (interface.kind == Kind::kStream && interface.Find("TKEEP") != nullptr) {
      const char* beside = interface.Find("TUSER") != nullptr   ? "SIDE"
                           : interface.Find("TDEST") != nullptr ? "DEST"
                                                                : "STREAM";
      out += fmt::format("  bench.{}(TESSERA_{}_{}(m, {}, {}, {}));\n",
                         interface.master ? "AddSink" : "AddSource", beside,
                         interface.master ? "OUT" : "IN", interface.name,
                         interface.Width("TDATA") / 8, clock);
    } else {
      for (const Port& port : interface.ports) {
        if (port.input)
          out += fmt::format("  m->{} = {};\n", port.name, port.logical == "TREADY" ? 1 : 0);
      }
    }
  }
  return out;
}

std::string TestHeader(const Design& design) {
  if (design.top().product != nullptr) return std::string(design.top().product->test_header);
  return design.spec.start.empty() ? "tiles.hpp" : "starts.hpp";
}

std::string TestClass(const Design& design) {
  if (design.top().product != nullptr) return std::string(design.top().product->test_class);
  return design.spec.start.empty() ? "TileTest" : "StartTest";
}

// What the build has, for the test.
std::string Expectations(const Design& design) {
  std::string expected;
  const auto number = [&](const char* member, int64_t value) {
    expected += fmt::format("  expected.{} = {};\n", member, value);
  };
  const auto flag = [&](const char* member, const char* parameter) {
    expected += fmt::format("  expected.{} = {};\n", member, design.Value(parameter) != 0);
  };
  number("reads", design.Value("Reads"));
  number("writes", design.Value("Writes"));
  number("memory_bytes", design.Value("DataWidth") / 8);
  number("stream_bytes", design.Value("StreamWidth") / 8);
  if (design.top().product != nullptr) return expected + design.top().product->expectations(design);
  number("ports", design.Value("Ports"));
  number("address_bits", design.Value("AddrWidth"));
  number("descriptors", design.Value("Descriptors"));
  number("locks", design.Value("Locks"));
  number("windows", design.Value("Windows"));
  number("joined", design.Value("Loopback"));
  if (design.buffer_bytes != 0) {
    number("onchip_bytes", design.buffer_bytes);
    number("onchip_mib", design.Value("OnChipBase"));
    number("onchip_banks", design.Value("OnChipBanks"));
    number("onchip_check", design.Value("OnChipCheck"));
  }
  flag("walk", "Walk");
  flag("bounds", "Bounds");
  flag("lists", "Lists");
  flag("side", "Side");
  flag("routed", "RouteDest");
  for (const StartWrite& write : design.spec.start) {
    expected +=
        fmt::format("  expected.start.push_back({{{:#x}, {:#x}}});\n", write.address, write.value);
  }
  return expected;
}

std::string Program(const Design& design) {
  const bool crossing = design.spec.stream_clock.has_value();
  const Clock& core = design.clocks[0];
  std::string edges = fmt::format("    m->{} = 1;\n    m->eval();\n", core.name);
  std::string low = fmt::format("    m->{} = 0;\n", core.name);
  std::string resets = fmt::format("    m->{} = !on;\n", core.reset);
  if (crossing) {
    const Clock& stream = design.clocks[1];
    edges +=
        fmt::format("    if (tick) {{\n      m->{} = 1;\n      m->eval();\n    }}\n", stream.name);
    low += fmt::format("    m->{} = 0;\n", stream.name);
    resets += fmt::format("    m->{} = !on;\n", stream.reset);
  }
  return Fill("sim.cpp.in", {{"NAME", design.spec.name},
                             {"TICK", crossing ? "bench.cycle * 5 % 7 < 5" : "true"},
                             {"EDGES", edges},
                             {"LOW", low},
                             {"RESETS", resets},
                             {"BINDINGS", Bindings(design)},
                             {"EXPECTED", Expectations(design)},
                             {"HEADER", TestHeader(design)},
                             {"TEST", TestClass(design)}});
}

}  // namespace

void WriteSimulation(const Design& design, Files* files) {
  (*files)["sim/main.cpp"] = Program(design);
  (*files)["sim/Makefile"] =
      Fill("sim.mk", {{"NAME", design.spec.name}, {"HEADER", TestHeader(design)}});
  (*files)["sim/bench.hpp"] = EmbeddedText("sim/bench.hpp");
  const std::string header = "sim/" + TestHeader(design);
  (*files)[header] = EmbeddedText(header);
  if (!design.spec.start.empty()) (*files)["sim/tiles.hpp"] = EmbeddedText("sim/tiles.hpp");
}

}  // namespace tessera::gen
