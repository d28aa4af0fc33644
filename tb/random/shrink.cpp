// Proposes ever simpler cases; see shrink.h.
#include "tb/random/shrink.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace tessera {
namespace {

using model::Transfer;
using Change = std::function<void(Case*)>;
using List = std::vector<Transfer> Case::*;
using Pace = PacerSpec Case::*;

using Aborts = std::vector<uint64_t> Case::*;

constexpr List kLists[] = {&Case::reads, &Case::writes};
constexpr Pace kPacers[] = {&Case::source,    &Case::sink,        &Case::read_offer,
                            &Case::read_take, &Case::write_offer, &Case::write_take};
constexpr PacerSpec AxiMemoryOptions::*kBusPacers[] = {&AxiMemoryOptions::ar, &AxiMemoryOptions::r,
                                                       &AxiMemoryOptions::aw, &AxiMemoryOptions::w,
                                                       &AxiMemoryOptions::b};

constexpr Aborts kAborts[] = {&Case::abort_read, &Case::abort_write};

template <typename T>
void Cut(std::vector<T>* list, size_t first, size_t count) {
  const auto from = list->begin() + static_cast<std::ptrdiff_t>(std::min(first, list->size()));
  list->erase(from, from + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(count),
                                                    list->end() - from));
}

// Smaller numbers than `value`, the boldest first.
std::vector<uint64_t> Smaller(uint64_t value, uint64_t least) {
  std::vector<uint64_t> all;
  for (uint64_t candidate : {least, value / 2, value - 1}) {
    if (candidate >= least && candidate < value &&
        std::find(all.begin(), all.end(), candidate) == all.end()) {
      all.push_back(candidate);
    }
  }
  return all;
}

// Every list loses a stretch: halves, quarters, ... single entries.
void Removals(const Case& value, std::vector<Change>* changes) {
  for (const List list : kLists) {
    for (size_t size = std::bit_ceil((value.*list).size()); size > 0; size /= 2) {
      for (size_t first = 0; first < (value.*list).size(); first += size) {
        changes->push_back([=](Case* c) { Cut(&(c->*list), first, size); });
      }
    }
  }
  for (size_t k = 0; k < std::min(value.reads.size(), value.writes.size());
       ++k) {  // pairs of a loopback
    changes->push_back([=](Case* c) {
      Cut(&c->reads, k, 1);
      Cut(&c->writes, k, 1);
    });
  }
  for (size_t size = std::bit_ceil(value.stream.size()); size > 0; size /= 2) {
    for (size_t first = 0; first < value.stream.size(); first += size) {
      changes->push_back([=](Case* c) { Cut(&c->stream, first, size); });
    }
  }
  for (size_t n = 0; n < value.read_errors.size(); ++n) {
    changes->push_back([=](Case* c) { Cut(&c->read_errors, n, 1); });
  }
  for (size_t n = 0; n < value.write_errors.size(); ++n) {
    changes->push_back([=](Case* c) { Cut(&c->write_errors, n, 1); });
  }
  for (const Aborts aborts : kAborts) {
    changes->push_back([=](Case* c) { (c->*aborts).clear(); });
    for (size_t n = 0; n < (value.*aborts).size(); ++n) {
      changes->push_back([=](Case* c) { Cut(&(c->*aborts), n, 1); });
    }
  }
  changes->push_back([](Case* c) { c->reset.reset(); });
}

