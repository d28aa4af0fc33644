// See sample.h. The names of bins here are those of tests/plan/plan.json.
#include "tb/cover/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "tb/check/encode.h"
#include "tb/model/walk.h"
#include "tb/sim/lanes.h"

namespace tessera {
namespace {

using model::Transfer;

constexpr uint64_t kPage = 4096;

// One transfer of one direction ("read", "write").
class TransferBins {
 public:
  TransferBins(const std::string& way, const Transfer& transfer, const model::Build& build,
               Bins* bins)
      : way_(way), t_(transfer), build_(build), bins_(bins) {}

  void Sample() {
    if (model::IsRefused(t_, build_)) return Refused();
    if (model::IsEmpty(t_)) return Empty();
    bins_->Hit("field.elem", fmt::format("{} of {}", way_, t_.elem));
    for (size_t d = 0; d < model::kDims; ++d) Dimension(d);
    Traversal();
    Length();
    Fill();
    if (t_.offset != 0) bins_->Hit("field.offset", way_);
  }

 private:
  void Hit(const char* item, const std::string& bin) { bins_->Hit(item, way_ + " " + bin); }

  void Refused() {
    if (t_.has_walk() && !build_.walk) Hit("illegal.refused", "traversal");
    if (t_.elem > build_.data_bytes) Hit("illegal.refused", "element wider than the bus");
    for (const auto& bound : t_.bound) {
      if (bound && !build_.bounds) Hit("illegal.refused", "bound");
      if (bound && *bound > model::kMaxBound) Hit("illegal.refused", "bound above 2**31");
    }
  }

  void Empty() {
    for (size_t d = 0; d < model::kDims; ++d) {
      if (t_.count[d] == 0) Hit("empty.count-zero", fmt::format("count {}", d));
    }
    if (t_.length == 0u) Hit("empty.count-zero", "length");
    for (const auto& level : t_.walk) {
      if (level && level->count == 0) Hit("empty.count-zero", "traversal");
    }
  }

  void Dimension(size_t d) {
    const std::string dimension = fmt::format("dimension {}", d);
    if (t_.start[d] > 0) Hit("field.start", dimension + " positive");
    if (t_.start[d] < 0) Hit("field.start", dimension + " negative");
    if (t_.bound[d]) {
      const uint32_t bound = *t_.bound[d];
      if (bound == 0) Hit("field.bound", "of 0");
      if (bound == 1) Hit("field.bound", "of 1");
      if (bound == model::kMaxBound) Hit("field.bound", "of 2**31");
      Hit("field.bound", dimension);
    }
    if (t_.count[d] == 1) return;
    Hit("field.count", dimension);
    const int64_t stride = t_.stride[d];
    if (stride == 0) return Hit("field.stride.zero", dimension);
    Hit("field.stride", dimension + (stride < 0 ? " negative" : " positive"));
    if (std::abs(stride) < t_.elem) Hit("field.stride", "below the element");
    if (std::abs(stride) >= static_cast<int64_t>(kPage)) Hit("field.stride", "of a page and more");
  }

  void Traversal() {
    std::array<int, model::kDims> levels{};
    for (size_t k = 0; k < model::kWalkLevels; ++k) {
      if (!t_.walk[k]) continue;
      Hit("field.walk", fmt::format("level {}", k));
      Hit("field.walk", t_.walk[k]->step < 0 ? "negative step" : "positive step");
      ++levels[static_cast<size_t>(t_.walk[k]->dim)];
    }
    for (const int count : levels) {
      if (count > 1) Hit("field.walk", "several levels on one dimension");
    }
    if (t_.has_walk() && t_.length) Hit("length.cuts-with-traversal", "length and traversal");
  }

  void Length() {
    if (!t_.length) return Hit("field.length", "absent");
    Transfer whole = t_;
    whole.length.reset();
    const uint64_t product = model::Positions(whole);
    Hit("field.length", *t_.length < product    ? "shorter"
                        : *t_.length == product ? "exact"
                                                : "longer");
    if (*t_.length > product && !t_.has_walk()) Hit("length.steps-on", "past the product");
  }

  void Fill() {
    bool first = true, seen = false, before = false;
    model::Walk(t_, build_, [&](const model::Position& p) {
      if (!first && p.valid != before) Hit("order.valid", p.valid ? "enters" : "leaves");
      if (!p.valid) seen = true;
      before = p.valid;
      first = false;
      return p.index < 4096;  // enough to tell
    });
    if (seen) Hit("field.fill", fmt::format("element of {}", t_.elem));
  }

