// See array_file.h.
#include "tools/aieml/array/array_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "tb/files/input.h"
#include "tb/files/output.h"
#include "tb/sim/counted.h"
#include "tools/aieml/rtl/rtl_dma.h"
#include "tools/terminal/terminal.h"

namespace tessera::array {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostBytes = uint64_t{256} << 20;
constexpr uint64_t kFirstArgument = 0x10000;

// A value of the document and where it stands.
class Value {
 public:
  Value(const Json& json, std::string place) : json_(&json), place_(std::move(place)) {}

  [[noreturn]] void Refuse(const std::string& legal) const {
    std::string shown = json_->dump(-1, ' ', true, Json::error_handler_t::replace);
    if (shown.size() > 60) shown = shown.substr(0, 57) + "...";
    throw Error(fmt::format("{} is {}: legal is {}", place_, shown, legal));
  }
  void Object(std::initializer_list<std::string_view> members) const {
    if (!json_->is_object()) Refuse("an object");
    for (const auto& [name, value] : json_->items()) {
      if (std::find(members.begin(), members.end(), name) != members.end()) continue;
      std::string all;
      for (const std::string_view member : members) {
        all += (all.empty() ? "" : ", ") + std::string(member);
      }
      throw Error(fmt::format("{} has the member \"{:.40}\": legal are {}", place_, name, all));
    }
  }
  bool Has(const char* member) const { return json_->contains(member); }
  Value At(const char* member) const {
    if (!Has(member)) throw Error(fmt::format("{} lacks the member \"{}\"", place_, member));
    return {(*json_)[member], place_ + "." + member};
  }
  std::vector<Value> Items(size_t least, size_t most) const {
    if (!json_->is_array() || json_->size() < least || json_->size() > most) {
      Refuse(least == most ? fmt::format("a list of {}", least)
                           : fmt::format("a list of {} to {}", least, most));
    }
    std::vector<Value> items;
    for (size_t n = 0; n < json_->size(); ++n) {
      items.emplace_back((*json_)[n], fmt::format("{}[{}]", place_, n));
    }
    return items;
  }
  uint64_t Number(uint64_t most) const {
    if (!json_->is_number_unsigned() || json_->get<uint64_t>() > most) {
      Refuse(fmt::format("a number from 0 to {}", most));
    }
    return json_->get<uint64_t>();
  }
  uint32_t Small(uint64_t most) const { return static_cast<uint32_t>(Number(most)); }
  std::string Text() const {
    if (!json_->is_string()) Refuse("a text");
    return json_->get<std::string>();
  }

