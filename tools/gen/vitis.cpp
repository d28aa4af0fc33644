// The generated module as an RTL kernel of Vitis: names that v++ expects, kernel.xml, package_xo.
#include <fmt/format.h>

#include "tb/sim/counted.h"
#include "tools/gen/product.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

constexpr int64_t kAddressBits = 64;  // of every memory port of a kernel

// Names of a kernel for clocks, resets, registers; others keep theirs.
std::string KernelName(const Design& design, const std::string& name) {
  for (size_t n = 0; n < design.clocks.size(); ++n) {
    const std::string suffix = n == 0 ? "" : fmt::format("_{}", n + 1);
    if (name == design.clocks[n].name) return "ap_clk" + suffix;
    if (name == design.clocks[n].reset) return "ap_rst_n" + suffix;
  }
  for (const Interface* registers : design.Of(Kind::kAxiLite, false)) {
    if (name.starts_with(registers->name + "_"))
      return "s_axi_control" + name.substr(registers->name.size());
    if (name == registers->name) return "s_axi_control";
  }
  for (const Interface* interrupt : design.Of(Kind::kInterrupt, true)) {
    if (name == interrupt->name) return "interrupt";
  }
  return name;
}

bool IsAddress(const Interface& interface, const Port& port) {
  return interface.kind == Kind::kAxi4 && (port.logical == "ARADDR" || port.logical == "AWADDR");
}

// Vitis connects interfaces alone, and of a kernel no memory beside its registers.
bool Tied(const Interface& interface) {
  return interface.kind == Kind::kSignal || interface.IsMemory();
}

std::string_view Protocol(const Design& design) {
  const Product* const product = design.top().product;
  return product != nullptr ? product->protocol : "user_managed";
}

std::string Range(int64_t width) { return width == 1 ? "" : fmt::format("[{}:0] ", width - 1); }

std::string Wrapper(const Design& design) {
  const std::string& name = design.spec.name;
  std::vector<std::string> ports, wires, pins, tied;
  for (const Clock& clock : design.clocks) {
    for (const std::string& pin : {clock.name, clock.reset}) {
      ports.push_back(fmt::format("  input  wire {}", KernelName(design, pin)));
      pins.push_back(fmt::format("    .{}({})", pin, KernelName(design, pin)));
    }
  }
  for (const Interface& interface : design.interfaces) {
    if (interface.IsMemory())
      tied.push_back(fmt::format(
          "\n// A kernel has no memory beside its registers: {} is tied off.", interface.name));
    for (const Port& port : interface.ports) {
      const std::string outer = KernelName(design, port.name);
      if (Tied(interface)) {
        if (!port.input)
          wires.push_back(fmt::format("  wire {}unused_{};\n", Range(port.width), port.name));
        pins.push_back(fmt::format(
            "    .{}({})", port.name,
            port.input ? fmt::format("{{{}{{1'b0}}}}", port.width) : "unused_" + port.name));
        continue;
      }
      const bool wide = IsAddress(interface, port) && port.width < kAddressBits;
      ports.push_back(fmt::format("  {} wire {}{}", port.input ? "input " : "output",
                                  Range(wide ? kAddressBits : port.width), outer));
      pins.push_back(fmt::format("    .{}({})", port.name,
                                 wide ? fmt::format("{}[{}:0]", outer, port.width - 1) : outer));
      if (wide) {
        wires.push_back(fmt::format("  assign {}[{}:{}] = {}'d0;\n", outer, kAddressBits - 1,
                                    port.width, kAddressBits - port.width));
      }
    }
  }
  return fmt::format(
      "// {0} as an RTL kernel of Vitis: {0} under the names that v++ expects.{4}\n"
      "`default_nettype none\nmodule {0}_kernel (\n{1}\n);\n\n{2}\n  {0} u_kernel (\n{3}\n  );\n\n"
      "endmodule\n`default_nettype wire\n",
      name, fmt::join(ports, ",\n"), fmt::join(wires, ""), fmt::join(pins, ",\n"),
      fmt::join(tied, ""));
}

