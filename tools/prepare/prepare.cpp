// See prepare.h.
#include "tools/prepare/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <memory>
#include <unordered_map>
#include <utility>

#include "tb/check/encode.h"
#include "tb/model/walk.h"
#include "tb/sim/counted.h"
#include "tools/prepare/bytes.h"
#include "tools/prepare/expand.h"

namespace tessera::cli {
namespace {

using job::Channel;
using job::Error;

// Sets of bytes, sparse.
class ByteSet {
 public:
  void Add(uint64_t address) { Page(address).set(address % kPage); }
  bool Has(uint64_t address) const {
    const auto it = pages_.find(address / kPage);
    return it != pages_.end() && it->second.test(address % kPage);
  }

 private:
  static constexpr uint64_t kPage = 4096;
  std::bitset<kPage>& Page(uint64_t address) {
    const uint64_t number = address / kPage;
    if (recent_ == nullptr || number != recent_number_) {
      recent_ = &pages_[number];
      recent_number_ = number;
    }
    return *recent_;
  }
  std::unordered_map<uint64_t, std::bitset<kPage>> pages_;
  std::bitset<kPage>* recent_ = nullptr;
  uint64_t recent_number_ = 0;
};

void LoadRegions(Prepared* out) {
  uint64_t total = 0;
  for (job::Region& region : out->job.memories) {
    LoadedRegion& loaded = out->regions.emplace_back();
    loaded.base = region.base;
    if (region.data) {
      loaded.data = LoadMemory(out->job, *region.data, region.size.value_or(0));
    }
    if (!region.size) {
      region.size = loaded.data.size();
      if (loaded.data.empty()) {
        throw job::ErrorAt(out->job.file, region.data->place,
                           fmt::format("\"{}\"", region.data->file),
                           "it is empty, legal is at least one byte");
      }
    }
    loaded.size = *region.size;
    total += loaded.size;
    if (region.expect) loaded.expect = LoadMemory(out->job, *region.expect, loaded.size, true);
    if (total > job::kMostBytes) {
      throw job::ErrorAt(out->job.file, region.place, Counted(loaded.size, "byte"),
                         fmt::format("legal are {} for all memories together", job::kMostBytes));
    }
    if (region.dump && region.dump->image()) {
      const uint64_t row = uint64_t{region.dump->width} * job::BytesOf(region.dump->pixel);
      if (loaded.size % row != 0) {
        throw job::ErrorAt(out->job.file, region.dump->place + ".width",
                           std::to_string(region.dump->width),
                           fmt::format("a row has {}, legal is what divides {}",
                                       Counted(row, "byte"), loaded.size));
      }
    }
  }
  job::CheckRegions(out->job);
}

// Calls `visit(step, address)` for every byte of memory that a channel visits.
template <typename Visit>
void ForEachVisit(const Prepared& p, const PreparedChannel& c, Visit&& visit) {
  for (size_t k = 0; k < c.transfers.size(); ++k) {
    ForEachByte(c.transfers[k], BuildOf(p.config()), [&](uint64_t address) {
      visit(c.steps[k], address);
      return true;
    });
  }
}

// Every byte that a transfer visits lies in a memory.
void CheckInside(const Prepared& p) {
  if (p.regions.empty()) return;
  const LoadedRegion* recent = &p.regions.front();
  for (const PreparedChannel& c : p.channels) {
    ForEachVisit(p, c, [&](const Step& step, uint64_t address) {
      if (address - recent->base < recent->size) return;
      for (const LoadedRegion& region : p.regions) {
        if (address - region.base >= region.size) continue;
        recent = &region;
        return;
      }
      throw Error(fmt::format(
          "{}: {} visits address {:#x}, which is in no memory: legal are the memories, bounds that "
          "leave it out, or no memories at all",
          p.job.file, step.place, address));
    });
  }
}

// Every byte that a transfer visits lies in a window of its channel: what a stream or the memory
// gets of others depends on bursts.
void CheckWindows(const Prepared& p) {
  for (const PreparedChannel& c : p.channels) {
    const std::vector<job::Window>& windows = c.channel->windows;
    if (windows.empty()) continue;
    ForEachVisit(p, c, [&](const Step& step, uint64_t address) {
      const bool inside = std::any_of(windows.begin(), windows.end(), [&](const job::Window& w) {
        return address - w.base < w.size;
      });
      if (inside) return;
      throw Error(
          fmt::format("{}: {} leaves the windows of {} at address {:#x}: legal is a transfer that "
                      "lies in them",
                      p.job.file, step.place, c.channel->name, address));
    });
  }
}

// Lists and their entries lie in a memory, apart from each other, and no transfer visits them.
void CheckLists(const Prepared& p) {
  struct Part {
    std::string place;
    uint64_t base, size;
  };
  std::vector<Part> parts;
  for (const PreparedChannel& c : p.channels) {
    if (!c.channel->list) continue;
    const job::List& list = *c.channel->list;
    parts.push_back({list.place + ".base", list.base, list.Bytes()});
    if (!list.entries) continue;
    parts.push_back({list.place + ".entries", *list.entries, list.places * job::List::kEntry});
  }
  const uint64_t mask = BuildOf(p.config()).AddressMask();
  const auto inside = [](const Part& part, uint64_t address) {
    return address - part.base < part.size;
  };
  for (const Part& part : parts) {
    const std::string value = fmt::format("{:#x}", part.base);
    const uint64_t last = part.base + (part.size - 1);
    const bool held = p.regions.empty() ||
                      std::any_of(p.regions.begin(), p.regions.end(), [&](const LoadedRegion& r) {
                        return part.base >= r.base && last - r.base < r.size && last >= part.base;
                      });
    if (!held || last > mask || last < part.base) {
      throw job::ErrorAt(p.job.file, part.place, value,
                         fmt::format("it takes {}, legal is where a memory has so many",
                                     Counted(part.size, "byte")));
    }
    for (const Part& other : parts) {
      if (&other == &part) break;
      if (!inside(part, other.base) && !inside(other, part.base)) continue;
      throw job::ErrorAt(p.job.file, part.place, value,
                         fmt::format("its {} would overlap {}, legal is memory of its own",
                                     Counted(part.size, "byte"), other.place));
    }
  }
  if (parts.empty()) return;
  for (const PreparedChannel& c : p.channels) {
    ForEachVisit(p, c, [&](const Step& step, uint64_t address) {
      for (const Part& part : parts) {
        if (!inside(part, address)) continue;
        throw Error(
            fmt::format("{}: {} visits address {:#x}, which is that of {}: legal is "
                        "other memory",
                        p.job.file, step.place, address, part.place));
      }
    });
  }
}

// Nobody reads or writes what another channel writes: it would depend on time. Where writes can
// fail, channels share no bus word either, so that an error response belongs to one of them.
void CheckCollisions(Prepared* out) {
  const Prepared& p = *out;
  const uint64_t width = static_cast<uint64_t>(p.config().data_bytes);
  struct Written {
    const PreparedChannel* by;
    ByteSet bytes;
  };
  std::vector<Written> written;
  for (PreparedChannel& c : out->channels) {
    if (!c.write()) continue;
    ByteSet mine;
    ForEachVisit(p, c, [&](const Step& step, uint64_t address) {
      mine.Add(address);
      if (!p.write_errors.empty()) c.words.insert(address / width);
      for (const Written& other : written) {
        const bool same = other.bytes.Has(address);
        if (!same && !other.by->words.contains(address / width)) continue;
        throw Error(
            fmt::format("{}: {} writes address {:#x}, and {} writes {}: legal is what does not "
                        "depend on time",
                        p.job.file, step.place, address, other.by->channel->place,
                        same ? "it too" : "in the same bus word, where writes can fail"));
      }
    });
    written.push_back({&c, std::move(mine)});
  }
  for (const PreparedChannel& c : p.channels) {
    if (c.write()) continue;
    ForEachVisit(p, c, [&](const Step& step, uint64_t address) {
      for (const Written& other : written) {
        if (!other.bytes.Has(address)) continue;
        throw Error(fmt::format(
            "{}: {} reads address {:#x}, which {} writes: legal is what does not depend on time",
            p.job.file, step.place, address, other.by->channel->place));
      }
    });
  }
}

void CutSource(const Prepared& p, PreparedChannel* c) {
  const job::Stream& stream = c->channel->stream;
  c->source = LoadBytes(p.job, *stream.source, 0);
  const uint64_t size = c->source.size();
  if (stream.packet != 0) {
    for (uint64_t at = 0; at < size; at += stream.packet) {
      c->pieces.push_back({std::min(stream.packet, size - at), PieceEnd::kLast});
    }
  } else if (stream.packets.empty()) {
    c->pieces.push_back({size, PieceEnd::kLast});
  } else {
    uint64_t total = 0;
    for (const job::Stream::Piece& piece : stream.packets) {
      c->pieces.push_back({piece.bytes, piece.end});
      total += piece.bytes;
    }
    if (total != size) {
      throw Error(fmt::format("{}: {}.packets has {} and the source {}: legal is the same",
                              p.job.file, stream.place, Counted(total, "byte"), size));
    }
  }
}

// What the reference model says of a write channel that gets `beats`; what does not end is refused.
void PredictWrite(Prepared* p, PreparedChannel* c, const std::vector<model::StreamBeat>& beats) {
  const model::Build build = BuildOf(p->config());
  model::MemoryImage written([](uint64_t) { return uint8_t{0}; });
  model::WriteModel writer(build, written);
  writer.Offer(beats);
  uint64_t taken = 0;
  for (size_t k = 0; k < c->transfers.size(); ++k) {
    const auto record = writer.Run(c->transfers[k]);
    if (!record) {
      const std::string from =
          c->from != nullptr ? c->from->channel->place : (c->channel->stream.place + ".source");
      throw Error(fmt::format(
          "{}: {} waits for more than its stream brings ({} of {}, {}): legal is a stream that "
          "feeds every transfer",
          p->job.file, c->steps[k].place, writer.taken().size(),
          Counted(model::Positions(c->transfers[k]) * static_cast<uint64_t>(c->transfers[k].elem),
                  "byte"),
          from));
    }
    c->payload += record->bytes;
    taken += record->bytes + record->dropped;
  }
  const uint64_t sent = c->from != nullptr ? c->from->payload : c->source.size();
  if (taken == sent) return;
  if (c->from != nullptr && p->config().loopback) {
    throw Error(
        fmt::format("{}: {} takes {} of the {} that {} sends: legal is all of them, for "
                    "configuration {} joins its streams inside",
                    p->job.file, c->channel->place, taken, Counted(sent, "byte"),
                    c->from->channel->place, p->config().name));
  }
  p->notes.push_back(fmt::format("channel {} takes {} of the {} of its stream", c->channel->name,
                                 taken, Counted(sent, "byte")));
}

// What the reference model says of a run that ends well.
void Predict(Prepared* p) {
  const model::Build build = BuildOf(p->config());
  Memory memory(p->job.seed);
  p->LoadInto(&memory);
  const model::MemoryImage image([&](uint64_t address) { return memory.ReadByte(address); });
  for (PreparedChannel& c : p->channels) {
    if (c.write()) continue;
    model::ReadModel reader(build, image);
    for (const model::Transfer& t : c.transfers) c.payload += reader.Run(t).bytes;
    for (PreparedChannel& other : p->channels) {
      if (other.from == &c) PredictWrite(p, &other, reader.beats());
    }
  }
  for (PreparedChannel& c : p->channels) {
    if (!c.write() || c.from != nullptr) continue;
    PredictWrite(p, &c, DenseBeats(c.pieces, c.source, build.stream_bytes));
  }
}

// The channels of the job, with what their streams bring and must carry.
void PrepareChannels(Prepared* out) {
  for (const Channel& channel : out->job.channels) {
    PreparedChannel& c = out->channels.emplace_back();
    c.channel = &channel;
    for (const job::NamedTransfer& t : channel.transfers) {
      c.transfers.push_back(t.value);
      Step& step = c.steps.emplace_back();
      step.place = t.place;
      step.name = t.name;
    }
  }
  for (PreparedChannel& c : out->channels) {
    if (c.write() && c.channel->stream.channel.empty()) CutSource(*out, &c);
  }
  if (out->hardware.dma) ExpandProgram(out);
  CheckInside(*out);
  CheckLists(*out);
  CheckWindows(*out);
  for (PreparedChannel& c : out->channels) {
    const job::Stream& stream = c.channel->stream;
    if (stream.expect) c.expect = LoadBytes(out->job, *stream.expect, 0);
    if (!c.write()) continue;
    if (stream.channel.empty()) continue;
    for (const PreparedChannel& other : out->channels) {
      if (other.channel->name == stream.channel) c.from = &other;
    }
  }
}

// An entry of a ring has the status of its transfer, which the model does not know of writes.
void CheckEntryErrors(const Prepared& p) {
  if (p.write_errors.empty()) return;
  for (const job::Channel& channel : p.job.channels) {
    if (channel.direction == Direction::kRead || !channel.list || !channel.list->entries) continue;
    throw Error(fmt::format("{}: {}.entries is given: legal is none where writes can fail",
                            p.job.file, channel.list->place));
  }
}

}  // namespace

void Prepared::LoadInto(Memory* memory) const {
  for (const LoadedRegion& region : regions) memory->Load(region.base, region.data);
}

void Prepare(job::Job job, Prepared* out) {
  out->job = std::move(job);
  out->hardware = out->job.dma.empty() ? FindHardware(out->job.file + ": config", out->job.config)
                                       : FindDma(out->job.file + ": dma", out->job.dma);
  CheckJob(out->job, out->hardware);
  LoadRegions(out);
  CheckJob(out->job, out->hardware);  // sizes are known now
  for (const job::Job::BusError& e : out->job.errors) {
    const model::ErrorRange range{e.first, e.last, e.decerr};
    if (e.reads) out->read_errors.push_back(range);
    if (e.writes) out->write_errors.push_back(range);
  }
  CheckEntryErrors(*out);
  PrepareChannels(out);
  if (out->hardware.dma) return;
  CheckCollisions(out);
  Predict(out);
}

}  // namespace tessera::cli
