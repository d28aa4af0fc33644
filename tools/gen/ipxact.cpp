// component.xml of a generated module, IEEE 1685-2014: bus interfaces, address map, parameters,
// interrupts, clocks, files.
#include <fmt/format.h>

#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

constexpr const char* kArm = "amba.com";

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string Vlnv(const char* element, const std::string& vendor, const std::string& library,
                 const std::string& name, const char* version) {
  return fmt::format("<ipxact:{} vendor=\"{}\" library=\"{}\" name=\"{}\" version=\"{}\"/>\n",
                     element, vendor, library, name, version);
}

struct Bus {
  std::string vendor, library, type, abstraction, version;
};

Bus BusOf(Kind kind) {
  switch (kind) {
    case Kind::kAxi4:
      return {kArm, "AMBA4", "AXI4", "AXI4_rtl", "r0p0_0"};
    case Kind::kAxiLite:
      return {kArm, "AMBA4", "AXI4-Lite", "AXI4-Lite_rtl", "r0p0_0"};
    case Kind::kStream:
      return {kArm, "AMBA4", "AXI4Stream", "AXI4Stream_rtl", "r0p0_1"};
    case Kind::kInterrupt:
      return {"xilinx.com", "signal", "interrupt", "interrupt_rtl", "1.0"};
    case Kind::kSignal:
      break;
  }
  return {};
}

std::string PortMap(const std::string& logical, const std::string& physical) {
  return fmt::format(
      "          "
      "<ipxact:portMap><ipxact:logicalPort><ipxact:name>{}</ipxact:name></ipxact:logicalPort>"
      "<ipxact:physicalPort><ipxact:name>{}</ipxact:name></ipxact:physicalPort></ipxact:portMap>\n",
      logical, physical);
}

std::string Parameter(const std::string& name, const std::string& value) {
  return fmt::format(
      "        "
      "<ipxact:parameter><ipxact:name>{0}</ipxact:name><ipxact:value>{1}</ipxact:value></"
      "ipxact:parameter>\n",
      name, value);
}

std::string BusInterface(const std::string& name, const std::string& about, const Bus& bus,
                         const std::string& maps, const std::string& mode,
                         const std::string& parameters) {
  return fmt::format(
      "    <ipxact:busInterface>\n      <ipxact:name>{}</ipxact:name>\n"
      "      <ipxact:description>{}</ipxact:description>\n      {}"
      "      <ipxact:abstractionTypes><ipxact:abstractionType>\n        {}"
      "        <ipxact:portMaps>\n{}        </ipxact:portMaps>\n"
      "      </ipxact:abstractionType></ipxact:abstractionTypes>\n      {}\n"
      "      <ipxact:parameters>\n{}      </ipxact:parameters>\n    </ipxact:busInterface>\n",
      name, Escaped(about), Vlnv("busType", bus.vendor, bus.library, bus.type, bus.version.c_str()),
      Vlnv("abstractionRef", bus.vendor, bus.library, bus.abstraction, bus.version.c_str()), maps,
      mode, parameters);
}

std::string Busses(const Design& design) {
  std::string out;
  for (const Interface& interface : design.interfaces) {
    if (interface.kind == Kind::kSignal) continue;
    std::string maps, parameters = Parameter("ASSOCIATED_CLOCK", interface.clock);
    for (const Port& port : interface.ports) {
      maps += PortMap(interface.kind == Kind::kInterrupt ? "INTERRUPT" : port.logical, port.name);
    }
    std::string mode = interface.master ? "<ipxact:master/>" : "<ipxact:slave/>";
    if (interface.kind == Kind::kAxi4 && interface.master)
      mode = fmt::format(
          "<ipxact:master><ipxact:addressSpaceRef addressSpaceRef=\"{}\"/></ipxact:master>",
          interface.name);
    if (interface.kind == Kind::kAxiLite || interface.IsMemory())
      mode = fmt::format(
          "<ipxact:slave><ipxact:memoryMapRef memoryMapRef=\"{}_mmap\"/></ipxact:slave>",
          interface.IsMemory() ? interface.name : design.top().registers);
    if (interface.kind == Kind::kInterrupt) parameters = Parameter("SENSITIVITY", "LEVEL_HIGH");
    out += BusInterface(interface.name, interface.about, BusOf(interface.kind), maps, mode,
                        parameters);
  }
  for (const Clock& clock : design.clocks) {
    out += BusInterface(clock.name, "clock", {"xilinx.com", "signal", "clock", "clock_rtl", "1.0"},
                        PortMap("CLK", clock.name), "<ipxact:slave/>",
                        Parameter("ASSOCIATED_BUSIF", design.Busses(clock)) +
                            Parameter("ASSOCIATED_RESET", clock.reset));
    out += BusInterface(clock.reset, "reset", {"xilinx.com", "signal", "reset", "reset_rtl", "1.0"},
                        PortMap("RST", clock.reset), "<ipxact:slave/>",
                        Parameter("POLARITY", "ACTIVE_LOW"));
  }
  return out;
}

std::string AddressSpaces(const Design& design) {
  std::string out;
  for (const Interface* interface : design.Of(Kind::kAxi4, true)) {
    const int64_t bits = interface->AddressWidth();
    out += fmt::format(
        "    <ipxact:addressSpace><ipxact:name>{}</ipxact:name><ipxact:range>{}</ipxact:range>"
        "<ipxact:width>{}</ipxact:width></ipxact:addressSpace>\n",
        interface->name, bits == 64 ? "18446744073709551616" : std::to_string(uint64_t{1} << bits),
        interface->DataWidth());
  }
  if (out.empty()) return out;
  return "  <ipxact:addressSpaces>\n" + out + "  </ipxact:addressSpaces>\n";
}

