// Ports, nets and what is said about them.
#pragma once

#include <deque>
#include <initializer_list>
#include <tuple>

#include "adf/model.hpp"

namespace adf {

class kernel;

template <direction D>
class port {
 public:
  // A port of a graph: an alias of what it is connected to.
  port() : node_(std::make_shared<detail::PortNode>()) {
    node_->dir = D;
    detail::AdoptPort(node_);
  }
  explicit port(std::shared_ptr<detail::PortNode> node) : node_(std::move(node)) {}
  detail::PortNode* node() const { return node_.get(); }

 private:
  std::shared_ptr<detail::PortNode> node_;
};
using input_port = port<input>;
using output_port = port<output>;
using inout_port = port<inout>;

namespace detail {

// Ports of a node by number.
template <direction D>
class PortList {
 public:
  void Add(std::shared_ptr<PortNode> node) { ports_.emplace_back(std::move(node)); }
  size_t size() const { return ports_.size(); }
  port<D>& operator[](size_t n) {
    if (n >= ports_.size()) {
      throw GraphError(tessera::driver::Code::user_error,
                       "port " +
                           std::string(D == input    ? "in["
                                       : D == output ? "out["
                                                     : "inout[") +
                           std::to_string(n) + "] does not exist; there are " +
                           std::to_string(ports_.size()));
    }
    return ports_[n];
  }

 private:
  std::deque<port<D>> ports_;
};

// What T of connect<T> says.
struct Any {
  static constexpr Kind kind = Kind::kAny;
  static constexpr size_t block = 0, margin = 0;
};

}  // namespace detail

struct stream {
  static constexpr detail::Kind kind = detail::Kind::kStream;
  static constexpr size_t block = 0, margin = 0;
};
struct cascade {
  static constexpr detail::Kind kind = detail::Kind::kCascade;
  static constexpr size_t block = 0, margin = 0;
};
struct pktstream {
  static constexpr detail::Kind kind = detail::Kind::kPacket;
  static constexpr size_t block = 0, margin = 0;
};
// Of connect: a run-time parameter. An object: a variable of the program that a kernel uses, with
// room in the memory of its tile.
class parameter {
 public:
  static constexpr detail::Kind kind = detail::Kind::kParameter;
  static constexpr size_t block = 0, margin = 0;

  parameter() = default;
  template <typename T, size_t N>
  static parameter array(T (&table)[N]) {
    return parameter(&table, sizeof(table));
  }
  template <typename T>
  static parameter scalar(T& value) {
    return parameter(&value, sizeof(value));
  }
  // Throws GraphError before array() or scalar().
  const detail::Table* table() const;

 private:
  parameter(const void* variable, size_t bytes);
  const detail::Table* table_ = nullptr;
};
// `Size` bytes of new data behind `Overlap` bytes of the block before; the first block has zeros
// there.
template <size_t Size, size_t Overlap = 0>
struct window {
  static constexpr detail::Kind kind = detail::Kind::kWindow;
  static constexpr size_t block = Size, margin = Overlap;
};

template <typename From = detail::Any, typename To = From>
class connect {
 public:
  template <direction A, direction B>
  connect(const port<A>& from, const port<B>& to) {
    Make(from.node(), to.node());
  }
  // A kernel uses a variable.
  connect(const parameter& variable, const kernel& user);
  const std::shared_ptr<detail::NetNode>& node() const { return node_; }

 private:
  void Make(detail::PortNode* from, detail::PortNode* to) {
    node_ = std::make_shared<detail::NetNode>();
    *node_ = {from, to, From::kind, To::kind, From::block, To::block, To::margin, 0};
    detail::TheProgram().nets.push_back(node_);
  }
  std::shared_ptr<detail::NetNode> node_;
};
template <direction A, direction B>
connect(const port<A>&, const port<B>&) -> connect<>;
connect(const parameter&, const kernel&)->connect<>;

template <direction D>
port<D>& async(port<D>& p) {
  p.node()->async = true;
  p.node()->sync = false;
  return p;
}
template <direction D>
port<D>& sync(port<D>& p) {
  p.node()->sync = true;
  p.node()->async = false;
  return p;
}
template <direction D>
port<D>& negate(port<D>& p) {
  p.node()->negated = true;
  return p;
}

}  // namespace adf
