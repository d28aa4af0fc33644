// Streams, cascades and packet streams as kernels see them: a read waits for its word, a write for
// room.
#pragma once

#include "adf/model.hpp"

namespace adf::detail {

template <typename T>
class StreamIn {
 public:
  explicit StreamIn(PortNode* port) : port_(port) {}
  T Read(bool& last) {
    WaitForBytes(port_, sizeof(T));
    T value;
    port_->pipe->Run(sizeof(T), last);
    port_->pipe->Read(reinterpret_cast<uint8_t*>(&value), sizeof(T));
    return value;
  }
  bool available() const { return port_->pipe->size() >= sizeof(T); }

 private:
  PortNode* port_;
};

template <typename T>
class StreamOut {
 public:
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
class input_stream : public adf::detail::StreamIn<T> {
 public:
  using adf::detail::StreamIn<T>::StreamIn;
};
template <typename T>
class output_stream : public adf::detail::StreamOut<T> {
 public:
  using adf::detail::StreamOut<T>::StreamOut;
};
template <typename T>
class input_cascade : public adf::detail::StreamIn<T> {
 public:
  using adf::detail::StreamIn<T>::StreamIn;
};
template <typename T>
class output_cascade : public adf::detail::StreamOut<T> {
 public:
  using adf::detail::StreamOut<T>::StreamOut;
};
class input_pktstream : public adf::detail::StreamIn<int32_t> {
 public:
  using StreamIn::StreamIn;
};
class output_pktstream : public adf::detail::StreamOut<int32_t> {
 public:
  using StreamOut::StreamOut;
};

// NOLINTBEGIN(readability-identifier-naming): the names of ADF
template <typename T>
T readincr(adf::detail::StreamIn<T>* in, bool& tlast) {
  return in->Read(tlast);
}
template <typename T>
T readincr(adf::detail::StreamIn<T>* in) {
  bool tlast = false;
  return in->Read(tlast);
}
// False, and no value, if none is there.
template <typename T>
bool readincr_nb(adf::detail::StreamIn<T>* in, T& value) {
  if (!in->available()) return false;
  value = readincr(in);
  return true;
}
template <typename T>
void writeincr(adf::detail::StreamOut<T>* out, const std::type_identity_t<T>& value,
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