void Environment(const Case& value, std::vector<Change>* changes) {
  changes->push_back([](Case* c) { c->memory = {}; });
  changes->push_back([](Case* c) {
    for (const Pace pacer : kPacers) c->*pacer = {};
  });
  for (const Pace pacer : kPacers) changes->push_back([=](Case* c) { c->*pacer = {}; });
  for (const auto pacer : kBusPacers) changes->push_back([=](Case* c) { c->memory.*pacer = {}; });
  changes->push_back([](Case* c) { c->sink_after_valid = false; });
  changes->push_back([](Case* c) { c->shape = {}; });
  changes->push_back([](Case* c) { c->shape.null = 0; });
  changes->push_back([](Case* c) { c->shape.sparse = 0; });
  changes->push_back([](Case* c) { c->shape.partial = 0; });
  changes->push_back([](Case* c) { c->memory.service = {}; });
  changes->push_back([](Case* c) { c->memory.write_order = {}; });
  changes->push_back([](Case* c) { c->memory.max_reads = c->memory.max_writes = 64; });
  changes->push_back([](Case* c) { c->memory.latency_min = c->memory.latency_max = 1; });
  changes->push_back([](Case* c) { c->memory.latency_max = c->memory.latency_min; });
  for (const Aborts aborts : kAborts) {
    for (size_t n = 0; n < (value.*aborts).size(); ++n) {
      const uint64_t least = n == 0 ? 5 : (value.*aborts)[n - 1] + 1;
      for (uint64_t cycle : Smaller((value.*aborts)[n], least)) {
        changes->push_back([=](Case* c) { (c->*aborts)[n] = cycle; });
      }
    }
  }
  if (value.reset) {
    for (uint64_t cycle : Smaller(*value.reset, 5)) {
      changes->push_back([=](Case* c) { c->reset = cycle; });
    }
  }
  for (size_t n = 0; n < value.stream.size(); ++n) {
    for (uint64_t bytes : Smaller(value.stream[n].bytes, 0)) {
      changes->push_back([=](Case* c) { c->stream[n].bytes = bytes; });
    }
    changes->push_back([=](Case* c) { c->stream[n].end = PieceEnd::kLast; });
  }
}

void Features(const Transfer& t, std::vector<std::function<void(Transfer*)>>* changes) {
  changes->push_back([](Transfer* u) { u->walk = {}; });
  changes->push_back([](Transfer* u) { u->bound = {}; });
  changes->push_back([](Transfer* u) { u->start = {}; });
  changes->push_back([](Transfer* u) { u->length.reset(); });
  changes->push_back([](Transfer* u) { u->offset = 0; });
  changes->push_back([](Transfer* u) { u->fill = 0; });
  changes->push_back([](Transfer* u) { u->join_next = false; });
  changes->push_back([](Transfer* u) { u->task_end = false; });
  changes->push_back([](Transfer* u) { u->last_rule = model::LastRule::kTransfer; });
  changes->push_back([](Transfer* u) { u->last_level = 0; });
  changes->push_back([](Transfer* u) { u->finish = model::Finish::kLength; });
  changes->push_back([](Transfer* u) { u->elem = 1; });
  changes->push_back([](Transfer* u) { u->elem = std::max(1, u->elem / 2); });
  for (size_t n = 0; n < model::kDims; ++n) {
    changes->push_back([=](Transfer* u) { u->walk[n].reset(); });
    changes->push_back([=](Transfer* u) { u->bound[n].reset(); });
    changes->push_back([=](Transfer* u) { u->start[n] = 0; });
    changes->push_back([=](Transfer* u) { u->stride[n] = 0; });
    changes->push_back([=](Transfer* u) { u->stride[n] = u->elem; });
    for (uint64_t count : Smaller(t.count[n], 1)) {
      changes->push_back([=](Transfer* u) { u->count[n] = static_cast<uint32_t>(count); });
    }
    if (!t.walk[n]) continue;
    for (uint64_t count : Smaller(t.walk[n]->count, 1)) {
      changes->push_back([=](Transfer* u) { u->walk[n]->count = static_cast<uint32_t>(count); });
    }
    changes->push_back([=](Transfer* u) { u->walk[n]->step = 1; });
    changes->push_back([=](Transfer* u) { u->walk[n]->dim = 0; });
  }
  if (t.length) {
    for (uint64_t length : Smaller(*t.length, 1)) {
      changes->push_back([=](Transfer* u) { u->length = static_cast<uint32_t>(length); });
    }
  }
  for (uint64_t low : {uint64_t{0xFFFF}, uint64_t{0xFFF}, uint64_t{0x3F}, uint64_t{7}}) {
    changes->push_back([=](Transfer* u) { u->base &= ~low; });
  }
}

std::vector<Change> Proposals(const Case& value) {
  std::vector<Change> changes;
  Removals(value, &changes);
  Environment(value, &changes);
  for (const List list : kLists) {
    for (size_t k = 0; k < (value.*list).size(); ++k) {
      std::vector<std::function<void(Transfer*)>> features;
      Features((value.*list)[k], &features);
      for (auto& feature : features) {
        changes.push_back([=](Case* c) { feature(&(c->*list)[k]); });
      }
    }
  }
  return changes;
}

