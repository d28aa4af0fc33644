// The table of rows: shapes of transfers, over paths, bus widths and latencies.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "bench/row.h"

namespace tessera::bench {
namespace {

using model::Transfer;

constexpr uint64_t kSource = 0x1000'0000;
constexpr uint64_t kTarget = 0x8'0000'0000;
constexpr std::array<uint32_t, 3> kLatencies{1, 20, 100};

// ---- Shapes: transfer i below a base address ----------------------------------------------------

using Shape = std::function<Transfer(uint64_t base, uint64_t i)>;

Maker At(uint64_t base, Shape shape) {
  return [base, shape = std::move(shape)](uint64_t i) { return shape(base, i); };
}

Shape Copy(uint64_t bytes, uint64_t offset, int bus) {
  const uint64_t pitch = std::max(bytes, static_cast<uint64_t>(bus));
  return [=](uint64_t base, uint64_t i) {
    Transfer t;
    t.base = base + i * pitch + offset;
    t.count[0] = static_cast<uint32_t>(bytes);
    t.stride[0] = 1;
    return t;
  };
}

// 64 rows of 16 B at a stride of 1024. 64 transfers lie between each other.
Transfer Rows16(uint64_t base, uint64_t i) {
  Transfer t;
  t.base = base + i / 64 * 65536 + i % 64 * 16;
  t.count = {16, 64, 1, 1};
  t.stride = {1, 1024, 0, 0};
  return t;
}

// 256 elements of 4 B, one in every other bus word.
Shape Elements(int bus) {
  const int64_t stride = int64_t{2} * bus;
  return [=](uint64_t base, uint64_t i) {
    Transfer t;
    t.elem = 4;
    t.base = base + i * 256 * static_cast<uint64_t>(stride);
    t.count[0] = 256;
    t.stride[0] = stride;
    return t;
  };
}

// A matrix of 64 x 64 elements of 4 B, column by column.
Transfer Transpose(uint64_t base, uint64_t i) {
  Transfer t;
  t.elem = 4;
  t.base = base + i * 16384;
  t.count = {64, 64, 1, 1};
  t.stride = {256, 4, 0, 0};
  return t;
}

// A tile of 62 x 62 bytes at a pitch of 64 with one byte of fill all round.
Transfer Padded(uint64_t base, uint64_t i) {
  Transfer t;
  t.base = base + i * 4096;
  t.count = {64, 64, 1, 1};
  t.stride = {1, 64, 0, 0};
  t.start = {-1, -1, 0, 0};
  t.bound = {62, 62, std::nullopt, std::nullopt};
  t.fill = 0xa5;
  return t;
}

// Rows of `row` bytes that touch, 4096 B in all.
Shape Box(uint64_t row, uint64_t offset) {
  return [=](uint64_t base, uint64_t i) {
    Transfer t;
    t.base = base + i * 4096 + offset;
    t.count = {static_cast<uint32_t>(row), static_cast<uint32_t>(4096 / row), 1, 1};
    t.stride = {1, static_cast<int64_t>(row), 0, 0};
    return t;
  };
}

Shape OnLast(Shape shape) {
  return [shape = std::move(shape)](uint64_t base, uint64_t i) {
    Transfer t = shape(base, i);
    t.finish = model::Finish::kLast;
    return t;
  };
}

// Tasks of `length` transfers that are one packet.
Shape Joined(Shape shape, uint64_t length) {
  return [shape = std::move(shape), length](uint64_t base, uint64_t i) {
    Transfer t = shape(base, i);
    t.last_rule = model::LastRule::kTask;
    t.join_next = true;
    t.task_end = i % length == length - 1;
    return t;
  };
}

// ---- Rows ---------------------------------------------------------------------------------------

// The rows of one bus width and latency.
class Builder {
 public:
  Builder(int bits, uint32_t latency, std::vector<Row>* rows)
      : bits_(bits), bus_(bits / 8), latency_(latency), rows_(rows) {}

  void AddAll() {
    for (const Path path : {Path::kRead, Path::kWrite, Path::kLoop}) {
      AddCopies(path);
      AddPatterns(path);
    }
  }

