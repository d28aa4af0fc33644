// What a memory holds, as far as the model is concerned: sparse, and it knows what has been
// written.
//
// A byte nobody wrote holds what the background says: a function of the address, by default a hash,
// so that a byte taken from or put at a wrong place shows. Reading changes nothing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace tessera::model {

class MemoryImage {
 public:
  static constexpr uint64_t kPageBytes = 4096;

  // What the byte at an address holds before anybody writes it.
  using Background = std::function<uint8_t(uint64_t address)>;

  explicit MemoryImage(Background background = Hash) : background_(std::move(background)) {}
  MemoryImage(const MemoryImage&) = delete;
  MemoryImage& operator=(const MemoryImage&) = delete;

  static uint8_t Hash(uint64_t address) {
    const uint64_t word = ((address >> 3) + 1) * 0x9E3779B97F4A7C15u;
    return static_cast<uint8_t>((word ^ (word >> 31)) >> (8 * (address & 7)));
  }

  uint8_t Read(uint64_t address) const { return Find(address).bytes[address % kPageBytes]; }

  void Write(uint64_t address, uint8_t value) {
    Page& page = Find(address);
    page.bytes[address % kPageBytes] = value;
    page.written[address % kPageBytes] = 1;
  }

  // The byte holds its background again and nobody has written it.
  void Forget(uint64_t address) {
    Page& page = Find(address);
    page.bytes[address % kPageBytes] = background_(address);
    page.written[address % kPageBytes] = 0;
  }

  // True if the byte has been written, be it with the value it had.
  bool Written(uint64_t address) const {
    const auto it = pages_.find(address / kPageBytes);
    return it != pages_.end() && it->second->written[address % kPageBytes] != 0;
  }

  // Calls `visit(address, value)` for every byte written, in order of address.
  template <typename Visit>
  void ForEachWritten(Visit&& visit) const {
    for (const auto& [number, page] : pages_) {
      for (uint64_t n = 0; n < kPageBytes; ++n) {
        if (page->written[n] != 0) visit(number * kPageBytes + n, page->bytes[n]);
      }
    }
  }

 private:
  struct Page {
    std::array<uint8_t, kPageBytes> bytes{};
    std::array<uint8_t, kPageBytes> written{};
  };

  Page& Find(uint64_t address) const {
    const uint64_t number = address / kPageBytes;
    if (recent_ != nullptr && recent_number_ == number) return *recent_;
    auto& page = pages_[number];
    if (!page) {
      page = std::make_unique<Page>();
      for (uint64_t n = 0; n < kPageBytes; ++n)
        page->bytes[n] = background_(number * kPageBytes + n);
    }
    recent_ = page.get();
    recent_number_ = number;
    return *recent_;
  }

  Background background_;
  // Pages appear when they are first read: a cache of the background, invisible from outside.
  mutable std::map<uint64_t, std::unique_ptr<Page>> pages_;
  mutable Page* recent_ = nullptr;
  mutable uint64_t recent_number_ = 0;
};

}  // namespace tessera::model
