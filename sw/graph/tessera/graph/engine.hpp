// The engine: one backend, the fibers of all kernels, and simulated time.
//
// Time passes in RunUntil() only, so a program that does not wait sees nothing move. In each round
// every fiber whose wait is over runs until it waits again, then the backend does one cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/graph/backend.hpp"
#include "tessera/graph/fiber.hpp"

namespace tessera::graph {

// Where graphs run. Set before the first graph is initialised.
struct Options {
  // "native", or a build of tessera_dma. The environment variable TESSERA_GRAPH comes first.
  std::string backend = "graph";
  uint64_t seed = 1;
  size_t memory_bytes = size_t{1} << 28;  // of GMIO::malloc and of buffers
  double clock_mhz = 1000;  // of the simulated array: what frequencies are measured by
  std::string trace{};      // waveform, if any; TESSERA_GRAPH_TRACE comes first
  std::string timeline{};   // picture, if any; TESSERA_GRAPH_TIMELINE comes first
};

// What a fiber waits for, and who can end that.
struct Wait {
  std::string what;  // "data of k1.in[0]"
  std::function<bool()> over;
  std::function<std::vector<std::string>()> who;  // names of the nodes that could end it
  bool polls = false;                             // goes on in the next round, over or not
};

struct Process {
  std::string name;
  std::unique_ptr<Fiber> fiber;
  Wait wait;
  bool paused = false;
  uint64_t starts = 0;      // rounds in which it ran
  uint64_t iterations = 0;  // in this round
};

// Bytes that are mapped as long as this lives.
class Mapping {
 public:
  explicit Mapping(size_t bytes);  // throws std::bad_alloc
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::span<uint8_t> bytes() const { return bytes_; }

 private:
  std::span<uint8_t> bytes_;
};

enum class Outcome { kDone, kTimeout, kStuck };

class Recorder;

class Engine {
 public:
  explicit Engine(const Options& options);
  ~Engine();

  Backend& backend() { return *backend_; }
  const Options& options() const { return options_; }
  uint64_t cycle() const { return backend_->cycle(); }
  uint64_t number() const { return number_; }  // differs for every engine of a program

  // Memory that the device reaches; nullptr if there is no room.
  void* Allocate(size_t bytes);
  bool Free(void* memory);
  // `bytes` at `memory` lie in one allocated block.
  bool Owns(const void* memory, size_t bytes) const;

  Process* Spawn(const std::string& name, std::function<void()> body);
  void Kill(Process* process);
  // Work that is done in each round beside the fibers; false if it did nothing. `unblock` is called
  // when nothing moves: true if something can move after it.
  size_t AddTask(std::function<bool()> task, std::function<bool()> unblock = nullptr);
  void RemoveTask(size_t task);

  // In a fiber: waits.
  void Block(Wait wait);
  // In a fiber: goes on in the next round. That counts as movement only if the wait is over then.
  void Poll(Wait wait);
  // In a fiber, after each iteration of a kernel: one that never waits goes on in the next round,
  // so that time passes. `ends`: there is a last iteration, so each is movement.
  void EndIteration(bool ends);
  Outcome RunUntil(const std::function<bool()>& over, uint64_t cycles = ~uint64_t{0});
  // Who waits for what, and the cycle of waiters if there is one.
  std::string Waiters() const;
  // Writes the timeline, if there is one, as far as time has come.
  void WriteTimeline() const;

 private:
  bool RunFibers();
  uint64_t Patience() const;

  Options options_;
  uint64_t number_ = 0;
  Mapping memory_;
  std::unique_ptr<driver::MemoryPool<64, 4096>> pool_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<std::unique_ptr<Process>> processes_;
  struct Task {
    std::function<bool()> work, unblock;
  };
  std::vector<Task> tasks_;
  Process* running_ = nullptr;
};

// The engine of this program, made at the first call. ADF has static calls (GMIO::malloc), so there
// is one for a program.
Engine& TheEngine();
// The engine will outlive every static object that calls this in its constructor.
void KeepEngine();
// Closes it; the next call of TheEngine() makes one with these options. Every graph must have
// ended.
void Restart(const Options& options);

}  // namespace tessera::graph