uint64_t Bits(uint64_t value) { return static_cast<uint64_t>(std::popcount(value)); }
uint64_t Magnitude(int64_t value) {
  return Bits(static_cast<uint64_t>(value < 0 ? -value : value)) + (value < 0 ? 1 : 0);
}

// A whole transfer outweighs whatever happens inside another.
uint64_t Weight(const Transfer& t) {
  uint64_t weight =
      5000 + static_cast<uint64_t>(t.elem) + Bits(t.base) + Bits(t.offset) + Bits(t.fill);
  for (size_t n = 0; n < model::kDims; ++n) {
    weight += std::min<uint64_t>(t.count[n], 1000) + Magnitude(t.start[n]);
    weight += t.stride[n] == 0 ? 0 : 2 + Magnitude(t.stride[n]);
    weight += t.bound[n] ? 20 : 0;
    if (!t.walk[n]) continue;
    weight += 20 + std::min<uint64_t>(t.walk[n]->count, 1000) + Magnitude(t.walk[n]->step) +
              static_cast<uint64_t>(t.walk[n]->dim);
  }
  weight += t.length ? 20 + std::min<uint64_t>(*t.length, 1000) : 0;
  weight += (t.join_next ? 5u : 0u) + (t.task_end ? 5u : 0u) + static_cast<uint64_t>(t.last_level);
  weight += (t.last_rule == model::LastRule::kTransfer ? 0u : 5u) +
            (t.finish == model::Finish::kLength ? 0u : 5u);
  return weight;
}

}  // namespace

uint64_t Weight(const Case& value) {
  uint64_t weight = 0;
  for (const List list : kLists) {
    for (const Transfer& t : value.*list) weight += Weight(t);
  }
  for (const StreamPiece& piece : value.stream) {
    weight += 20 + std::min<uint64_t>(piece.bytes, 1000) + (piece.end == PieceEnd::kLast ? 0 : 3);
  }
  const auto pace = [&](const PacerSpec& pacer) { weight += pacer == PacerSpec{} ? 0 : 50; };
  for (const Pace pacer : kPacers) pace(value.*pacer);
  for (const auto pacer : kBusPacers) pace(value.memory.*pacer);
  weight += value.sink_after_valid ? 50 : 0;
  weight += (value.shape.null > 0 ? 50u : 0u) + (value.shape.sparse > 0 ? 50u : 0u) +
            (value.shape.partial > 0 ? 50u : 0u);
  weight += value.memory.service == AxiMemoryOptions{}.service ? 0 : 50;
  weight += value.memory.write_order == AxiMemoryOptions{}.write_order ? 0 : 50;
  weight += (value.memory.max_reads == 64 ? 0u : 50u) + (value.memory.max_writes == 64 ? 0u : 50u);
  weight += value.memory.latency_min + value.memory.latency_max;
  weight += 100 * (value.read_errors.size() + value.write_errors.size());
  for (const Aborts aborts : kAborts) {
    for (const uint64_t cycle : value.*aborts) weight += 100 + cycle;
  }
  weight += value.reset ? 100 + *value.reset : 0;
  return weight;
}

ShrinkResult Shrink(const Case& failing, const std::function<bool(const Case&)>& fails,
                    const ShrinkOptions& options) {
  ShrinkResult result{failing, 0, 0};
  uint64_t weight = Weight(failing);
  for (bool progress = true; progress;) {
    progress = false;
    // A change that was kept changes what can be proposed; go on where it was, then start over.
    std::vector<Change> changes = Proposals(result.smallest);
    for (size_t n = 0; n < changes.size() && result.tried < options.most_runs; ++n) {
      Case candidate = result.smallest;
      changes[n](&candidate);
      if (!options.repair(&candidate) || Weight(candidate) >= weight) continue;
      ++result.tried;
      if (!fails(candidate)) continue;
      result.smallest = std::move(candidate);
      weight = Weight(result.smallest);
      ++result.kept;
      progress = true;
      options.progress(result);
      changes = Proposals(result.smallest);
    }
  }
  return result;
}

}  // namespace tessera
