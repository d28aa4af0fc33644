// The simulated array behind a server. An interrupt is a task-complete token.
#pragma once

#include "lib/aieml/array.h"
#include "tools/aieml/serve/target.h"

namespace tessera::serve {

class ArrayTarget final : public Target {
 public:
  explicit ArrayTarget(aieml::Array* array) : array_(array) {}

  bool Read(uint64_t address, uint32_t* value) override {
    return address >> 32 == 0 && array_->Read(static_cast<uint32_t>(address), value);
  }
  bool Write(uint64_t address, uint32_t value) override {
    return address >> 32 == 0 && array_->Write(static_cast<uint32_t>(address), value);
  }
  void Run(uint64_t cycles) override { array_->Run(cycles); }
  bool Still() override { return array_->Still(); }
  uint64_t cycles() const override { return array_->cycles(); }
  bool MemoryAdd(uint64_t address, uint64_t bytes) override {
    return array_->host().Add(address, bytes);
  }
  bool MemoryRead(uint64_t address, uint32_t* word) override {
    return array_->host().Read(address, word);
  }
  bool MemoryWrite(uint64_t address, uint32_t word) override {
    return array_->host().Write(address, word);
  }
  std::optional<std::string> Wait(uint64_t cycles) override;
  void Trace(std::function<void(const std::string&)> line) override {
    array_->Trace(std::move(line));
  }

 private:
  aieml::Array* array_;
};

}  // namespace tessera::serve
