// See waves.h.
#include "tb/tessera/waves.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "tb/tessera/bytes.h"

namespace tessera::cli {
namespace {

// Flags of GTKWave's save files.
constexpr const char* kBit = "28";
constexpr const char* kHex = "22";
constexpr const char* kDecimal = "24";
constexpr const char* kOpenGroup = "800200";
constexpr const char* kEndGroup = "1000200";

struct Signal {
  const char* name;
  int width;  // 0: one bit without a range
  const char* flags;
};

struct Group {
  const char* title;
  std::vector<Signal> signals;
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

std::vector<Group> Groups(const Config& c) {
  const int bus = 8 * c.data_bytes;
  std::vector<Group> groups{
      {"Clock and reset", {{"aclk", 0, kBit}, {"aresetn", 0, kBit}}},
      {"Read engine: transfers and records",
       {{"rd_valid_i", 0, kBit},
        {"rd_ready_o", 0, kBit},
        {"rd_done_valid_o", 0, kBit},
        {"rd_done_ready_i", 0, kBit},
        {"rd_idle_o", 0, kBit}}},
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
      {"Write engine: transfers and records",
       {{"wr_valid_i", 0, kBit},
        {"wr_ready_o", 0, kBit},
        {"wr_done_valid_o", 0, kBit},
        {"wr_done_ready_i", 0, kBit},
        {"wr_idle_o", 0, kBit},
        {"wr_held_o", 8, kDecimal}}},
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

}  // namespace

std::string WriteSaveFile(const std::string& wave, const Config& config, uint64_t cycle) {
  const std::filesystem::path path(wave);
  std::string text = fmt::format(
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n*-5.500000 {}",
      std::filesystem::absolute(path).lexically_normal().string(), 2 * cycle, 2 * cycle);
  for (int marker = 0; marker < 26; ++marker) text += " -1";
  text += fmt::format("\n[treeopen] {}.\n[sst_width] 200\n[signals_width] 260\n", config.name);
  for (const Group& group : Groups(config)) {
    text += fmt::format("@{}\n-{}\n", kOpenGroup, group.title);
    for (const Signal& s : group.signals) {
      const std::string range = s.width == 0 ? "" : fmt::format("[{}:0]", s.width - 1);
      // A width of one has no range in the waveform.
      text +=
          fmt::format("@{}\n{}.{}{}\n", s.flags, config.name, s.name, s.width == 1 ? "" : range);
    }
    text += fmt::format("@{}\n-{}\n", kEndGroup, group.title);
  }
  const std::string saved = std::filesystem::path(path).replace_extension(".gtkw").string();
  WriteText(saved, text);
  return saved;
}

}  // namespace tessera::cli
