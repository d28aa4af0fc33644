// The files of a generated folder: path and text each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/gen/design.h"

namespace tessera::gen {

using Files = std::map<std::string, std::string>;

// Literals as one vector of Verilog, the first one lowest; a literal a line, as tools limit the
// width of one.
std::string Concatenation(const std::vector<std::string>& literals);
// rtl/: the module in plain Verilog, the sources it stands on, lists of them.
void WriteRtl(const Design& design, Files* files);
// vivado/: packaging for the IP catalogue, block designs.
void WriteVivado(const Design& design, Files* files);
// Tcl with which Vivado packages module `top`: a project with its sources; `more`: those beside the
// module, `clocks`: each with its reset and its interfaces.
std::string ProjectTcl(const Design& design, const std::string& top, const std::string& more,
                       const std::string& clocks);
// component.xml: IEEE 1685-2014.
void WriteIpxact(const Design& design, Files* files);
// vitis/: the module as an RTL kernel.
void WriteVitis(const Design& design, Files* files);
// constraints/: clocks, crossings, placement.
void WriteConstraints(const Design& design, Files* files);
// software/: C++ header, driver, device tree.
void WriteSoftware(const Design& design, Files* files);
// software/: the registers of this build, and the programs of the guide that it can run.
void WritePages(const Design& design, Files* files);
// sim/: a testbench for Verilator.
void WriteSimulation(const Design& design, Files* files);
// README.md, the specification, the estimate.
void WriteReadme(const Design& design, Files* files);

// All of these.
Files WriteAll(const Design& design);

// Area and clock, from measured figures.
struct Estimate {
  double lut = 0, ff = 0, memory_lut = 0;
  double block_ram = 0;  // of 36 Kbit, in the on-chip buffer
  double mhz = 0;        // 0: not known
  std::string clock_of;  // the measured build with this clock, as bench/figures.json names it
};
Estimate EstimateOf(const Design& design);
// The clock that constraints ask for unless the specification does: the estimate, rounded down.
double SupportedMhz(const Design& design);
// The estimate in a line; and what is wrong with a clock above it, empty if it is not.
std::string EstimateLine(const Design& design);
std::string ClockWarning(const Design& design);

}  // namespace tessera::gen
