// What a memory holds, as far as the model is concerned: sparse, and it knows what has been
// written.
//
// A byte nobody wrote holds what the background says: a function of the address, by default a hash,
// so that a byte taken from or put at a wrong place shows. Reading changes nothing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace tessera::model {

class MemoryImage {
 public:
  static constexpr uint64_t kPageBytes = 4096;

  // What the byte at an address holds before anybody writes it.
  using Background = std::function<uint8_t(uint64_t address)>;
  // The same for a whole page: fills the bytes from `address` on.
  using PageBackground = std::function<void(uint64_t address, std::span<uint8_t> bytes)>;

  struct Page {
    std::array<uint8_t, kPageBytes> bytes{};
    std::array<uint64_t, kPageBytes / 64> written{};    // a bit for each byte
    std::array<uint64_t, kPageBytes / 64> rewritten{};  // written more than once

    // Bytes from `n` on have been written; all of them stand in one word of `written`.
    void Note(uint64_t n, size_t bytes) {
      const uint64_t bits = (~uint64_t{0} >> (64 - bytes)) << (n % 64);
      rewritten[n / 64] |= written[n / 64] & bits;
      written[n / 64] |= bits;
    }
  };

  explicit MemoryImage(Background background = Hash)
      : MemoryImage([byte = std::move(background)](uint64_t address, std::span<uint8_t> bytes) {
          for (uint8_t& value : bytes) value = byte(address++);
        }) {}
  explicit MemoryImage(PageBackground background) : background_(std::move(background)) {}
  MemoryImage(const MemoryImage&) = delete;
  MemoryImage& operator=(const MemoryImage&) = delete;

  static uint8_t Hash(uint64_t address) {
    const uint64_t word = ((address >> 3) + 1) * 0x9E3779B97F4A7C15u;
    return static_cast<uint8_t>((word ^ (word >> 31)) >> (8 * (address & 7)));
  }

  uint8_t Read(uint64_t address) const { return Get(address).bytes[address % kPageBytes]; }

  void Write(uint64_t address, uint8_t value) {
    Page& page = Get(address);
    const uint64_t n = address % kPageBytes;
    page.bytes[n] = value;
    page.Note(n, 1);
  }

  // The bytes from `address` on that stand in one page, at most `bytes` of them.
  std::span<const uint8_t> ReadSome(uint64_t address, uint64_t bytes) const {
    const uint64_t n = address % kPageBytes;
    return {Get(address).bytes.data() + n, std::min(bytes, kPageBytes - n)};
  }

  // Writes neighbouring bytes from `address` on.
  void Write(uint64_t address, std::span<const uint8_t> bytes) {
    while (!bytes.empty()) {
      const uint64_t n = address % kPageBytes;
      const size_t part = std::min<size_t>({bytes.size(), kPageBytes - n, 64 - n % 64});
      Page& page = Get(address);
      std::memcpy(page.bytes.data() + n, bytes.data(), part);
      page.Note(n, part);
      address += part;
      bytes = bytes.subspan(part);
    }
  }

  // True if the byte has been written, be it with the value it had.
  bool Written(uint64_t address) const {
    const Page* page = Find(address / kPageBytes);
    const uint64_t n = address % kPageBytes;
    return page != nullptr && ((page->written[n / 64] >> (n % 64)) & 1) != 0;
  }

  // Writes here what has been written there.
  void Add(const MemoryImage& other) {
    other.ForEachPage([this](uint64_t address, const Page& from) {
      Page& to = Get(address);
      for (size_t w = 0; w < from.written.size(); ++w) {
        ForEachByte(from.written[w], w, [&](size_t n) { to.bytes[n] = from.bytes[n]; });
        to.rewritten[w] |= from.rewritten[w] | (to.written[w] & from.written[w]);
        to.written[w] |= from.written[w];
      }
    });
  }

  // Bytes that have been written there hold their background again here and count as not written.
  void Remove(const MemoryImage& other) {
    other.ForEachPage([this](uint64_t address, const Page& gone) {
      if (Find(address / kPageBytes) == nullptr) return;
      Page& page = Get(address);
      Page fresh;
      background_(address, fresh.bytes);
      for (size_t w = 0; w < gone.written.size(); ++w) {
        ForEachByte(gone.written[w], w, [&](size_t n) { page.bytes[n] = fresh.bytes[n]; });
        page.written[w] &= ~gone.written[w];
        page.rewritten[w] &= ~gone.written[w];
      }
    });
  }

  // The page with this number if anybody has read or written there, else nullptr.
  const Page* Find(uint64_t number) const {
    if (recent_ != nullptr && recent_number_ == number) return recent_;
    const auto it = pages_.find(number);
    return it == pages_.end() ? nullptr : it->second.get();
  }

  // Calls `visit(first address, page)` for every page with a byte that has been written, in order.
  template <typename Visit>
  void ForEachPage(Visit&& visit) const {
    for (const auto& [number, page] : pages_) {
      uint64_t any = 0;
      for (const uint64_t word : page->written) any |= word;
      if (any != 0) visit(number * kPageBytes, static_cast<const Page&>(*page));
    }
  }

  // Calls `visit(address, value)` for every byte written, in order of address.
  template <typename Visit>
  void ForEachWritten(Visit&& visit) const {
    ForEachPage([&](uint64_t address, const Page& page) {
      for (size_t w = 0; w < page.written.size(); ++w) {
        ForEachByte(page.written[w], w, [&](size_t n) { visit(address + n, page.bytes[n]); });
      }
    });
  }

 private:
  // Calls `visit` with the number in its page of every byte whose bit is set in word `w`.
  template <typename Visit>
  static void ForEachByte(uint64_t bits, size_t w, Visit&& visit) {
    for (; bits != 0; bits &= bits - 1) {
      visit(64 * w + static_cast<size_t>(std::countr_zero(bits)));
    }
  }

  Page& Get(uint64_t address) const {
    const uint64_t number = address / kPageBytes;
    return recent_ != nullptr && recent_number_ == number ? *recent_ : MakePage(number);
  }

  [[gnu::noinline]] Page& MakePage(uint64_t number) const {
    auto& page = pages_[number];
    if (!page) {
      page = std::make_unique<Page>();
      background_(number * kPageBytes, page->bytes);
    }
    recent_ = page.get();
    recent_number_ = number;
    return *recent_;
  }

  PageBackground background_;
  // Pages appear when they are first read: a cache of the background, invisible from outside.
  mutable std::map<uint64_t, std::unique_ptr<Page>> pages_;
  mutable Page* recent_ = nullptr;
  mutable uint64_t recent_number_ = 0;
};

}  // namespace tessera::model
