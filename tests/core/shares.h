// Shares of a port by weight, of readers and of writers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tb/model/transfer.h"

namespace tessera {

// All channels keep asking for 10,000 beats, with rows of 5 words in every second channel and of 16
// in the others: no share differs by more than 2 % from that due to the channel's weight, and the
// port is busy. `bench` has a channel for each weight, `queue` gives it a transfer.
template <typename Bench>
void ExpectSharesByWeight(Bench* bench, const std::vector<int>& weights, int bytes,
                          const std::function<void(int channel, const model::Transfer&)>& queue) {
  int all = 0;
  for (size_t c = 0; c < weights.size(); ++c) {
    bench->Weight(static_cast<int>(c), weights[c]);
    all += weights[c];
    model::Transfer t;
    t.base = 0x1000000 * (c + 1);
    t.count = {static_cast<uint32_t>(bytes) * (c % 2 == 0 ? 16 : 5), 4000, 1, 1};
    t.stride = {1, 4096, 0, 0};
    queue(static_cast<int>(c), t);
  }
  EXPECT_EQ(bench->Cycles(3000), "");
  std::vector<uint64_t> from;
  for (size_t c = 0; c < weights.size(); ++c) from.push_back(bench->beats(static_cast<int>(c)));
  EXPECT_EQ(bench->Cycles(10000), "");
  std::vector<double> got;
  double total = 0;
  for (size_t c = 0; c < weights.size(); ++c) {
    got.push_back(static_cast<double>(bench->beats(static_cast<int>(c)) - from[c]));
    total += got[c];
  }
  EXPECT_GE(total / 10000, 0.97);
  for (size_t c = 0; c < weights.size(); ++c) {
    const double due = total * weights[c] / all;
    EXPECT_LE(std::abs(got[c] - due) * 100 / due, 2) << "channel " << c;
  }
}

inline const std::vector<std::vector<int>>& SomeWeights() {
  static const std::vector<std::vector<int>> weights = {
      {1, 1, 1, 1}, {1, 1}, {3, 3, 3}, {3, 1}, {1, 3}, {15, 1}, {1, 2, 4, 8}, {5, 1, 1, 1}};
  return weights;
}

}  // namespace tessera
