// See advice.h.
#include "tools/show/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/check/encode.h"
#include "tools/show/reach.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

using model::kDims;
using model::Transfer;

class Notes {
 public:
  explicit Notes(const Analysis& a)
      : a_(a), t_(a.subject.transfer), read_(a.subject.direction == Direction::kRead) {}

  std::vector<Note> Run() {
    if (a_.empty()) {
      Empty();
      return std::move(notes_);
    }
    Size();
    Repeats();
    Overlaps();
    Wraps();
    Bounds();
    Alignment();
    Packets();
    Length();
    return std::move(notes_);
  }

 private:
  void Add(const char* id, std::string text) { notes_.push_back({id, std::move(text)}); }

  void Empty() {
    std::string why = "length is 0";
    for (size_t d = 0; d < kDims; ++d) {
      if (t_.count[d] == 0) why = fmt::format("count[{}] is 0", d);
    }
    for (size_t k = 0; k < model::kWalkLevels; ++k) {
      if (t_.walk[k] && t_.walk[k]->count == 0) why = fmt::format("walk[{}].count is 0", k);
    }
    Add("empty", why + ": the transfer is empty, nothing is moved.");
  }

  void Size() {
    if (a_.tally.positions == kSaturated) {
      Add("huge", "The counts multiply to 2^64 positions or more: figures are not exact.");
    } else if (a_.stream_bytes >> 48 != 0) {
      Add("huge", fmt::format("{} bytes: the record counts bytes in 48 bits and wraps.",
                              Grouped(a_.stream_bytes)));
    }
    if (!a_.exact) {
      Add("estimate",
          fmt::format("Only the first {} of {} positions were counted; rows, bursts and cycles are "
                      "estimated from them.",
                      Grouped(a_.counted), Grouped(a_.tally.positions)));
    }
  }

  void Repeats() {
    for (size_t d = 0; d < kDims; ++d) {
      if (t_.stride[d] != 0 || t_.count[d] < 2) continue;
      Add("repeat", read_ ? fmt::format("stride[{}] is 0: what lies inside dimension {} is read {} "
                                        "times.",
                                        d, d, Grouped(t_.count[d]))
                          : fmt::format("stride[{}] is 0: {} elements are written to each address, "
                                        "the last one remains.",
                                        d, Grouped(t_.count[d])));
    }
    for (size_t k = 0; k < model::kWalkLevels; ++k) {
      if (!t_.walk[k] || t_.walk[k]->count < 2) continue;
      const size_t d = static_cast<size_t>(t_.walk[k]->dim);
      if (t_.walk[k]->step != 0 && t_.stride[d] != 0) continue;
      Add("repeat", fmt::format("walk[{}] does not move the address: everything inside it is {} {} "
                                "times.",
                                k, read_ ? "read" : "written", Grouped(t_.walk[k]->count)));
    }
  }

  void Overlaps() {
    if (read_ || !notes_.empty()) return;  // repeats have been told
    const Overlap overlap = FindOverlap(a_.subject);
    if (overlap == Overlap::kSome) {
      Add("overlap", "Some bytes are written more than once: the later element remains.");
    } else if (overlap == Overlap::kUnknown) {
      Add("overlap",
          "The strides let elements overlap; there are too many to try whether they do.");
    }
  }

  void Wraps() {
    const __int128 space = static_cast<__int128>(BuildOf(a_.subject.config).AddressMask()) + 1;
    if (!a_.extent.any || (a_.extent.low >= 0 && a_.extent.high < space)) return;
    const bool below = a_.extent.low < 0;
    Add("wrap", fmt::format("{} addresses reach {} the address space of {} bits and wrap{}.",
                            a_.extent.exact ? "The" : "Some",
                            below ? "below 0 of" : "past the end of", a_.subject.config.addr_width,
                            below && a_.extent.high >= space ? ", at both ends" : ""));
  }

  void Bounds() {
    if (a_.tally.data == 0) {
      Add("all-fill", read_ ? "Every position lies outside the bounds: the stream is fill, memory "
                              "is not read."
                            : "Every position lies outside the bounds: the stream is taken and "
                              "dropped, memory is not written.");
    }
  }

  void Alignment() {
    const uint64_t word = static_cast<uint64_t>(a_.subject.config.data_bytes);
    if (a_.tally.odd_rows == 0 || a_.memory_bytes == 0) return;
    const uint64_t words = a_.tally.engine.words, aligned = a_.tally.aligned_words;
    if (words - std::min(words, aligned) < words / 20 + 1) return;  // not worth a word
    Add("alignment",
        fmt::format("{} of {} with data begin{} inside a bus word of {}: {} where {} would do if "
                    "all of them began one.",
                    Grouped(a_.tally.odd_rows), Plural(a_.tally.data_rows, "row"),
                    a_.tally.odd_rows == 1 ? "s" : "", Plural(word, "byte"),
                    Plural(words, "bus word"), Grouped(aligned)));
  }

  void Packets() {
    const uint64_t width = static_cast<uint64_t>(a_.subject.config.stream_bytes);
    const uint64_t dense = CeilDivide(a_.stream_bytes, width);
    if (read_ && a_.stream_beats > dense + dense / 50) {
      Add("partial-beats",
          fmt::format(
              "TLAST after each turn of level {} ends its beat: {} stream beats for what {} "
              "could carry.",
              t_.last_level, Grouped(a_.stream_beats), Grouped(dense)));
    }
    if (!read_ && t_.finish == model::Finish::kLast && a_.subject.config.max_burst > 16) {
      Add("on-tlast", "A write that ends on TLAST has bursts of at most 16 words.");
    }
  }

  void Length() {
    if (!t_.length) return;
    Transfer whole = t_;
    whole.length.reset();
    const uint64_t product = model::Positions(whole);
    if (*t_.length < product) {
      Add("length", fmt::format("length {} cuts the transfer: its counts multiply to {}.",
                                Grouped(*t_.length), Grouped(product)));
    } else if (*t_.length > product && t_.has_walk()) {
      Add("length", fmt::format("length {} has no effect: with a traversal it only cuts, and the "
                                "counts multiply to {}.",
                                Grouped(*t_.length), Grouped(product)));
    } else if (*t_.length > product) {
      Add("length", fmt::format("length {} is more than the counts' product {}: dimension 3 steps "
                                "on past its count.",
                                Grouped(*t_.length), Grouped(product)));
    }
  }

  const Analysis& a_;
  const Transfer& t_;
  const bool read_;
  std::vector<Note> notes_;
};

}  // namespace

std::vector<Note> FindNotes(const Analysis& analysis) { return Notes(analysis).Run(); }

}  // namespace tessera::show
