// kernel::create: a C++ function becomes a node; its parameters become ports.
//
//   input_window<T>*, output_window<T>*                 windows
//   input_buffer<T>&, output_buffer<T>&                 the same as buffers
//   input_stream<T>*, output_stream<T>*, *_pktstream*   streams
//   input_cascade<T>*, output_cascade<T>*               cascades
//   T, const T (&)[N]                                   run-time parameters: in
//   T&, T (&)[N]                                        run-time parameters: inout
#pragma once

#include <functional>
#include <typeinfo>

#include "adf/ports.hpp"
#include "adf/streams.hpp"
#include "adf/windows.hpp"

namespace adf {
namespace detail {

// Waits until a parameter has a value for the next iteration and copies it.
void TakeParameter(PortNode* port, void* value);
// Makes a value of an inout parameter visible.
void GiveParameter(PortNode* port, const void* value);
std::string SymbolName(const void* symbol);
size_t SymbolBytes(const void* symbol);  // of an exported variable; else 0
std::string TypeName(const std::type_info& type);
void NameKernel(KernelNode* node, const std::string& function);
std::shared_ptr<KernelNode> NewKernel();

// What stands behind a parameter of a kernel's function. Begin() is called before the function,
// End() after it.
template <typename P>
struct Argument {
  static_assert(sizeof(P) == 0,
                "tessera: a kernel's parameter must be a window, buffer, stream, cascade or a "
                "scalar or array of a type of run-time parameters");
};

template <typename T>
PortNode* AddData(KernelNode* node, direction dir, Kind kind, size_t* count) {
  PortNode* port = node->AddPort(dir, kind,
                                 (dir == input    ? "in["
                                  : dir == output ? "out["
                                                  : "inout[") +
                                     std::to_string((*count)++) + "]");
  port->element = ElementOf<T>();
  return port;
}
struct Counts {
  size_t in = 0, out = 0, inout = 0;
};

template <typename O>
concept BufferObject = requires {
  O::kElements;
};
template <typename O>
concept StreamObject = requires {
  O::kKind;
}
&&!BufferObject<O>;  // or a window

template <typename O>
struct ObjectArgument {
  ObjectArgument(KernelNode* node, Counts* counts)
      : port(AddData<typename O::value_type>(node, O::kDirection, O::kKind,
                                             O::kDirection == input ? &counts->in : &counts->out)),
        object(port) {
    if constexpr (BufferObject<O>) {
      port->block_bytes = O::kElements * sizeof(typename O::value_type);
      port->margin_bytes = O::kMargin * sizeof(typename O::value_type);
      port->explicit_blocks = O::kExplicit;
    }
  }
  void Begin() {
    if constexpr (O::kKind == Kind::kWindow) {
      if (!port->async && !port->explicit_blocks) object.Acquire();
    }
  }
  void End() {
    if constexpr (O::kKind == Kind::kWindow) {
      if (!port->async && !port->explicit_blocks) object.Release();
    }
  }
  PortNode* port;
  O object;
};
template <StreamObject O>
struct Argument<O*> : ObjectArgument<O> {
  using ObjectArgument<O>::ObjectArgument;
  O* Get() { return &this->object; }
};
template <BufferObject O>
struct Argument<O&> : ObjectArgument<O> {
  using ObjectArgument<O>::ObjectArgument;
  O& Get() { return this->object; }
};

template <typename T, direction D, size_t N>
struct ParameterArgument {
  static_assert(kIsParameter<T>,
                "tessera: a run-time parameter is an integer of 8 to 64 bits, float, cint16, "
                "cint32 or cfloat");
  ParameterArgument(KernelNode* node, Counts* counts)
      : port(AddData<T>(node, D, Kind::kParameter, D == input ? &counts->in : &counts->inout)) {
    port->count = N;
    if (D == inout) port->async = true;
  }
  void Begin() { TakeParameter(port, value); }
  void End() {
    if (D == inout) GiveParameter(port, value);
  }
  PortNode* port;
  T value[N] = {};
};
template <typename T>
requires(!std::is_reference_v<T> && !std::is_pointer_v<T>) struct Argument<T>
    : ParameterArgument<T, input, 1> {
  using ParameterArgument<T, input, 1>::ParameterArgument;
  T Get() { return this->value[0]; }
};
template <typename T, size_t N>
struct Argument<const T (&)[N]> : ParameterArgument<T, input, N> {
  using ParameterArgument<T, input, N>::ParameterArgument;
  const T (&Get())[N] { return this->value; }
};
template <typename T>
requires(kIsParameter<T>) struct Argument<T&> : ParameterArgument<T, inout, 1> {
  using ParameterArgument<T, inout, 1>::ParameterArgument;
  T& Get() { return this->value[0]; }
};
template <typename T, size_t N>
struct Argument<T (&)[N]> : ParameterArgument<T, inout, N> {
  using ParameterArgument<T, inout, N>::ParameterArgument;
  T (&Get())[N] { return this->value; }
};

// All arguments of a function, and a call with them.
template <typename Call, typename... P>
struct Invocation {
  Invocation(Call call, KernelNode* node, Counts counts = {})
      : call(std::move(call)), arguments{Argument<P>(node, &counts)...} {}
  void operator()() {
    std::apply([](auto&... each) { (each.Begin(), ...); }, arguments);
    std::apply([this](auto&... each) { call(each.Get()...); }, arguments);
    std::apply([](auto&... each) { (each.End(), ...); }, arguments);
  }
  Call call;
  std::tuple<Argument<P>...> arguments;
};

// The function that a class names while its registerKernelClass() runs.
class Registered {
 public:
  using Maker = std::function<kernel(void* object)>;

