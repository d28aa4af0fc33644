// The library in C, on that in C++; see include/tessera/sim.h.
#include <algorithm>
#include <cstring>
#include <string>

#include "include/tessera/sim.h"
#include "include/tessera/sim.hpp"

namespace cpp = tessera::sim;

struct tessera_sim {
  explicit tessera_sim(const cpp::Options& options) : simulation(options) {}
  cpp::Simulation simulation;
  std::string error;
  std::vector<std::unique_ptr<cpp::Device>> devices;
};

namespace {

thread_local std::string creation_error;  // of calls without a simulation

// Runs what may throw: 0, or -1 and why.
template <typename Function>
int Try(std::string* error, Function&& function) {
  try {
    error->clear();
    function();
    return 0;
  } catch (const std::exception& e) {
    *error = e.what();
  } catch (...) {  // a user's callback may throw anything
    *error = "something that is no exception was thrown";
  }
  return -1;
}

template <typename Function>
int Try(tessera_sim* sim, Function&& function) {
  if (sim == nullptr) {
    creation_error = "the simulation is NULL: legal is what tessera_create returned";
    return -1;
  }
  return Try(&sim->error, std::forward<Function>(function));
}

// A struct of the caller's, which may be older (shorter) or newer (longer) than ours.
template <typename T>
T Known(const T* given, void (*init)(T*), const char* name) {
  T known;
  init(&known);
  if (given == nullptr) throw cpp::Error(std::string(name) + " is NULL: legal is a struct");
  if (given->size < sizeof(uint32_t) || given->size > 65536) {
    throw cpp::Error(std::string(name) + ".size is " + std::to_string(given->size) +
                     ": legal is what tessera_" + name + "_init sets");
  }
  const size_t common = std::min<size_t>(given->size, sizeof(T));
  std::memcpy(&known, given, common);
  known.size = sizeof(T);
  return known;
}

// Fills as much of the caller's struct as it has.
template <typename T>
void Give(const T& ours, T* out) {
  const uint32_t size = out->size;
  std::memcpy(out, &ours, std::min<size_t>(size, sizeof(T)));
  out->size = size;
}

template <typename T>
void Init(T* out) {
  if (out == nullptr) return;
  std::memset(out, 0, sizeof(T));
  out->size = sizeof(T);
}

std::string TextOf(const char* text) { return text == nullptr ? "always" : text; }

cpp::Options OptionsOf(const tessera_options& o) {
  cpp::Options out;
  if (o.config != nullptr) out.config = o.config;
  out.seed = o.seed;
  out.latency_min = o.latency_min;
  out.latency_max = o.latency_max;
  out.max_reads = o.max_reads;
  out.max_writes = o.max_writes;
  out.ar = TextOf(o.ar);
  out.r = TextOf(o.r);
  out.aw = TextOf(o.aw);
  out.w = TextOf(o.w);
  out.b = TextOf(o.b);
  out.sink = TextOf(o.sink);
  out.source = TextOf(o.source);
  out.join = o.join != 0;
  out.timeout = o.timeout;
  return out;
}

int Choice(const char* name, int value, int most) {
  if (value >= 0 && value <= most) return value;
  throw cpp::Error(std::string(name) + " is " + std::to_string(value) + ": legal is 0 to " +
                   std::to_string(most));
}

cpp::Direction DirectionOf(int direction) {
  return static_cast<cpp::Direction>(Choice("direction", direction, 1));
}

cpp::Transfer TransferOf(const tessera_transfer& t) {
  cpp::Transfer out;
  out.elem = t.elem;
  out.base = t.base;
  out.offset = t.offset;
  for (size_t d = 0; d < 4; ++d) {
    out.count[d] = t.count[d];
    out.stride[d] = t.stride[d];
    out.start[d] = t.start[d];
    if (t.bounded[d] != 0) out.bound[d] = t.bound[d];
    if (t.walk[d].used != 0) {
      out.walk[d] = cpp::Transfer::Level{t.walk[d].dim, t.walk[d].step, t.walk[d].count};
    }
  }
  if (t.has_length != 0) out.length = t.length;
  out.fill = t.fill;
  out.last_rule = static_cast<cpp::LastRule>(Choice("transfer.last_rule", t.last_rule, 3));
  out.last_level = t.last_level;
  out.join_next = t.join_next != 0;
  out.task_end = t.task_end != 0;
  out.finish = static_cast<cpp::Finish>(Choice("transfer.finish", t.finish, 1));
  return out;
}

class CallbackDevice : public cpp::Device {
 public:
  explicit CallbackDevice(const tessera_device& device) : device_(device) {}
  void Read(uint64_t address, uint8_t* data, size_t size) override {
    if (device_.read == nullptr) {
      std::memset(data, 0, size);
    } else {
      device_.read(device_.context, address, data, size);
    }
  }
  void Write(uint64_t address, const uint8_t* data, const uint8_t* enable, size_t size) override {
    if (device_.write != nullptr) device_.write(device_.context, address, data, enable, size);
  }

