// Lists as bytes and as transfers of the norm.
#include "tb/mover4d/mover_list.h"

namespace tessera {
namespace {

void Put(std::vector<uint8_t>* bytes, uint64_t value, int count) {
  for (int n = 0; n < count; ++n) bytes->push_back(static_cast<uint8_t>(value >> (8 * n)));
}

// What all descriptors of a list have in common.
model::Transfer Common(size_t index, size_t count, uint64_t base, int element, MoverLast last) {
  model::Transfer transfer;
  transfer.elem = element;
  transfer.base = base;
  transfer.task_end = index + 1 == count;
  transfer.join_next =
      !transfer.task_end && (last == MoverLast::kNever || last == MoverLast::kList);
  switch (last) {
    case MoverLast::kNever:
      transfer.last_rule = model::LastRule::kNever;
      break;
    case MoverLast::kList:
      transfer.last_rule = model::LastRule::kTask;
      break;
    case MoverLast::kDescriptor:
      transfer.last_rule = model::LastRule::kTransfer;
      break;
    case MoverLast::kRow:
      transfer.last_rule = model::LastRule::kLevel;
      break;
  }
  return transfer;
}

}  // namespace

std::vector<uint8_t> Packed(std::span<const Cuboid> list) {
  std::vector<uint8_t> bytes;
  Put(&bytes, list.size(), 8);
  for (const Cuboid& cuboid : list) {
    Put(&bytes, static_cast<uint64_t>(cuboid.bias), 8);
    for (size_t d = 0; d < 4; ++d) {
      Put(&bytes, static_cast<uint64_t>(cuboid.stride[d]), 8);
      Put(&bytes, cuboid.size[d], 8);
    }
  }
  return bytes;
}

std::vector<uint8_t> Packed(std::span<const Pattern> list) {
  std::vector<uint8_t> bytes;
  Put(&bytes, list.size(), 8);
  for (const Pattern& pattern : list) {
    for (const uint32_t word : pattern.buffer) Put(&bytes, word, 4);
    for (const int32_t word : pattern.offset) Put(&bytes, static_cast<uint32_t>(word), 4);
    for (const uint32_t word : pattern.tiling) Put(&bytes, word, 4);
    for (const uint32_t word : pattern.order) Put(&bytes, word, 4);
    for (const int32_t word : pattern.step) Put(&bytes, static_cast<uint32_t>(word), 4);
    for (const uint32_t word : pattern.wrap) Put(&bytes, word, 4);
  }
  return bytes;
}

std::vector<model::Transfer> Transfers(std::span<const Cuboid> list, uint64_t base, int element,
                                       MoverLast last) {
  std::vector<model::Transfer> transfers;
  for (const Cuboid& cuboid : list) {
    model::Transfer transfer = Common(transfers.size(), list.size(), base, element, last);
    transfer.base += static_cast<uint64_t>(cuboid.bias * element);
    for (size_t d = 0; d < 4; ++d) {
      transfer.count[d] = static_cast<uint32_t>(cuboid.size[d]);
      transfer.stride[d] = cuboid.stride[d] * element;
    }
    transfers.push_back(transfer);
  }
  return transfers;
}

std::vector<model::Transfer> Transfers(std::span<const Pattern> list, uint64_t base, int element,
                                       MoverLast last) {
  std::vector<model::Transfer> transfers;
  for (const Pattern& pattern : list) {
    model::Transfer transfer = Common(transfers.size(), list.size(), base, element, last);
    int64_t stride = element;
    for (size_t d = 0; d < 4; ++d) {
      transfer.count[d] = pattern.tiling[d];
      transfer.start[d] = pattern.offset[d];
      transfer.stride[d] = stride;
      stride *= pattern.buffer[d];
      const size_t dim = pattern.order[d];
      transfer.walk[d] = model::WalkLevel{
          .dim = static_cast<int>(dim), .step = pattern.step[dim], .count = pattern.wrap[dim]};
    }
    transfers.push_back(transfer);
  }
  return transfers;
}

}  // namespace tessera
