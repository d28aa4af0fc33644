// Windows and buffers as kernels see them.
//
// A window is a block with a position; positions wrap at the end of the block. Synchronous windows
// are acquired before a kernel is called and given back after it; a kernel with an asynchronous
// port does that itself.
#pragma once

#include <array>
#include <cstring>
#include <type_traits>

#include "adf/model.hpp"

namespace adf {
namespace detail {

template <typename T, direction D>
class Window {
 public:
  using value_type = T;
  static constexpr direction kDirection = D;
  static constexpr Kind kKind = Kind::kWindow;

  explicit Window(PortNode* port) : port_(port) {}
  void Acquire() {
    WaitForBlock(port_);
    begin_ = reinterpret_cast<T*>(port_->blocks->Current());
    size_ = (port_->margin_bytes + port_->block_bytes) / sizeof(T);
    at_ = 0;
  }
  void Release() {
    if (begin_ == nullptr) return;
    port_->blocks->Advance();
    begin_ = nullptr;
  }
  bool acquired() const { return begin_ != nullptr; }

  T* data() const { return begin_; }
  size_t size() const { return size_; }
  T& here() const { return begin_[at_]; }
  void Move(ptrdiff_t elements) {
    const auto size = static_cast<ptrdiff_t>(size_);
    at_ = static_cast<size_t>(((static_cast<ptrdiff_t>(at_) + elements) % size + size) % size);
  }

 private:
  PortNode* port_;
  T* begin_ = nullptr;
  size_t size_ = 0, at_ = 0;
};

}  // namespace detail

// Elements of a window, N at once.
template <typename T, unsigned N>
using window_vector = std::array<T, N>;

}  // namespace adf

template <typename T>
using input_window = adf::detail::Window<T, adf::input>;
template <typename T>
using output_window = adf::detail::Window<T, adf::output>;

// NOLINTBEGIN(readability-identifier-naming): the names of ADF
template <typename T, adf::direction D>
void window_acquire(adf::detail::Window<T, D>* w) {
  w->Acquire();
}
template <typename T, adf::direction D>
void window_release(adf::detail::Window<T, D>* w) {
  w->Release();
}
template <typename T, adf::direction D>
unsigned window_size(const adf::detail::Window<T, D>* w) {
  return static_cast<unsigned>(w->size());
}
template <typename T, adf::direction D>
void window_incr(adf::detail::Window<T, D>* w, int count = 1) {
  w->Move(count);
}
template <typename T, adf::direction D>
void window_decr(adf::detail::Window<T, D>* w, int count = 1) {
  w->Move(-count);
}
template <typename T>
T window_read(const input_window<T>* w) {
  return w->here();
}
template <typename T>
void window_read(const input_window<T>* w, T& value) {
  value = w->here();
}
template <typename T>
T window_readincr(input_window<T>* w) {
  const T value = w->here();
  w->Move(1);
  return value;
}
template <typename T>
void window_readincr(input_window<T>* w, T& value) {
  value = window_readincr(w);
}
template <typename T>
T window_readdecr(input_window<T>* w) {
  const T value = w->here();
  w->Move(-1);
  return value;
}
template <unsigned N, typename T>
adf::window_vector<T, N> window_readincr_v(input_window<T>* w) {
  adf::window_vector<T, N> value;
  for (T& element : value) element = window_readincr(w);
  return value;
}
template <typename T>
void window_write(output_window<T>* w, const std::type_identity_t<T>& value) {
  w->here() = value;
}
template <typename T>
void window_writeincr(output_window<T>* w, const std::type_identity_t<T>& value) {
  w->here() = value;
  w->Move(1);
}
template <typename T, size_t N>
void window_writeincr(output_window<T>* w, const std::array<T, N>& value) {
  for (const T& element : value) window_writeincr(w, element);
}
// NOLINTEND(readability-identifier-naming)

namespace adf {

// What stands in the types of buffers.
inline constexpr unsigned inherited_extent = 0;
template <unsigned... N>
struct extents {
  static constexpr size_t elements = (size_t{1} * ... * N);
};
template <>
struct extents<> {
  static constexpr size_t elements = 0;
};
template <unsigned N>
struct margin {
  static constexpr size_t elements = N;
};

namespace detail {
template <typename T, direction D, typename Extents, typename Margin, bool Explicit>
class KernelBuffer : public Window<T, D> {
  using Element = std::conditional_t<D == input, const T, T>;

 public:
  static constexpr size_t kElements = Extents::elements, kMargin = Margin::elements;
  static constexpr bool kExplicit = Explicit;

  using Window<T, D>::Window;
  Element* begin() const { return this->data(); }
  Element* end() const { return this->data() + this->size(); }
  Element& operator[](size_t n) const { return this->data()[n]; }
  void acquire() requires(Explicit) { this->Acquire(); }
  void release() requires(Explicit) { this->Release(); }
};
}  // namespace detail

template <typename T, typename Extents = extents<inherited_extent>, typename Margin = margin<0>>
using input_buffer = detail::KernelBuffer<T, input, Extents, Margin, false>;
template <typename T, typename Extents = extents<inherited_extent>>
using output_buffer = detail::KernelBuffer<T, output, Extents, margin<0>, false>;
// The kernel acquires and releases them itself.
template <typename T, typename Extents = extents<inherited_extent>, typename Margin = margin<0>>
using input_async_buffer = detail::KernelBuffer<T, input, Extents, Margin, true>;
template <typename T, typename Extents = extents<inherited_extent>>
using output_async_buffer = detail::KernelBuffer<T, output, Extents, margin<0>, true>;

}  // namespace adf
