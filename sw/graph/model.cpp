// Nodes, ports and names of a program.
#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "adf.h"

namespace adf {
namespace detail {
namespace {

size_t CountOf(Node::Type type) {
  size_t count = 0;
  for (const auto& node : TheProgram().nodes) count += node->type == type;
  return count;
}

template <typename T>
std::shared_ptr<T> Named(const std::string& name, const char* kind) {
  auto node = std::make_shared<T>();
  node->name = name.empty() ? fmt::format("{}{}", kind, CountOf(node->type)) : name;
  return node;
}

std::string Demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : symbol;
  std::free(text);
  return name;
}

void PutNumber(uint8_t* at, long double number, ElementType type) {
  if (type.format == Format::kFloat) {
    const auto real = static_cast<float>(number);
    std::memcpy(at, &real, sizeof(real));
    return;
  }
  const auto wide = number < 0 ? static_cast<uint64_t>(static_cast<int64_t>(number))
                               : static_cast<uint64_t>(number);
  std::memcpy(at, &wide, type.bytes);
}

}  // namespace

Program& TheProgram() {
  static Program program;
  return program;
}

const char* NameOf(Kind kind) {
  constexpr const char* kNames[] = {"any", "window", "stream", "cascade", "pktstream", "parameter"};
  return kNames[static_cast<size_t>(kind)];
}

std::string PortNode::Name() const {
  return owner == nullptr ? "a port of the graph" : owner->name + "." + label;
}

PortNode* PortNode::OfKernel(const char* what) {
  if (owner != nullptr) return this;
  Fail(fmt::format("{} of a port of a graph; legal is the port of a kernel", what));
}

void Adopt(std::shared_ptr<Node> node) {
  Program& program = TheProgram();
  if (node->name.empty()) {
    const char* kind = node->type == Node::Type::kSplit    ? "pktsplit"
                       : node->type == Node::Type::kMerge  ? "pktmerge"
                       : node->type == Node::Type::kKernel ? "k"
                                                           : "node";
    node->name = fmt::format("{}{}", kind, CountOf(node->type));
  }
  program.nodes.push_back(node);
  const bool edge = node->type == Node::Type::kFile || node->type == Node::Type::kMemory;
  if (program.graphs.empty()) return;
  if (edge) {
    program.graphs.back()->edges.push_back(node.get());
  } else {
    program.graphs.back()->nodes.push_back(std::move(node));
  }
}
void AdoptPort(std::shared_ptr<PortNode> port) {
  Program& program = TheProgram();
  if (!program.graphs.empty()) program.graphs.back()->ports.push_back(std::move(port));
}

return_code Refuse(return_code code, const std::string& sentence) {
  TheProgram().error = sentence;
  std::fprintf(stderr, "tessera: %s\n", sentence.c_str());
  return code;
}

std::string SymbolName(const void* symbol) {
  Dl_info info{};
  if (dladdr(symbol, &info) == 0 || info.dli_sname == nullptr || info.dli_saddr != symbol) {
    return "";
  }
  const std::string name = Demangled(info.dli_sname);
  return name.substr(0, name.find('('));
}

size_t SymbolBytes(const void* symbol) {
  Dl_info info{};
  void* found = nullptr;
  if (dladdr1(symbol, &info, &found, RTLD_DL_SYMENT) == 0 || info.dli_saddr != symbol) return 0;
  return static_cast<const ElfW(Sym)*>(found)->st_size;
}

std::string TypeName(const std::type_info& type) { return Demangled(type.name()); }

// A kernel is called as its function; a second one of a function gets a number.
void NameKernel(KernelNode* node, const std::string& function) {
  node->function = function;
  if (function.empty()) return;  // a static function: its number is its name
  size_t same = 0;
  for (const auto& other : TheProgram().nodes) {
    const auto* kernel = dynamic_cast<const KernelNode*>(other.get());
    same += kernel != nullptr && kernel != node && kernel->function == function;
  }
  node->name = same == 0 ? function : fmt::format("{}_{}", function, same + 1);
}

Registered*& Registered::Current() {
  static Registered* current = nullptr;
  return current;
}
const Registered::Maker& Registered::Of(const std::type_info& type, const std::string& name) const {
  if (type_ == nullptr || *type_ != type) {
    Fail(
        fmt::format("kernel::create_object: registerKernelClass() of {0} names {1}; "
                    "REGISTER_FUNCTION({0}::function) names a function of the class itself",
                    name, type_ == nullptr ? "no function" : "one of " + TypeName(*type_)));
  }
  return maker_;
}

std::shared_ptr<KernelNode> NewKernel() {
  auto node = std::make_shared<KernelNode>();
  Adopt(node);
  return node;
}
std::shared_ptr<FileNode> NewFile(const std::string& name, int width, const std::string& file,
                                  double frequency, bool hex) {
  auto node = Named<FileNode>(name, "plio");
  node->width_bits = width;
  node->file = file;
  node->frequency = frequency;
  node->hex = hex;
  node->AddPort(output, Kind::kAny, "out[0]");
  node->AddPort(input, Kind::kAny, "in[0]");
  Adopt(node);
  return node;
}
std::shared_ptr<MemoryNode> NewMemory(const std::string& name, size_t burst, size_t bandwidth) {
  auto node = Named<MemoryNode>(name, "gmio");
  node->burst_bytes = burst;
  node->bandwidth = bandwidth;
  node->AddPort(output, Kind::kAny, "out[0]");
  node->AddPort(input, Kind::kAny, "in[0]");
  Adopt(node);
  return node;
}
std::shared_ptr<BufferNode> NewBuffer(bool external, const std::vector<uint32_t>& dimensions,
                                      uint32_t element_bits, ElementType element, size_t ins,
                                      size_t outs) {
  auto node = Named<BufferNode>("", external ? "external" : "shared");
  node->external = external;
  node->dimensions = dimensions;
  node->element_bits = element_bits;
  for (size_t n = 0; n < ins; ++n) {
    node->AddPort(input, Kind::kAny, fmt::format("in[{}]", n))->element = element;
  }
  for (size_t n = 0; n < outs; ++n) {
    node->AddPort(output, Kind::kAny, fmt::format("out[{}]", n))->element = element;
  }
  Adopt(node);
  return node;
}

tessera::driver::tiling_parameters ToDriver(const tiling_parameters& t) {
  tessera::driver::tiling_parameters made;
  bool fits = true;
  for (const uint32_t n : t.buffer_dimension) fits &= made.buffer_dimension.Push(n);
  for (const uint32_t n : t.tiling_dimension) fits &= made.tiling_dimension.Push(n);
  for (const int32_t n : t.offset) fits &= made.offset.Push(n);
  for (const uint32_t n : t.boundary_dimension) fits &= made.boundary_dimension.Push(n);
  for (const traversing_parameters& level : t.tile_traversal) {
    fits &= made.tile_traversal.Push(level);
  }
  if (!fits) {
    throw GraphError(tessera::driver::Code::user_error,
                     fmt::format("tiling_parameters: a list has more than 4 values ({} dimensions, "
                                 "{} levels of traversal); legal are 1 to 4",
                                 t.buffer_dimension.size(), t.tile_traversal.size()));
  }
  made.packet_port_id = t.packet_port_id;
  return made;
}

return_code SetAddress(BufferNode* node, void* memory) {
  if (node == nullptr) {
    return Refuse(return_code::user_error, "setAddress: the external_buffer was not created");
  }
  if (!tessera::graph::TheEngine().Owns(memory, node->bytes())) {
    return Refuse(return_code::user_error,
                  fmt::format("{}.setAddress({}): the buffer has {} bytes, which must be one block "
                              "of GMIO::malloc",
                              node->name, memory, node->bytes()));
  }
  node->address = static_cast<uint8_t*>(memory);
  return return_code::ok;
}

void SetInitial(PortNode* port, const std::vector<long double>& numbers) {
  const size_t parts = port->count * port->element.parts;
  if (port->kind != Kind::kParameter || numbers.size() != parts) {
    throw GraphError(
        tessera::driver::Code::user_error,
        fmt::format("initial_value of {}: {} numbers for a {} of {} elements, {} numbers",
                    port->Name(), numbers.size(), NameOf(port->kind), port->count, parts));
  }
  const ElementType& type = port->element;
  port->initial.assign(parts * type.bytes, 0);
  for (size_t n = 0; n < parts; ++n) {
    const int bits = static_cast<int>(type.bytes) * 8;
    const long double high = type.format == Format::kSigned
                                 ? static_cast<long double>((uint64_t{1} << (bits - 1)) - 1)
                                 : static_cast<long double>(~uint64_t{0} >> (64 - bits));
    const long double low = type.format == Format::kSigned ? -high - 1 : 0;
    if (type.format != Format::kFloat && (numbers[n] < low || numbers[n] > high)) {
      throw GraphError(tessera::driver::Code::user_error,
                       fmt::format("initial_value of {}: {} is not in {} to {}", port->Name(),
                                   static_cast<double>(numbers[n]), static_cast<double>(low),
                                   static_cast<double>(high)));
    }
    PutNumber(port->initial.data() + n * type.bytes, numbers[n], type);
  }
}

}  // namespace detail

parameter::parameter(const void* variable, size_t bytes) {
  const std::string name = detail::SymbolName(variable);
  auto& tables = detail::TheProgram().tables;
  tables.push_back(std::make_unique<detail::Table>());
  *tables.back() = {name.empty() ? fmt::format("variable {}", tables.size()) : name, bytes};
  table_ = tables.back().get();
}
const detail::Table* parameter::table() const {
  if (table_ == nullptr) {
    detail::Fail("a parameter is used before parameter::array or parameter::scalar");
  }
  return table_;
}

const std::string& last_error() { return detail::TheProgram().error; }

}  // namespace adf