  Registered() { Current() = this; }
  ~Registered() { Current() = nullptr; }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;

  static void Put(const std::type_info& type, Maker maker) {
    if (Current() == nullptr) return;
    Current()->type_ = &type;
    Current()->maker_ = std::move(maker);
  }
  // Throws GraphError unless a function of `type` was named.
  const Maker& Of(const std::type_info& type, const std::string& name) const;

 private:
  static Registered*& Current();
  const std::type_info* type_ = nullptr;
  Maker maker_;
};

}  // namespace detail

class kernel {
 public:
  kernel() = default;

  template <typename... P>
  static kernel create(void (*function)(P...)) {
    kernel made = Make<P...>(function);
    detail::NameKernel(made.node_.get(),
                       detail::SymbolName(reinterpret_cast<const void*>(function)));
    return made;
  }
  // An object: its function is the one that C::registerKernelClass() names, or `run`.
  template <typename C, typename... A>
  static kernel create_object(A&&... arguments) {
    auto object = std::make_shared<C>(std::forward<A>(arguments)...);
    kernel made;
    if constexpr (requires { C::registerKernelClass(); }) {
      detail::Registered registered;
      C::registerKernelClass();
      made = registered.Of(typeid(C), detail::TypeName(typeid(C)))(object.get());
    } else {
      made = Member(object.get(), &C::run);
    }
    detail::NameKernel(made.node_.get(), detail::TypeName(typeid(C)));
    made.node_->object = object;
    return made;
  }

  // REGISTER_FUNCTION.
  template <typename C, typename... P>
  static void Register(void (C::*function)(P...)) {
    detail::Registered::Put(
        typeid(C), [function](void* object) { return Member(static_cast<C*>(object), function); });
  }

  detail::PortList<input> in;
  detail::PortList<output> out;
  detail::PortList<adf::inout> inout;

  const std::shared_ptr<detail::KernelNode>& node() const {
    if (!node_) {
      throw detail::GraphError(tessera::driver::Code::user_error,
                               "a kernel is used before kernel::create");
    }
    return node_;
  }

 private:
  template <typename... P, typename Call>
  static kernel Make(Call call) {
    kernel made;
    made.node_ = detail::NewKernel();
    auto invocation =
        std::make_shared<detail::Invocation<Call, P...>>(std::move(call), made.node_.get());
    made.node_->invoke = [invocation] { (*invocation)(); };
    made.Adopt();
    return made;
  }
  template <typename C, typename... P>
  static kernel Member(C* object, void (C::*function)(P...)) {
    return Make<P...>([object, function](P... p) { (object->*function)(std::forward<P>(p)...); });
  }
  void Adopt() {
    for (const auto& p : node_->ports) {
      if (p->dir == adf::input) in.Add(p);
      if (p->dir == adf::output) out.Add(p);
      if (p->dir == adf::inout) inout.Add(p);
    }
  }

  std::shared_ptr<detail::KernelNode> node_;
  friend class bypass;
};

template <typename From, typename To>
connect<From, To>::connect(const parameter& variable, const kernel& user)
    : node_(std::make_shared<detail::NetNode>()) {
  user.node()->tables.push_back(variable.table());
}

// A kernel with a way around it: while `bp` is 0 blocks pass through the kernel, else they are
// copied from in[n] to out[n].
class bypass {
 public:
  bypass() = default;
  static bypass create(const kernel& k) {
    bypass made;
    made.in = k.in;
    made.out = k.out;
    auto control = std::make_shared<detail::PortNode>();
    control->owner = k.node().get();
    control->kind = detail::Kind::kParameter;
    control->element = detail::ElementOf<int32_t>();
    control->label = "bp";
    control->async = true;
    k.node()->bypass = control;
    made.bp = port<input>(control);
    return made;
  }
  detail::PortList<input> in;
  detail::PortList<output> out;
  port<input> bp{nullptr};
};

namespace detail {
// Nodes of packet streams: the identifier of a packet is the number of the split's output or of the
// merge's input.
template <Node::Type type, int N>
class PacketNode {
  static_assert(N >= 1 && N <= 32,
                "tessera: a pktsplit has 1 to 32 outputs, a pktmerge 1 to 32 inputs");

 public:
  static PacketNode create() {
    PacketNode made;
    made.node_ = std::make_shared<Node>(type);
    Adopt(made.node_);
    for (const direction dir : {input, output}) {
      const bool many = (dir == output) == (type == Node::Type::kSplit);
      for (int n = 0; n < (many ? N : 1); ++n) {
        PortNode* p = made.node_->AddPort(
            dir, Kind::kPacket, (dir == input ? "in[" : "out[") + std::to_string(n) + "]");
        if (many) p->packet_id = static_cast<uint32_t>(n);
      }
    }
    for (const auto& p : made.node_->ports) {
      p->dir == input ? made.in.Add(p) : made.out.Add(p);
    }
    return made;
  }
  PortList<input> in;
  PortList<output> out;

 private:
  std::shared_ptr<Node> node_;
};
}  // namespace detail
template <int N>
using pktsplit = detail::PacketNode<detail::Node::Type::kSplit, N>;
template <int N>
using pktmerge = detail::PacketNode<detail::Node::Type::kMerge, N>;

}  // namespace adf

// In registerKernelClass() of a class of kernels.
#define REGISTER_FUNCTION(...) adf::kernel::Register(&__VA_ARGS__)
#define REGISTER_PARAMETER(...) static_cast<void>(0)
