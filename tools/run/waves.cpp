// See outputs.h.
#include "tools/run/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
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
};

struct Part {
  const char* name;
  int bits = 1;
  const char* flags = kDecimal;  // of more than one bit
};

// Signals whose names begin alike; in vectors of so many lanes each, or by themselves.
Group MakeGroup(const char* title, const std::string& begin, int lanes,
                const std::vector<Part>& parts) {
  Group group{title, {}};
  for (const auto& [name, bits, flags] : parts) {
    const bool bit = lanes == 0 && bits == 1;
    group.signals.push_back({begin + name, bit ? 0 : std::max(lanes, 1) * bits,
                             bit         ? kBit
                             : bits == 1 ? kHex
                                         : flags});
  }
  return group;
}

// The channels of memory ports that read or write; those of many channels have IDs.
std::vector<Group> BusGroups(bool write, const Config& c, int lanes) {
  const auto channel = [&](const char* title, const std::string& name, bool ids,
                           const std::vector<Part>& payload) {
    std::vector<Part> parts{{"valid"}, {"ready"}};
    if (ids && lanes > 0) parts.push_back({"id", 4});
    parts.insert(parts.end(), payload.begin(), payload.end());
    return MakeGroup(title, "m_axi_" + name, lanes, parts);
  };
  const std::vector<Part> address{{"addr", c.addr_width, kHex}, {"len", 8}};
  const Part data{"data", 8 * c.data_bytes, kHex}, last{"last"}, response{"resp", 2};
  if (!write) {
    return {channel("Read addresses (AR)", "ar", true, address),
            channel("Read data (R)", "r", true, {data, last, response})};
  }
  return {channel("Write addresses (AW)", "aw", true, address),
          channel("Write data (W)", "w", false, {data, {"strb", c.data_bytes, kHex}, last}),
          channel("Write responses (B)", "b", true, {response})};
}

std::vector<Group> StreamGroups(const Config& c, int out, int in) {
  const std::vector<Part> parts{{"tvalid"},
                                {"tready"},
                                {"tdata", 8 * c.stream_bytes, kHex},
                                {"tkeep", c.stream_bytes, kHex},
                                {"tlast"}};
  return {MakeGroup("Stream out", "m_axis_", out, parts),
          MakeGroup("Stream in", "s_axis_", in, parts)};
}

// The pins of an engine pair, or of a tessera_dma: flat vectors, channel 0 and port 0 lowest.
std::vector<Group> GroupsOf(const Prepared& prepared) {
  const Config& c = prepared.config();
  const std::optional<DmaConfig>& dma = prepared.hardware.dma;
  const int ports = dma ? dma->ports : 0;
  std::vector<Group> groups{MakeGroup("Clock and reset", "a", 0, {{"clk"}, {"resetn"}})};
  const auto add = [&](const std::vector<Group>& more) {
    groups.insert(groups.end(), more.begin(), more.end());
  };
  if (dma) {
    add({MakeGroup("Registers: writes", "s_axil_", 0,
                   {{"awvalid"},
                    {"awready"},
                    {"awaddr", 18, kHex},
                    {"wvalid"},
                    {"wready"},
                    {"wdata", 32, kHex},
                    {"bvalid"},
                    {"bresp", 2}}),
         MakeGroup(
             "Registers: reads", "s_axil_", 0,
             {{"arvalid"}, {"arready"}, {"araddr", 18, kHex}, {"rvalid"}, {"rdata", 32, kHex}}),
         MakeGroup("Interrupts and triggers", "", 0, {{"irq"}, {"trigger_in", 16, kHex}})});
  } else {
    const std::vector<Part> records{{"done_valid_o"}, {"done_ready_i"}, {"idle_o"}};
    add({MakeGroup("Descriptors", "row_", 0,
                   {{"valid_i"},
                    {"ready_o"},
                    {"write_i"},
                    {"area_i", 2},
                    {"i", 2},
                    {"data_i", 128, kHex},
                    {"go_i"}}),
         MakeGroup("Read engine: records", "rd_", 0, records),
         MakeGroup("Write engine: records", "wr_", 0, records)});
  }
  add(BusGroups(false, c, ports));
  add(StreamGroups(c, dma ? dma->reads : 0, dma ? dma->writes : 0));
  add(BusGroups(true, c, ports));
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
  for (const Group& group : GroupsOf(prepared)) {
    text += fmt::format("@{}\n-{}\n", kOpenGroup, group.title);
    for (const Signal& s : group.signals) {
      const std::string range = s.width == 0 ? "" : fmt::format("[{}:0]", s.width - 1);
      text += fmt::format("@{}\n{}.{}{}\n", s.flags, top, s.name, range);
    }
    text += fmt::format("@{}\n-{}\n", kEndGroup, group.title);
  }
  const std::string saved = SaveFileOf(wave);
  WriteOutput(saved, text);
  return saved;
}

}  // namespace tessera::cli
