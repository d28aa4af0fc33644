// What a server gives its clients: registers, memory and simulated time. The server knows nothing
// else of a target; addresses of registers count from the first.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tessera::serve {

class Target {
 public:
  virtual ~Target() = default;
  // False: there is no such register.
  virtual bool Read(uint64_t address, uint32_t* value) = 0;
  virtual bool Write(uint64_t address, uint32_t value) = 0;
  virtual void Run(uint64_t cycles) = 0;
  // Without another access nothing will change, and Run takes no time.
  virtual bool Still() { return false; }
  virtual uint64_t cycles() const = 0;
  // Memory of the host, by words. Add makes a buffer; false if it meets another.
  virtual bool MemoryAdd(uint64_t address, uint64_t bytes) = 0;
  virtual bool MemoryRead(uint64_t address, uint32_t* word) = 0;
  virtual bool MemoryWrite(uint64_t address, uint32_t word) = 0;
  // Runs until the target interrupts, at most so many cycles: what it was, or nothing.
  virtual std::optional<std::string> Wait(uint64_t cycles) = 0;
  // Calls for every access, or for none if it is empty.
  virtual void Trace(std::function<void(const std::string&)> line) = 0;
};

}  // namespace tessera::serve