 private:
  static const char* Name(Path path) {
    static constexpr const char* kNames[] = {"read", "write", "loop"};
    return kNames[static_cast<int>(path)];
  }

  Row& Add(Path path, const std::string& name, const std::string& work, uint64_t bytes,
           const Shape& from, const Shape& to) {
    Row& row = rows_->emplace_back();
    row.id = fmt::format("{}/{}/{}/L{}", Name(path), name, bits_, latency_);
    row.path = path;
    const bool loop = path == Path::kLoop;
    row.config = bits_ == 64 ? (loop ? "loopback" : "typical") : (loop ? "loopback_wide" : "wide");
    row.bits = bits_;
    row.latency = latency_;
    row.work = work;
    row.bytes = bytes;
    if (path != Path::kWrite) row.read = At(kSource, from);
    if (path != Path::kRead) row.write = At(kTarget, to);
    if (bits_ == 64) {
      row.other = OtherUtilisation(path, name, latency_);
      row.other_note = OtherNote(name);
    }
    return row;
  }
  Row& Add(Path path, const std::string& name, const std::string& work, uint64_t bytes,
           const Shape& shape) {
    return Add(path, name, work, bytes, shape, shape);
  }

  void AddCopies(Path path) {
    for (uint64_t bytes = 8; bytes <= 4096; bytes *= 2) {
      Row& row = Add(path, fmt::format("copy-{}", bytes), fmt::format("{} B", bytes), bytes,
                     Copy(bytes, 0, bus_));
      row.sweep = bytes;
      row.extra = bytes != 8 && bytes != 64 && bytes != 4096 && !(bits_ == 512 && bytes == 512);
      row.quick = bytes == 64 || bytes == 8;
    }
    for (const uint64_t bytes : {13, 100}) {
      Add(path, fmt::format("copy-{}", bytes), fmt::format("{} B", bytes), bytes,
          Copy(bytes, 0, bus_))
          .quick = bits_ == 64;
    }
    AddMisaligned(path);
  }

  void AddMisaligned(Path path) {
    for (const uint64_t bytes : {64, 4096}) {
      const Shape straight = Copy(bytes, 0, bus_), off = Copy(bytes, 1, bus_);
      if (path != Path::kLoop) {
        Add(path, fmt::format("off1-{}", bytes), fmt::format("{} B, misaligned by 1", bytes), bytes,
            off)
            .quick = bytes == 64;
        continue;
      }
      Add(path, fmt::format("from1-{}", bytes), fmt::format("{} B, source off by 1", bytes), bytes,
          off, straight);
      Add(path, fmt::format("to1-{}", bytes), fmt::format("{} B, target off by 1", bytes), bytes,
          straight, off);
      Add(path, fmt::format("both1-{}", bytes), fmt::format("{} B, both off by 1", bytes), bytes,
          off, off)
          .quick = bytes == 64 && bits_ == 64;
    }
  }

  void AddPatterns(Path path) {
    Add(path, "rows16", "rows of 16 B, stride 1024", 1024, Rows16).quick = bits_ == 64;
    Add(path, "elements", fmt::format("4 B elements, stride {}", 2 * bus_), 1024, Elements(bus_));
    if (path != Path::kLoop) {
      Add(path, "transpose", "transpose 64 x 64 of 4 B", 16384, Transpose);
      Row& padded =
          Add(path, "padded",
              path == Path::kRead ? "62 x 62 padded to 64 x 64" : "64 x 64 cut to 62 x 62", 4096,
              Padded);
      padded.target = 0.98;
      AddBoxes(path);
    }
    if (path == Path::kWrite) AddPackets();
    AddJoins(path);
  }

  void AddBoxes(Path path) {
    AddBox(path, 8);
    if (bits_ != 64) AddBox(path, static_cast<uint64_t>(bus_));
  }

  void AddBox(Path path, uint64_t bytes) {
    for (const uint64_t offset : {0, 1}) {
      Row& row = Add(path, fmt::format("box{}{}", bytes, offset == 0 ? "" : "-off1"),
                     fmt::format("adjacent {} B rows{}", bytes, offset == 0 ? "" : ", off by 1"),
                     4096, Box(bytes, offset));
      row.merged = true;
      row.quick = bits_ == 64 && latency_ == 100;
    }
  }

