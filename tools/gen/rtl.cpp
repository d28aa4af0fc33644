// The generated module in Verilog-2001, and the sources below it.
#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

constexpr const char* kBesideData[] = {"TUSER", "TID", "TDEST"};

std::string Range(int64_t width) { return width == 1 ? "" : fmt::format("[{}:0]", width - 1); }

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Attributes from which Vivado infers the interface of a port; the first port of one has its
// parameters.
std::string Attributes(const Design& design, const Interface& interface, const Port& port) {
  const std::string type = BusType(interface.kind);
  std::string parameter;
  if (interface.kind == Kind::kInterrupt) {
    return fmt::format(
        "(* X_INTERFACE_INFO = \"xilinx.com:signal:interrupt:1.0 {0} INTERRUPT\" *)\n  "
        "(* X_INTERFACE_PARAMETER = \"XIL_INTERFACENAME {0}, SENSITIVITY LEVEL_HIGH, PortWidth "
        "{1}\" *)\n  ",
        interface.name, port.width);
  }
  if (type.empty()) return "";
  if (&port == interface.ports.data()) {
    if (interface.kind == Kind::kAxi4) {
      parameter = fmt::format(
          "PROTOCOL AXI4, DATA_WIDTH {}, ADDR_WIDTH {}, ID_WIDTH {}, MAX_BURST_LENGTH {}, "
          "SUPPORTS_NARROW_BURST {}, HAS_BURST 1",
          interface.DataWidth(), interface.AddressWidth(), interface.Width("ARID"),
          interface.IsMemory()                       ? 256
          : interface.name.starts_with("m_axi_list") ? 16
                                                     : design.Value("MaxBurst"),
          interface.IsMemory() ? 1 : 0);
      if (interface.reads != 0)
        parameter += fmt::format(", NUM_READ_OUTSTANDING {}", interface.reads);
      if (interface.writes != 0)
        parameter += fmt::format(", NUM_WRITE_OUTSTANDING {}", interface.writes);
      if (interface.Find("WDATA") == nullptr) parameter += ", READ_WRITE_MODE READ_ONLY";
      if (interface.Find("RDATA") == nullptr) parameter += ", READ_WRITE_MODE WRITE_ONLY";
    } else if (interface.kind == Kind::kAxiLite) {
      parameter = fmt::format("PROTOCOL AXI4LITE, DATA_WIDTH {}, ADDR_WIDTH {}",
                              interface.Width("RDATA"), interface.Width("ARADDR"));
    } else {
      parameter = fmt::format("TDATA_NUM_BYTES {}, HAS_TREADY 1, HAS_TKEEP {}, HAS_TLAST 1",
                              interface.Width("TDATA") / 8, interface.Width("TKEEP") > 0 ? 1 : 0);
      for (const char* logical : {"TDEST", "TID", "TUSER"}) {
        if (interface.Find(logical) != nullptr)
          parameter += fmt::format(", {}_WIDTH {}", logical, interface.Width(logical));
      }
    }
    // Its frequency is that of the clock to which a block design connects it.
    parameter = fmt::format("(* X_INTERFACE_PARAMETER = \"XIL_INTERFACENAME {}, {}\" *)\n  ",
                            interface.name, parameter);
  }
  return fmt::format("{}(* X_INTERFACE_INFO = \"xilinx.com:interface:{}:1.0 {} {}\" *)\n  ",
                     parameter, type, interface.name, port.logical);
}

std::string ClockPorts(const Design& design, const Clock& clock) {
  return fmt::format(
      "  (* X_INTERFACE_PARAMETER = \"XIL_INTERFACENAME {0}, ASSOCIATED_BUSIF {2}, "
      "ASSOCIATED_RESET {1}\" *)\n"
      "  (* X_INTERFACE_INFO = \"xilinx.com:signal:clock:1.0 {0} CLK\" *)\n"
      "  input  wire {0},\n"
      "  (* X_INTERFACE_PARAMETER = \"XIL_INTERFACENAME {1}, POLARITY ACTIVE_LOW\" *)\n"
      "  (* X_INTERFACE_INFO = \"xilinx.com:signal:reset:1.0 {1} RST\" *)\n"
      "  input  wire {1},\n",
      clock.name, clock.reset, design.Busses(clock));
}

