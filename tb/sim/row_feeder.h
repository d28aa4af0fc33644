// The rows of a descriptor that differ from those of the one before, the last one with the
// transfer's begin.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "pins/types.h"
#include "tb/sim/bus_data.h"
#include "tb/sim/descriptor.h"

namespace tessera {

struct Row {
  rtl::DescriptorArea area = rtl::DescriptorArea::kBase;
  int number = 0;
  bool go = false, task_end = false;
  BusData data{};
};

class RowFeeder {
 public:
  // The next row of the transfer that is offered.
  Row Next(const EngineTransfer& transfer) {
    row_ = {};
    if (transfer.bounds && Differs(rtl::DescriptorArea::kBounds, *transfer.bounds, 4)) return row_;
    if (transfer.walk && Differs(rtl::DescriptorArea::kWalk, *transfer.walk, 3)) return row_;
    if (Differs(rtl::DescriptorArea::kBase, transfer.base, 3)) return row_;
    Put(rtl::DescriptorArea::kBase, transfer.base, 3);
    row_.go = true;
    row_.task_end = transfer.task_end;
    return row_;
  }
  // It was.
  void Taken() {
    known_[static_cast<size_t>(row_.area)][static_cast<size_t>(row_.number)] = words_;
  }

 private:
  using Words = std::array<uint32_t, 4>;

  bool Differs(rtl::DescriptorArea area, const DescriptorWords& words, int rows) {
    for (int n = 0; n < rows; ++n) {
      Put(area, words, n);
      if (known_[static_cast<size_t>(area)][static_cast<size_t>(n)] != words_) return true;
    }
    return false;
  }
  void Put(rtl::DescriptorArea area, const DescriptorWords& words, int number) {
    row_.area = area;
    row_.number = number;
    std::memcpy(words_.data(), words.data() + 4 * number, sizeof words_);
    std::memcpy(row_.data.data(), words_.data(), sizeof words_);
  }

  Row row_;
  Words words_{};
  std::array<std::array<std::optional<Words>, 4>, 3> known_;  // rows, as they were written last
};

}  // namespace tessera