 private:
  const Json* json_;
  std::string place_;
};

aieml::Endpoint End(const Value& value) {
  const auto items = value.Items(3, 3);
  return {items[0].Small(7), items[1].Small(31), items[2].Small(5), false};
}

aieml::KernelBuffers Buffers(const Value& value, uint32_t words) {
  value.Object({"addresses", "take", "give"});
  aieml::KernelBuffers buffers;
  for (const Value& item : value.At("addresses").Items(1, 16)) {
    buffers.addresses.push_back(item.Small(0xffff));
  }
  buffers.words = words;
  buffers.take_lock = value.At("take").Small(15);
  buffers.give_lock = value.At("give").Small(15);
  return buffers;
}

void ParseKernel(const Value& value, ArrayFile* file) {
  value.Object({"tile", "kernel", "constant", "words", "in", "out"});
  aieml::Kernel kernel;
  const auto tile = value.At("tile").Items(2, 2);
  kernel.column = tile[0].Small(7);
  kernel.row = tile[1].Small(31);
  const uint32_t words = value.At("words").Small(16384);
  const std::string name = value.At("kernel").Text();
  if (name == "pass") {
    kernel.function = aieml::PassKernel();
  } else if (name == "add") {
    kernel.function = aieml::AddKernel(value.At("constant").Small(0xffffffff));
  } else {
    value.At("kernel").Refuse("pass or add");
  }
  kernel.in = Buffers(value.At("in"), words);
  kernel.out = Buffers(value.At("out"), words);
  file->options.kernels.push_back(kernel);
}

void ParseArgument(const Value& value, size_t number, ArrayFile* file) {
  value.Object({"bytes", "file", "ramp", "expect", "dump", "equals"});
  Argument argument;
  argument.bytes = value.At("bytes").Number(kMostBytes);
  if (argument.bytes == 0 || argument.bytes % 4 != 0) {
    value.At("bytes").Refuse("a multiple of 4, from 4 on");
  }
  if (value.Has("file")) argument.file = value.At("file").Text();
  if (value.Has("ramp")) argument.ramp = value.At("ramp").Small(0xffffffff);
  if (value.Has("expect")) argument.expect = value.At("expect").Text();
  if (value.Has("dump")) argument.dump = value.At("dump").Text();
  if (value.Has("equals")) {
    const Value equals = value.At("equals");
    equals.Object({"argument", "plus"});
    if (number == 0) equals.Refuse("an earlier argument, and this is the first");
    argument.equals = equals.At("argument").Small(number - 1);
    if (equals.Has("plus")) argument.plus = equals.At("plus").Small(0xffffffff);
  }
  file->arguments.push_back(argument);
}

std::string Beside(const ArrayFile& file, const std::string& name) {
  return (std::filesystem::path(file.path).parent_path() / name).string();
}

uint32_t WordOf(const std::string& bytes, size_t n) {
  uint32_t word = 0;
  for (size_t k = 0; k < 4; ++k) {
    word |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[4 * n + k])) << 8 * k;
  }
  return word;
}

}  // namespace

ArrayFile Parse(const std::string& text, const std::string& path) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw Error(path + ": no JSON: legal is an array file");
  ArrayFile file;
  file.path = path;
  const Value top(json, path + ": top");
  top.Object({"columns", "memory_rows", "compute_rows", "neighbours", "rtl", "routes", "locks",
              "writes", "kernels", "arguments"});
  const auto number = [&](const char* name, uint64_t most, uint32_t* out) {
    if (top.Has(name)) *out = top.At(name).Small(most);
  };
  number("columns", 8, &file.options.columns);
  number("memory_rows", 2, &file.options.memory_rows);
  number("compute_rows", 8, &file.options.compute_rows);
  const auto each = [&](const char* name, size_t most, auto&& function) {
    if (!top.Has(name)) return;
    for (const Value& item : top.At(name).Items(0, most)) function(item);
  };
  each("routes", 256, [&](const Value& item) {
    item.Object({"from", "to", "packet", "keep_header"});
    aieml::Route route;
    route.from = End(item.At("from"));
    if (item.Has("packet")) route.packet = item.At("packet").Small(31);
    if (item.Has("keep_header")) route.keep_header = item.At("keep_header").Small(1) != 0;
    for (const Value& end : item.At("to").Items(1, 64)) route.to.push_back(End(end));
    file.options.routes.push_back(route);
  });
  each("neighbours", 2, [&](const Value& item) {
    const std::string side = item.Text();
    if (side != "west" && side != "east") item.Refuse("west or east");
    (side == "west" ? file.options.west : file.options.east) = true;
  });
  file.neighbours = top.Has("neighbours");
  each("rtl", 88, [&](const Value& item) {
    const auto tile = item.Items(2, 2);
    const uint32_t column = tile[0].Small(7), row = tile[1].Small(31);
    const uint32_t rows = 1 + file.options.memory_rows + file.options.compute_rows;
    if (column >= file.options.columns || row >= rows) {
      item.Refuse(fmt::format("a column below {} and a row below {}", file.options.columns, rows));
    }
    file.rtl_tiles.emplace_back(column, row);
  });
  const auto tile_of = [](const Value& item) {
    const auto tile = item.At("tile").Items(2, 2);
    return driver::npu::AddressOf(tile[0].Small(7), tile[1].Small(31), 0);
  };
  each("locks", 4096, [&](const Value& item) {
    item.Object({"tile", "lock", "value"});
    const uint32_t tile = tile_of(item);
    const uint32_t row = driver::npu::RowOf(tile);
    const bool memory = row >= 1 && row <= file.options.memory_rows;
    const uint32_t base = row == 0 ? 0x14000 : memory ? 0xc0000 : 0x1f000;
    file.writes.push_back(
        {tile + base + 0x10 * item.At("lock").Small(memory ? 63 : 15), item.At("value").Small(63)});
  });
  each("writes", 65536, [&](const Value& item) {
    item.Object({"tile", "offset", "value"});
    file.writes.push_back(
        {tile_of(item) + item.At("offset").Small(0xfffff), item.At("value").Small(0xffffffff)});
  });
  each("kernels", 64, [&](const Value& item) { ParseKernel(item, &file); });
  each("arguments", 64,
       [&](const Value& item) { ParseArgument(item, file.arguments.size(), &file); });
  return file;
}

