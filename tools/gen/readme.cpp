// The README of a generated folder, its specification, and all writers together.
#include <fmt/format.h>

#include <cmath>

#include "tools/gen/product.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

std::string Interfaces(const Design& design) {
  std::string out;
  for (const Interface& interface : design.interfaces) {
    const char* kind = interface.kind == Kind::kAxi4        ? "AXI4"
                       : interface.kind == Kind::kAxiLite   ? "AXI4-Lite"
                       : interface.kind == Kind::kStream    ? "AXI4-Stream"
                       : interface.kind == Kind::kInterrupt ? "interrupt"
                                                            : "signal";
    const int64_t width = interface.kind == Kind::kStream   ? interface.Width("TDATA")
                          : BusType(interface.kind).empty() ? interface.ports.front().width
                                                            : interface.DataWidth();
    out += fmt::format("| `{}` | {} {} | {} | `{}` | {} |\n", interface.name, kind,
                       interface.master ? "out" : "in", width, interface.clock, interface.about);
  }
  return out;
}

std::string Parameters(const Design& design) {
  std::string out;
  for (const Parameter& parameter : design.top().parameters) {
    const int64_t value = design.spec.parameters.at(parameter.name);
    out += fmt::format("| `{}` | {} | {} |\n", parameter.name,
                       parameter.flag ? (value != 0 ? "yes" : "no") : std::to_string(value),
                       parameter.about);
  }
  return out;
}

std::string BufferText(const Design& design) {
  if (design.buffer_bytes == 0) return "";
  return fmt::format(
      "The on-chip buffer has {:#x} bytes. Channels find it at {:#x}, processors\n"
      "where `s_axi_onchip` is: at {:#x} in the block designs and the device tree.\n",
      design.buffer_bytes, static_cast<uint64_t>(design.Value("OnChipBase")) << 20,
      design.buffer_address);
}

std::string EstimateText(const Design& design, const Estimate& estimate) {
  const auto hundreds = [](double value) {
    return fmt::format("{:.0f}", std::round(value / 100) * 100);
  };
  const auto clock = [](double mhz) {
    return mhz == 0 ? "not known" : fmt::format("{:.0f} MHz", mhz);
  };
  return fmt::format(
      "About {} LUTs ({} of them memory) and {} flip-flops of a 7-series device, as Yosys maps "
      "it.\n{}"
      "Clock of `{}`{} on an ECP5 by nextpnr: {}.\n"
      "From one pair of channels with the defaults, or one channel of a kernel, and one change at "
      "a time (bench/figures.json), added up. Not a vendor's figure: run the vendor's synthesis "
      "before\n"
      "you rely on it.{}",
      hundreds(estimate.lut), hundreds(estimate.memory_lut), hundreds(estimate.ff),
      estimate.block_ram == 0
          ? ""
          : fmt::format("The on-chip buffer has {:.0f} block RAMs of 36 Kbit.\n",
                        estimate.block_ram),
      estimate.clock_of, estimate.clock_of == design.top().name ? " with its defaults" : "",
      clock(estimate.mhz), design.spec.start.empty() ? "" : " The start program is not counted.");
}

}  // namespace

void WriteReadme(const Design& design, Files* files) {
  const Spec& spec = design.spec;
  (*files)[spec.name + ".json"] = SpecText(spec);
  std::string clocks;
  for (const Clock& clock : design.clocks) {
    clocks += fmt::format("| `{}` | `{}` | {} MHz | {} |\n", clock.name, clock.reset, clock.mhz,
                          clock.name == design.top().clock ? "everything else" : "data streams");
  }
  (*files)["README.md"] = Fill(
      "README.md",
      {{"NAME", spec.name},
       {"TOP", spec.top->name},
       {"VERSION", TESSERA_VERSION},
       {"ABOUT", spec.about.empty() ? spec.top->about + "." : spec.about + "."},
       {"INTERFACES", Interfaces(design)},
       {"CLOCKS", clocks},
       {"PARAMETERS", Parameters(design)},
       {"SPAN", fmt::format("{:#x}", design.span)},
       {"KERNEL", design.buffer_bytes == 0 ? "" : "; no processor reaches its on-chip buffer"},
       {"BUFFER", BufferText(design)},
       {"ESTIMATE", EstimateText(design, EstimateOf(design))},
       {"GUIDE",
        spec.top->product != nullptr
            ? ""
            : "| `software/guide.md` | programs in register writes that this build can run |\n"},
       {"DRIVER",
        std::string(spec.top->product != nullptr ? spec.top->product->driver : "the driver")},
       {"PLACEMENT",
        spec.areas.empty()
            ? ""
            : fmt::format("| `constraints/{}_placement.xdc` | pblocks |\n", spec.name)}});
}

Files WriteAll(const Design& design) {
  Files files;
  for (const auto write : {WriteRtl, WriteVivado, WriteIpxact, WriteVitis, WriteConstraints,
                           WriteSoftware, WritePages, WriteSimulation, WriteReadme}) {
    write(design, &files);
  }
  return files;
}

}  // namespace tessera::gen
