// See mover4d.h.
#include "tools/mover4d/mover4d.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "tools/mover4d/kernels.h"
#include "tools/mover4d/rom.h"

namespace tessera::gen {
namespace {

using job::Reader;
using Json = nlohmann::ordered_json;

// ---- Specifications -----------------------------------------------------------------------------

// A parameter that is the size of a member of the document: what is given must be the same.
void SetSize(const Reader& document, const char* parameter, const char* member, const char* of,
             size_t size, Spec* spec) {
  const auto value = static_cast<int64_t>(size);
  int64_t& now = spec->parameters.at(parameter);
  const bool given = document.Has("parameters") && document.At("parameters").Has(parameter);
  if (given && now != value) {
    document.At("parameters")
        .At(parameter)
        .Refuse(value == 0 ? fmt::format("0 where there is no {}", member)
                           : fmt::format("{}, the {} of {}", value, of, member));
  }
  now = value;
}

// Contents of a ROM, and RomWords after them.
void ReadContents(const Reader& document, Spec* spec) {
  const auto beat = static_cast<size_t>(spec->parameters.at("StreamWidth") / 8);
  if (document.Has("rom")) spec->rom = ReadRom(document.At("rom"), beat);
  SetSize(document, "RomWords", "rom", "beats", spec->rom.size() / beat, spec);
}

// Names of the channels of a kernel; those that are not given follow from its number.
void ReadNames(const Reader& document, Spec* spec) {
  const auto channels =
      static_cast<size_t>(spec->parameters.at("Reads") + spec->parameters.at("Writes"));
  for (size_t n = 0; n < channels; ++n)
    spec->names.push_back(
        {fmt::format("list_{}", n), fmt::format("data_{}", n), fmt::format("stream_{}", n)});
  if (!document.Has("names")) return;
  const Reader given = document.At("names");
  if (given.Array(32) != channels)
    given.Refuse(fmt::format("an array with an entry for each channel: {}", channels));
  std::set<std::string> taken;
  for (size_t n = 0; n < channels; ++n) {
    const Reader entry = given.At(n);
    entry.Object({"list", "data", "stream"});
    for (const auto& [member, out] :
         {std::pair{"list", &spec->names[n].list}, std::pair{"data", &spec->names[n].data},
          std::pair{"stream", &spec->names[n].stream}}) {
      if (!entry.Has(member)) continue;
      *out = Matching(entry.At(member), "[A-Za-z_][A-Za-z0-9_]{0,47}",
                      "a name of letters, digits and _, 48 at most");
      if (!taken.insert(*out).second) entry.At(member).Refuse("another name than those before it");
    }
  }
  std::set<std::string> all;
  for (size_t n = 0; n < channels; ++n) {
    for (const std::string& name : {spec->names[n].list, spec->names[n].data, spec->names[n].stream,
                                    fmt::format("size_{}", n)}) {
      if (!all.insert(name).second)
        given.Refuse(fmt::format("names that others do not have: {} stands twice", name));
    }
  }
}

void Write(const Spec& spec, Json* out) {
  Json& json = *out;
  if (!spec.rom.empty()) {
    const auto beat = static_cast<size_t>(spec.parameters.at("StreamWidth") / 8);
    json["rom"]["beats"] = RomBeats(spec.rom, beat);
  }
  for (const ChannelNames& names : spec.names) {
    json["names"].push_back({{"list", names.list}, {"data", names.data}, {"stream", names.stream}});
  }
}

// ---- Area ---------------------------------------------------------------------------------------

// Of a kernel: the registers, and its channels, which share nothing else.
double KernelFigure(const nlohmann::json& area, const char* figure, const Design& design) {
  const nlohmann::json& rows = area.at("kernels");
  const auto at = [&](const char* row) { return rows.at(row).at(figure).get<double>(); };
  const double shared = 2 * at("read") - at("two reads");
  const bool ranges = design.Value("Ranges") != 0;
  const double bits = (static_cast<double>(design.Value("DataWidth")) +
                       static_cast<double>(design.Value("StreamWidth"))) /
                      2;
  const auto channel = [&](const char* list, const char* range, const char* wide) {
    if (design.Value("RomWords") + design.Value("RamWords") != 0) return at("ram") - shared;
    double out = (ranges ? at(range) : at(list)) - shared;
    out += (at(wide) - at(range)) * (bits - 64) / (512 - 64);
    out += (at("load, 32 address bits") - at("load")) *
           static_cast<double>(64 - design.Value("AddrWidth")) / 32;
    if (!ranges && design.Value("Patterns") != 0) out += at("read, patterns") - at("read");
    return out;
  };
  const double all =
      shared +
      static_cast<double>(design.Value("Reads")) * channel("read", "load", "load, 512 bits") +
      static_cast<double>(design.Value("Writes")) * channel("write", "store", "store, 512 bits");
  return std::max(all, 0.0);
}

// ---- Files --------------------------------------------------------------------------------------

// What the build has, for the test.
std::string Expectations(const Design& design) {
  std::string expected;
  const auto number = [&](const char* member, int64_t value) {
    expected += fmt::format("  expected.{} = {};\n", member, value);
  };
  const auto flag = [&](const char* member, const char* parameter) {
    expected += fmt::format("  expected.{} = {};\n", member, design.Value(parameter) != 0);
  };
  number("element_bytes", design.Value("ElementBytes"));
  number("ram", design.Value("RamWords"));
  flag("ranges", "Ranges");
  flag("check", "Check");
  flag("base_first", "BaseFirst");
  if (!design.spec.rom.empty())
    expected += fmt::format("  expected.rom = {{{}}};\n", fmt::join(design.spec.rom, ", "));
  return expected;
}

// Attributes of <arg>; the register of an argument is at `offset`.
std::string Argument(int id, const std::string& name, const char* kind, const std::string& port,
                     const std::string& offset, const char* type) {
  const bool stream = kind[0] == '4';
  return fmt::format(
      "      <arg name=\"{0}\" addressQualifier=\"{1}\" id=\"{2}\" port=\"{3}\" "
      "size=\"{4}\" offset=\"{5}\" hostOffset=\"0x0\" hostSize=\"{4}\" {6}type=\"{7}\"/>\n",
      name, kind, id, port, stream ? "0x4" : "0x8", offset, stream ? "memSize=\"0x800\" " : "",
      type);
}

// Arguments of a kernel that is started by the register block of HLS, in the order of the data
// mover library: of each channel list, data, stream or, to memory, list, stream, data; a size comes
// last.
std::string HlsArguments(const Design& design) {
  std::string out;
  int id = 0;
  const int64_t reads = design.Value("Reads"), channels = reads + design.Value("Writes");
  const bool ranges = design.Value("Ranges") != 0,
             stored = design.Value("RomWords") + design.Value("RamWords") != 0;
  for (int64_t c = 0; c < channels; ++c) {
    const ChannelNames& names = design.spec.names[static_cast<size_t>(c)];
    const bool write = c >= reads;
    const auto offset = [&](bool base) {
      return fmt::format("{:#x}",
                         0x10 + 24 * c + (base == (design.Value("BaseFirst") != 0) ? 0 : 12));
    };
    const std::string stream = fmt::format(
        "{}_{}", write || design.Value("Check") != 0 ? "s_axis" : "m_axis", write ? c - reads : c);
    const std::string memory =
        fmt::format("{}_{}", write ? "m_axi_wr" : "m_axi_rd", write ? c - reads : c);
    const auto put_stream = [&] {
      out += Argument(id++, names.stream, "4", stream, "0x0", "stream");
    };
    // With ranges the address takes the place of the list, the size that of the data.
    const auto put_data = [&] {
      if (!stored) out += Argument(id++, names.data, "1", memory, offset(!ranges), "void*");
    };
    if (!ranges)
      out += Argument(id++, names.list, "1",
                      fmt::format("m_axi_list_{}_{}", write ? "wr" : "rd", write ? c - reads : c),
                      offset(false), "void*");
    const bool first = write || (design.Value("Check") != 0 && ranges);
    if (first) put_stream();
    put_data();
    if (!first) put_stream();
    if (ranges)
      out += Argument(id++, fmt::format("size_{}", c), "0", "s_axi_control", offset(true), "ulong");
  }
  return out;
}

}  // namespace

Product Mover4d() {
  return {.top = "tessera_mover4d",
          .members = {"rom", "names"},
          .schemas = MemberSchemas,
          .read_parameters = ReadContents,
          .read = ReadNames,
          .write = Write,
          .takes = IsKernels,
          .specification = KernelSpec,
          .schema = KernelsSchema,
          .figure = KernelFigure,
          .software = "software_hls.hpp",
          .driver_files = {"driver/bus.hpp", "mover4d/mover_registers.h"},
          .driver = "start and wait",
          .test_header = "kernels.hpp",
          .test_class = "KernelTest",
          .expectations = Expectations,
          .protocol = "ap_ctrl_hs",
          .host = "starts it as an xrt::kernel",
          .arguments = HlsArguments};
}

}  // namespace tessera::gen