std::string ReadFile(const std::string& path, uint64_t most) {
  try {
    return ReadNamed(path, "a file", most);
  } catch (const std::invalid_argument& error) {
    throw Error(error.what());
  }
}

void Partition(uint32_t generation, uint32_t columns, ArrayFile* file) {
  constexpr uint32_t kWholeGeneration = 4, kWholeColumns = 8;
  if (file->neighbours) return;
  file->options.west = file->options.east =
      generation != kWholeGeneration || columns < kWholeColumns;
}

ArrayFile Load(const std::string& path) { return Parse(ReadFile(path, kMostBytes), path); }

namespace {

// Before the work: all dumps could be written, and none of them is another file.
void CheckFiles(const ArrayFile& file, FileNames* names) {
  if (!file.path.empty()) names->Input("the array file", file.path);
  for (size_t n = 0; n < file.arguments.size(); ++n) {
    const Argument& argument = file.arguments[n];
    const auto name = [n](const char* member) {
      return fmt::format("arguments[{}].{}", n, member);
    };
    if (!argument.file.empty()) names->Input(name("file"), Beside(file, argument.file));
    if (!argument.expect.empty()) names->Input(name("expect"), Beside(file, argument.expect));
    if (argument.dump.empty()) continue;
    names->Output(name("dump"), Beside(file, argument.dump));
    CheckOutput(Beside(file, argument.dump));
  }
}

uint32_t HostWord(Machine& machine, size_t argument, uint64_t n) {
  uint32_t word = 0;
  machine.array->host().Read(machine.arguments[argument] + 4 * n, &word);
  return word;
}

// The bytes of a file that an argument names; none: no bytes.
std::string WordsOf(const ArrayFile& file, const Argument& argument, const std::string& name) {
  if (name.empty()) return {};
  std::string contents = ReadFile(Beside(file, name), kMostBytes);
  if (contents.size() > argument.bytes || contents.size() % 4 != 0) {
    throw Error(fmt::format("{}: {} has {}: legal are multiples of 4 up to {}", file.path, name,
                            Counted(contents.size(), "byte"), argument.bytes));
  }
  return contents;
}

}  // namespace

Machine Build(const ArrayFile& file, FileNames names) {
  CheckFiles(file, &names);
  Machine machine;
  try {
    aieml::ArrayOptions options = file.options;
    if (file.rtl || !file.rtl_tiles.empty()) {
      options.make_dma = MakeRtl(file.rtl ? Places{} : file.rtl_tiles);
    }
    machine.array = std::make_unique<aieml::Array>(options);
  } catch (const std::invalid_argument& error) {
    throw Error(fmt::format("{}: {}", file.path, error.what()));
  }
  uint64_t next = kFirstArgument;
  for (const Argument& argument : file.arguments) {
    machine.array->host().Add(next, argument.bytes);
    machine.arguments.push_back(next);
    machine.expected.push_back(WordsOf(file, argument, argument.expect));
    const std::string contents = WordsOf(file, argument, argument.file);
    for (uint64_t n = 0; n < argument.bytes / 4; ++n) {
      uint32_t word = argument.ramp ? *argument.ramp + static_cast<uint32_t>(n) : 0;
      if (4 * n < contents.size()) word = WordOf(contents, n);
      machine.array->host().Write(next + 4 * n, word);
    }
    next += (argument.bytes + 0xfff) & ~uint64_t{0xfff};
  }
  for (const RegisterWrite& write : file.writes) {
    if (!machine.array->Write(write.address, write.value)) {
      throw Error(fmt::format("{}: there is no register at {:#x} of tile ({},{})", file.path,
                              driver::npu::OffsetOf(write.address),
                              driver::npu::ColumnOf(write.address),
                              driver::npu::RowOf(write.address)));
    }
  }
  return machine;
}

