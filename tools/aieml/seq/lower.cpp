// See lower.h: patterns, copies, single operations. Tasks: tasks.cpp.
#include "tools/aieml/seq/lower.h"

#include <fmt/format.h>

#include "tb/sim/counted.h"

namespace tessera::seq {
namespace {

using aieml::TileKind;

uint32_t MostStep(TileKind kind) {
  return kind == TileKind::kShim ? 1u << 20 : kind == TileKind::kMemory ? 1u << 17 : 1u << 13;
}
uint32_t MostWrap(TileKind kind) { return kind == TileKind::kCompute ? 255 : 1023; }
int64_t MostLength(TileKind kind) {
  return kind == TileKind::kShim ? 0xffffffff : kind == TileKind::kMemory ? 0x1ffff : 0x3fff;
}

}  // namespace

uint32_t Lowering::Limit(Place place, const std::string& what, int64_t value, int64_t least,
                         int64_t most) const {
  if (value < least || value > most) {
    text_->Fail(place, fmt::format("{} is {}: legal is {} to {}", what, value, least, most));
  }
  return static_cast<uint32_t>(value);
}

uint32_t Lowering::Need(Place place, const Attributes& attributes, const std::string& name,
                        int64_t least, int64_t most) const {
  const auto found = attributes.find(name);
  if (found == attributes.end()) {
    text_->Fail(place, fmt::format("the attribute \"{}\" is missing: legal is {} to {}", name,
                                   least, most));
  }
  return Limit(found->second.place, name, found->second.number, least, most);
}

uint32_t Lowering::Get(const Attributes& attributes, const std::string& name, int64_t least,
                       int64_t most, uint32_t otherwise) const {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return otherwise;
  return Limit(found->second.place, name, found->second.number, least, most);
}

void Lowering::CheckTile(Place place, TileRef tile) const {
  Limit(place, "the column", tile.column, 0, int64_t{device_->columns} - 1);
  Limit(place, "the row", tile.row, 0, int64_t{device_->rows} - 1);
}

uint32_t Lowering::BufferAddress(Place place, int64_t number) const {
  const Buffer& buffer = (*buffers_)[static_cast<size_t>(number)];
  if (!buffer.address) {
    text_->Fail(place,
                "the buffer has no address: legal is an aie.buffer with the attribute "
                "\"address\", as the tools print after they placed it");
  }
  if (*buffer.address % 4 != 0) {
    text_->Fail(place, fmt::format("the address of the buffer is {}: legal is a multiple of 4",
                                   *buffer.address));
  }
  return Limit(place, "the address of the buffer", *buffer.address, 0, 0x7ffff);
}

// A row-major walk without gaps is one run, whatever its dimensions.
bool Lowering::Fold(const Pattern& p) {
  int64_t run = p.sizes[0].value;
  if (run > 1 && p.strides[0].value != 1) return false;
  for (size_t k = 1; k < p.sizes.size() && k < 3; ++k) {
    if (p.sizes[k].value > 1 && p.strides[k].value != run) return false;
    run *= p.sizes[k].value;
  }
  return true;
}

void Lowering::CheckSteps(Place place, TileKind kind, uint32_t bits, const Pattern& p) const {
  if (bits == 0 || bits > 32) {
    text_->Fail(place,
                fmt::format("an element of {} bits: legal are 1 to 32",
                            bits == 0 ? std::string("no fixed number of") : fmt::to_string(bits)));
  }
  for (size_t k = 0; k < p.sizes.size(); ++k) {
    const Number &size = p.sizes[k], &stride = p.strides[k];
    Limit(size.place, fmt::format("the size of dimension {}", k), size.value, 1, int64_t{1} << 32);
    const bool outer = k == 3;
    if (stride.value < 0 || (stride.value == 0 && size.value > 1 && !outer)) {
      text_->Fail(stride.place, fmt::format("the stride of dimension {} is {}: legal is {} or more",
                                            k, stride.value, outer ? 0 : 1));
    }
    if (stride.value > int64_t{1} << 40)
      Limit(stride.place, fmt::format("the stride of dimension {}", k), stride.value, 0,
            int64_t{1} << 40);
    const int64_t stride_bits = stride.value * bits;
    if (k == 0 && (stride.value == 1 || size.value == 1)) continue;
    if (stride_bits % 32 != 0 || (k == 0 && bits < 32)) {
      text_->Fail(
          stride.place,
          fmt::format(
              "the stride of dimension {} is {} of {}, {}: legal is a multiple of 4 bytes{}", k,
              Counted(stride.value, "element"), Counted(bits, "bit"),
              Counted(stride_bits / 8, "byte"), k == 0 ? ", or 1 element" : ""));
    }
    if (size.value > 1) {
      Limit(stride.place, fmt::format("the stride of dimension {} in words", k), stride_bits / 32,
            0, MostStep(kind));
    }
  }
}

void Lowering::Fill(Place place, TileKind kind, uint32_t bits, const Pattern& p, bool iterate,
                    BdFields* f) const {
  CheckSteps(place, kind, bits, p);
  const Place inner = p.sizes[0].place;
  const int64_t run_bits = p.sizes[0].value * bits;
  int64_t all = p.sizes[0].value;
  for (size_t k = 1; k < p.sizes.size(); ++k) {
    if (k == 3 && iterate) break;
    all *= p.sizes[k].value;
    if (all > int64_t{1} << 38)
      Limit(p.sizes[k].place, "the number of elements", all, 1, int64_t{1} << 38);
  }
  if (run_bits % 32 != 0) {
    text_->Fail(inner, fmt::format("{} of {} {} {}: legal is a multiple of 32",
                                   Counted(p.sizes[0].value, "element"), Counted(bits, "bit"),
                                   p.sizes[0].value == 1 ? "is" : "are", Counted(run_bits, "bit")));
  }
  f->length = Limit(inner, "the length in words", all * bits / 32, 1, MostLength(kind));
  const bool padded = !p.before.empty();
  const bool linear =
      !padded && Fold(p) && (p.sizes.size() < 4 || iterate || p.sizes[3].value == 1);
  const auto step = [&](size_t k) {
    const int64_t words = p.strides[k].value * bits / 32;
    return static_cast<uint32_t>(words == 0 ? 0 : words - 1);
  };
  if (!linear) {
    const auto most = MostWrap(kind);
    f->wrap[0] =
        Limit(inner, "the size of dimension 0 in words", p.sizes[0].value * bits / 32, 1, most);
    f->step[0] = p.sizes[0].value > 1 ? step(0) : 0;
    if (p.sizes.size() > 1) {
      f->wrap[1] = Limit(p.sizes[1].place, "the size of dimension 1", p.sizes[1].value, 1, most);
      f->step[1] = p.sizes[1].value > 1 ? step(1) : 0;
    }
    if (p.sizes.size() > 2) {
      if (kind == TileKind::kMemory) {
        f->wrap[2] = Limit(p.sizes[2].place, "the size of dimension 2", p.sizes[2].value, 1, most);
      }
      f->step[2] = p.sizes[2].value > 1 ? step(2) : 0;
    }
    if (p.sizes.size() > 3 && !iterate) f->step[3] = p.sizes[3].value > 1 ? step(3) : 0;
  }
  if (p.sizes.size() < 4 || !iterate) return;
  const Number &size = p.sizes[3], &stride = p.strides[3];
  Limit(size.place, "the size of dimension 3", size.value, 1, 64);
  if (size.value > 1 && stride.value > 0) {
    f->iteration_size = static_cast<uint32_t>(size.value - 1);
    f->iteration_step = step(3);
  }
}

void Lowering::PacketOf(const std::optional<Packet>& packet, BdFields* f) const {
  if (!packet) return;
  f->packet = true;
  f->packet_id = Limit(packet->id.place, "the packet id", packet->id.value, 0, 31);
  f->packet_type = Limit(packet->type.place, "the packet type", packet->type.value, 0, 7);
}

uint32_t Lowering::Burst(const Attributes& attributes) const {
  const auto found = attributes.find("burst_length");
  const uint32_t largest = device_->generation == 4 ? 3 : 2;
  if (found == attributes.end() || found->second.number == 0) return largest;
  for (uint32_t n = 0; n <= largest; ++n) {
    if (found->second.number == int64_t{64} << n) return n;
  }
  text_->Fail(found->second.place,
              fmt::format("the burst length is {}: legal are 0 for the largest, 64, 128, 256{}",
                          found->second.number, largest == 3 ? ", 512" : ""));
}

// The address of a host argument goes into a descriptor when the sequence runs.
void Lowering::Patch(Place place, TileRef tile, uint32_t bd, const Value& buffer, int64_t bytes) {
  if (bytes % 4 != 0) {
    text_->Fail(place,
                fmt::format("the offset is {}: legal is a multiple of 4", Counted(bytes, "byte")));
  }
  Limit(place, "the offset in bytes", bytes, 0, 0xffffffff);
  program_.Patch(DescriptorAddress(*device_, tile, bd) + 4, static_cast<uint32_t>(buffer.number),
                 static_cast<uint32_t>(bytes));
}

void Lowering::Copy(const Memcpy& copy) {
  const Allocation& at = copy.allocation;
  if (copy.buffer.kind != Value::Kind::kArgument) {
    text_->Fail(copy.place,
                "the memory of a copy is no argument: legal is an argument of the sequence");
  }
  CheckTile(copy.place, at.tile);
  if (device_->KindOf(at.tile.row) != TileKind::kShim) {
    text_->Fail(copy.place,
                fmt::format("a copy by the tile in row {}: legal is a shim, row 0", at.tile.row));
  }
  const uint32_t bits = copy.buffer.shape.bits;
  const uint32_t bd = Need(copy.place, copy.attributes, "id", 0, 15);
  Pattern pattern;
  int64_t offset = 0;
  for (size_t k = 0; k < 4; ++k) {
    pattern.sizes.push_back(copy.sizes[3 - k]);
    pattern.strides.push_back(copy.strides[3 - k]);
    const Number& start = copy.offsets[3 - k];
    Limit(start.place, fmt::format("the offset of dimension {}", k), start.value, 0,
          int64_t{1} << 40);
    const int64_t stride = pattern.strides[k].value;
    if (stride > 0 && start.value > (int64_t{1} << 44) / stride)
      Limit(start.place, "the offset in elements", start.value, 0, (int64_t{1} << 44) / stride);
    offset += start.value * stride;
  }
  const int64_t elements = copy.buffer.shape.Elements();
  if (bits != 0 && elements >= 0 && elements * bits < 32) {
    text_->Fail(copy.place, fmt::format("a buffer of {}: legal are 32 or more",
                                        Counted(elements * bits, "bit")));
  }
  for (const char* pad : {"d0_zero_before", "d1_zero_before", "d2_zero_before", "d0_zero_after",
                          "d1_zero_after", "d2_zero_after"}) {
    Get(copy.attributes, pad, 0, 0, 0);  // a shim has no padding
  }
  BdFields fields;
  fields.burst = Burst(copy.attributes);
  PacketOf(copy.packet, &fields);
  Fill(copy.place, TileKind::kShim, bits, pattern, true, &fields);
  int64_t last = offset;
  for (size_t k = 0; k < 4; ++k) {
    last += (pattern.sizes[k].value - 1) * pattern.strides[k].value;
  }
  if (elements >= 0 && last >= elements) {
    text_->Fail(copy.place, fmt::format("the last element of the copy is {}: legal is below {}, "
                                        "the elements of its memref",
                                        last, elements));
  }
  const auto token = copy.attributes.find("issue_token");
  const bool wanted = token != copy.attributes.end() && token->second.number != 0;
  program_.Block(DescriptorAddress(*device_, at.tile, bd), Encode(TileKind::kShim, fields));
  if (offset * bits % 8 != 0) {
    text_->Fail(copy.offsets[3].place, fmt::format("the offset is {}: legal is a multiple of 32",
                                                   Counted(offset * bits, "bit")));
  }
  Patch(copy.offsets[3].place, at.tile, bd, copy.buffer, offset * bits / 8);
  Push(copy.place, at.tile, at.to_stream, at.channel, {bd, copy.place},
       {pattern.sizes[3].value - 1, pattern.sizes[3].place}, !at.to_stream || wanted);
}

void Lowering::Push(Place place, TileRef tile, bool to_stream, uint32_t channel, Number bd,
                    Number repeat, bool token) {
  CheckTile(place, tile);
  Limit(place, "the channel", channel, 0, int64_t{device_->ChannelsOf(tile.row)} - 1);
  const bool memory = device_->KindOf(tile.row) == TileKind::kMemory;
  const uint32_t id = Limit(bd.place, "the descriptor", bd.value, 0, memory ? 47 : 15);
  const uint32_t times = Limit(repeat.place, "the repeat count", repeat.value, 0, 255);
  const uint32_t control = ControlAddress(*device_, tile, to_stream, channel);
  for (const auto& [where, controller] : device_->controllers) {
    if (token && where == driver::npu::AddressOf(tile.column, tile.row, 0)) {
      program_.MaskWrite(control, controller << 8,
                         device_->KindOf(tile.row) == TileKind::kShim ? 0x0f00 : 0x1f00);
    }
  }
  program_.Write(control + 4, id | times << 16 | (token ? 1u << 31 : 0));
}

void Lowering::Sync(Place place, const std::array<int64_t, 6>& v) {
  const uint32_t columns = Limit(place, "column_num", v[4], 1, device_->columns);
  const uint32_t rows = Limit(place, "row_num", v[5], 1, device_->rows);
  const uint32_t column = Limit(place, "column", v[0], 0, int64_t{device_->columns} - columns);
  const uint32_t row = Limit(place, "row", v[1], 0, int64_t{device_->rows} - rows);
  const uint32_t direction = Limit(place, "direction", v[2], 0, 1);
  uint32_t channels = 6;
  for (uint32_t n = 0; n < rows; ++n) channels = std::min(channels, device_->ChannelsOf(row + n));
  const uint32_t channel = Limit(place, "channel", v[3], 0, int64_t{channels} - 1);
  program_.Sync(column, row, direction != 0, channel, columns, rows);
}

void Lowering::WriteBd(Place place, const Attributes& a) {
  const auto need = [&](const char* name, int64_t most) { return Need(place, a, name, 0, most); };
  const TileRef tile{need("column", int64_t{device_->columns} - 1),
                     need("row", int64_t{device_->rows} - 1)};
  const TileKind kind = device_->KindOf(tile.row);
  const bool memory = kind == TileKind::kMemory, shim = kind == TileKind::kShim;
  const int64_t step = int64_t{MostStep(kind)} - 1, wrap = MostWrap(kind);
  BdFields f;
  const uint32_t bd = need("bd_id", memory ? 47 : 15);
  f.length = need("buffer_length", MostLength(kind));
  // The address field as the public compiler fills it: bytes, but words in a memory tile.
  f.base = need("buffer_offset", shim ? 0xffffffff : memory ? 0x7ffff : 0xffff);
  if (memory) f.base *= 4;
  f.packet = need("enable_packet", 1) != 0;
  f.out_of_order = need("out_of_order_id", 63);
  f.packet_id = need("packet_id", 31);
  f.packet_type = need("packet_type", 7);
  f.wrap = {need("d0_size", wrap), need("d1_size", wrap),
            Get(a, "d2_size", 0, memory ? wrap : 0, 0)};
  f.step = {need("d0_stride", step), need("d1_stride", step), need("d2_stride", step),
            Get(a, "d3_stride", 0, memory ? step : 0, 0)};
  f.iteration_current = need("iteration_current", 63);
  f.iteration_size = need("iteration_size", 63);
  f.iteration_step = need("iteration_stride", step);
  f.next = need("next_bd", memory ? 47 : 15);
  f.use_next = need("use_next_bd", 1) != 0;
  f.valid = need("valid_bd", 1) != 0;
  f.release_value = static_cast<int32_t>(Need(place, a, "lock_rel_val", -64, 127));
  f.release_lock = need("lock_rel_id", memory ? 191 : 15);
  f.acquire = need("lock_acq_enable", 1) != 0;
  f.acquire_value = static_cast<int32_t>(Need(place, a, "lock_acq_val", -64, 127));
  f.acquire_lock = need("lock_acq_id", memory ? 191 : 15);
  f.before = {need("d0_zero_before", memory ? 63 : 0), need("d1_zero_before", memory ? 31 : 0),
              need("d2_zero_before", memory ? 15 : 0)};
  f.after = {need("d0_zero_after", memory ? 63 : 0), need("d1_zero_after", memory ? 31 : 0),
             need("d2_zero_after", memory ? 15 : 0)};
  if (shim) {
    f.burst = Burst(a);
  } else {
    Get(a, "burst_length", 0, 0, 0);
  }
  program_.Block(DescriptorAddress(*device_, tile, bd), Encode(kind, f));
}

}  // namespace tessera::seq
