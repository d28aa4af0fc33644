// Types of ADF that kernels and graphs share: numbers, directions, return codes.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

using int8 = int8_t;
using int16 = int16_t;
using int32 = int32_t;
using int64 = int64_t;
using uint8 = uint8_t;
using uint16 = uint16_t;
using uint32 = uint32_t;
using uint64 = uint64_t;

template <typename T>
struct tessera_complex {  // the layout of cint16, cint32 and cfloat
  T real{}, imag{};
  bool operator==(const tessera_complex&) const = default;
  friend tessera_complex operator+(tessera_complex a, tessera_complex b) {
    return {static_cast<T>(a.real + b.real), static_cast<T>(a.imag + b.imag)};
  }
  friend tessera_complex operator-(tessera_complex a, tessera_complex b) {
    return {static_cast<T>(a.real - b.real), static_cast<T>(a.imag - b.imag)};
  }
  friend tessera_complex operator*(tessera_complex a, tessera_complex b) {
    return {static_cast<T>(a.real * b.real - a.imag * b.imag),
            static_cast<T>(a.real * b.imag + a.imag * b.real)};
  }
};
using cint16 = tessera_complex<int16_t>;
using cint32 = tessera_complex<int32_t>;
using cfloat = tessera_complex<float>;
using cint16_t = cint16;
using cint32_t = cint32;

namespace adf {

enum class direction { in, out, inout };
inline constexpr direction input = direction::in;
inline constexpr direction output = direction::out;
inline constexpr direction inout = direction::inout;

enum return_code { ok = 0, user_error, aie_driver_error, xrt_error, internal_error, unsupported };

namespace detail {

// What text files and reports call a type.
enum class Format { kUnknown, kSigned, kUnsigned, kFloat };
struct ElementType {
  Format format = Format::kUnknown;
  uint32_t bytes = 4;  // of a number
  uint32_t parts = 1;  // numbers of an element: 2 if complex
  bool operator==(const ElementType&) const = default;
  uint32_t size() const { return bytes * parts; }
};

template <typename T>
struct ComplexOf {
  using type = T;
  static constexpr uint32_t parts = 1;
};
template <typename T>
struct ComplexOf<tessera_complex<T>> {
  using type = T;
  static constexpr uint32_t parts = 2;
};

template <typename T>
constexpr ElementType ElementOf() {
  using Part = typename ComplexOf<T>::type;
  ElementType made{Format::kUnknown, sizeof(T), 1};
  if constexpr (std::is_floating_point_v<Part>) {
    made = {Format::kFloat, sizeof(Part), ComplexOf<T>::parts};
  } else if constexpr (std::is_integral_v<Part>) {
    made = {std::is_signed_v<Part> ? Format::kSigned : Format::kUnsigned, sizeof(Part),
            ComplexOf<T>::parts};
  }
  return made;
}

// A type that a run-time parameter may have.
template <typename T>
inline constexpr bool kIsParameter =
    (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, float> ||
    std::is_same_v<T, cint16> || std::is_same_v<T, cint32> || std::is_same_v<T, cfloat>;

}  // namespace detail
}  // namespace adf
