// wave_dump: runs the scenarios of the manual's timing page and writes the pins of every cycle, one
// JSON file a scenario, for docs/tools/waves.py to draw.
//
// Memory holds at each address its low byte; stream data count up from 0.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "tb/check/encode.h"
#include "tb/files/output.h"
#include "tb/run/bench.h"

namespace tessera {
namespace {

using nlohmann::ordered_json;

constexpr uint32_t kLatency = 3;  // of the memory, as in the performance bench
constexpr uint64_t kBase = 0x1000;
constexpr uint64_t kFill = 0xEE;

// "00-07", or a line for each range; fill as "ee x2".
std::string Bytes(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (size_t n = 0; n < bytes.size();) {
    size_t end = n + 1;
    const bool fill = bytes[n] == kFill;
    while (end < bytes.size() && bytes[end] == bytes[end - 1] + (fill ? 0 : 1)) ++end;
    if (!text.empty()) text += '\n';
    text += fmt::format("{:02x}", bytes[n]);
    if (end - n > 1)
      text += fill ? fmt::format(" x{}", end - n) : fmt::format("-{:02x}", bytes[end - 1]);
    n = end;
  }
  return text.empty() ? "-" : text;
}

std::string Lanes(const LaneMask& mask, int lanes) {  // lane 0 on the right, as a number is written
  std::string text;
  for (int lane = lanes - 1; lane >= 0; --lane) text += mask[lane] ? '1' : '0';
  return text;
}

// Collects the pins of each cycle.
class Recorder : public EngineBench::Hook {
 public:
  struct Signal {
    std::string name;
    bool bit = true;
    std::vector<ordered_json> values;
  };

  // With `abort_after`, abort is requested so many cycles after the first transfer was offered.
  Recorder(Direction direction, uint64_t abort_after)
      : direction_(direction), abort_after_(abort_after) {}

  void OnCycle(EngineBench& bench, const Tick& tick) override {
    if (tick.reset) return;
    at_ = 0;
    const PairPorts& pins = bench.dut();
    const Config& config = bench.dut().config();
    direction_ == Direction::kRead ? Read(pins, config) : Write(pins, config);
    if (abort_after_ != kNever && since_offer_ == abort_after_) bench.RequestAbort(direction_);
    if (since_offer_ != 0 || pins.read.transfer.valid || pins.write.transfer.valid) ++since_offer_;
    ++cycles_;
  }

  const std::vector<Signal>& signals() const { return signals_; }
  uint64_t cycles() const { return cycles_; }
  // The first or the last cycle in which a bit is 1.
  uint64_t Find(const std::string& name, bool last) const {
    uint64_t found = kNever;
    for (const Signal& signal : signals_) {
      if (signal.name != name) continue;
      for (uint64_t t = 0; t < signal.values.size(); ++t) {
        if (signal.values[t] == 1 && (last || found == kNever)) found = t;
      }
    }
    if (found == kNever) throw std::runtime_error("wave_dump: '" + name + "' is never 1");
    return found;
  }

 private:
  Signal& Next(const std::string& name, bool bit) {
    if (at_ == signals_.size()) signals_.push_back({name, bit, {}});
    return signals_[at_++];
  }
  void Bit(const std::string& name, bool value) {
    Next(name, true).values.emplace_back(value ? 1 : 0);
  }
  // A word that is valid; `taken`: handed over in this cycle, so that the next one is another.
  void Word(const std::string& name, bool valid, bool taken, const std::string& text, int hue) {
    Signal& signal = Next(name, false);
    const size_t number = at_ - 1;
    if (serial_.size() <= number) serial_.resize(number + 1);
    signal.values.push_back(valid ? ordered_json::array({text, hue, serial_[number]})
                                  : ordered_json());
    if (taken) ++serial_[number];
  }
  void Gap() { Next("", true).values.clear(); }

  static std::vector<uint8_t> Kept(const BusData& data, const LaneMask& mask, int lanes) {
    std::vector<uint8_t> bytes;
    for (int lane = 0; lane < lanes; ++lane) {
      if (mask[lane]) bytes.push_back(data[static_cast<size_t>(lane)]);
    }
    return bytes;
  }
  static int Hue(const std::vector<uint8_t>& bytes) {
    return bytes.empty() || bytes[0] == kFill ? 6 : 0;
  }
  static LaneMask All(int lanes) {
    LaneMask mask;
    for (int lane = 0; lane < lanes; ++lane) mask.Set(lane);
    return mask;
  }

  void Record(bool valid, bool ready, const rtl::Done& done, const std::string& prefix) {
    Bit(prefix + "done_valid", valid);
    Word("  bytes", valid, valid && ready, fmt::format("{}", done.bytes), 2);
  }

  // A transfer is taken with the last row of its descriptor.
  void Rows(const EnginePort& port) { Bit("row_go", port.transfer.moves()); }

