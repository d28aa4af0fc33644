// Buffers with tilings: shared_buffer on the chip, external_buffer in memory, and accesses of
// window ports.
#pragma once

#include "adf/ports.hpp"

namespace adf {

using traversing_parameters = tessera::driver::traversing_parameters;

// As ADF has it, with vectors instead of the driver's lists.
struct tiling_parameters {
  std::vector<uint32_t> buffer_dimension;
  std::vector<uint32_t> tiling_dimension;
  std::vector<int32_t> offset;
  std::vector<traversing_parameters> tile_traversal = {};
  int packet_port_id = -1;
  std::vector<uint32_t> boundary_dimension = {};
};

namespace detail {

tessera::driver::tiling_parameters ToDriver(const tiling_parameters& t);
std::shared_ptr<BufferNode> NewBuffer(bool external, const std::vector<uint32_t>& dimensions,
                                      uint32_t element_bits, ElementType element, size_t ins,
                                      size_t outs);
return_code SetAddress(BufferNode* node, void* memory);

// What access(port) = tiling(...) assigns to.
struct AccessOf {
  PortNode* port;
  void operator=(const tiling_parameters& t) { port->access = ToDriver(t); }
};

template <typename T, bool External>
class Buffer {
 public:
  static Buffer create(const std::vector<uint32_t>& dimensions, size_t ins, size_t outs) {
    Buffer made;
    made.node_ = NewBuffer(External, dimensions, static_cast<uint32_t>(sizeof(T) * 8),
                           ElementOf<T>(), ins, outs);
    for (const auto& p : made.node_->ports) {
      p->dir == input ? made.in.Add(p) : made.out.Add(p);
    }
    return made;
  }
  // Of an external buffer: memory of GMIO::malloc. Each run() takes the latest for its rounds.
  return_code setAddress(T* memory) requires(External) { return SetAddress(node_.get(), memory); }
  PortList<input> in;
  PortList<output> out;
  BufferNode* node() const { return node_.get(); }

 private:
  std::shared_ptr<BufferNode> node_;
};

}  // namespace detail

template <typename T>
using shared_buffer = detail::Buffer<T, false>;
template <typename T>
using external_buffer = detail::Buffer<T, true>;

inline tiling_parameters tiling(const tiling_parameters& t) { return t; }
template <direction D>
detail::AccessOf read_access(port<D>& p) {
  return {p.node()->OfKernel("read_access")};
}
template <direction D>
detail::AccessOf write_access(port<D>& p) {
  return {p.node()->OfKernel("write_access")};
}
template <typename T, bool External>
int& num_buffers(detail::Buffer<T, External>& buffer) {
  return buffer.node()->buffers;
}

}  // namespace adf
