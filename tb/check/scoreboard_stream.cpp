// The comparisons of stream beats and of the read engine's records; see scoreboard.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tb/check/encode.h"
#include "tb/check/scoreboard.h"
#include "tb/model/walk.h"
#include "tb/sim/counted.h"
#include "tb/sim/lanes.h"

namespace tessera {
namespace {

std::string BeatText(const model::StreamBeat& beat, int lanes) {
  std::string text;
  for (size_t n = 0; n < static_cast<size_t>(lanes); ++n) {
    text += beat.keep[n] ? fmt::format("{:02x} ", beat.data[n]) : "-- ";
  }
  return text + (beat.last ? "last" : "");
}

bool IsNullLast(const model::StreamBeat& beat) { return beat.keep.none() && beat.last; }

uint64_t BytesOf(const model::Transfer& t, const model::Build& build) {
  return model::IsRefused(t, build) ? 0 : model::Positions(t) * static_cast<uint64_t>(t.elem);
}

}  // namespace

void BeatList::Get(size_t n, model::StreamBeat* beat) const {
  if (beats_.empty()) {
    *beat = list_[n];
    return;
  }
  const StreamBeat& from = beats_[n];
  const uint8_t* next = bytes_.data() + from.first;
  *beat = {};
  beat->last = from.last;
  if (from.keep == FirstLanes(from.count)) {
    beat->keep = ~decltype(beat->keep){} >> (model::kMaxElem - from.count);
    std::memcpy(beat->data.data(), next, from.count);
    return;
  }
  for (int lane = 0; lane < kMaxBusBytes; ++lane) {
    if (!from.keep[lane]) continue;
    beat->keep.set(static_cast<size_t>(lane));
    beat->data[static_cast<size_t>(lane)] = *next++;
  }
}

std::vector<model::StreamBeat> Scoreboard::CheckRead(std::span<const model::Transfer> chain,
                                                     const Seen& seen, bool stream_visible) {
  model::ReadModel model(build_, source_, read_errors_);
  CheckRecordCount("read", chain.size(), seen);
  // Beats are compared as the model makes them, so that a long run keeps none; what an abort cut
  // short is looked at as a whole.
  const bool at_once = stream_visible && !seen.cut();
  std::vector<model::Record> expected;
  Compared stream;
  for (const model::Transfer& t : chain) {
    expected.push_back(model.Run(t));
    if (!at_once) continue;
    CheckBeats(chain, model, seen, seen.beats.size(), &stream);
    model.Forget();
  }
  uint64_t sent = ~uint64_t{0};  // bytes accepted by the stream before an abort
  if (stream_visible) {
    size_t beats = seen.beats.size();
    if (!at_once) {
      beats = AcceptedBeats(seen, model, chain);
      CheckBeats(chain, model, seen, beats, &stream);
      sent = 0;
      for (size_t n = 0; n < beats; ++n) sent += seen.beats[n].keep.count();
    }
    if (beats != stream.beats && !(seen.cut() && beats < stream.beats)) {
      Fail(fmt::format("stream: expected {}, seen {}", Counted(stream.beats, "beat"), beats));
    }
  }
  bool aborted = false;
  uint64_t first = 0;  // byte of the stream where the transfer begins
  for (size_t k = 0; k < chain.size() && k < seen.records.size(); ++k) {
    const rtl::Done& done = seen.records[k];
    const std::string name = fmt::format("read transfer {}", k);
    const uint64_t bytes = BytesOf(chain[k], build_);
    if ((done.status & rtl::Status::kAborted) != 0) {
      ++count_.records;
      aborted = true;
      if (!seen.aborted) Fail(name + ": status is aborted, and nobody aborted");
      const uint64_t went = sent > first ? std::min(sent - first, bytes) : 0;
      // What was asked for counts, sent or not.
      if (stream_visible && (done.bytes < went || done.bytes > bytes)) {
        Fail(fmt::format("{}: record field bytes: {} of {} were accepted before the abort, seen {}",
                         name, went, bytes, done.bytes));
      }
    } else {
      if (aborted && expected[k].bytes != 0) Fail(name + ": not aborted, and one before it was");
      CheckRecord(name, expected[k], done);
    }
    first += bytes;
  }
  if (seen.reset) count_.records += chain.size() - std::min(chain.size(), seen.records.size());
  return stream_visible ? std::vector<model::StreamBeat>{} : model.beats();
}

// The beats that carry data of the chain: all, or those before the null beat that closes a packet
// after an abort.
size_t Scoreboard::AcceptedBeats(const Seen& seen, const model::ReadModel& model,
                                 std::span<const model::Transfer> chain) {
  const size_t all = seen.beats.size();
  if (!seen.aborted) return all;
  const bool wider = build_.stream_bytes > build_.data_bytes;
  const bool closed = all > 0 && IsNullLast(seen.beats[all - 1]);
  // The end of the packet may be on bytes that waited for the rest of a beat of a wider stream.
  if (!closed && all > 0 && wider && seen.beats[all - 1].last &&
      (all > model.beats().size() || !(model.beats()[all - 1] == seen.beats[all - 1]))) {
    return all - 1;
  }
  const size_t data = closed ? all - 1 : all;
  const bool open = data > 0 && !seen.beats[data - 1].last;
  if (closed && !open) Fail("read: after the abort a null beat with TLAST, and no packet was open");
  if (!open || data > model.origins().size()) return data;
  const size_t k = model.origins()[data - 1].transfer;
  const auto packets = [&](size_t n) { return chain[n].last_rule != model::LastRule::kNever; };
  // Bytes of later transfers may wait for the rest of a beat of a wider stream.
  const size_t next = data < model.origins().size() ? model.origins()[data].transfer : k + 1;
  bool may_be_open = false;
  for (size_t n = k + 1; wider && n <= next && n < chain.size(); ++n) may_be_open |= !packets(n);
  if (!closed && packets(k) && !may_be_open) {
    Fail(fmt::format(
        "read transfer {}: aborted inside a packet, and no null beat with TLAST closed it", k));
  }
  if (closed && !packets(k)) {
    Fail(fmt::format(
        "read transfer {}: sends no packets, and after the abort a null beat with TLAST", k));
  }
  return data;
}

// Compares the beats that the model holds, which follow those compared so far.
void Scoreboard::CheckBeats(std::span<const model::Transfer> chain, const model::ReadModel& model,
                            const Seen& seen, size_t beats, Compared* so_far) {
  model::StreamBeat got;
  for (const model::StreamBeat& want : model.beats()) {
    const size_t n = so_far->beats++;
    const uint64_t byte = so_far->bytes;
    so_far->bytes += want.keep.count();
    if (n >= beats) continue;
    ++count_.beats;
    seen.beats.Get(n, &got);
    if (want == got) continue;
    size_t lane = 0;
    while (lane + 1 < want.data.size() && want.data[lane] == got.data[lane] &&
           want.keep[lane] == got.keep[lane]) {
      ++lane;
    }
    if (lane + 1 == want.data.size()) lane = want.keep.count() - 1;  // TLAST alone
    Fail(fmt::format("stream beat {}: expected [{}], seen [{}]; lane {} is {}", n,
                     BeatText(want, build_.stream_bytes), BeatText(got, build_.stream_bytes), lane,
                     StreamPlace(chain, byte + lane)));
  }
}

// What byte `byte` of the whole stream is: "read transfer 1 element 5 (i 1 2 0 0, t 0 0 0 0) byte 0
// of 0x1005".
std::string Scoreboard::StreamPlace(std::span<const model::Transfer> chain, uint64_t byte) const {
  for (size_t k = 0; k < chain.size(); ++k) {
    const uint64_t bytes = BytesOf(chain[k], build_);
    if (byte >= bytes) {
      byte -= bytes;
      continue;
    }
    const uint64_t elem = static_cast<uint64_t>(chain[k].elem);
    std::string text;
    model::Walk(chain[k], build_, [&](const model::Position& p) {
      if (p.index < byte / elem) return true;
      text = fmt::format("read transfer {} element {} (i {} {} {} {}, t {} {} {} {}) byte {} of {}",
                         k, p.index, p.i[0], p.i[1], p.i[2], p.i[3], p.t[0], p.t[1], p.t[2], p.t[3],
                         byte % elem, p.valid ? fmt::format("{:#x}", p.addr) : "fill");
      return false;
    });
    return text;
  }
  return "past the last transfer";
}

}  // namespace tessera
