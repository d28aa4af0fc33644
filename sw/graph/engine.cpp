// Fibers, backend and memory of a program.
#include "tessera/graph/engine.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <utility>

#include "recorder.hpp"

namespace tessera::graph {
namespace {

constexpr uint64_t kBusAddress = 0x4000'0000;  // within 32 bits, with 3 GiB above
constexpr size_t kSpareBytes = 4096;           // of the backend, behind the memory of programs
constexpr uint64_t kIterations = 64;           // of a kernel in one round, if it does not wait
constexpr uint64_t kPollRounds = 10000;        // without movement until nobody polls any more

Options FromEnvironment(Options options) {
  if (const char* backend = std::getenv("TESSERA_GRAPH")) options.backend = backend;
  if (const char* trace = std::getenv("TESSERA_GRAPH_TRACE")) options.trace = trace;
  if (const char* timeline = std::getenv("TESSERA_GRAPH_TIMELINE")) options.timeline = timeline;
  return options;
}

struct Slot {
  Options options;
  uint64_t made = 0;
  std::unique_ptr<Engine> engine;
};
Slot& TheSlot() {
  static Slot slot;
  return slot;
}

}  // namespace

Mapping::Mapping(size_t bytes) {
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  bytes_ = {static_cast<uint8_t*>(mapped), bytes};
}
Mapping::~Mapping() { munmap(bytes_.data(), bytes_.size()); }

Engine::Engine(const Options& options)
    : options_(FromEnvironment(options)),
      number_(++TheSlot().made),
      memory_(options_.memory_bytes + kSpareBytes) {
  pool_ = std::make_unique<driver::MemoryPool<64, 4096>>(memory_.bytes().data(),
                                                         options_.memory_bytes, kBusAddress);
  backend_ = options_.backend == "native"
                 ? MakeNative()
                 : MakeRtl(options_.backend, options_.seed, {memory_.bytes(), kBusAddress});
  if (!options_.trace.empty()) backend_->Trace(options_.trace);
  if (!options_.timeline.empty()) recorder_ = std::make_unique<Recorder>(options_.timeline);
}

Engine::~Engine() {
  processes_.clear();  // their stacks may use all else
  backend_.reset();
}

void* Engine::Allocate(size_t bytes) { return pool_->Allocate(bytes); }
bool Engine::Free(void* memory) { return pool_->Free(memory).ok(); }
bool Engine::Owns(const void* memory, size_t bytes) const {
  return pool_->RoomAt(memory, bytes) != 0;
}

Process* Engine::Spawn(const std::string& name, std::function<void()> body) {
  auto process = std::make_unique<Process>();
  process->name = name;
  process->fiber = std::make_unique<Fiber>(std::move(body));
  process->wait.over = [] { return true; };
  processes_.push_back(std::move(process));
  return processes_.back().get();
}
void Engine::Kill(Process* process) {
  std::erase_if(processes_, [&](const auto& held) { return held.get() == process; });
}
size_t Engine::AddTask(std::function<bool()> task, std::function<bool()> unblock) {
  tasks_.push_back({std::move(task), std::move(unblock)});
  return tasks_.size() - 1;
}
void Engine::RemoveTask(size_t task) { tasks_[task] = {}; }

void Engine::Block(Wait wait) {
  if (wait.over()) return;
  running_->wait = std::move(wait);
  Fiber::Yield();
}
void Engine::Poll(Wait wait) {
  wait.polls = true;
  running_->wait = std::move(wait);
  Fiber::Yield();
}
void Engine::EndIteration(bool ends) {
  if (++running_->iterations < kIterations) return;
  Poll({"its next iteration", [ends] { return ends; }, nullptr});
}

bool Engine::RunFibers() {
  bool ran = false;
  for (size_t n = 0; n < processes_.size(); ++n) {
    Process& process = *processes_[n];
    if (process.paused || process.fiber->done()) continue;
    const bool over = process.wait.over();
    if (!over && !process.wait.polls) continue;
    running_ = &process;
    ++process.starts;
    process.iterations = 0;
    process.fiber->Resume();
    running_ = nullptr;
    ran |= over;
  }
  return ran;
}

// Cycles without movement after which nothing will move any more.
uint64_t Engine::Patience() const {
  const bool polls = std::ranges::any_of(processes_, [](const auto& process) {
    return process->wait.polls && !process->paused && !process->fiber->done();
  });
  return polls ? std::max(kPollRounds, backend_->patience()) : backend_->patience();
}

Outcome Engine::RunUntil(const std::function<bool()>& over, uint64_t cycles) {
  const uint64_t begin = cycle();
  uint64_t moved_at = begin;
  while (!over()) {
    if (cycle() - begin >= cycles) return Outcome::kTimeout;
    bool moved = RunFibers();
    for (const Task& task : tasks_) moved |= task.work && task.work();
    if (moved && over()) break;
    moved |= backend_->Step();
    if (recorder_) recorder_->Look(*backend_, processes_);
    if (moved) {
      moved_at = cycle();
    } else if (cycle() - moved_at > Patience()) {
      if (std::ranges::any_of(tasks_,
                              [](const Task& task) { return task.unblock && task.unblock(); })) {
        moved_at = cycle();
        continue;
      }
      if (cycles == ~uint64_t{0}) return Outcome::kStuck;
      return Outcome::kTimeout;  // nothing will change until then
    }
  }
  return Outcome::kDone;
}

void Engine::WriteTimeline() const {
  if (recorder_) recorder_->Write(cycle());
}

std::string Engine::Waiters() const {
  std::string text;
  std::map<std::string, std::vector<std::string>> edges;
  for (const auto& process : processes_) {
    if (process->fiber->done() || process->wait.over()) continue;
    std::vector<std::string> who;
    if (process->wait.who) who = process->wait.who();
    text += fmt::format("  {} waits for {}{}{}\n", process->name, process->wait.what,
                        who.empty() ? "" : " from ", fmt::join(who, ", "));
    edges[process->name] = who;
  }
  for (const auto& [start, unused] : edges) {
    std::vector<std::string> path;
    std::function<bool(const std::string&)> follow = [&](const std::string& node) {
      if (!path.empty() && node == start) return true;
      if (std::ranges::find(path, node) != path.end() || !edges.contains(node)) return false;
      path.push_back(node);
      for (const std::string& next : edges[node]) {
        if (follow(next)) return true;
      }
      path.pop_back();
      return false;
    };
    if (!follow(start)) continue;
    text += fmt::format("  cycle of waiters: {} -> {}\n", fmt::join(path, " -> "), start);
    break;
  }
  return text;
}

Engine& TheEngine() {
  Slot& slot = TheSlot();
  if (!slot.engine) slot.engine = std::make_unique<Engine>(slot.options);
  return *slot.engine;
}
void KeepEngine() { TheSlot(); }
void Restart(const Options& options) {
  Slot& slot = TheSlot();
  slot.engine.reset();
  slot.options = options;
}

}  // namespace tessera::graph
