// Native descriptors: fields into words.
#include "tb/dma/native.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "tb/check/encode.h"

namespace tessera::native {
namespace {

uint32_t Flag(bool value, int bit) { return static_cast<uint32_t>(value) << bit; }
uint32_t Amount(int value) { return static_cast<uint32_t>(value) & 0x7f; }

}  // namespace

Image Encode(const Descriptor& d) {
  if (d.transfer.offset != 0)
    throw std::invalid_argument("offset: a descriptor has an iteration instead");
  Image image = tessera::Encode(d.transfer);
  Words& w = image.base;
  w[11] = static_cast<uint32_t>(d.iteration_step);
  if (d.acquire) {
    w[12] = static_cast<uint32_t>(d.acquire->id) | Amount(d.acquire->value) << 8 | 1U << 15;
  }
  w[12] |= static_cast<uint32_t>(d.release.id) << 16 | Amount(d.release.value) << 24;
  w[13] = static_cast<uint32_t>(d.next.value_or(0)) | Flag(d.next.has_value(), 8) |
          static_cast<uint32_t>(d.iteration_size) << 16;
  w[14] = d.side;
  w[15] |= Flag(d.interrupt, 12) | Flag(d.no_record, 13);
  if (d.header) {
    w[15] |= 1U << 11 | static_cast<uint32_t>(d.header->id) << 16 |
             static_cast<uint32_t>(d.header->kind) << 21 |
             static_cast<uint32_t>(d.header->bd) << 24;
  }
  return image;
}

uint32_t Task::Word() const {
  return static_cast<uint32_t>(start) | static_cast<uint32_t>(repeats - 1) << 8 |
         Flag(endless, 24) | Flag(token, 25) | Flag(trigger, 26) | Flag(paced, 27) |
         Flag(from_list, 28);
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
  build.features = Flag(c.channel.walk, 0) | Flag(c.channel.bounds, 1) | Flag(c.guard != 0, 2) |
                   Flag(c.counters, 3) | Flag(c.lists, 4) | Flag(c.tokens, 5) |
                   Flag(c.control_packets, 6) | Flag(c.headers(), 7) | Flag(c.headers(), 8) |
                   Flag(c.route_dest, 9) | Flag(c.triggers, 10) | Flag(c.windows > 0, 11) |
                   Flag(c.side != 0, 17) | Flag(c.on_chip_size > 0, 21);
  build.place = c.place();
  if (c.on_chip_size > 0) {
    build.onchip =
        number(c.on_chip_size) | number(c.on_chip_banks) << 16 | number(c.on_chip_check) << 24;
    build.onchip_base = number(c.on_chip_base);
  }
  build.untimed = untimed;
  return build;
}

uint32_t Channel(Direction direction, int number) {
  return (direction == Direction::kRead ? 0x1000 : 0x2000) + 0x100 * static_cast<uint32_t>(number);
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
