// An emulated processor that runs firmware: memory, a device behind its registers, and counters of
// what a call cost.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sw/firmware/device.h"
#include "tb/board/cache_model.h"

struct uc_struct;

namespace tessera::firmware {

// What firmware is built for: the name of its programs, and the processor.
struct Target {
  const char* name;
  Architecture architecture;
  uint32_t cache_line;  // bytes
};
inline constexpr Target kTargets[] = {{"aarch64", Architecture::kAarch64, 64},
                                      {"cortex-r5", Architecture::kCortexR5, 32},
                                      {"riscv64", Architecture::kRiscv64, 64}};

class Processor {
 public:
  static constexpr uint64_t kRam = 0x10000000;
  static constexpr uint64_t kRamBytes = 1u << 20;
  static constexpr uint64_t kRegisters = 0x40000000;

  // Loads a program. `device` must outlive the processor.
  Processor(Architecture architecture, const std::string& elf, Device& device);
  ~Processor();
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  struct Cost {
    uint64_t instructions = 0;
    uint64_t reads = 0;
    uint64_t writes = 0;
  };
  // Calls a function with at most four arguments and returns its result. Throws if it does not come
  // back within `limit` instructions, or if an access was answered with an error.
  uint32_t Call(const std::string& function, const std::vector<uint64_t>& arguments,
                uint64_t limit = 1'000'000);
  // From now on this function is called when the interrupt line of the device is up after a
  // register access, as a handler is: between two instructions, and not within itself.
  void SetHandler(const std::string& function) { handler_ = symbols_.at(function); }
  uint64_t interrupts() const { return interrupts_; }
  // In the next call the handler comes before instruction `instruction` (from 1), whatever the line
  // says, and `before` is called before it. Nothing happens in a call that is shorter.
  void InterruptAt(uint64_t instruction, std::function<void()> before) {
    interrupt_at_ = instruction;
    before_ = std::move(before);
  }
  // From now on the device sees the memory of `cache`, and the program's cache instructions work.
  // Without one they do nothing. `cache` must outlive the processor.
  void SetCache(CacheModel& cache) {
    cache_ = &cache;
    cache.Attach(ram_.get(), kRamBytes);
  }
  // What the latest call cost, handlers included.
  const Cost& cost() const { return cost_; }

  uint64_t Symbol(const std::string& name) const { return symbols_.at(name); }
  uint8_t* ram() { return ram_.get(); }

 private:
  struct Hooks;

  void Load(const std::string& elf);
  // The error of the emulator.
  int Run(uint64_t at, uint64_t limit);
  void Interrupt(uint64_t limit);
  bool MaintainCache(uint64_t address, uint32_t size);
  void CountConditional(uint64_t address, uint32_t size);
  uint64_t Thumb() const { return architecture_ == Architecture::kCortexR5 ? 1 : 0; }

  Architecture architecture_;
  Device& device_;
  CacheModel* cache_ = nullptr;
  uc_struct* engine_ = nullptr;
  std::unique_ptr<uint8_t, void (*)(void*)> ram_;
  std::map<std::string, uint64_t> symbols_;
  Cost cost_;
  uint64_t handler_ = 0, interrupts_ = 0;
  uint64_t interrupt_at_ = 0;
  std::function<void()> before_;
  uint64_t next_ = 0;  // where to go on after an instruction that is stepped over
  bool faulted_ = false;
  int conditional_ = 0;    // instructions left of a Thumb IT block
  bool asked_ = false;     // the interrupt line is up
  bool pending_ = false;   // the program was stopped for the handler
  bool handling_ = false;  // the handler runs
};

}  // namespace tessera::firmware