  void AddPackets() {
    for (const uint64_t bytes : {64, 4096}) {
      Add(Path::kWrite, fmt::format("tlast-{}", bytes), fmt::format("until TLAST, {} B", bytes),
          bytes, OnLast(Copy(bytes, 0, bus_)))
          .quick = bytes == 64;
    }
    // Room for 4096 B, packets of 100 B.
    Row& row = Add(Path::kWrite, "tlast-short", "until TLAST, 100 B of 4096", 100,
                   OnLast(Copy(4096, 0, bus_)));
    row.touched = At(kTarget, [](uint64_t base, uint64_t i) {
      Transfer t = Copy(100, 0, 4096)(base, i);
      t.finish = model::Finish::kLast;
      return t;
    });
  }

  void AddJoins(Path path) {
    if (path == Path::kLoop) return;
    Row& row = Add(path, "join-13", "8 x 13 B in one packet", 13, Joined(Copy(13, 0, 16), 8));
    row.per_task = 8;
    row.quick = bits_ == 64 && latency_ == 20;
  }

  int bits_, bus_;
  uint32_t latency_;
  std::vector<Row>* rows_;
};

}  // namespace

std::vector<Row> AllRows() {
  std::vector<Row> rows;
  for (const int bits : {64, 512}) {
    std::vector<Row> of_width;
    for (const uint32_t latency : kLatencies) Builder(bits, latency, &of_width).AddAll();
    // By path and work, latencies side by side.
    const size_t works = of_width.size() / kLatencies.size();
    for (size_t work = 0; work < works; ++work) {
      for (size_t l = 0; l < kLatencies.size(); ++l) {
        rows.push_back(std::move(of_width[l * works + work]));
      }
    }
  }
  return rows;
}

std::vector<LatencyRow> AllLatencyRows() {
  using Event = LatencyRow::Event;
  struct Kind {
    const char *name, *what, *other;
    uint64_t offset;
    int target;  // cycles; 0: none
    Event event;
    bool walk = false, touching = false;
  };
  static constexpr Kind kKinds[] = {
      {"accept-ar", "transfer accepted to ARVALID", "1 to 4", 0, 20, Event::kAcceptToAr},
      {"walk-ar", "... with traversal", "1 to 4", 0, 70, Event::kAcceptToAr, true},
      {"touch-ar", "... whose rows touch", "1 to 4", 0, 70, Event::kAcceptToAr, true, true},
      {"r-t", "first RVALID to first TVALID", "1 to 12", 0, 4, Event::kRToT},
      // The first beat needs the second word.
      {"r-t-off1", "... misaligned by 1", "1 to 12", 1, 5, Event::kRToT},
      {"t-aw", "first TVALID to AWVALID", "1 to 258", 0, 8, Event::kTToAw},
      {"t-w", "first TVALID to WVALID", "1 to 258", 0, 8, Event::kTToW},
      {"t-w-off1", "... misaligned by 1", "1 to 258", 1, 8, Event::kTToW},
      {"accept-aw", "transfer accepted to AWVALID, data waiting", "-", 0, 0, Event::kAcceptToAw},
      {"b-done", "last B to record", "0", 0, 4, Event::kBToDone},
  };
  std::vector<LatencyRow> rows;
  const auto add = [&](const Kind& kind, const char* config, int bits) {
    for (const uint32_t latency : {1U, 20U}) {
      LatencyRow& row = rows.emplace_back();
      row.id = fmt::format("latency/{}/{}/L{}", kind.name, config, latency);
      row.what = kind.what;
      row.config = config;
      row.bits = bits;
      row.latency = latency;
      row.event = kind.event;
      row.walk = kind.walk;
      row.touching = kind.touching;
      row.offset = kind.offset;
      if (kind.target != 0) row.target = kind.target;
      row.other = kind.other;
    }
  };
  add(kKinds[0], "no_walk", 64);
  for (const Kind& kind : kKinds) {
    add(kind, "typical", 64);
    add(kind, "wide", 512);
  }
  return rows;
}

}  // namespace tessera::bench
