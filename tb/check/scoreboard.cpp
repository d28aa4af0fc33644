// The comparisons of records and memory; those of beats are in scoreboard_stream.cpp. See
// scoreboard.h.
#include "tb/check/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "tb/check/encode.h"
#include "tb/model/walk.h"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

constexpr size_t kKeptFailures = 12;
constexpr uint8_t kBusErrors = rtl::Status::kSlverr | rtl::Status::kDecerr;

// The background of memory that only says what has been written.
void Nothing(uint64_t, std::span<uint8_t>) {}

}  // namespace

Scoreboard::Scoreboard(const Config& config, const Memory& before,
                       std::vector<model::ErrorRange> read_errors,
                       std::vector<model::ErrorRange> write_errors)
    : build_(BuildOf(config)),
      before_(before),
      read_errors_(std::move(read_errors)),
      write_errors_(std::move(write_errors)),
      source_([this](uint64_t address, std::span<uint8_t> page) { before_.Read(address, page); }),
      expected_([this](uint64_t address, std::span<uint8_t> page) { before_.Read(address, page); }),
      doubtful_(Nothing) {
  build_.beat_bytes = build_.data_bytes;  // its width changes behind the engine
}

void Scoreboard::Fail(std::string message) {
  if (failure_count_++ < kKeptFailures) failures_.push_back(std::move(message));
}

std::string Scoreboard::Report() const {
  std::string text;
  for (const std::string& failure : failures_) text += failure + "\n";
  if (failure_count_ > failures_.size()) {
    text += fmt::format("and {} more\n", failure_count_ - failures_.size());
  }
  return text;
}

void Scoreboard::CheckRecord(const std::string& name, const model::Record& expected,
                             const rtl::Done& seen) {
  ++count_.records;
  const auto number = [&](const char* field, uint64_t wanted, uint64_t got) {
    if (wanted != got) {
      Fail(fmt::format("{}: record field {}: expected {}, seen {}", name, field, wanted, got));
    }
  };
  number("bytes", expected.bytes, seen.bytes);
  number("dropped", expected.dropped, seen.dropped);
  number("last", expected.last ? 1 : 0, seen.last ? 1 : 0);
  if (StatusOf(expected) != seen.status) {
    Fail(fmt::format("{}: record field status: expected {}, seen {}", name,
                     StatusText(StatusOf(expected)), StatusText(seen.status)));
  }
  if (expected.addr != seen.addr) {
    Fail(fmt::format("{}: record field addr: expected {:#x}, seen {:#x}", name, expected.addr,
                     seen.addr));
  }
}

void Scoreboard::CheckRecordCount(const char* way, size_t transfers, const Seen& seen) {
  const size_t records = seen.records.size();
  if (records == transfers || (seen.reset && records < transfers)) return;
  Fail(fmt::format("{}: {} accepted, {} came", way, Counted(transfers, "transfer"),
                   Counted(records, "record")));
}

// Beats without bytes from beat `n` on, up to one with TLAST; 0 if another one comes before.
size_t Scoreboard::BareEnd(const Seen& seen, size_t n) {
  model::StreamBeat beat;
  for (size_t at = n; at < seen.beats.size(); ++at) {
    seen.beats.Get(at, &beat);
    if (beat.keep.any()) return 0;
    if (beat.last) return at + 1 - n;
  }
  return 0;
}

