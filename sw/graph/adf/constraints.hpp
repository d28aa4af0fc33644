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

template <direction D>
void single_buffer(port<D>& p) {
  p.node()->single_buffer = true;
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
    size_t bytes = port->element.size();
    for (const uint32_t n : elements) bytes *= n;
    port->block_bytes = bytes;
  }
};

}  // namespace detail

template <direction D>
detail::InitialOf initial_value(const port<D>& p) {
  return {p.node()};
}
template <direction D>
detail::DimensionsOf dimensions(const port<D>& p) {
  return {p.node()};
}

}  // namespace adf