  void Read(const PairPorts& pins, const Config& config) {
    Rows(pins.read);
    if (abort_after_ != kNever) {
      Bit("rd_abort", pins.read.abort);
      Bit("rd_idle", pins.read.idle);
    }
    Gap();
    Bit("arvalid", pins.axi.ar.valid);
    Word("araddr, beats", pins.axi.ar.valid, pins.axi.ar.moves(),
         fmt::format("{:x}\n{}", pins.axi.ar->addr, pins.axi.ar->len + 1), 1);
    Bit("rvalid", pins.axi.r.valid);
    Bit("rready", pins.axi.r.ready);
    Word("rdata", pins.axi.r.valid, pins.axi.r.moves(),
         pins.axi.r.valid ? Bytes(Kept(pins.axi.r->data, All(config.data_bytes), config.data_bytes))
                          : "",
         3);
    Gap();
    const bool taken = pins.m_axis.moves();
    const auto bytes = Kept(pins.m_axis->data, pins.m_axis->keep, config.stream_bytes);
    Bit("tvalid", pins.m_axis.valid);
    Word("tdata", pins.m_axis.valid, taken, pins.m_axis.valid ? Bytes(bytes) : "", Hue(bytes));
    Word("tkeep", pins.m_axis.valid, taken, Lanes(pins.m_axis->keep, config.stream_bytes), 0);
    Bit("tlast", pins.m_axis.valid && pins.m_axis->last);
    Gap();
    Record(pins.read.done.valid, pins.read.done.ready, pins.read.done.payload, "rd_");
  }

  void Write(const PairPorts& pins, const Config& config) {
    Rows(pins.write);
    Gap();
    const bool taken = pins.s_axis.moves();
    Bit("tvalid", pins.s_axis.valid);
    Bit("tready", pins.s_axis.ready);
    Word("tdata", pins.s_axis.valid, taken,
         pins.s_axis.valid ? Bytes(Kept(pins.s_axis->data, pins.s_axis->keep, config.stream_bytes))
                           : "",
         0);
    Bit("tlast", pins.s_axis.valid && pins.s_axis->last);
    Gap();
    Bit("awvalid", pins.axi.aw.valid);
    Word("awaddr, beats", pins.axi.aw.valid, pins.axi.aw.moves(),
         fmt::format("{:x}\n{}", pins.axi.aw->addr, pins.axi.aw->len + 1), 1);
    const bool w_taken = pins.axi.w.moves();
    const auto bytes = Kept(pins.axi.w->data, pins.axi.w->strb, config.data_bytes);
    Bit("wvalid", pins.axi.w.valid);
    Word("wdata", pins.axi.w.valid, w_taken, pins.axi.w.valid ? Bytes(bytes) : "", 3);
    Word("wstrb", pins.axi.w.valid, w_taken, Lanes(pins.axi.w->strb, config.data_bytes),
         pins.axi.w.valid ? Hue(bytes) : 0);
    Bit("wlast", pins.axi.w.valid && pins.axi.w->last);
    Bit("bvalid", pins.axi.b.valid);
    Gap();
    Record(pins.write.done.valid, pins.write.done.ready, pins.write.done.payload, "wr_");
  }