void Scoreboard::CheckWrite(std::span<const model::Transfer> chain, const Seen& seen) {
  // What is certain, and what a transfer that is cut short leaves open, on top of what was before.
  model::MemoryImage certain(Nothing), open(Nothing);
  model::WriteModel model(build_, certain);
  model.Offer([&seen, next = size_t{0}](model::StreamBeat& beat) mutable {
    if (next == seen.beats.size()) return false;
    seen.beats.Get(next++, &beat);
    return true;
  });
  CheckRecordCount("write", chain.size(), seen);
  bool aborted = false;
  size_t next_event = 0;
  for (size_t k = 0; k < chain.size() && k < seen.records.size(); ++k) {
    const rtl::Done& done = seen.records[k];
    const std::string name = fmt::format("write transfer {}", k);
    if (!aborted && (done.status & rtl::Status::kAborted) != 0) {
      aborted = true;
      model.Redirect(open);
    }
    std::optional<model::Record> expected = model.Run(chain[k]);
    // TLAST without bytes may join bytes that wait for the rest of a word of a wider bus.
    if (expected && !expected->last && expected->bytes != 0 && done.last &&
        build_.data_bytes > build_.stream_bytes && model.held() == 0) {
      const size_t end = BareEnd(seen, model.accepted());
      expected->last = end != 0;
      model.Skip(end);
    }
    written_.push_back({chain[k], k, model.taken(), aborted});
    if ((done.status & rtl::Status::kAborted) != 0) {
      ++count_.records;
      if (!seen.aborted) Fail(name + ": status is aborted, and nobody aborted");
      if (done.bytes > model.taken().size()) {
        Fail(fmt::format(
            "{}: record field bytes: {} were there to be taken before the abort, seen {}", name,
            model.taken().size(), done.bytes));
      }
      continue;
    }
    if (!expected) {
      Fail(fmt::format("{}: its record came before its data ({} of them)", name,
                       Counted(model.taken().size(), "byte")));
      continue;
    }
    if (aborted && expected->bytes != 0) {
      Fail(name + ": not aborted, and one before it was");
    }
    ExpectWriteErrors(written_.back(), seen, done, &next_event, &*expected);
    CheckRecord(name, *expected, done);
  }
  if (seen.reset) model.Redirect(open);
  for (size_t k = seen.records.size(); seen.reset && k < chain.size(); ++k) {
    model.Run(chain[k]);
    ++count_.records;  // that it writes nothing but what it was given is seen in memory
    written_.push_back({chain[k], k, model.taken(), true});
  }
  expected_.Add(certain);
  doubtful_.Remove(certain);
  doubtful_.Add(open);
  if (seen.cut()) return;
  // While a transfer is at work beats may be taken before one needs them.
  if (seen.beats.size() < model.accepted()) {
    Fail(fmt::format("write: beats accepted: expected {} or more, seen {}", model.accepted(),
                     seen.beats.size()));
  }
}

// Where bursts begin is not for the model to know. A word that was written must have brought its
// error; what else is in the record must be an error response that there was.
void Scoreboard::ExpectWriteErrors(const Written& written, const Seen& seen, const rtl::Done& done,
                                   size_t* next_event, model::Record* expected) {
  const uint64_t word = static_cast<uint64_t>(build_.data_bytes);
  const size_t elem = static_cast<size_t>(written.transfer.elem);
  if (!write_errors_.empty()) {
    model::Walk(written.transfer, build_, [&](const model::Position& p) {
      if (p.index * elem >= written.data.size()) return false;
      const size_t bytes = std::min(elem, written.data.size() - p.index * elem);
      for (size_t b = 0; p.valid && b < bytes; ++b) {
        const uint64_t first = (p.addr + b) & build_.AddressMask() & ~(word - 1);
        for (const model::ErrorRange& range : write_errors_) {
          if (range.last < first || range.first > first + (word - 1)) continue;
          (range.decerr ? expected->decerr : expected->slverr) = true;
          break;
        }
      }
      return true;
    });
  }
  if ((done.status & kBusErrors) == 0) return;
  for (size_t n = *next_event; n < seen.errors.size(); ++n) {
    const ErrorEvent& event = seen.errors[n];
    const uint8_t bit = event.response == kDecErr ? rtl::Status::kDecerr : rtl::Status::kSlverr;
    if (event.burst_addr != done.addr || (done.status & bit) == 0) continue;
    // An error of a word that the burst covers with no strobe set.
    (event.response == kDecErr ? expected->decerr : expected->slverr) = true;
    expected->addr = done.addr;
    *next_event = n + 1;
    ExpectLaterErrors(written, seen, done, n + 1, expected);
    return;
  }
}

// A later burst of the transfer may cover such a word too.
void Scoreboard::ExpectLaterErrors(const Written& written, const Seen& seen, const rtl::Done& done,
                                   size_t from, model::Record* expected) {
  const uint64_t mask = build_.AddressMask() & ~(static_cast<uint64_t>(build_.data_bytes) - 1);
  for (size_t n = from; n < seen.errors.size(); ++n) {
    const ErrorEvent& event = seen.errors[n];
    const bool decerr = event.response == kDecErr;
    bool& status = decerr ? expected->decerr : expected->slverr;
    if (status || (done.status & (decerr ? rtl::Status::kDecerr : rtl::Status::kSlverr)) == 0)
      continue;
    model::Walk(written.transfer, build_, [&](const model::Position& p) {
      status = status || (p.valid && ((p.addr ^ event.burst_addr) & mask) == 0);
      return !status;
    });
  }
}

