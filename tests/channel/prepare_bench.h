// tsr_prepare in all builds of prepare_top.sv, with what must come out of each.
//
// A lane is one build with its own queue of descriptors. What is expected is worked out here from
// the norm's words and the encoder of the harness (tb/check/encode.h), with wide integers where the
// unit has rules of its own; docs/prepare.md has them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/model/transfer.h"
#include "tb/sim/rng.h"
#include "tb/sim/transfer.h"

namespace tessera {

using PrepareError = rtl::DescriptorError;

struct PrepareBuild {
  int addr_width, data_bytes;
  bool walk, bounds;
};
// As in prepare_top.sv.
inline constexpr std::array<PrepareBuild, 6> kPrepareBuilds = {{{32, 8, false, true},
                                                                {64, 8, true, true},
                                                                {40, 128, true, true},
                                                                {32, 4, true, false},
                                                                {64, 16, false, false},
                                                                {32, 64, true, true}}};
inline constexpr int kPrepareDigit = 16;  // DigitWidth

// A descriptor: a transfer of the model, whose `offset` is that of the iteration.
struct Descriptor {
  model::Transfer transfer;
  bool has_iteration = false;
  uint16_t turn = 0;
  int64_t iteration_step = 0;
  uint64_t noise = 0;  // what fields hold that must be ignored
  bool operator==(const Descriptor&) const = default;
};
std::string ToString(const Descriptor& descriptor);

// The descriptor_t of it.
rtl::Descriptor DescriptorOf(const Descriptor& descriptor);

struct Prepared {
  PrepareError error = PrepareError::kNone;
  rtl::Transfer transfer;  // without an error
  int cycles = 0;          // from the first cycle shown to the one taken, if there is always room
};
Prepared Expect(const Descriptor& descriptor, const PrepareBuild& build);

class PrepareBench {
 public:
  struct Options {
    double valid = 1, ready = 1, flush = 0;  // chances, a cycle
  };
  PrepareBench(uint64_t seed, const Options& options);
  ~PrepareBench();

  void Push(size_t lane, const Descriptor& descriptor);
  void PushAll(const Descriptor& descriptor);
  // Until all have come out; returns the cycles.
  uint64_t Run();
  // How many came out as expected: transfers, errors; how many were flushed, and of these at the
  // output.
  struct Counts {
    uint64_t transfers = 0, errors = 0, dropped = 0, dropped_shown = 0, withdrawn = 0;
  };
  const Counts& counts(size_t lane) const;

 private:
  struct Lane;
  class Model;
  void Show(size_t index);
  void Check(size_t index);

  Options options_;
  Rng rng_;
  std::unique_ptr<Model> model_;
  std::vector<Lane> lanes_;
  uint64_t cycle_ = 0;
};

}  // namespace tessera