  Direction direction_;
  uint64_t abort_after_;
  uint64_t since_offer_ = 0;
  uint64_t cycles_ = 0;
  size_t at_ = 0;
  std::vector<Signal> signals_;
  std::vector<uint32_t> serial_;
};

// The cycles between two events.
struct Mark {
  std::string text;
  std::string from;
  bool from_last;
  std::string to;
  bool to_last;
};

struct Scenario {
  std::string name;
  std::string title;
  Direction direction;
  std::vector<model::Transfer> chain;
  size_t packet;  // bytes that the stream brings
  std::vector<Mark> marks;
  uint64_t abort_after = kNever;
};

std::vector<Scenario> Scenarios() {
  const auto copy = [](uint64_t base, uint32_t bytes) {
    model::Transfer t;
    t.base = base;
    t.count[0] = bytes;
    t.stride[0] = 1;
    return t;
  };
  model::Transfer padded = copy(kBase, 12);
  padded.start[0] = -2;
  padded.bound[0] = 8;
  padded.count[1] = 2;
  padded.stride[1] = 16;
  padded.fill = kFill;
  model::Transfer touching = copy(kBase, 8);
  touching.count[1] = 4;
  touching.stride[1] = 8;
  model::Transfer early = copy(kBase, 64);
  early.finish = model::Finish::kLast;

  const Mark to_ar{"row_go to ARVALID", "row_go", false, "arvalid", false};
  const Mark to_t{"first RVALID to first TVALID", "rvalid", false, "tvalid", false};
  const Mark to_done{"last beat to record", "tvalid", true, "rd_done_valid", true};
  const Mark to_aw{"last beat to AWVALID", "tlast", true, "awvalid", false};
  const Mark b_done{"B to record", "bvalid", true, "wr_done_valid", true};
  return {
      {"read_misaligned",
       "Read of 24 bytes at 0x1003",
       Direction::kRead,
       {copy(kBase + 3, 24)},
       0,
       {to_ar, to_t, to_done}},
      {"read_back_to_back",
       "Two reads of 16 bytes at 0x1000 and 0x1020",
       Direction::kRead,
       {copy(kBase, 16), copy(kBase + 32, 16)},
       0,
       {to_ar, to_t}},
      {"read_4k",
       "Read of 40 bytes at 0x1fe4",
       Direction::kRead,
       {copy(0x1FE4, 40)},
       0,
       {to_ar, to_t}},
      {"read_touching",
       "Read of four rows of 8 bytes that touch",
       Direction::kRead,
       {touching},
       0,
       {to_ar, to_t}},
      {"read_padded",
       "Read of two rows: 2 bytes of fill, 8 of data, 2 of fill",
       Direction::kRead,
       {padded},
       0,
       {to_ar, to_t}},
      {"read_abort",
       "Read of 64 bytes at 0x1000, aborted in the middle of its packet",
       Direction::kRead,
       {copy(kBase, 64)},
       0,
       {{"abort to record", "rd_abort", false, "rd_done_valid", true}},
       44},
      {"write_misaligned",
       "Write of 20 bytes at 0x1003",
       Direction::kWrite,
       {copy(kBase + 3, 20)},
       20,
       {to_aw, b_done}},
      {"write_early",
       "Room for 64 bytes, a packet of 20: finish on TLAST",
       Direction::kWrite,
       {early},
       20,
       {to_aw, b_done}},
  };
}

// Runs a scenario; throws if it fails.
ordered_json Run(const Scenario& scenario, const std::string& config) {
  BenchOptions options;
  options.memory = AxiMemoryOptions::Latency(kLatency);
  EngineBench bench(MakeDut(config, options.seed), options);
  std::vector<uint8_t> bytes(0x2000);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  bench.memory().Load(kBase, bytes);
  for (const model::Transfer& transfer : scenario.chain) {
    const EngineTransfer given = Encode(transfer, BuildOf(bench.dut().config()));
    scenario.direction == Direction::kRead ? bench.AddRead(given) : bench.AddWrite(given);
  }
  bytes.resize(scenario.packet);
  if (!bytes.empty()) bench.source().Push(bytes, PieceEnd::kLast);
  Recorder recorder(scenario.direction, scenario.abort_after);
  bench.AddHook(&recorder);
  const BenchResult result = bench.Run();
  if (!result.passed()) throw std::runtime_error(scenario.name + ": " + result.message);

  const bool read = scenario.direction == Direction::kRead;
  const uint64_t first = recorder.Find("row_go", false);
  const uint64_t end = recorder.Find(read ? "rd_done_valid" : "wr_done_valid", true) + 2;
  ordered_json json;
  json["title"] = scenario.title;
  json["config"] = config;
  json["first"] = 0;
  json["cycles"] = end - first;
  json["marks"] = ordered_json::array();
  for (const Mark& mark : scenario.marks) {
    json["marks"].push_back({{"text", mark.text},
                             {"from", recorder.Find(mark.from, mark.from_last) - first},
                             {"to", recorder.Find(mark.to, mark.to_last) - first}});
  }
  json["signals"] = ordered_json::array();
  for (const Recorder::Signal& signal : recorder.signals()) {
    ordered_json entry;
    entry["name"] = signal.name;
    entry["kind"] = signal.name.empty() ? "gap" : signal.bit ? "bit" : "word";
    entry["values"] = ordered_json::array();
    for (uint64_t t = first; t < end && t < signal.values.size(); ++t) {
      entry["values"].push_back(signal.values[t]);
    }
    json["signals"].push_back(entry);
  }
  return json;
}

// A line for each part, so that a change reads well.
void Save(const ordered_json& json, const std::filesystem::path& path) {
  std::string text = "{\n";
  for (const auto& [key, value] : json.items()) {
    if (key == "signals") continue;
    text += fmt::format("{}: {},\n", ordered_json(key).dump(), value.dump());
  }
  text += "\"signals\": [\n";
  const auto& signals = json["signals"];
  for (size_t n = 0; n < signals.size(); ++n) {
    text += signals[n].dump() + (n + 1 < signals.size() ? ",\n" : "\n");
  }
  WriteOutput(path.string(), text + "]}\n");
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  CLI::App app("Writes the pins of the manual's timing scenarios as JSON.");
  std::string out = "docs/waves";
  std::string config = "typical";
  app.add_option("--out", out, "Folder to write to")->capture_default_str();
  app.add_option("--config", config, "Configuration to run")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    for (const tessera::Scenario& scenario : tessera::Scenarios()) {
      tessera::Save(tessera::Run(scenario, config),
                    std::filesystem::path(out) / (scenario.name + ".json"));
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
