// See waves.h.
#include "tools/run/waves.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "tb/files/output.h"

namespace tessera::cli {
namespace {

// Flags of GTKWave's save files.
constexpr const char* kBit = "28";
constexpr const char* kHex = "22";
constexpr const char* kDecimal = "24";
constexpr const char* kOpenGroup = "800200";
constexpr const char* kEndGroup = "1000200";

struct Signal {
  std::string name;
  int width;  // 0: one bit without a range
  const char* flags;
};

struct Group {
  std::string title;
  std::vector<Signal> signals;
  std::string scope = {};  // below the top
};

std::vector<Signal> Stream(bool master, const Config& c) {
  const int bits = 8 * c.stream_bytes;
  if (master) {
    return {{"m_axis_tvalid", 0, kBit},
            {"m_axis_tready", 0, kBit},
            {"m_axis_tdata", bits, kHex},
            {"m_axis_tkeep", c.stream_bytes, kHex},
            {"m_axis_tlast", 0, kBit}};
  }
  return {{"s_axis_tvalid", 0, kBit},
          {"s_axis_tready", 0, kBit},
          {"s_axis_tdata", bits, kHex},
          {"s_axis_tkeep", c.stream_bytes, kHex},
          {"s_axis_tlast", 0, kBit}};
}

// The pins of an engine pair.
std::vector<Group> PairGroups(const Config& c) {
  const int bus = 8 * c.data_bytes;
  std::vector<Group> groups{
      {"Clock and reset", {{"aclk", 0, kBit}, {"aresetn", 0, kBit}}},
      {"Descriptors",
       {{"row_valid_i", 0, kBit},
        {"row_ready_o", 0, kBit},
        {"row_write_i", 0, kBit},
        {"row_area_i", 2, kDecimal},
        {"row_i", 2, kDecimal},
        {"row_data_i", 128, kHex},
        {"row_go_i", 0, kBit}}},
      {"Read engine: records",
       {{"rd_done_valid_o", 0, kBit}, {"rd_done_ready_i", 0, kBit}, {"rd_idle_o", 0, kBit}}},
      {"Read addresses (AR)",
       {{"m_axi_arvalid", 0, kBit},
        {"m_axi_arready", 0, kBit},
        {"m_axi_araddr", c.addr_width, kHex},
        {"m_axi_arlen", 8, kDecimal}}},
      {"Read data (R)",
       {{"m_axi_rvalid", 0, kBit},
        {"m_axi_rready", 0, kBit},
        {"m_axi_rdata", bus, kHex},
        {"m_axi_rlast", 0, kBit},
        {"m_axi_rresp", 2, kDecimal}}},
      {"Stream out", Stream(true, c)},
      {"Stream in", Stream(false, c)},
      {"Write engine: records",
       {{"wr_done_valid_o", 0, kBit}, {"wr_done_ready_i", 0, kBit}, {"wr_idle_o", 0, kBit}}},
      {"Write addresses (AW)",
       {{"m_axi_awvalid", 0, kBit},
        {"m_axi_awready", 0, kBit},
        {"m_axi_awaddr", c.addr_width, kHex},
        {"m_axi_awlen", 8, kDecimal}}},
      {"Write data (W)",
       {{"m_axi_wvalid", 0, kBit},
        {"m_axi_wready", 0, kBit},
        {"m_axi_wdata", bus, kHex},
        {"m_axi_wstrb", c.data_bytes, kHex},
        {"m_axi_wlast", 0, kBit}}},
      {"Write responses (B)",
       {{"m_axi_bvalid", 0, kBit}, {"m_axi_bready", 0, kBit}, {"m_axi_bresp", 2, kDecimal}}}};
  return groups;
}

// The pins of a tessera_dma: flat vectors, channel 0 and port 0 lowest.
std::vector<Group> DmaGroups(const DmaConfig& dma) {
  const Config& c = dma.channel;
  const int ports = dma.ports;
  const auto bus = [&](const char* name, int bits) {
    return Signal{std::string("m_axi_") + name, ports * bits, bits > 8 ? kHex : kDecimal};
  };
  const auto stream = [&](bool master, const char* name, int bits) {
    return Signal{(master ? "m_axis_" : "s_axis_") + std::string(name),
                  (master ? dma.reads : dma.writes) * bits, kHex};
  };
  std::vector<Group> groups{
      {"Clock and reset", {{"aclk", 0, kBit}, {"aresetn", 0, kBit}}},
      {"Registers: writes",
       {{"s_axil_awvalid", 0, kBit},
        {"s_axil_awready", 0, kBit},
        {"s_axil_awaddr", 18, kHex},
        {"s_axil_wvalid", 0, kBit},
        {"s_axil_wready", 0, kBit},
        {"s_axil_wdata", 32, kHex},
        {"s_axil_bvalid", 0, kBit},
        {"s_axil_bresp", 2, kDecimal}}},
      {"Registers: reads",
       {{"s_axil_arvalid", 0, kBit},
        {"s_axil_arready", 0, kBit},
        {"s_axil_araddr", 18, kHex},
        {"s_axil_rvalid", 0, kBit},
        {"s_axil_rdata", 32, kHex}}},
      {"Interrupts and triggers", {{"irq", 0, kBit}, {"trigger_in", 16, kHex}}},
      {"Read addresses (AR)",
       {bus("arvalid", 1), bus("arready", 1), bus("arid", 4), bus("araddr", c.addr_width),
        bus("arlen", 8)}},
      {"Read data (R)",
       {bus("rvalid", 1), bus("rready", 1), bus("rid", 4), bus("rdata", 8 * c.data_bytes),
        bus("rlast", 1), bus("rresp", 2)}}};
  for (const bool master : {true, false}) {
    groups.push_back({master ? "Streams out" : "Streams in",
                      {stream(master, "tvalid", 1), stream(master, "tready", 1),
                       stream(master, "tdata", 8 * c.stream_bytes),
                       stream(master, "tkeep", c.stream_bytes), stream(master, "tlast", 1)}});
  }
  groups.push_back({"Write addresses (AW)",
                    {bus("awvalid", 1), bus("awready", 1), bus("awid", 4),
                     bus("awaddr", c.addr_width), bus("awlen", 8)}});
  groups.push_back({"Write data (W)",
                    {bus("wvalid", 1), bus("wready", 1), bus("wdata", 8 * c.data_bytes),
                     bus("wstrb", c.data_bytes), bus("wlast", 1)}});
  groups.push_back({"Write responses (B)",
                    {bus("bvalid", 1), bus("bready", 1), bus("bid", 4), bus("bresp", 2)}});
  return groups;
}

}  // namespace

std::string SaveFileOf(const std::string& wave) {
  return std::filesystem::path(wave).replace_extension(".gtkw").string();
}

std::string WriteSaveFile(const std::string& wave, const Prepared& prepared, uint64_t cycle) {
  const std::string& top = prepared.config().name;
  const std::filesystem::path path(wave);
  std::string text = fmt::format(
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n*-5.500000 {}",
      std::filesystem::absolute(path).lexically_normal().string(), 2 * cycle, 2 * cycle);
  for (int marker = 0; marker < 26; ++marker) text += " -1";
  text += fmt::format("\n[treeopen] {}.\n[sst_width] 200\n[signals_width] 260\n", top);
  const std::vector<Group> groups =
      prepared.hardware.dma ? DmaGroups(*prepared.hardware.dma) : PairGroups(prepared.config());
  for (const Group& group : groups) {
    text += fmt::format("@{}\n-{}\n", kOpenGroup, group.title);
    for (const Signal& s : group.signals) {
      const std::string range = s.width == 0 ? "" : fmt::format("[{}:0]", s.width - 1);
      text += fmt::format("@{}\n{}{}.{}{}\n", s.flags, top, group.scope, s.name, range);
    }
    text += fmt::format("@{}\n-{}\n", kEndGroup, group.title);
  }
  const std::string saved = SaveFileOf(wave);
  WriteOutput(saved, text);
  return saved;
}

}  // namespace tessera::cli