 private:
  tessera_device device_;
};

tessera_way WayOf(const cpp::Report::Way& way) {
  return {way.transfers, way.done, way.bursts, way.bus_beats, way.stream_beats};
}

const std::vector<cpp::Configuration>& AllConfigurations() {
  static const std::vector<cpp::Configuration> all = cpp::Configurations();
  return all;
}

}  // namespace

extern "C" {

const char* tessera_version(void) { return cpp::Version(); }

size_t tessera_configurations(void) { return AllConfigurations().size(); }

int tessera_configuration_get(size_t number, tessera_configuration* out) {
  return Try(&creation_error, [&] {
    if (number >= AllConfigurations().size()) {
      throw cpp::Error("configuration " + std::to_string(number) + ": legal is less than " +
                       std::to_string(AllConfigurations().size()));
    }
    tessera_configuration ours =
        Known<tessera_configuration>(out, tessera_configuration_init, "configuration");
    const cpp::Configuration& c = AllConfigurations()[number];
    ours.address_bits = c.address_bits;
    ours.bus_bytes = c.bus_bytes;
    ours.stream_bytes = c.stream_bytes;
    ours.max_burst = c.max_burst;
    ours.outstanding = c.outstanding;
    ours.walk = c.walk ? 1 : 0;
    ours.bounds = c.bounds ? 1 : 0;
    ours.loopback = c.loopback ? 1 : 0;
    ours.name = c.name.c_str();
    Give(ours, out);
  });
}

void tessera_configuration_init(tessera_configuration* out) { Init(out); }
void tessera_record_init(tessera_record* out) { Init(out); }
void tessera_report_init(tessera_report* out) { Init(out); }
void tessera_device_init(tessera_device* out) { Init(out); }

void tessera_options_init(tessera_options* out) {
  Init(out);
  if (out == nullptr) return;
  const cpp::Options defaults;
  out->config = "typical";
  out->seed = defaults.seed;
  out->latency_min = defaults.latency_min;
  out->latency_max = defaults.latency_max;
  out->max_reads = defaults.max_reads;
  out->max_writes = defaults.max_writes;
  out->timeout = defaults.timeout;
}

void tessera_transfer_init(tessera_transfer* out) {
  Init(out);
  if (out == nullptr) return;
  out->elem = 1;
  std::fill(std::begin(out->count), std::end(out->count), 1U);
  for (tessera_walk& level : out->walk) level.count = 1;
  out->last_rule = TESSERA_LAST_TRANSFER;
}

tessera_sim* tessera_create(const tessera_options* options) {
  tessera_sim* sim = nullptr;
  Try(&creation_error, [&] {
    cpp::Options chosen;
    if (options != nullptr) {
      chosen = OptionsOf(Known<tessera_options>(options, tessera_options_init, "options"));
    }
    sim = std::make_unique<tessera_sim>(chosen).release();
  });
  return sim;
}

void tessera_destroy(tessera_sim* sim) { const std::unique_ptr<tessera_sim> owner(sim); }

const char* tessera_error(const tessera_sim* sim) {
  return sim == nullptr ? creation_error.c_str() : sim->error.c_str();
}

int tessera_write_memory(tessera_sim* sim, uint64_t address, const void* data, size_t size) {
  return Try(sim, [&] { sim->simulation.WriteMemory(address, data, size); });
}

int tessera_read_memory(tessera_sim* sim, uint64_t address, void* data, size_t size) {
  return Try(sim, [&] { sim->simulation.ReadMemory(address, data, size); });
}

int tessera_attach_buffer(tessera_sim* sim, uint64_t address, void* data, size_t size) {
  return Try(sim, [&] { sim->simulation.AttachBuffer(address, data, size); });
}

int tessera_attach_device(tessera_sim* sim, uint64_t address, uint64_t size,
                          const tessera_device* device) {
  return Try(sim, [&] {
    sim->devices.push_back(std::make_unique<CallbackDevice>(
        Known<tessera_device>(device, tessera_device_init, "device")));
    sim->simulation.AttachDevice(address, size, sim->devices.back().get());
  });
}

int tessera_queue(tessera_sim* sim, int direction, const tessera_transfer* transfer,
                  size_t* number) {
  return Try(sim, [&] {
    const auto known = Known<tessera_transfer>(transfer, tessera_transfer_init, "transfer");
    const size_t queued = sim->simulation.Queue(DirectionOf(direction), TransferOf(known));
    if (number != nullptr) *number = queued;
  });
}

int tessera_send(tessera_sim* sim, const void* data, size_t size, int end) {
  return Try(
      sim, [&] { sim->simulation.Send(data, size, static_cast<cpp::End>(Choice("end", end, 2))); });
}

int tessera_receive(tessera_sim* sim, void* data, size_t most, size_t* size) {
  return Try(sim, [&] {
    const std::vector<uint8_t> bytes = sim->simulation.Receive(most);
    if (!bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
    if (size != nullptr) *size = bytes.size();
  });
}

int tessera_step(tessera_sim* sim, uint64_t cycles) {
  return Try(sim, [&] { sim->simulation.Step(cycles); });
}

int tessera_run(tessera_sim* sim) {
  return Try(sim, [&] { sim->simulation.Run(); });
}

int tessera_idle(const tessera_sim* sim) {
  return sim != nullptr && sim->simulation.idle() ? 1 : 0;
}

uint64_t tessera_cycle(const tessera_sim* sim) {
  return sim == nullptr ? 0 : sim->simulation.cycle();
}

int tessera_record_get(tessera_sim* sim, int direction, size_t number, tessera_record* out) {
  return Try(sim, [&] {
    tessera_record ours = Known<tessera_record>(out, tessera_record_init, "record");
    const cpp::Record r = sim->simulation.record(DirectionOf(direction), number);
    ours.done = r.done ? 1 : 0;
    ours.status = r.status;
    ours.last = r.last ? 1 : 0;
    ours.bytes = r.bytes;
    ours.dropped = r.dropped;
    ours.addr = r.addr;
    ours.accepted_cycle = r.accepted_cycle;
    ours.done_cycle = r.done_cycle;
    Give(ours, out);
  });
}

int tessera_report_get(tessera_sim* sim, tessera_report* out) {
  return Try(sim, [&] {
    tessera_report ours = Known<tessera_report>(out, tessera_report_init, "report");
    const cpp::Report r = sim->simulation.report();
    ours.cycles = r.cycles;
    ours.read = WayOf(r.read);
    ours.write = WayOf(r.write);
    Give(ours, out);
  });
}

int tessera_abort(tessera_sim* sim, int direction) {
  return Try(sim, [&] { sim->simulation.Abort(DirectionOf(direction)); });
}

int tessera_reset(tessera_sim* sim, uint32_t cycles) {
  return Try(sim, [&] { sim->simulation.Reset(cycles); });
}

int tessera_trace(tessera_sim* sim, const char* path) {
  return Try(sim, [&] { sim->simulation.Trace(path == nullptr ? "" : path); });
}

}  // extern "C"
