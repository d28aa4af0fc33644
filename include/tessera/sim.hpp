// Tessera's simulation library: the verilated RTL of an engine pair with memory and streams around
// it, in C++17. The same in C: tessera/sim.h. docs/library.md tells more.
//
//   tessera::sim::Simulation sim;  // configuration typical
//   sim.WriteMemory(0x1000, data, size);
//   tessera::sim::Transfer t;
//   t.base = 0x1000; t.count[0] = size; t.stride[0] = 1;
//   sim.Queue(tessera::sim::Direction::kRead, t);
//   sim.Run();
//   std::vector<uint8_t> stream = sim.Receive();
//
// Everything follows from options and calls: the same ones give the same cycles. Protocol rules of
// every port are checked in every cycle. A function that fails throws Error, whose text begins with
// a sentence; who waits for whom may follow. A Simulation is used by one thread at a time; several
// of them know nothing of each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#define TESSERA_SIM_API 1  // changes when a program has to change

namespace tessera::sim {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Direction { kRead, kWrite };  // memory to stream, stream to memory

// A configuration that is built into the library.
struct Configuration {
  std::string name;
  int address_bits = 0;
  int bus_bytes = 0;
  int stream_bytes = 0;
  int max_burst = 0;      // beats
  int outstanding = 0;    // bursts, each way
  bool walk = false;      // outer traversal is there
  bool bounds = false;    // bounds, fill and drop are there
  bool loopback = false;  // the read engine feeds the write engine inside
};

std::vector<Configuration> Configurations();
const char* Version();

// Pacers say when somebody is willing: "always", "never", "p=0.5", "bursts=1-8/0-20", "list=1101".
struct Options {
  std::string config = "typical";
  uint64_t seed = 1;  // start-up state of registers, contents of memory, draws of pacers
  uint32_t latency_min = 1, latency_max = 1;  // of the memory, in cycles
  uint32_t max_reads = 64, max_writes = 64;   // bursts that the memory takes at once
  std::string ar = "always", r = "always", aw = "always", w = "always", b = "always";
  std::string sink = "always", source = "always";  // TREADY of what is read, TVALID of what is sent
  bool join = false;        // what is read is what is written: the streams are joined outside
  uint64_t timeout = 5000;  // cycles without a handshake after which Run fails
};

enum class LastRule { kNever, kTransfer, kTask, kLevel };
enum class Finish { kLength, kLast };

// A transfer as docs/transfer.md defines it; names are its names.
struct Transfer {
  struct Level {
    int dim = 0;
    int32_t step = 0;
    uint32_t count = 1;
  };
  int elem = 1;
  uint64_t base = 0;
  uint64_t offset = 0;
  std::array<uint32_t, 4> count{1, 1, 1, 1};
  std::array<int64_t, 4> stride{};
  std::array<int32_t, 4> start{};
  std::array<std::optional<uint32_t>, 4> bound{};
  std::array<std::optional<Level>, 4> walk{};
  std::optional<uint32_t> length;
  uint64_t fill = 0;
  LastRule last_rule = LastRule::kTransfer;
  int last_level = 0;
  bool join_next = false;
  bool task_end = false;
  Finish finish = Finish::kLength;
};

enum Status : uint32_t {
  kOk = 0,
  kSlvErr = 1,
  kDecErr = 2,
  kOverlong = 4,
  kPartialElement = 8,
  kSparseKeep = 16,
  kAborted = 32,
  kIllegal = 64,
};

inline constexpr uint64_t kNoCycle = ~uint64_t{0};

struct Record {
  bool done = false;      // what follows is there
  uint32_t status = kOk;  // of Status
  uint64_t bytes = 0;     // stream bytes of its positions
  uint64_t dropped = 0;   // of an overlong packet
  uint64_t addr = 0;      // of the first error response
  bool last = false;      // its last byte went with TLAST
  uint64_t accepted_cycle = kNoCycle, done_cycle = kNoCycle;
};

// What happened since the simulation was made.
struct Report {
  uint64_t cycles = 0;
  struct Way {
    uint64_t transfers = 0, done = 0;  // queued, and with their record
    uint64_t bursts = 0, bus_beats = 0, stream_beats = 0;
  };
  Way read, write;
};

struct Beat {
  uint64_t cycle = 0;
  std::vector<uint8_t> data;  // as wide as the stream; null bytes are 0
  std::vector<bool> keep;
  bool last = false;
};

enum class End { kOpen, kBeat, kLast };  // nothing, the beat, the packet

// Memory of the user's own making. The functions are called in the cycle of the bus beat.
class Device {
 public:
  virtual ~Device() = default;
  virtual void Read(uint64_t address, uint8_t* data, size_t size) = 0;
  // `enable[n]` is 0 for a byte that is not written.
  virtual void Write(uint64_t address, const uint8_t* data, const uint8_t* enable, size_t size) = 0;
};

class Simulation {
 public:
  explicit Simulation(const Options& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Configuration& configuration() const;

  // Memory is sparse, all of the address space; a byte that nobody wrote looks like garbage.
  void WriteMemory(uint64_t address, const void* data, size_t size);
  void ReadMemory(uint64_t address, void* data, size_t size) const;
  // The user's own bytes are the memory from `address` on; they must outlive the simulation.
  void AttachBuffer(uint64_t address, void* data, size_t size);
  void AttachDevice(uint64_t address, uint64_t size, Device* device);

  // Returns the number of the transfer in its direction, from 0.
  size_t Queue(Direction direction, const Transfer& transfer);
  // Bytes for the write engine.
  void Send(const void* data, size_t size, End end = End::kLast);
  // Takes what the read engine has sent and nobody has taken: at most so many bytes.
  std::vector<uint8_t> Receive(size_t most = SIZE_MAX);
  // Beats of the read engine's stream since the beginning.
  size_t beats() const;
  Beat beat(size_t number) const;

  // So many cycles. Throws if a rule of a protocol is broken or an assertion fails.
  void Step(uint64_t cycles = 1);
  // Until every transfer has its record and nothing moves. Throws if that does not happen.
  void Run();
  bool idle() const;
  uint64_t cycle() const;

  Record record(Direction direction, size_t number) const;
  Report report() const;

  void Abort(Direction direction);
  void Reset(uint32_t cycles = 4);
  // Writes a waveform (FST) from the next cycle on; an empty path ends it.
  void Trace(const std::string& path);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tessera::sim
