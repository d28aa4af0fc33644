// See waves.h.
#include "tools/run/waves.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "tools/files/bytes.h"

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

// One engine of many, inside.
Group EngineGroup(const job::Channel& channel, const Config& c) {
  const bool write = channel.direction == Direction::kWrite;
  const int bits = 8 * c.stream_bytes;
  const char* suffix = write ? "_i" : "_o";
  Group group{fmt::format("{} (engine {})", channel.name, channel.engine),
              {{"valid_i", 0, kBit},
               {"ready_o", 0, kBit},
               {"done_valid_o", 0, kBit},
               {"done_ready_i", 0, kBit}},
              fmt::format(".tsr_channels.gen_{}[{}].u_channel.u_engine", write ? "write" : "read",
                          channel.engine)};
  const std::vector<Signal> bus =
      write
          ? std::vector<Signal>{{"awvalid_o", 0, kBit},
                                {"awready_i", 0, kBit},
                                {"awaddr_o", c.addr_width, kHex},
                                {"awlen_o", 8, kDecimal},
                                {"wvalid_o", 0, kBit},
                                {"wready_i", 0, kBit},
                                {"bvalid_i", 0, kBit}}
          : std::vector<Signal>{
                {"arvalid_o", 0, kBit},   {"arready_i", 0, kBit}, {"araddr_o", c.addr_width, kHex},
                {"arlen_o", 8, kDecimal}, {"rvalid_i", 0, kBit},  {"rready_o", 0, kBit}};
  group.signals.insert(group.signals.end(), bus.begin(), bus.end());
  const std::string out = suffix, back = write ? "_o" : "_i";
  group.signals.insert(group.signals.end(), {{"tvalid" + out, 0, kBit},
                                             {"tready" + back, 0, kBit},
                                             {"tdata" + out, bits, kHex},
                                             {"tkeep" + out, c.stream_bytes, kHex},
                                             {"tlast" + out, 0, kBit}});
  return group;
}

// The ports of many channels, each signal of all ports, and the engines that the job uses.
std::vector<Group> ManyGroups(const Prepared& p) {
  const Config& c = p.config();
  const int ports = p.hardware.ports, bus = 8 * c.data_bytes * ports;
  std::vector<Group> groups{{"Clock and reset", {{"aclk", 0, kBit}, {"aresetn", 0, kBit}}, ""}};
  for (const job::Channel& channel : p.job.channels) groups.push_back(EngineGroup(channel, c));
  groups.push_back({"Read addresses (AR)",
                    {{"m_axi_arvalid", ports, kHex},
                     {"m_axi_arready", ports, kHex},
                     {"m_axi_arid", 4 * ports, kHex},
                     {"m_axi_araddr", c.addr_width * ports, kHex},
                     {"m_axi_arlen", 8 * ports, kHex}},
                    ""});
  groups.push_back({"Read data (R)",
                    {{"m_axi_rvalid", ports, kHex},
                     {"m_axi_rready", ports, kHex},
                     {"m_axi_rid", 4 * ports, kHex},
                     {"m_axi_rdata", bus, kHex},
                     {"m_axi_rlast", ports, kHex}},
                    ""});
  groups.push_back({"Write addresses (AW)",
                    {{"m_axi_awvalid", ports, kHex},
                     {"m_axi_awready", ports, kHex},
                     {"m_axi_awid", 4 * ports, kHex},
                     {"m_axi_awaddr", c.addr_width * ports, kHex},
                     {"m_axi_awlen", 8 * ports, kHex}},
                    ""});
  groups.push_back({"Write data and responses (W, B)",
                    {{"m_axi_wvalid", ports, kHex},
                     {"m_axi_wready", ports, kHex},
                     {"m_axi_wdata", bus, kHex},
                     {"m_axi_wstrb", c.data_bytes * ports, kHex},
                     {"m_axi_wlast", ports, kHex},
                     {"m_axi_bvalid", ports, kHex},
                     {"m_axi_bid", 4 * ports, kHex}},
                    ""});
  return groups;
}

}  // namespace

std::string WriteSaveFile(const std::string& wave, const Prepared& prepared, uint64_t cycle) {
  const std::string& top = prepared.config().name;
  const std::filesystem::path path(wave);
  std::string text = fmt::format(
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n*-5.500000 {}",
      std::filesystem::absolute(path).lexically_normal().string(), 2 * cycle, 2 * cycle);
  for (int marker = 0; marker < 26; ++marker) text += " -1";
  text += fmt::format("\n[treeopen] {}.\n[sst_width] 200\n[signals_width] 260\n", top);
  const std::vector<Group> groups =
      prepared.hardware.shared ? ManyGroups(prepared) : PairGroups(prepared.config());
  for (const Group& group : groups) {
    text += fmt::format("@{}\n-{}\n", kOpenGroup, group.title);
    for (const Signal& s : group.signals) {
      const std::string range = s.width == 0 ? "" : fmt::format("[{}:0]", s.width - 1);
      text += fmt::format("@{}\n{}{}.{}{}\n", s.flags, top, group.scope, s.name, range);
    }
    text += fmt::format("@{}\n-{}\n", kEndGroup, group.title);
  }
  const std::string saved = std::filesystem::path(path).replace_extension(".gtkw").string();
  WriteText(saved, text);
  return saved;
}

}  // namespace tessera::cli
