// Pins of a verilated model by name: fields, arrays of them, structs of the RTL.
//
// The classes V*_Pins that cmake/pins writes give these. Each is a place in the model: it is
// assigned to and converts to a value, and holds none itself.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tb/sim/bus_data.h"
#include "tb/sim/place.h"

namespace tessera::pins {

static_assert(std::endian::native == std::endian::little, "bytes of pins are read where they lie");

// Pins of up to 64 bits are CData, SData, IData or QData, wider ones arrays of 32-bit words.
template <typename Pin>
auto* Words(Pin& pin) {
  if constexpr (std::is_integral_v<Pin>) {
    return &pin;
  } else {
    return pin.data();
  }
}
template <typename Pin>
using WordOf = std::remove_pointer_t<decltype(Words(std::declval<Pin&>()))>;

// Some bits. Bits of a value above their number are ignored when it is written.
template <typename Word>
class Bits {
 public:
  Bits(Place<Word> place, int width) : place_(place), width_(width) {}
  Bits(const Bits&) = default;
  Bits& operator=(const Bits&) = delete;  // names no value

  // The lowest 64 bits.
  template <std::integral T>
  operator T() const {
    return static_cast<T>(place_.Get(0, std::min(64, width_)));
  }
  const Bits& operator=(uint64_t value) const {
    place_.Put(0, std::min(64, width_), value);
    return *this;
  }
  // One bit.
  Bits operator[](int bit) const { return Bits(place_.Sub(bit), 1); }
  // One of `count` equal parts of a flat vector.
  Bits Part(int index, int count) const {
    return Bits(place_.Sub(index * (width_ / count)), width_ / count);
  }

  // As bytes, lane 0 first.
  void To(BusData& data) const {
    for (int done = 0; done < width_; done += 64) {
      const int part = std::min(64, width_ - done);
      const uint64_t value = place_.Get(done, part);
      std::memcpy(data.data() + done / 8, &value, static_cast<size_t>((part + 7) / 8));
    }
  }
  const Bits& operator=(const BusData& data) const {
    for (int done = 0; done < width_; done += 64) {
      const int part = std::min(64, width_ - done);
      uint64_t value = 0;
      std::memcpy(&value, data.data() + done / 8, static_cast<size_t>((part + 7) / 8));
      place_.Put(done, part, value);
    }
    return *this;
  }
  // As a bit a lane.
  void To(LaneMask& lanes) const {
    lanes = {};
    for (int done = 0; done < width_; done += 64) {
      lanes.word[static_cast<size_t>(done / 64)] = place_.Get(done, std::min(64, width_ - done));
    }
  }
  const Bits& operator=(const LaneMask& lanes) const {
    for (int done = 0; done < width_; done += 64) {
      place_.Put(done, std::min(64, width_ - done), lanes.word[static_cast<size_t>(done / 64)]);
    }
    return *this;
  }

 private:
  Place<Word> place_;
  int width_;
};

// A field, whose width is known to the compiler.
template <typename Word, int kWidth>
class Field : public Bits<Word> {
 public:
  static constexpr int kBits = kWidth;
  explicit Field(Place<Word> place) : Bits<Word>(place, kWidth) {}
  Field(const Field&) = default;
  Field& operator=(const Field&) = delete;
  using Bits<Word>::operator=;
};

template <typename Word, int kWidth>
class SignedField {
 public:
  static constexpr int kBits = kWidth;
  explicit SignedField(Place<Word> place) : place_(place) {}
  SignedField(const SignedField&) = default;
  SignedField& operator=(const SignedField&) = delete;  // names no value
  operator int64_t() const { return place_.GetSigned(0, kWidth); }
  const SignedField& operator=(int64_t value) const {
    place_.Put(0, kWidth, static_cast<uint64_t>(value));
    return *this;
  }

 private:
  Place<Word> place_;
};

template <typename Word, typename Enum, int kWidth>
class EnumField {
 public:
  static constexpr int kBits = kWidth;
  explicit EnumField(Place<Word> place) : place_(place) {}
  EnumField(const EnumField&) = default;
  EnumField& operator=(const EnumField&) = delete;  // names no value
  operator Enum() const { return static_cast<Enum>(place_.Get(0, kWidth)); }
  const EnumField& operator=(Enum value) const {
    place_.Put(0, kWidth, static_cast<uint64_t>(value));
    return *this;
  }

 private:
  Place<Word> place_;
};

// A struct of a package, as a whole.
template <typename Word, typename Struct>
class Value {
 public:
  static constexpr int kBits = Struct::kBits;
  explicit Value(Place<Word> place) : place_(place) {}
  Value(const Value&) = default;
  Value& operator=(const Value&) = delete;  // names no value
  operator Struct() const { return Struct::Unpack(place_); }
  const Value& operator=(const Struct& value) const {
    value.Pack(place_);
    return *this;
  }

 private:
  Place<Word> place_;
};

// A packed array; `kDown` as in [kCount-1:0].
template <typename Word, typename Element, int kCount, bool kDown>
class Array {
 public:
  static constexpr int kSize = kCount;
  static constexpr int kBits = kCount * Element::kBits;
  explicit Array(Place<Word> place) : place_(place) {}
  Element operator[](int n) const {
    return Element(place_.Sub((kDown ? n : kCount - 1 - n) * Element::kBits));
  }

 private:
  Place<Word> place_;
};

}  // namespace tessera::pins