// A parameter's value as plain Verilog.
std::string Literal(const Parameter& parameter, int64_t value) {
  return fmt::format("{}{}", parameter.flag ? "1'b" : "32'd", value);
}

// The contents of a ROM, a literal for each beat, the first byte lowest.
std::string RomLiteral(const std::vector<uint8_t>& bytes, size_t beat_bytes) {
  std::vector<std::string> beats;
  for (size_t at = 0; at < bytes.size(); at += beat_bytes) {
    beats.push_back(fmt::format("{}'h", 8 * beat_bytes));
    for (size_t b = beat_bytes; b-- > 0;) beats.back() += fmt::format("{:02x}", bytes[at + b]);
  }
  return Concatenation(beats);
}

std::string Inner(const Interface& interface, const Port& port) {
  return interface.crosses ? "core_" + port.name : port.name;
}

// Ports of one end of a crossing: "i" where data go in, "o" where they come out.
std::string CrossingEnd(const Interface& interface, const char* way, bool inside) {
  const auto pin = [&](const char* logical) {
    const std::string& name = interface.Find(logical)->name;
    return inside ? "core_" + name : name;
  };
  std::string out;
  for (const char* logical : {"TDATA", "TKEEP", "TLAST", "TVALID"})
    out += fmt::format("    .{}_{}({}),\n", Lower(logical), way, pin(logical));
  std::vector<std::string> side;
  for (const char* logical : kBesideData) {
    if (interface.Find(logical) != nullptr) side.push_back(pin(logical));
  }
  const bool in = way[0] == 'i';
  const std::string none = in ? "1'b0" : "unused_side_" + interface.name;
  out += fmt::format("    .tside_{}({}),\n", way,
                     side.empty() ? none : fmt::format("{{{}}}", fmt::join(side, ", ")));
  return out + fmt::format("    .tready_{}({})", in ? "o" : "i", pin("TREADY"));
}

std::string Crossing(const Design& design, const Interface& interface) {
  const bool out = interface.master;  // from the top to the pins
  const Clock& from = design.clocks[out ? 0 : 1];
  const Clock& to = design.clocks[out ? 1 : 0];
  int64_t side = 0;
  for (const char* logical : kBesideData) side += interface.Width(logical);
  return fmt::format(
      "  tsr_stream_cdc #(\n"
      "    .Bytes(32'd{}),\n    .Depth(32'd16),\n    .Stages(32'd2),\n    .Packets(1'b{:d}),\n    "
      ".SideWidth(32'd{})\n"
      "  ) u_cdc_{} (\n"
      "    .s_clk_i({}),\n    .s_rst_ni({}),\n{},\n"
      "    .m_clk_i({}),\n    .m_rst_ni({}),\n{},\n"
      "    .cut_o(unused_cut_{})\n  );\n\n",
      interface.Width("TDATA") / 8, design.spec.stream_clock->packets, side, interface.name,
      from.name, from.reset, CrossingEnd(interface, "i", out), to.name, to.reset,
      CrossingEnd(interface, "o", !out), interface.name);
}

// What a pin of the top is connected to: the slices of its interfaces, the highest first, and what
// is tied.
std::string Connection(const Design& design, const Pin& pin) {
  std::vector<std::string> slices;
  for (const Tie& tie : design.ties) {
    if (tie.pin == pin.name)
      slices.push_back(tie.input ? fmt::format("{{{}{{1'b0}}}}", tie.width) : "unused_" + tie.pin);
  }
  for (const Interface& interface : design.interfaces) {
    for (const Port& port : interface.ports) {
      if (port.pin == pin.name) slices.insert(slices.begin(), Inner(interface, port));
    }
  }
  if (slices.empty()) return pin.name;  // clock and reset
  return slices.size() == 1 ? slices[0] : fmt::format("{{{}}}", fmt::join(slices, ", "));
}

