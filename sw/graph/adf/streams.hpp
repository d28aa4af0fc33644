// Streams, cascades and packet streams as kernels see them: a read waits for its word, a write for
// room.
#pragma once

#include "adf/model.hpp"

namespace adf::detail {

template <typename T, Kind K>
class StreamIn {
 public:
  using value_type = T;
  static constexpr direction kDirection = input;
  static constexpr Kind kKind = K;

  explicit StreamIn(PortNode* port) : port_(port) {}
  T Read(bool& last) {
    WaitForBytes(port_, sizeof(T));
    T value;
    port_->pipe->Run(sizeof(T), last);
    port_->pipe->Read(reinterpret_cast<uint8_t*>(&value), sizeof(T));
    return value;
  }
  // If there is no value, time passes.
  bool available() const { return PollBytes(port_, sizeof(T)); }

 private:
  PortNode* port_;
};

template <typename T, Kind K>
class StreamOut {
 public:
  using value_type = T;
  static constexpr direction kDirection = output;
  static constexpr Kind kKind = K;

  explicit StreamOut(PortNode* port) : port_(port) {}
  void Write(const T& value, bool last) {
    WaitForRoom(port_, sizeof(T));
    port_->wire->Write(reinterpret_cast<const uint8_t*>(&value), sizeof(T), last);
  }
  uint32_t packet_id() const { return port_->packet_id; }

 private:
  PortNode* port_;
};

}  // namespace adf::detail

template <typename T>
using input_stream = adf::detail::StreamIn<T, adf::detail::Kind::kStream>;
template <typename T>
using output_stream = adf::detail::StreamOut<T, adf::detail::Kind::kStream>;
template <typename T>
using input_cascade = adf::detail::StreamIn<T, adf::detail::Kind::kCascade>;
template <typename T>
using output_cascade = adf::detail::StreamOut<T, adf::detail::Kind::kCascade>;
using input_pktstream = adf::detail::StreamIn<int32_t, adf::detail::Kind::kPacket>;
using output_pktstream = adf::detail::StreamOut<int32_t, adf::detail::Kind::kPacket>;

// NOLINTBEGIN(readability-identifier-naming): the names of ADF
template <typename T, adf::detail::Kind K>
T readincr(adf::detail::StreamIn<T, K>* in, bool& tlast) {
  return in->Read(tlast);
}
template <typename T, adf::detail::Kind K>
T readincr(adf::detail::StreamIn<T, K>* in) {
  bool tlast = false;
  return in->Read(tlast);
}
// False, and no value, if none is there.
template <typename T, adf::detail::Kind K>
bool readincr_nb(adf::detail::StreamIn<T, K>* in, T& value) {
  if (!in->available()) return false;
  value = readincr(in);
  return true;
}
template <typename T, adf::detail::Kind K>
void writeincr(adf::detail::StreamOut<T, K>* out, const std::type_identity_t<T>& value,
               bool tlast = false) {
  out->Write(value, tlast);
}

// The word that begins a packet: its identifier, its type, no source, odd parity.
inline uint32_t tessera_packet_header(uint32_t type, uint32_t id) {
  const uint32_t word = (id & 0x1f) | (type & 7) << 12 | 0x1fu << 16 | 0x7fu << 21;
  return word | (__builtin_popcount(word) % 2 == 0 ? 1u << 31 : 0);
}
inline uint32_t getPacketid(const output_pktstream* out, int /*index*/) { return out->packet_id(); }
inline uint32_t getPacketid(uint32_t header) { return header & 0x1f; }
inline void writeHeader(output_pktstream* out, uint32_t type, uint32_t id) {
  out->Write(static_cast<int32_t>(tessera_packet_header(type, id)), false);
}
// NOLINTEND(readability-identifier-naming)

// The names of before the templates.
#define TESSERA_ADF_NAMES(type)                     \
  using input_window_##type = input_window<type>;   \
  using output_window_##type = output_window<type>; \
  using input_stream_##type = input_stream<type>;   \
  using output_stream_##type = output_stream<type>;