std::vector<std::string> Compare(const ArrayFile& file, Machine& machine) {
  std::vector<std::string> wrong;
  for (size_t n = 0; n < file.arguments.size(); ++n) {
    const Argument& argument = file.arguments[n];
    const std::string& expected = machine.expected[n];
    for (uint64_t k = 0; k < argument.bytes / 4; ++k) {
      const uint32_t word = HostWord(machine, n, k);
      std::optional<uint32_t> right;
      if (4 * k + 4 <= expected.size()) right = WordOf(expected, k);
      if (argument.equals && 4 * k < file.arguments[*argument.equals].bytes) {
        right = HostWord(machine, *argument.equals, k) + argument.plus;
      }
      if (!right || *right == word) continue;
      wrong.push_back(
          fmt::format("argument {}, word {} is {:#x}: right is {:#x}", n, k, word, *right));
      break;
    }
  }
  return wrong;
}

int WriteDumps(const ArrayFile& file, Machine& machine, int status) {
  for (size_t n = 0; n < file.arguments.size(); ++n) {
    const Argument& argument = file.arguments[n];
    if (argument.dump.empty()) continue;
    std::string bytes;
    for (uint64_t k = 0; k < argument.bytes / 4; ++k) {
      const uint32_t word = HostWord(machine, n, k);
      for (size_t b = 0; b < 4; ++b) bytes += static_cast<char>(word >> 8 * b);
    }
    status = cli::WriteAfter(status, [&] { WriteOutput(Beside(file, argument.dump), bytes); });
  }
  return status;
}

std::string Report(Machine& machine) {
  aieml::Array& array = *machine.array;
  std::string text =
      fmt::format("{}, {}\n", Counted(array.cycles(), "cycle"), Counted(array.tokens(), "token"));
  const auto unbuilt = array.Unbuilt();
  if (!unbuilt.empty()) {
    text += fmt::format("{} that no unit stands behind kept what was written:\n",
                        Counted(unbuilt.size(), "register"));
  }
  for (auto at = unbuilt.begin(); at != unbuilt.end();) {
    // Words of one array of registers that lie in a row are one line.
    const auto first = at;
    const auto name = [&](uint32_t address) {
      const auto found =
          aieml::Find(array.KindOf(driver::npu::RowOf(address)), driver::npu::OffsetOf(address));
      return std::pair(found ? found->entry : nullptr,
                       found ? found->name() : std::string("without a name"));
    };
    const auto entry = name(first->first).first;
    uint32_t last = first->first;
    for (++at; entry != nullptr && at != unbuilt.end() && at->first == last + 4 &&
               name(at->first).first == entry;
         ++at) {
      last = at->first;
    }
    text += fmt::format("  ({},{}) {:#07x}", driver::npu::ColumnOf(last), driver::npu::RowOf(last),
                        driver::npu::OffsetOf(first->first));
    text += last == first->first
                ? fmt::format(" {} = {:#010x}\n", name(last).second, first->second)
                : fmt::format(" to {:#07x} {} to {}\n", driver::npu::OffsetOf(last),
                              name(first->first).second, name(last).second);
  }
  for (const std::string& line : array.Waiting()) text += "stands still: " + line + "\n";
  return text;
}

}  // namespace tessera::array
