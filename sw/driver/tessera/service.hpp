// One routine for interrupts and for polling: serves every channel of a device that has something
// to say.
//
// Handle() belongs into the interrupt handler, Poll() into a loop; both may run at once on one
// processor.
#pragma once

#include <stdint.h>

#include "channel.hpp"

namespace tessera::driver {

template <typename ChannelType, uint32_t kChannels>
class ServiceRoutine {
 public:
  explicit ServiceRoutine(const Device<typename ChannelType::BusType>& device) : device_(&device) {}

  Status Add(ChannelType& channel) {
    if (!channel.opened()) return Reason::not_configured;
    if (size_ == kChannels) return {Reason::no_handle, channel.number()};
    channels_[size_] = &channel;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);  // a handler may come in between
    ++size_;
    return {};
  }

  // Asks the device which channels have an interrupt and serves those. False if none of ours has.
  bool Handle() {
    const uint32_t which = device_->Read(registers::global_block::IrqChannels::kOffset);
    bool any = false;
    for (uint32_t n = 0; n < size_; ++n) {
      const uint32_t bit =
          channels_[n]->number() + (channels_[n]->direction() == Direction::kFromStream ? 16 : 0);
      if (((which >> bit) & 1) == 0) continue;
      channels_[n]->Service();
      any = true;
    }
    return any;
  }
  // Serves all, whatever their interrupts say.
  void Poll() {
    for (uint32_t n = 0; n < size_; ++n) channels_[n]->Service();
  }

 private:
  const Device<typename ChannelType::BusType>* device_;
  ChannelType* channels_[kChannels] = {};
  uint32_t size_ = 0;
};

}  // namespace tessera::driver
