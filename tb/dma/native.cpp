// Native descriptors: fields into words.
#include "tb/dma/native.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "tb/check/encode.h"

namespace tessera::native {
namespace {

uint32_t Bits(int value) { return static_cast<uint32_t>(value); }

}  // namespace

Image Encode(const Descriptor& d) {
  if (d.transfer.offset != 0)
    throw std::invalid_argument("offset: a descriptor has an iteration instead");
  Image image = tessera::Encode(d.transfer);
  namespace words = registers::descriptor;
  Words& w = image.base;
  w[words::Iteration::kWord] = static_cast<uint32_t>(d.iteration_step);
  words::Locks locks;
  if (d.acquire) {
    locks.set_acquire(1).set_acquire_id(Bits(d.acquire->id));
    locks.set_acquire_value(Bits(d.acquire->value));
  }
  locks.set_release_id(Bits(d.release.id)).set_release_value(Bits(d.release.value));
  w[words::Locks::kWord] = locks.word;
  w[words::Next::kWord] = words::Next{}
                              .set_next(Bits(d.next.value_or(0)))
                              .set_has_next(d.next.has_value())
                              .set_turns(Bits(d.iteration_size))
                              .word;
  w[words::Side::kWord] = d.side;
  words::Flags flags{w[words::Flags::kWord]};
  flags.set_interrupt(d.interrupt).set_no_record(d.no_record);
  if (d.header) {
    flags.set_header(1).set_packet_id(d.header->id).set_packet_type(d.header->kind);
    flags.set_packet_descriptor(d.header->bd);
  }
  w[words::Flags::kWord] = flags.word;
  return image;
}

uint32_t Task::Word() const {
  return registers::channel::Task{}
      .set_start(Bits(start))
      .set_repeats(Bits(repeats - 1))
      .set_endless(endless)
      .set_token(token)
      .set_trigger(trigger)
      .set_paced(paced)
      .set_from_list(from_list)
      .word;
}

DeviceBuild BuildOfDevice(const DmaConfig& c, bool untimed) {
  const auto number = [](int n) { return static_cast<uint32_t>(n); };
  const auto log2 = [](int n) {
    return static_cast<uint32_t>(std::bit_width(static_cast<unsigned>(n)) - 1);
  };
  DeviceBuild build;
  build.reads = number(c.reads);
  build.writes = number(c.writes);
  build.address_bits = number(c.channel.addr_width);
  build.data_log2 = log2(c.channel.data_bytes);
  build.stream_log2 = log2(c.channel.stream_bytes);
  build.descriptors = number(c.descriptors);
  build.task_log2 = build.record_log2 = log2(c.queue_depth);
  build.locks = number(c.locks);
  build.windows = number(c.windows);
  const std::pair<bool, uint32_t> features[] = {
      {c.channel.walk, DeviceFeature::kWalkMask},
      {c.channel.bounds, DeviceFeature::kBoundsMask},
      {c.guard != 0, DeviceFeature::kGuardMask},
      {c.counters, DeviceFeature::kCountersMask},
      {c.lists, DeviceFeature::kFromListMask},
      {c.tokens, DeviceFeature::kTokensMask},
      {c.control_packets, DeviceFeature::kControlPacketsMask},
      {c.headers(), DeviceFeature::kPacketHeadersMask},
      {c.headers(), DeviceFeature::kOutOfOrderMask},
      {c.route_dest, DeviceFeature::kDestRoutingMask},
      {c.triggers, DeviceFeature::kTriggersMask},
      {c.windows > 0, DeviceFeature::kWindowsMask},
      {c.side != 0, DeviceFeature::kSideMask},
      {c.on_chip_size > 0, DeviceFeature::kOnchipMask}};
  build.features = 0;
  for (const auto& [there, bit] : features) build.features |= there ? bit : 0;
  build.place = c.place();
  if (c.on_chip_size > 0) {
    using Onchip = registers::global_block::CapOnchip;
    build.onchip = registers::Bits<Onchip::kKibMask>(number(c.on_chip_size)) |
                   registers::Bits<Onchip::kBanksMask>(number(c.on_chip_banks)) |
                   registers::Bits<Onchip::kCheckMask>(number(c.on_chip_check));
    build.onchip_base = number(c.on_chip_base);
  }
  build.untimed = untimed;
  return build;
}

uint32_t Channel(Direction direction, int number) {
  const uint32_t place = Bits(number);
  return direction == Direction::kRead ? registers::ReadAddress(place)
                                       : registers::WriteAddress(place);
}

int Actor(const DmaConfig& config, Direction direction, int number) {
  const int first_read = config.writes > 6 ? 16 : 6;
  return direction == Direction::kWrite ? number : first_read + number;
}

uint32_t ChannelOf(const DmaConfig& config, int channel) {
  return channel < config.reads ? Channel(Direction::kRead, channel)
                                : Channel(Direction::kWrite, channel - config.reads);
}

std::vector<uint8_t> BytesOf(const Descriptor& descriptor) {
  const Image image = Encode(descriptor);
  std::vector<uint8_t> bytes;
  const auto put = [&](const Words& words) {
    for (size_t n = 0; n < 64; ++n) {
      bytes.push_back(static_cast<uint8_t>(words[n / 4] >> (8 * (n % 4))));
    }
  };
  put(image.base);
  if (image.bounds) put(*image.bounds);
  if (image.walk) put(*image.walk);
  return bytes;
}

void Load(Memory* memory, uint64_t address, std::span<const Descriptor> list) {
  for (const Descriptor& descriptor : list) {
    memory->Load(address, BytesOf(descriptor));
    address += kListPitch;
  }
}

}  // namespace tessera::native
