// Scripts for Vivado: packaging, and block designs to begin with.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tb/sim/counted.h"
#include "tools/gen/writers.h"

namespace tessera::gen {

std::string ProjectTcl(const Design& design, const std::string& top, const std::string& more,
                       const std::string& clocks) {
  std::string sources, folders;
  std::vector<std::string> headers;
  for (const std::string& source : design.top().sources) {
    if (source.ends_with(".svh")) {
      headers.push_back("rtl/tessera/" + source);
    } else {
      sources += "  rtl/tessera/" + source + "\n";
    }
  }
  for (const auto& folder : nlohmann::json::parse(EmbeddedText("includes.json"))) {
    folders += fmt::format(" [file join $here rtl/tessera/{}]", folder.get<std::string>());
  }
  const std::string& name = design.spec.name;
  return Fill("project.tcl", {{"NAME", name},
                              {"TOP", top},
                              {"PART", design.spec.part},
                              {"SOURCES", sources + "  rtl/" + name + ".v" + more},
                              {"HEADERS", Listed(headers, {}, " ")},
                              {"INCLUDES", folders},
                              {"CLOCKS", clocks}});
}

namespace {

std::string Names(const std::vector<const Interface*>& interfaces) {
  return Listed(interfaces, &Interface::name, " ");
}

Fillings Packaging(const Design& design) {
  const Spec& spec = design.spec;
  std::vector<const Interface*> busses;
  for (const Interface& interface : design.interfaces) {
    if (!BusType(interface.kind).empty()) busses.push_back(&interface);
  }
  const auto clock = [&design](const Clock& c) {
    return fmt::format("{} {} {{{}}}", c.name, c.reset, design.Busses(c, " "));
  };
  std::string slaves;
  const auto slave = [&](const Interface* interface, const char* block, int64_t bytes,
                         const char* usage) {
    slaves += fmt::format("{}{} {} {} {} {}", slaves.empty() ? "" : " ", interface->name, block,
                          bytes, interface->DataWidth(), usage);
  };
  for (const Interface* interface : design.Of(Kind::kAxiLite, false))
    slave(interface, "reg0", design.span, "register");
  for (const Interface* interface : design.Of(Kind::kAxi4, false))
    slave(interface, "mem0", design.buffer_bytes, "memory");
  return {{"NAME", spec.name},
          {"PROJECT", ProjectTcl(design, spec.name, "", Listed(design.clocks, clock, " "))},
          {"VENDOR", spec.vendor},
          {"LIBRARY", spec.library},
          {"VERSION", TESSERA_VERSION},
          {"ABOUT", spec.about.empty() ? spec.top->about : spec.about},
          {"BUSSES", Names(busses)},
          {"SLAVES", slaves},
          {"INTERRUPTS", Names(design.Of(Kind::kInterrupt, true))}};
}

Fillings BlockDesign(const Design& design) {
  const Spec& spec = design.spec;
  std::string loops, lone;
  std::vector<const Interface*> out, in;
  for (const Interface& interface : design.interfaces) {
    if (interface.kind != Kind::kStream) continue;
    const bool data = interface.Find("TKEEP") != nullptr;
    if (data) {
      (interface.master ? out : in).push_back(&interface);
    } else {
      lone += (lone.empty() ? "" : " ") + interface.name;
    }
  }
  for (size_t k = 0; k < std::max(out.size(), in.size()); ++k) {
    if (k < out.size() && k < in.size()) {
      loops += fmt::format("{}{} {}", loops.empty() ? "" : " ", out[k]->name, in[k]->name);
    } else {
      lone += (lone.empty() ? "" : " ") + (k < out.size() ? out[k] : in[k])->name;
    }
  }
  const auto& clock = spec.stream_clock;
  const int64_t width = design.Value("DataWidth");
  return {{"NAME", spec.name},
          {"PART", spec.part},
          {"VENDOR", spec.vendor},
          {"LIBRARY", spec.library},
          {"MHZ", fmt::format("{}", spec.mhz)},
          {"STREAM_MHZ", clock ? fmt::format("{}", clock->mhz) : ""},
          {"STREAM_CLOCK", clock ? clock->name + " " + clock->reset : ""},
          {"MEMORIES", Names(design.Of(Kind::kAxi4, true))},
          {"LOOPS", loops},
          {"LONE", lone},
          {"BASE", fmt::format("{:#x}", spec.address)},
          {"SPAN", fmt::format("{:#x}", design.span)},
          {"BUFFERS", Names(design.Of(Kind::kAxi4, false))},
          {"BUFFER_BASE", fmt::format("{:#x}", design.buffer_address)},
          {"BUFFER_SPAN", fmt::format("{:#x}", design.buffer_bytes)},
          {"CLOCK", design.clocks[0].name},
          {"RESET", design.clocks[0].reset},
          {"REGISTER_BUS", Names(design.Of(Kind::kAxiLite, false))},
          {"INTERRUPT", Names(design.Of(Kind::kInterrupt, true))},
          {"MEGABYTES", fmt::format("{:.0f}", spec.mhz * static_cast<double>(width) / 8)},
          {"BRAM_WIDTH", std::to_string(width)}};
}

}  // namespace

void WriteVivado(const Design& design, Files* files) {
  (*files)["vivado/package_ip.tcl"] = Fill("package_ip.tcl", Packaging(design));
  const Fillings fillings = BlockDesign(design);
  for (const char* name : {"bd_common.tcl", "bd_zynq.tcl", "bd_versal.tcl", "bd_microblaze.tcl"}) {
    (*files)[std::string("vivado/") + name] = Fill(name, fillings);
  }
}

}  // namespace tessera::gen