std::string Module(const Design& design) {
  const Spec& spec = design.spec;
  std::string out = fmt::format(
      "// {}: {} with the parameters of its specification, an interface a port.\n"
      "// Made by tessera gen from {}.json; plain Verilog-2001 around SystemVerilog.\n"
      "`default_nettype none\nmodule {} (\n",
      spec.name, spec.top->name, spec.name, spec.name);
  for (const Clock& clock : design.clocks) out += ClockPorts(design, clock);
  std::string ports;
  for (const Interface& interface : design.interfaces) {
    ports += fmt::format(
        "{}  // Interface {}.\n", ports.empty() ? "" : ",\n",
        interface.about.empty() ? interface.name : interface.name + ": " + interface.about);
    for (const Port& port : interface.ports) {
      ports += fmt::format("{}  {}{} wire {}{}{}", &port == interface.ports.data() ? "" : ",\n",
                           Attributes(design, interface, port), port.input ? "input " : "output",
                           Range(port.width), port.width == 1 ? "" : " ", port.name);
    }
  }
  out += ports + "\n);\n\n";
  for (const Interface& interface : design.interfaces) {
    if (!interface.crosses) continue;
    for (const Port& port : interface.ports) {
      out += fmt::format("  wire {}{}core_{};\n", Range(port.width), port.width == 1 ? "" : " ",
                         port.name);
    }
    if (interface.Find("TDEST") == nullptr)
      out += fmt::format("  wire unused_side_{};\n", interface.name);
    out += fmt::format("  wire unused_cut_{};\n\n", interface.name) + Crossing(design, interface);
  }
  for (const Tie& tie : design.ties) {
    if (tie.input) continue;
    out += fmt::format("  wire {}{}unused_{};\n", Range(tie.width), tie.width == 1 ? "" : " ",
                       tie.pin);
  }
  out += fmt::format("\n  {} #(\n", spec.top->name);
  std::vector<std::string> lines;
  for (const Parameter& parameter : spec.top->parameters) {
    lines.push_back(fmt::format("    .{}({})", parameter.name,
                                Literal(parameter, spec.parameters.at(parameter.name))));
  }
  if (!spec.rom.empty()) {
    const auto beat_bytes = static_cast<size_t>(design.Value("StreamWidth") / 8);
    lines.push_back("    .RomContents(" + RomLiteral(spec.rom, beat_bytes) + ")");
  }
  if (!spec.start.empty()) lines.push_back("    .StartProgram(" + StartLiteral(spec.start) + ")");
  out += fmt::format("{}\n  ) u_dma (\n", fmt::join(lines, ",\n"));
  lines.clear();
  for (const Pin& pin : spec.top->pins)
    lines.push_back(fmt::format("    .{}({})", pin.name, Connection(design, pin)));
  return out +
         fmt::format("{}\n  );\n\nendmodule\n`default_nettype wire\n", fmt::join(lines, ",\n"));
}

}  // namespace

std::string Concatenation(const std::vector<std::string>& literals) {
  return fmt::format("{{\n      {}\n    }}",
                     fmt::join(literals.rbegin(), literals.rend(), ",\n      "));
}

void WriteRtl(const Design& design, Files* files) {
  const std::string& name = design.spec.name;
  (*files)["rtl/" + name + ".v"] = Module(design);
  (*files)["rtl/tessera/verilator.vlt"] = EmbeddedText("verilator.vlt");
  std::string list = fmt::format(
      "// Sources of {}, in order, from the folder that holds this folder:\n"
      "//   verilator --lint-only -f rtl/{}.f --top-module {}\n",
      name, name, name);
  for (const auto& folder : nlohmann::json::parse(EmbeddedText("includes.json"))) {
    list += fmt::format("+incdir+rtl/tessera/{}\n", folder.get<std::string>());
  }
  list += "rtl/tessera/verilator.vlt\n";
  for (const std::string& source : design.top().sources) {
    (*files)["rtl/tessera/" + source] = EmbeddedText("rtl/" + source);
    if (!source.ends_with(".svh")) list += fmt::format("rtl/tessera/{}\n", source);
  }
  (*files)["rtl/" + name + ".f"] = list + fmt::format("rtl/{}.v\n", name);
  (*files)["LICENSE"] = EmbeddedText("LICENSE");
}

}  // namespace tessera::gen
