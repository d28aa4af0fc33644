// Native descriptors: fields into words.
#include "tb/dma/native.h"

#include <bit>
#include <stdexcept>

namespace tessera::native {
namespace {

uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }
uint32_t Flag(bool value, int bit) { return static_cast<uint32_t>(value) << bit; }
uint32_t Amount(int value) { return static_cast<uint32_t>(value) & 0x7f; }

bool NeedsBounds(const model::Transfer& t) {
  bool needs = t.fill != 0;
  for (size_t d = 0; d < model::kDims; ++d) {
    needs =
        needs || t.bound[d] || t.start[d] != 0 || t.stride[d] != static_cast<int32_t>(t.stride[d]);
  }
  return needs;
}

}  // namespace

Image Encode(const Descriptor& d) {
  const model::Transfer& t = d.transfer;
  Image image;
  Words& w = image.base;
  w[0] = Low(t.base);
  w[1] = High(t.base);
  for (size_t i = 0; i < model::kDims; ++i) {
    w[2 + i] = t.count[i];
    w[6 + i] = Low(static_cast<uint64_t>(t.stride[i]));
  }
  w[10] = t.length.value_or(0);
  w[11] = static_cast<uint32_t>(d.iteration_step);
  if (d.acquire) {
    w[12] = static_cast<uint32_t>(d.acquire->id) | Amount(d.acquire->value) << 8 | 1U << 15;
  }
  w[12] |= static_cast<uint32_t>(d.release.id) << 16 | Amount(d.release.value) << 24;
  w[13] = static_cast<uint32_t>(d.next.value_or(0)) | Flag(d.next.has_value(), 8) |
          static_cast<uint32_t>(d.iteration_size) << 16;
  w[14] = d.side;
  if (NeedsBounds(t)) {
    Words& b = image.bounds.emplace();
    for (size_t i = 0; i < model::kDims; ++i) {
      b[i] = static_cast<uint32_t>(t.start[i]);
      b[4 + i] = t.bound[i].value_or(0);
      b[10] |= Flag(t.bound[i].has_value(), static_cast<int>(i));
      b[12 + i] = High(static_cast<uint64_t>(t.stride[i]));
    }
    b[8] = Low(t.fill);
    b[9] = High(t.fill);
  }
  if (t.has_walk()) {
    Words& k = image.walk.emplace();
    for (size_t i = 0; i < model::kWalkLevels; ++i) {
      const model::WalkLevel level = t.walk[i].value_or(model::WalkLevel{});
      k[i] = level.count;
      k[4 + i] = static_cast<uint32_t>(level.step);
      k[8] |= static_cast<uint32_t>(level.dim) << (2 * i);
    }
  }
  w[15] = static_cast<uint32_t>(std::countr_zero(static_cast<unsigned>(t.elem))) |
          Flag(t.length.has_value(), 3) | static_cast<uint32_t>(t.last_rule) << 4 |
          static_cast<uint32_t>(t.last_level) << 6 | Flag(t.join_next, 9) |
          Flag(t.finish == model::Finish::kLast, 10) | Flag(d.interrupt, 12) |
          Flag(d.no_record, 13) | Flag(image.bounds.has_value(), 14) |
          Flag(image.walk.has_value(), 15) | 1U << 31;
  if (d.header) {
    w[15] |= 1U << 11 | static_cast<uint32_t>(d.header->id) << 16 |
             static_cast<uint32_t>(d.header->kind) << 21 |
             static_cast<uint32_t>(d.header->bd) << 24;
  }
  if (t.offset != 0) throw std::invalid_argument("offset: a descriptor has an iteration instead");
  return image;
}

uint32_t Task::Word() const {
  return static_cast<uint32_t>(start) | static_cast<uint32_t>(repeats - 1) << 8 |
         Flag(endless, 24) | Flag(token, 25) | Flag(trigger, 26) | Flag(paced, 27) |
         Flag(from_list, 28);
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

void Load(DmaBench* bench, uint64_t address, std::span<const Descriptor> list) {
  for (const Descriptor& descriptor : list) {
    const Image image = Encode(descriptor);
    uint64_t at = address;
    const auto put = [&](const Words& words) {
      std::array<uint8_t, 64> bytes{};
      for (size_t n = 0; n < bytes.size(); ++n)
        bytes[n] = static_cast<uint8_t>(words[n / 4] >> (8 * (n % 4)));
      bench->memory().Load(at, bytes);
      at += bytes.size();
    };
    put(image.base);
    if (image.bounds) put(*image.bounds);
    if (image.walk) put(*image.walk);
    address += kListPitch;
  }
}

}  // namespace tessera::native
