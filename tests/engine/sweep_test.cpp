// Every length at every alignment under back-pressure, as one long chain a run.
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

struct Pace {
  const char* name;
  const char* stream;
  const char* bus;
};
constexpr Pace kPaces[] = {{"Free", "always", "always"},
                           {"SlowStream", "p=0.4", "always"},
                           {"SlowBus", "always", "p=0.4"},
                           {"Both", "bursts=1-9/1-9", "bursts=1-9/1-9"}};

class Sweep : public EngineTest {
 protected:
  // All lengths of up to three beats and a bit at all alignments; wide buses take a stride through
  // them.
  std::vector<Transfer> Chain(uint64_t base) const {
    std::vector<Transfer> chain;
    const uint32_t widest = static_cast<uint32_t>(std::max(bus(), stream()));
    const uint32_t step = widest > 16 ? widest / 8 - 1 : 1;
    for (uint32_t shift = 0; shift < static_cast<uint32_t>(bus()); shift += step) {
      for (uint32_t length = 1; length <= 3 * widest + 2; length += step) {
        chain.push_back(Copy(base + chain.size() * 8 * widest + shift, length));
      }
    }
    return chain;
  }
  void Slow(const Pace& pace, Case* value) const {
    value->source = value->sink = PacerSpec::Parse(pace.stream);
    const PacerSpec bus_pace = PacerSpec::Parse(pace.bus);
    value->memory.ar = value->memory.r = value->memory.aw = value->memory.w = value->memory.b =
        bus_pace;
  }
};
TESSERA_EVERY_CONFIG(Sweep);

TEST_P(Sweep, ReadLengthByAlignment) {
  Proves({"sweep.read", "stream.back-pressure"});
  if (!NeedsStream()) GTEST_SKIP() << "see Loopback";
  for (const Pace& pace : kPaces) {
    SCOPED_TRACE(pace.name);
    Case value = NewCase();
    value.reads = Chain(kReadBase);
    Slow(pace, &value);
    Run(value);
  }
}

TEST_P(Sweep, ReadJoined) {
  Proves({"sweep.read", "stream.join"});
  if (!NeedsStream()) GTEST_SKIP() << "see Loopback";
  for (const Pace& pace : kPaces) {
    SCOPED_TRACE(pace.name);
    Case value = NewCase();
    value.reads = Chain(kReadBase);
    for (Transfer& t : value.reads) {
      t.join_next = true;
      t.last_rule = LastRule::kTask;
    }
    value.reads.back().task_end = true;
    Slow(pace, &value);
    Run(value);
  }
}

TEST_P(Sweep, WriteByLengthByAlignment) {
  Proves({"sweep.write", "finish.length.residue"});
  if (!NeedsStream()) GTEST_SKIP() << "see Loopback";
  for (const Pace& pace : kPaces) {
    SCOPED_TRACE(pace.name);
    Case value = NewCase();
    value.writes = Chain(kWriteBase);
    uint64_t bytes = 0;
    for (const Transfer& t : value.writes) bytes += t.count[0];
    value.stream = {{bytes, PieceEnd::kLast}};
    Slow(pace, &value);
    Run(value);
  }
}

TEST_P(Sweep, WriteOnTlastByAlignment) {
  Proves({"sweep.write", "finish.last"});
  if (!NeedsStream()) GTEST_SKIP() << "see Loopback";
  for (const Pace& pace : kPaces) {
    SCOPED_TRACE(pace.name);
    Case value = NewCase();
    int turn = 0;
    for (Transfer t : Chain(kWriteBase)) {
      // Exact, one short, one over, in turn.
      const uint32_t packet = t.count[0];
      t.count[0] = std::max(1u, turn % 3 == 0 ? packet : turn % 3 == 1 ? packet + 1 : packet - 1);
      ++turn;
      value.writes.push_back(OnLast(t));
      value.stream.push_back({packet, PieceEnd::kLast});
    }
    Slow(pace, &value);
    Run(value);
  }
}

TEST_P(Sweep, Loopback) {
  Proves({"sweep.loopback"});
  if (!config().loopback) GTEST_SKIP() << "no loopback";
  for (const Pace& pace : kPaces) {
    SCOPED_TRACE(pace.name);
    Case value = NewCase();
    value.reads = Chain(kReadBase);
    value.writes = Chain(kWriteBase);
    for (size_t k = 0; k < value.writes.size(); ++k) {
      value.writes[k].base ^= k % 8;  // every misalignment between the two
      if (k % 2 == 0) value.writes[k] = OnLast(value.writes[k]);
    }
    Slow(pace, &value);
    Run(value);
  }
}

TEST_P(Sweep, RowsOfEveryLength) {
  Proves({"sweep.rows"});
  for (uint32_t row = 1; row <= 20; ++row) {
    for (int64_t gap : {0, 1, 5}) {
      Transfer t = Copy(kReadBase + row, row);
      t.count[1] = 9;
      t.stride[1] = row + gap;
      Case value = Reads({t});
      if (NeedsStream()) {
        t.base = kWriteBase + row;
        value.writes = {t};
        value.stream = {{9 * row, PieceEnd::kLast}};
      }
      Run(value);
    }
  }
}

}  // namespace
}  // namespace tessera