bool Scoreboard::MayHold(uint64_t address, uint8_t value) const {
  if (value == expected_.Read(address)) return true;
  for (const Written& written : written_) {
    if (!written.aborted) continue;
    bool found = false;
    const size_t elem = static_cast<size_t>(written.transfer.elem);
    model::Walk(written.transfer, build_, [&](const model::Position& p) {
      if (p.index * elem >= written.data.size()) return false;
      const uint64_t offset = (address - p.addr) & build_.AddressMask();
      const size_t byte = p.index * elem + offset;
      found = p.valid && offset < elem && byte < written.data.size() && written.data[byte] == value;
      return !found;
    });
    if (found) return true;
  }
  return false;
}

void Scoreboard::CheckMemory(const Memory& after) {
  const std::vector<Memory::TouchedPage> touched = after.TouchedPages();
  for (const Memory::TouchedPage& page : touched) CheckPage(after, page);
  auto there = touched.begin();
  expected_.ForEachPage([&](uint64_t address, const model::MemoryImage::Page& page) {
    while (there != touched.end() && there->addr < address) ++there;
    CheckUntouched(after, address, page,
                   there != touched.end() && there->addr == address ? &*there : nullptr);
  });
}

// Every byte that was touched: page against page, and byte by byte only where pages differ.
void Scoreboard::CheckPage(const Memory& after, const Memory::TouchedPage& page) {
  using Page = model::MemoryImage::Page;
  const uint64_t number = page.addr / Memory::kPageBytes;
  const Page* expected = expected_.Find(number);
  if (expected != nullptr && doubtful_.Find(number) == nullptr &&
      std::equal(page.touched.begin(), page.touched.end(), expected->written.begin()) &&
      std::equal(page.bytes.begin(), page.bytes.end(), expected->bytes.begin())) {
    for (const uint64_t word : page.touched)
      count_.bytes += static_cast<uint64_t>(std::popcount(word));
    return;
  }
  for (uint64_t n = 0; n < Memory::kPageBytes; ++n) {
    if (((page.touched[n / 64] >> (n % 64)) & 1) != 0) CheckByte(after, page.addr + n);
  }
}

void Scoreboard::CheckByte(const Memory& after, uint64_t address) {
  ++count_.bytes;
  const uint8_t value = after.ReadByte(address);
  if (doubtful_.Written(address)) {
    if (!MayHold(address, value)) {
      Fail(fmt::format("memory {:#x}: seen {:#04x}, which no transfer put there{}", address, value,
                       Writers(address)));
    }
  } else if (!expected_.Written(address)) {
    Fail(fmt::format("memory {:#x}: nobody may write here, seen {:#04x} (before {:#04x})", address,
                     value, before_.ReadByte(address)));
  } else if (expected_.Read(address) != value) {
    Fail(fmt::format("memory {:#x}: expected {:#04x}, seen {:#04x} (before {:#04x}){}", address,
                     expected_.Read(address), value, before_.ReadByte(address), Writers(address)));
  }
}

// Every byte of a page that was to be written has been touched.
void Scoreboard::CheckUntouched(const Memory& after, uint64_t address,
                                const model::MemoryImage::Page& page,
                                const Memory::TouchedPage* seen) {
  for (size_t w = 0; w < page.written.size(); ++w) {
    uint64_t missing = page.written[w] & ~(seen != nullptr ? seen->touched[w] : 0);
    count_.bytes += static_cast<uint64_t>(std::popcount(missing));  // the others are seen
    for (; missing != 0; missing &= missing - 1) {
      const uint64_t n = 64 * w + static_cast<uint64_t>(std::countr_zero(missing));
      Fail(fmt::format("memory {:#x}: expected {:#04x}, never written (holds {:#04x}){}",
                       address + n, page.bytes[n], after.ReadByte(address + n),
                       Writers(address + n)));
    }
  }
}

// Who writes a byte: the last two elements, as "; write transfer 2 element 17 (i 1 0 0 0)".
std::string Scoreboard::Writers(uint64_t address) const {
  std::vector<std::string> places;
  for (const Written& written : written_) {
    const size_t elem = static_cast<size_t>(written.transfer.elem);
    model::Walk(written.transfer, build_, [&](const model::Position& p) {
      if (p.index * elem >= written.data.size()) return false;
      const uint64_t offset = (address - p.addr) & build_.AddressMask();
      if (!p.valid || offset >= elem) return true;
      places.push_back(fmt::format(
          "; write transfer {} element {} (i {} {} {} {}, t {} {} {} {}) byte {}", written.number,
          p.index, p.i[0], p.i[1], p.i[2], p.i[3], p.t[0], p.t[1], p.t[2], p.t[3], offset));
      return true;
    });
  }
  std::string text;
  for (size_t n = places.size() > 2 ? places.size() - 2 : 0; n < places.size(); ++n)
    text += places[n];
  return text;
}

}  // namespace tessera
