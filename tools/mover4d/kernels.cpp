// From kernels by impl and map to specifications; see kernels.h.
#include "tools/mover4d/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/mover4d/rom.h"

namespace tessera::gen {
namespace {

using job::Json;
using job::Reader;

Field Name(const char* part, const char* member, const char* role, bool must = true) {
  return {.part = part, .member = member, .kind = FieldKind::kName, .role = role, .must = must};
}
Field Width(const char* part) {
  return {.part = part,
          .member = "width",
          .kind = FieldKind::kWidth,
          .role = "StreamWidth",
          .must = true};
}
Field Number(const char* part, const char* member, const char* role, uint64_t most,
             bool must = false) {
  return {.part = part,
          .member = member,
          .kind = FieldKind::kInteger,
          .role = role,
          .must = must,
          .least = 1,
          .most = most};
}

// How a memory is reached: optional everywhere.
std::vector<Field> Memory(const char* part) {
  return {Number(part, "latency", "ListDepth", 512),
          Number(part, "outstanding", "Outstanding", 128),
          Number(part, "burst_len", "MaxBurst", 256)};
}
std::vector<Field> RomFile() {
  return {
      {.part = "in_file", .member = "name", .kind = FieldKind::kPath, .role = "file", .must = true},
      {.part = "in_file",
       .member = "type",
       .kind = FieldKind::kRomType,
       .role = "type",
       .must = true},
      Number("in_file", "num", "num", uint64_t{1} << 22)};
}
std::vector<Field> Ram() {
  return {
      Number("ram", "depth", "RamWords", 65536, true),
      {.part = "ram", .member = "type", .kind = FieldKind::kRamType, .role = "", .must = false}};
}

std::vector<Field> Joined(std::initializer_list<std::vector<Field>> lists) {
  std::vector<Field> out;
  for (const std::vector<Field>& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

std::vector<Impl> MakeImpls() {
  const std::vector<Field> load =
      Joined({{Name("in_port", "buffer", "data"), Name("out", "stream", "stream"), Width("out")},
              Memory("in_port")});
  const std::vector<Field> store = Joined(
      {{Name("in_port", "stream", "stream"), Width("in_port"), Name("out", "buffer", "data")},
       Memory("out")});
  const std::vector<Field> sent{Name("out", "stream", "stream"), Width("out")};
  const std::vector<Field> checked{Name("in_port", "stream", "stream"), Width("in_port"),
                                   Name("out", "buffer", "", false)};
  const char* loads = R"({"Ranges": true, "Writes": 0})";
  const char* stores = R"({"Ranges": true, "Reads": 0})";
  const char* sends = R"({"Ranges": true, "BaseFirst": true, "Writes": 0})";
  const char* checks = R"({"Ranges": true, "BaseFirst": true, "Writes": 0, "Check": true})";
  return {
      {"4DCuboidRead", "Boxes of lists of 4-D descriptors, from memory to streams", false,
       R"({"Writes": 0})",
       Joined({{Name("in_port", "buffer", "data"), Name("in_port", "descriptors", "list"),
                Name("out_port", "stream", "stream"), Width("out_port")},
               Memory("in_port")})},
      {"4DCuboidWrite", "Streams into boxes of lists of 4-D descriptors in memory", true,
       R"({"Reads": 0})",
       Joined({{Name("in_port", "stream", "stream"), Name("in_port", "descriptors", "list"),
                Width("in_port"), Name("out_port", "buffer", "data")},
               Memory("out_port")})},
      {"LoadDdrToStream", "Ranges of memory to streams, to the byte", false, loads, load},
      {"LoadDdrToStreamWithCounter", "Ranges of memory to streams, to the byte", false, loads,
       load},
      {"StoreStreamToMaster", "Streams into ranges of memory, to the byte", true, stores, store},
      {"StoreStreamToMasterWithCounter", "Streams into ranges of memory, to the byte", true, stores,
       store},
      {"SendRomToStream", "Sends a ROM to streams", false, sends, Joined({RomFile(), sent})},
      {"SendRamToStream", "Sends RAMs, which software fills, to streams", false, sends,
       Joined({{Name("in_port", "buffer", "", false)}, sent, Ram()})},
      {"ValidateStreamWithMaster", "Compares streams with ranges of memory", false,
       R"({"Ranges": true, "Writes": 0, "Check": true})",
       Joined({{Name("in_ref", "buffer", "data")}, checked, Memory("in_ref")})},
      {"ValidateStreamWithRam", "Compares streams with RAMs, which software fills", false, checks,
       Joined({{Name("in_ref", "buffer", "", false)}, checked, Ram()})},
      {"ValidateStreamWithRom", "Compares streams with a ROM", false, checks,
       Joined({RomFile(), checked})},
  };
}

void RefuseMembers(const Reader& reader, const std::vector<std::string>& legal) {
  if (!reader.json().is_object())
    reader.Refuse(fmt::format("an object of {}", fmt::join(legal, ", ")));
  for (const auto& [member, value] : reader.json().items()) {
    if (std::find(legal.begin(), legal.end(), member) != legal.end()) continue;
    throw job::Error(fmt::format("{}: {} has an unknown member {}: legal are {}", reader.file(),
                                 reader.place(), job::Shown(member), fmt::join(legal, ", ")));
  }
}

// The value of a field, checked.
Json Value(const Reader& reader, const Field& field) {
  switch (field.kind) {
    case FieldKind::kName:
      if (!reader.json().is_string() || reader.Text().size() > 48)
        reader.Refuse("a name of at most 48 characters");
      return reader.Name();
    case FieldKind::kPath:
      return reader.Path();
    case FieldKind::kRamType:
      return static_cast<uint64_t>(reader.Word(kRamTypes));
    case FieldKind::kRomType:
      return kRomTypes[reader.Word(kRomTypes)];
    case FieldKind::kWidth: {
      const uint64_t width = reader.json().is_number_unsigned() ? reader.json().get<uint64_t>() : 0;
      if (std::find(std::begin(kMapWidths), std::end(kMapWidths), width) == std::end(kMapWidths))
        reader.Refuse(fmt::format("one of {}", fmt::join(kMapWidths, ", ")));
      return width;
    }
    case FieldKind::kInteger:
      break;
  }
  const uint64_t value = reader.json().is_number_unsigned() ? reader.json().get<uint64_t>() : 0;
  if (value < field.least || value > field.most)
    reader.Refuse(fmt::format("an integer from {} to {}", field.least, field.most));
  return value;
}

// The names and numbers of one entry of a map: role -> value.
Json Entry(const Reader& entry, const Impl& impl) {
  RefuseMembers(entry, impl.Parts());
  Json out = Json::object();
  for (const std::string& part : impl.Parts()) {
    std::vector<std::string> members;
    bool must = false;
    for (const Field& field : impl.fields) {
      if (field.part != part) continue;
      members.push_back(field.member);
      must = must || field.must;
    }
    if (!entry.Has(part)) {
      if (must) entry.Need(part, fmt::format("an object of {}", fmt::join(members, ", ")));
      continue;
    }
    const Reader object = entry.At(part);
    RefuseMembers(object, members);
    for (const Field& field : impl.fields) {
      if (field.part != part) continue;
      if (field.must) object.Need(field.member, "what " + impl.name + " needs");
      if (!object.Has(field.member)) continue;
      const Json value = Value(object.At(field.member), field);
      if (!field.role.empty()) out[field.role] = value;
    }
  }
  return out;
}

bool IsName(const std::string& role) {
  return role == "data" || role == "list" || role == "stream";
}

// All channels of a kernel are of one kind: what is no name is as in the first entry.
void CheckAlike(const Reader& map, size_t index, const Impl& impl, const Json& first,
                const Json& entry) {
  for (const Field& field : impl.fields) {
    if (field.role.empty() || IsName(field.role) ||
        first.value(field.role, Json()) == entry.value(field.role, Json()))
      continue;
    const Reader part =
        map.At(index).Has(field.part) ? map.At(index).At(field.part) : map.At(index);
    const std::string like =
        fmt::format("as in map[0]: {}", job::Shown(first.value(field.role, Json())));
    if (part.Has(field.member)) part.At(field.member).Refuse(like);
    throw job::ErrorAt(map.file(), part.place() + "." + field.member, "absent", "legal is " + like);
  }
}

const Impl& ImplOf(const Reader& kernel) {
  const Reader reader = kernel.Need("impl", "what the kernel does");
  std::string all;
  for (const Impl& impl : Impls()) {
    if (reader.json().is_string() && reader.Text() == impl.name) return impl;
    all += (all.empty() ? "" : ", ") + impl.name;
  }
  reader.Refuse("one of " + all);
}

}  // namespace

std::vector<std::string> Impl::Parts() const {
  std::vector<std::string> out;
  for (const Field& field : fields) {
    if (std::find(out.begin(), out.end(), field.part) == out.end()) out.push_back(field.part);
  }
  return out;
}

const std::vector<Impl>& Impls() {
  static const std::vector<Impl> impls = MakeImpls();
  return impls;
}

bool IsKernels(const Json& document) {
  if (!document.is_object() || document.contains("top")) return false;
  return std::any_of(document.begin(), document.end(), [](const Json& member) {
    return member.is_object() && (member.contains("impl") || member.contains("map"));
  });
}

Json KernelSpec(const Reader& kernel, const std::string& name) {
  RefuseMembers(kernel, {"impl", "map", "about", "vendor", "library", "part", "parameters",
                         "clock_mhz", "stream_clock", "address", "interrupt", "placement"});
  const Impl& impl = ImplOf(kernel);
  const Reader map = kernel.Need("map", "an array with an entry a channel");
  const size_t channels = map.Array(16);
  if (channels == 0) map.Refuse("an array of at least one entry");

  Json spec = kernel.json();
  spec.erase("impl");
  spec.erase("map");
  spec["top"] = "tessera_mover4d";
  spec["name"] = name;
  if (!spec.contains("about")) spec["about"] = impl.about;
  Json parameters = Json::parse(impl.parameters);
  parameters[impl.writes ? "Writes" : "Reads"] = channels;
  Json first;
  std::set<std::string> names;
  for (size_t n = 0; n < channels; ++n) {
    const Json entry = Entry(map.At(n), impl);
    if (n == 0) first = entry;
    CheckAlike(map, n, impl, first, entry);
    Json of_channel = Json::object();
    for (const auto& [role, value] : entry.items()) {
      if (IsName(role)) of_channel[role] = value;
    }
    for (const Field& field : impl.fields) {
      if (!IsName(field.role) || !entry.contains(field.role)) continue;
      if (!names.insert(entry[field.role].get<std::string>()).second)
        map.At(n).At(field.part).At(field.member).Refuse("another name than those before it");
    }
    spec["names"].push_back(of_channel);
  }
  const auto width = first.at("StreamWidth").get<uint64_t>();
  parameters["StreamWidth"] = width;
  parameters["DataWidth"] = std::max<uint64_t>(width, 32);
  parameters["ElementBytes"] = width / 8;
  for (const char* role : {"Outstanding", "MaxBurst", "RamWords"}) {
    if (first.contains(role)) parameters[role] = first[role];
  }
  if (first.contains("ListDepth")) {
    const uint64_t depth =
        std::bit_ceil(std::max<uint64_t>(first["ListDepth"].get<uint64_t>(), 32));
    parameters["ListDepth"] = depth;
  }
  if (first.contains("file")) {
    for (const char* role : {"file", "type", "num"}) {
      if (first.contains(role)) spec["rom"][role] = first[role];
    }
  }
  if (kernel.Has("parameters") && kernel.At("parameters").json().is_object()) {
    const Reader given = kernel.At("parameters");
    for (const auto& [parameter, value] : given.json().items()) {
      if (parameters.contains(parameter))
        given.At(parameter).Refuse("what impl and map do not say");
      parameters[parameter] = value;
    }
    spec["parameters"] = parameters;
  } else if (!kernel.Has("parameters")) {
    spec["parameters"] = parameters;
  }
  return spec;
}

}  // namespace tessera::gen
