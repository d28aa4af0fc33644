// What ADF lets a program say about kernels, ports and nets.
#pragma once

#include "adf/graph.hpp"
#include "adf/io.hpp"

namespace adf {

struct ratio {};
template <typename T>
double& runtime(const kernel& k) {
  return k.node()->runtime_ratio;
}
inline std::string& source(const kernel& k) { return k.node()->source; }
inline std::vector<std::string>& headers(const kernel& k) { return k.node()->headers; }
inline std::string& initialization_function(const kernel& k) { return k.node()->initialization; }
inline int& stack_size(const kernel& k) { return k.node()->stack_bytes; }
inline int& heap_size(const kernel& k) { return k.node()->heap_bytes; }
inline uint32_t& repetition_count(const kernel& k) { return k.node()->repetitions; }
// The name by which messages, reports and constraint files call a node.
inline std::string& name(const kernel& k) { return k.node()->name; }

inline std::string& name(const graph& g) { return g.node()->name; }
// A file with NodeConstraints, PortConstraints and GlobalConstraints, read by init(). The
// environment variable TESSERA_GRAPH_CONSTRAINTS names one for graphs without.
inline std::string& constraints(const graph& g) { return g.node()->constraints; }

template <direction D>
void single_buffer(port<D>& p) {
  p.node()->OfKernel("single_buffer")->single_buffer = true;
}
template <typename From, typename To>
size_t& fifo_depth(connect<From, To>& net) {  // words of 32 bits
  return net.node()->fifo_words;
}

namespace detail {

// Writes numbers as elements of the port's type.
void SetInitial(PortNode* port, const std::vector<long double>& numbers);

struct InitialOf {
  PortNode* port;
  template <typename T>
  void operator=(const T& value) {
    *this = std::vector<T>{value};
  }
  template <typename T>
  void operator=(const std::vector<T>& values) {
    std::vector<long double> numbers;
    for (const T& value : values) {
      if constexpr (ComplexOf<T>::parts == 2) {
        numbers.push_back(value.real);
        numbers.push_back(value.imag);
      } else {
        numbers.push_back(static_cast<long double>(value));
      }
    }
    SetInitial(port, numbers);
  }
  template <typename T>
  void operator=(std::initializer_list<T> values) {
    *this = std::vector<T>(values);
  }
};
struct DimensionsOf {
  PortNode* port;
  void operator=(std::initializer_list<uint32_t> elements) {
    port->block_bytes = Elements({elements.begin(), elements.size()}) * port->element.size();
  }
};

}  // namespace detail

// ---- Places -----------------------------------------------------------------------------------

struct stack {};
struct buffer {};

inline detail::Place tile(int column, int row) { return {column, row}; }
inline detail::Place bank(int column, int row, int id) { return {column, row, id}; }
inline detail::Place address(int column, int row, int bytes) { return {column, row, -1, bytes}; }
inline detail::Place offset(int bytes) { return {-1, -1, -1, bytes}; }
inline detail::Box bounding_box(int column, int row, int column2, int row2) {
  return {column, row, column2, row2};
}

namespace detail {

struct StampOf {
  Subject reference;
};

// What location<T>(object) assigns to.
class Location {
 public:
  explicit Location(const Subject& subject) : subject_(subject) {}
  Location(const Location&) = default;
  const Subject& subject() const { return subject_; }

  void operator=(const Place& place) { Add({.kind = Constraint::Kind::kAt, .place = place}); }
  // One for each buffer of a port.
  void operator=(std::initializer_list<Place> places) {
    int index = 0;
    for (const Place& place : places) {
      Subject one = subject_;
      one.index = index++;
      Location at(one);
      at = place;
    }
  }
  void operator=(const Box& box) {
    Add({.kind = Constraint::Kind::kArea, .name = "location<graph>", .boxes = {box}});
  }
  // The same place as something else.
  void operator=(const Location& other) {
    Add({.kind = Constraint::Kind::kSame, .other = other.subject_});
  }
  // The places of another graph, moved.
  void operator=(const StampOf& stamp) {
    Add({.kind = Constraint::Kind::kStamp, .other = stamp.reference});
  }

 private:
  void Add(Constraint constraint) {
    constraint.subject = subject_;
    TheProgram().constraints.push_back(std::move(constraint));
  }
  Subject subject_;
};

}  // namespace detail

template <typename T>
requires(std::is_same_v<T, kernel>) detail::Location location(const kernel& k) {
  return detail::Location({.kind = detail::Subject::Kind::kKernel, .node = k.node().get()});
}
template <typename T>
requires(std::is_same_v<T, stack>) detail::Location location(const kernel& k) {
  return detail::Location({.kind = detail::Subject::Kind::kStack, .node = k.node().get()});
}
// Buffers of windows and of run-time parameters.
template <typename T, direction D>
requires(std::is_same_v<T, buffer> || std::is_same_v<T, parameter>) detail::Location
    location(const port<D>& p, int index = -1) {
  return detail::Location({.kind = detail::Subject::Kind::kBuffer,
                           .port = p.node()->OfKernel("location"),
                           .index = index});
}
template <typename T>
requires(std::is_same_v<T, parameter>) detail::Location location(const parameter& p) {
  return detail::Location({.kind = detail::Subject::Kind::kTable, .table = p.table()});
}
template <typename T>
requires(std::is_same_v<T, graph>) detail::Location location(const graph& g) {
  return detail::Location({.kind = detail::Subject::Kind::kGraph, .graph = g.node().get()});
}
inline detail::StampOf stamp(const detail::Location& reference) { return {reference.subject()}; }
inline void not_equal(const detail::Location& one, const detail::Location& other) {
  detail::TheProgram().constraints.push_back({.kind = detail::Constraint::Kind::kDifferent,
                                              .subject = one.subject(),
                                              .other = other.subject()});
}

// ---- Values -----------------------------------------------------------------------------------

template <direction D>
detail::InitialOf initial_value(const port<D>& p) {
  return {p.node()->OfKernel("initial_value")};
}
template <direction D>
detail::DimensionsOf dimensions(const port<D>& p) {
  return {p.node()->OfKernel("dimensions")};
}

}  // namespace adf
