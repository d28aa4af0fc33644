// One channel of a valid/ready handshake: its pins, whoever drives them.
//
// The source drives `valid` and `payload`, the sink drives `ready`; a payload that is valid stays
// as it is until it moves. The model drives its side in Settle(), the harness its own in Drive().
// While `valid` is 0 the payload means nothing and may hold what was there before.
#pragma once

namespace tessera {

template <typename T>
struct Channel {
  bool valid = false;
  bool ready = false;
  T payload{};

  bool moves() const { return valid && ready; }
  bool waits() const { return valid && !ready; }
  T* operator->() { return &payload; }
  const T* operator->() const { return &payload; }
};

// Tells when the payload of a channel that the harness drives has to be put on the pins: once, when
// it is valid for the first time. Asked before each evaluation, while `ready` is still that of the
// cycle before.
class FreshPayload {
 public:
  template <typename T>
  bool operator()(const Channel<T>& channel) {
    const bool fresh = channel.valid && (!was_valid_ || channel.ready);
    was_valid_ = channel.valid;
    return fresh;
  }

 private:
  bool was_valid_ = false;
};

}  // namespace tessera