// Registers, and memories that processors reach.
std::string MemoryMaps(const Design& design) {
  std::string out(EmbeddedText("registers/" + design.top().registers));
  for (const Interface& interface : design.interfaces) {
    if (!interface.IsMemory()) continue;
    out.insert(out.rfind("  </ipxact:memoryMaps>"),
               fmt::format("    <ipxact:memoryMap>\n"
                           "      <ipxact:name>{}_mmap</ipxact:name>\n"
                           "      <ipxact:addressBlock>\n"
                           "        <ipxact:name>memory</ipxact:name>\n"
                           "        <ipxact:baseAddress>'h0</ipxact:baseAddress>\n"
                           "        <ipxact:range>'h{:x}</ipxact:range>\n"
                           "        <ipxact:width>{}</ipxact:width>\n"
                           "        <ipxact:usage>memory</ipxact:usage>\n"
                           "      </ipxact:addressBlock>\n    </ipxact:memoryMap>\n",
                           interface.name, design.buffer_bytes, interface.DataWidth()));
  }
  return out;
}

std::string Ports(const Design& design) {
  std::string out;
  const auto port = [&](const std::string& name, bool input, int64_t width) {
    const std::string vector =
        width == 1 ? ""
                   : fmt::format(
                         "<ipxact:vectors><ipxact:vector><ipxact:left>{}</ipxact:left>"
                         "<ipxact:right>0</ipxact:right></ipxact:vector></ipxact:vectors>",
                         width - 1);
    out += fmt::format(
        "      "
        "<ipxact:port><ipxact:name>{}</ipxact:name><ipxact:wire><ipxact:direction>{}</"
        "ipxact:direction>{}"
        "</ipxact:wire></ipxact:port>\n",
        name, input ? "in" : "out", vector);
  };
  for (const Clock& clock : design.clocks) {
    port(clock.name, true, 1);
    port(clock.reset, true, 1);
  }
  for (const Interface& interface : design.interfaces) {
    for (const Port& p : interface.ports) port(p.name, p.input, p.width);
  }
  return out;
}

std::string FileSet(const Design& design) {
  const std::string& name = design.spec.name;
  std::string out;
  const auto file = [&](const std::string& path, const char* type, bool include) {
    out += fmt::format(
        "      "
        "<ipxact:file><ipxact:name>{}</ipxact:name><ipxact:fileType>{}</ipxact:fileType>{}</"
        "ipxact:file>\n",
        path, type, include ? "<ipxact:isIncludeFile>true</ipxact:isIncludeFile>" : "");
  };
  for (const std::string& source : design.top().sources) {
    file("rtl/tessera/" + source, "systemVerilogSource", source.ends_with(".svh"));
  }
  file("rtl/" + name + ".v", "verilogSource", false);
  return out;
}

}  // namespace

void WriteIpxact(const Design& design, Files* files) {
  const Spec& spec = design.spec;
  std::string parameters;
  for (const auto& parameter : spec.top->parameters) {
    parameters += fmt::format(
        "    "
        "<ipxact:parameter><ipxact:name>{}</ipxact:name><ipxact:description>{}</ipxact:description>"
        "<ipxact:value>{}</ipxact:value></ipxact:parameter>\n",
        parameter.name, Escaped(parameter.about), spec.parameters.at(parameter.name));
  }
  constexpr const char* kSpace = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014";
  (*files)["component.xml"] = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!-- {0} for tools that read IP-XACT (IEEE 1685-2014). Vivado writes its own when "
      "vivado/package_ip.tcl runs. -->\n"
      "<ipxact:component xmlns:ipxact=\"{1}\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"{1} {1}/index.xsd\">\n"
      "  <ipxact:vendor>{2}</ipxact:vendor>\n  <ipxact:library>{3}</ipxact:library>\n  "
      "<ipxact:name>{0}</ipxact:name>\n"
      "  <ipxact:version>{4}</ipxact:version>\n  <ipxact:busInterfaces>\n{5}  "
      "</ipxact:busInterfaces>\n"
      "{6}{7}"
      "  <ipxact:model>\n    <ipxact:views><ipxact:view><ipxact:name>rtl</ipxact:name>"
      "<ipxact:componentInstantiationRef>verilog</ipxact:componentInstantiationRef></ipxact:view></"
      "ipxact:views>\n"
      "    <ipxact:instantiations><ipxact:componentInstantiation><ipxact:name>verilog</ipxact:name>"
      "<ipxact:language>Verilog</ipxact:language><ipxact:moduleName>{0}</ipxact:moduleName>"
      "<ipxact:fileSetRef><ipxact:localName>sources</ipxact:localName></ipxact:fileSetRef>"
      "</ipxact:componentInstantiation></ipxact:instantiations>\n"
      "    <ipxact:ports>\n{8}    </ipxact:ports>\n  </ipxact:model>\n"
      "  <ipxact:fileSets>\n    <ipxact:fileSet>\n      <ipxact:name>sources</ipxact:name>\n{9}    "
      "</ipxact:fileSet>\n"
      "  </ipxact:fileSets>\n  <ipxact:description>{10}</ipxact:description>\n  "
      "<ipxact:parameters>\n{11}"
      "  </ipxact:parameters>\n</ipxact:component>\n",
      spec.name, kSpace, spec.vendor, spec.library, TESSERA_VERSION, Busses(design),
      AddressSpaces(design), MemoryMaps(design), Ports(design), FileSet(design),
      Escaped(spec.about.empty() ? spec.top->about : spec.about), parameters);
}

}  // namespace tessera::gen