  std::string way_;
  const Transfer& t_;
  const model::Build& build_;
  Bins* bins_;
};

void SampleRead(const Transfer& t, const model::Build& build, Bins* bins) {
  if (model::IsRefused(t, build)) return;
  const char* kind = model::IsEmpty(t) ? "empty" : "with data";
  switch (t.last_rule) {
    case model::LastRule::kNever:
      bins->Hit("tlast.never", kind);
      break;
    case model::LastRule::kTransfer:
      bins->Hit("tlast.transfer", kind);
      break;
    case model::LastRule::kTask:
      bins->Hit("tlast.task", fmt::format("{}{}", kind, t.task_end ? " at the end" : ""));
      break;
    case model::LastRule::kLevel:
      bins->Hit("tlast.level", fmt::format("level {}", t.last_level));
      break;
  }
  if (t.joins()) bins->Hit("stream.join", kind);
  if (t.join_next && t.task_end) bins->Hit("stream.task-end-flushes", kind);
}

void SampleRecord(const char* way, const rtl::Done& done, Bins* bins) {
  const auto hit = [&](uint8_t status, const char* item, const char* bin) {
    if ((done.status & status) != 0) bins->Hit(item, bin);
  };
  const bool read = way[0] == 'r';
  hit(rtl::Status::kSlverr, read ? "error.read" : "error.write", "slverr");
  hit(rtl::Status::kDecerr, read ? "error.read" : "error.write", "decerr");
  hit(rtl::Status::kOverlong, "finish.overlong", "overlong");
  hit(rtl::Status::kPartialElement, "finish.partial-element", "partial element");
  hit(rtl::Status::kSparseKeep, "finish.sparse-keep", "sparse keep");
  hit(rtl::Status::kAborted, read ? "abort.read" : "abort.write",
      done.bytes == 0 ? "before any byte" : "in the middle");
}

}  // namespace

void PinBins::Burst(const Config& config, std::string_view channel, uint64_t addr, int len) {
  const int beats = len + 1;
  bins_->Hit("burst.merge", fmt::format("{} of {}", channel,
                                        beats == 1                  ? "1"
                                        : beats == config.max_burst ? "the most"
                                        : beats < 16                ? "2 to 15"
                                                                    : "16 and more"));
  const uint64_t bytes = static_cast<uint64_t>(beats * config.data_bytes);
  if ((addr + bytes) % kPage == 0) bins_->Hit("burst.4k", fmt::format("{} ends a page", channel));
  if (addr % kPage == 0) bins_->Hit("burst.4k", fmt::format("{} begins a page", channel));
}

void PinBins::Streams(const Config& config, const PairPorts& pins) {
  if (pins.m_axis.waits()) bins_->Hit("stream.back-pressure", "the sink stalls");
  if (pins.s_axis.waits()) bins_->Hit("stream.back-pressure", "the engine stalls");
  if (pins.m_axis.moves()) {
    const bool full = pins.m_axis->keep == FirstLanes(config.stream_bytes);
    bins_->Hit("stream.end-of-beat", fmt::format("{}{}",
                                                 NoLanes(pins.m_axis->keep) ? "null"
                                                 : full                     ? "full"
                                                                            : "partial",
                                                 pins.m_axis->last ? " with TLAST" : ""));
  }
  if (pins.s_axis.moves()) {
    const bool none = NoLanes(pins.s_axis->keep);
    const bool contiguous = ContiguousFromZero(pins.s_axis->keep);
    bins_->Hit("finish.null-bytes",
               fmt::format("{}{}",
                           none                                                   ? "null"
                           : pins.s_axis->keep == FirstLanes(config.stream_bytes) ? "full"
                           : contiguous                                           ? "contiguous"
                                                                                  : "sparse",
                           pins.s_axis->last ? " with TLAST" : ""));
  }
}

void PinBins::OnCycle(EngineBench& bench, const Tick& tick) {
  if (tick.reset) return;
  const Config& config = bench.dut().config();
  const PairPorts& pins = bench.dut();
  if (pins.axi.ar.moves()) Burst(config, "read", pins.axi.ar->addr, pins.axi.ar->len);
  if (pins.axi.aw.moves()) Burst(config, "write", pins.axi.aw->addr, pins.axi.aw->len);
  Streams(config, pins);
  const auto limit = static_cast<size_t>(config.outstanding);
  if (bench.axi_monitor().open_reads() == limit)
    bins_->Hit("deadlock.one-at-a-time", "all read bursts open");
  if (bench.axi_monitor().open_writes() >= limit)
    bins_->Hit("deadlock.one-at-a-time", "all write bursts open");
  if (!pins.read.idle && !pins.write.idle)
    bins_->Hit("deadlock.one-at-a-time", "both engines at work");
  if (pins.axi.r.waits()) bins_->Hit("stream.back-pressure", "read data wait");
  if (pins.axi.w.waits()) bins_->Hit("stream.back-pressure", "write data wait");
  if (pins.read.done.waits()) bins_->Hit("record.order", "a read's record waits");
  if (pins.write.done.waits()) bins_->Hit("record.order", "a write's record waits");
}

void SampleCase(const Case& value, const EngineBench& bench, Bins* bins) {
  const model::Build build = BuildOf(bench.dut().config());
  for (const Transfer& t : value.reads) {
    TransferBins("read", t, build, bins).Sample();
    SampleRead(t, build, bins);
  }
  for (const Transfer& t : value.writes) {
    TransferBins("write", t, build, bins).Sample();
    if (model::IsRefused(t, build) || model::IsEmpty(t)) continue;
    bins->Hit(t.finish == model::Finish::kLast ? "finish.last" : "finish.length", "with data");
  }
  for (const JobResult& job : bench.reads()) {
    if (job.state == JobResult::State::kDone) SampleRecord("read", job.record, bins);
    if (job.state == JobResult::State::kLost) bins->Hit("reset.middle", "a read is lost");
  }
  for (const JobResult& job : bench.writes()) {
    if (job.state == JobResult::State::kDone) SampleRecord("write", job.record, bins);
    if (job.state == JobResult::State::kLost) bins->Hit("reset.middle", "a write is lost");
  }
  bins->Hit("deadlock.one-at-a-time", std::string(NameOf(value.memory.service)));
  bins->Hit("write.address-and-data", std::string(NameOf(value.memory.write_order)));
}

}  // namespace tessera