std::string KernelXml(const Design& design) {
  const Spec& spec = design.spec;
  std::string ports, arguments;
  int id = 0;
  const auto port = [&](const std::string& name, const char* mode, const std::string& range,
                        int64_t width, const char* type) {
    ports +=
        fmt::format("      <port name=\"{}\" mode=\"{}\" {}dataWidth=\"{}\" portType=\"{}\"{}/>\n",
                    name, mode, range.empty() ? "" : "range=\"" + range + "\" ", width, type,
                    range.empty() ? "" : " base=\"0x0\"");
  };
  for (const Interface* registers : design.Of(Kind::kAxiLite, false)) {
    port(KernelName(design, registers->name), "slave", fmt::format("{:#x}", design.span), 32,
         "addressable");
  }
  for (const Interface* memory : design.Of(Kind::kAxi4, true)) {
    port(memory->name, "master", "0xFFFFFFFFFFFFFFFF", memory->DataWidth(), "addressable");
    if (design.top().product != nullptr) continue;
    // The pointer tells v++ which memory the port reaches; its register is the base of a
    // descriptor.
    arguments += fmt::format(
        "      <arg name=\"{0}_ptr\" addressQualifier=\"1\" id=\"{1}\" port=\"{0}\" size=\"0x8\" "
        "offset=\"{2:#x}\" hostOffset=\"0x0\" hostSize=\"0x8\" type=\"void*\"/>\n",
        memory->name, id, 0x20000 + 0x40 * id);
    ++id;
  }
  for (const bool master : {true, false}) {
    for (const Interface* stream : design.Of(Kind::kStream, master)) {
      port(stream->name, master ? "write_only" : "read_only", "", stream->Width("TDATA"), "stream");
      if (design.top().product != nullptr) continue;
      arguments += fmt::format(
          "      <arg name=\"{0}\" addressQualifier=\"4\" id=\"{1}\" port=\"{0}\" size=\"0x4\" "
          "offset=\"0x0\" hostOffset=\"0x0\" hostSize=\"0x4\" memSize=\"0x800\" "
          "type=\"stream\"/>\n",
          stream->name, id++);
    }
  }
  if (design.top().product != nullptr) arguments = design.top().product->arguments(design);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root versionMajor=\"1\" versionMinor=\"6\">\n"
      "  <kernel name=\"{0}_kernel\" language=\"ip_c\" vlnv=\"{1}:kernel:{0}_kernel:1.0\" "
      "attributes=\"\" "
      "preferredWorkGroupSizeMultiple=\"0\" workGroupSize=\"1\" interrupt=\"true\" "
      "hwControlProtocol=\"{4}\">\n    <ports>\n{2}    </ports>\n    <args>\n{3}    "
      "</args>\n"
      "  </kernel>\n</root>\n",
      spec.name, spec.vendor, ports, arguments, Protocol(design));
}

}  // namespace

void WriteVitis(const Design& design, Files* files) {
  const Spec& spec = design.spec;
  (*files)["vitis/" + spec.name + "_kernel.v"] = Wrapper(design);
  (*files)["vitis/kernel.xml"] = KernelXml(design);
  const auto clock = [&design](const Clock& c) {
    std::vector<std::string> busses;
    for (const Interface& interface : design.interfaces) {
      if (BusType(interface.kind).empty() || Tied(interface) || interface.clock != c.name) continue;
      busses.push_back(KernelName(design, interface.name));
    }
    return fmt::format("{} {} {{{}}}", KernelName(design, c.name), KernelName(design, c.reset),
                       Listed(busses, {}, " "));
  };
  (*files)["vitis/package_xo.tcl"] = Fill(
      "package_xo.tcl",
      {{"NAME", spec.name},
       {"PROJECT", ProjectTcl(design, spec.name + "_kernel", "\n  vitis/" + spec.name + "_kernel.v",
                              Listed(design.clocks, clock, " "))},
       {"VENDOR", spec.vendor},
       {"PROTOCOL", std::string(Protocol(design))},
       {"HOST", std::string(design.top().product != nullptr ? design.top().product->host
                                                            : "reaches its registers by xrt::ip")},
       {"SPAN", std::to_string(design.span)}});
}

}  // namespace tessera::gen
