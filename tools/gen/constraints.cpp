// Constraints of a generated module: clocks for out-of-context runs, crossings, placement.
#include <fmt/format.h>

#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

std::string Clocks(const Design& design) {
  std::string out;
  for (const Clock& clock : design.clocks) {
    out += fmt::format("create_clock -name {0} -period {1:.3f} [get_ports {0}]\n", clock.name,
                       1000.0 / clock.mhz);
  }
  return out;
}

// Clock crossings of one stream: its asynchronous FIFO, path by path.
std::string Crossing(const Design& design, const Interface& interface) {
  const std::string fifo = fmt::format("*u_cdc_{}/gen_async.u_fifo", interface.name);
  const double core = 1000.0 / design.clocks[0].mhz, stream = 1000.0 / design.clocks[1].mhz;
  const double from = interface.master ? core : stream;  // of the writing side
  const double to = interface.master ? stream : core;
  std::string out = fmt::format("# Stream {}: written at {:.3f} ns, read at {:.3f} ns.\n",
                                interface.name, from, to);
  const auto cells = [](const std::string& name) {
    return fmt::format("[get_cells -hierarchical -filter {{NAME =~ {}}}]", name);
  };
  const auto path = [&](const char* begin, const char* end, double most, bool skew) {
    const std::string sent = cells(fifo + "/" + begin), caught = cells(fifo + "/" + end);
    out += fmt::format("set_max_delay -datapath_only -from {} -to {} {:.3f}\n", sent, caught, most);
    if (skew) out += fmt::format("set_bus_skew -from {} -to {} {:.3f}\n", sent, caught, most);
  };
  path("wr_gray_q_reg[*]", "u_wr_to_rd/chain_q_reg[0][*]", from, true);
  path("rd_gray_q_reg[*]", "u_rd_to_wr/chain_q_reg[0][*]", to, true);
  path("u_wr_restart/*turn_q_reg[0]", "u_rd_restart/u_sync/chain_q_reg[0][*]", from, true);
  path("u_wr_restart/stopped_q_reg", "u_rd_restart/u_sync/chain_q_reg[0][*]", from, false);
  path("u_rd_restart/*turn_q_reg[0]", "u_wr_restart/u_sync/chain_q_reg[0][*]", to, true);
  path("u_rd_restart/stopped_q_reg", "u_wr_restart/u_sync/chain_q_reg[0][*]", to, false);
  path("mem_q_reg*", "u_out/*out_q_reg*", to, false);
  path("mem_q_reg*", "u_out/*spare_q_reg*", to, false);
  return out + "\n";
}

std::string Crossings(const Design& design) {
  std::string out;
  for (const Interface& interface : design.interfaces) {
    if (interface.crosses) out += Crossing(design, interface);
  }
  bool triggers = false;
  for (const Interface& interface : design.interfaces) triggers |= interface.name == "trigger_in";
  if (triggers) {
    out +=
        "# Pins of triggers are of any clock: only their first synchroniser sees them.\n"
        "set_false_path -to [get_cells -hierarchical -filter {NAME =~ "
        "*gen_synchronised.u_pins/chain_q_reg[0][*]}]\n";
  }
  return out.empty() ? "# This configuration has one clock and no asynchronous pins: nothing to "
                       "constrain.\n"
                     : out;
}

// The cells of a part of the design.
std::string Cells(const Top& top, const std::string& node) {
  if (node == "all") return "[get_cells -hierarchical -filter {NAME =~ *u_dma}]";
  if (node == "registers")
    return fmt::format("[get_cells -hierarchical -filter {{NAME =~ *u_dma/*{}}}]",
                       top.register_cell);
  const size_t bracket = node.find('[');
  return fmt::format("[get_cells -hierarchical -filter {{NAME =~ *u_dma/*gen_{}{}.*}}]",
                     node.substr(0, bracket), node.substr(bracket));
}

std::string Placement(const Design& design) {
  std::string out;
  for (const AreaGroup& area : design.spec.areas) {
    out += fmt::format("create_pblock {}\n", area.name);
    for (const std::string& node : area.nodes) {
      out += fmt::format("add_cells_to_pblock [get_pblocks {}] {}\n", area.name,
                         Cells(design.top(), node));
    }
    for (const std::string& range : area.ranges) {
      out += fmt::format("resize_pblock [get_pblocks {}] -add {{{}}}\n", area.name, range);
    }
    if (area.contain)
      out += fmt::format("set_property CONTAIN_ROUTING true [get_pblocks {}]\n", area.name);
    out += "\n";
  }
  return out;
}

}  // namespace

void WriteConstraints(const Design& design, Files* files) {
  const std::string& name = design.spec.name;
  (*files)["constraints/" + name + "_ooc.xdc"] =
      fmt::format(
          "# Clocks of {}, for synthesis out of context. In a design the clocks come from "
          "outside.\n",
          name) +
      Clocks(design);
  (*files)["constraints/" + name + "_crossings.xdc"] =
      fmt::format(
          "# Paths of {} between clocks, and from pins of no clock. vivado/package_ip.tcl puts "
          "them into the IP;\n"
          "# otherwise read them after the clocks are defined. Each path is bounded instead of "
          "declared false: bits of\n"
          "# a Gray pointer arrive within a cycle of the clock that sends them, data before the "
          "pointer that covers\n"
          "# them. Do not put the clocks into set_clock_groups. Periods are those of the "
          "specification.\n",
          name) +
      Crossings(design);
  if (!design.spec.areas.empty()) {
    (*files)["constraints/" + name + "_placement.xdc"] =
        fmt::format("# Placement of {}, from `placement` of its specification.\n", name) +
        Placement(design);
  }
}

}  // namespace tessera::gen
