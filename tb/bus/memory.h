// A sparse byte memory of 2**64 bytes in pages of 4 KiB.
//
// Promises: a byte that nobody wrote has a known value that looks like garbage and depends on its
// address and the memory's seed alone; reading allocates nothing; every byte written through the
// bus (WriteWord) is remembered as touched, so that one written outside its buffer is found
// exactly. Preparing memory (Load, Fill) does not touch. Copying a Memory takes a snapshot.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "tb/sim/dut.h"
#include "tb/sim/rng.h"

namespace tessera {

// Bytes first .. last, both included, so that the last byte of memory can be named.
struct AddressRange {
  uint64_t first = 0;
  uint64_t last = 0;
  bool operator==(const AddressRange&) const = default;
};

struct ByteDifference {
  uint64_t addr = 0;
  uint8_t mine = 0;
  uint8_t other = 0;
  bool operator==(const ByteDifference&) const = default;
};

// Something other than stored bytes that answers for a range of addresses.
class MemoryDevice {
 public:
  virtual ~MemoryDevice() = default;
  virtual void Read(uint64_t addr, std::span<uint8_t> out) = 0;
  // Byte n of `data` counts if lane `lane` + n of the strobe is set.
  virtual void Write(uint64_t addr, std::span<const uint8_t> data, const LaneMask& strobe,
                     int lane) = 0;
};

class Memory {
 public:
  static constexpr uint64_t kPageBytes = 4096;

  explicit Memory(uint64_t seed = 0) : seed_(Mix64(seed)) {}
  Memory(const Memory& other);
  Memory& operator=(const Memory& other);
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  ~Memory() = default;

  uint8_t DefaultByte(uint64_t addr) const {
    return static_cast<uint8_t>(DefaultWord(addr >> 3) >> (8 * (addr & 7)));
  }

  uint8_t ReadByte(uint64_t addr) const;
  void Read(uint64_t addr, std::span<uint8_t> out) const;
  std::vector<uint8_t> ReadBytes(uint64_t addr, size_t count) const;

  // Back door: sets bytes without touching them.
  void Load(uint64_t addr, std::span<const uint8_t> bytes);
  void Fill(uint64_t addr, uint64_t count, uint8_t value);

  // From now on `device`, which must outlive the memory, answers for the range, on the bus and by
  // the back door; with several, all are written and the last is read. Copies have no devices.
  void Attach(const AddressRange& range, MemoryDevice* device);

  // One bus word; `addr` is a multiple of `bytes`, which is a power of two up to 128.
  void ReadWord(uint64_t addr, uint8_t* out, int bytes) const;
  void WriteWord(uint64_t addr, const uint8_t* data, int bytes, const LaneMask& strobe);

  bool Touched(uint64_t addr) const;
  uint64_t TouchedBytes() const;
  void ClearTouched();
  // In ascending order, neighbours merged.
  std::vector<AddressRange> TouchedRanges() const;
  // The touched bytes that lie in none of `allowed` (any order, overlaps welcome).
  std::vector<AddressRange> TouchedOutside(std::span<const AddressRange> allowed) const;

  // A page with touched bytes: where it begins, its bytes, and a bit for each byte touched.
  struct TouchedPage {
    uint64_t addr;
    std::span<const uint8_t, kPageBytes> bytes;
    std::span<const uint64_t, kPageBytes / 64> touched;
  };
  // In ascending order.
  std::vector<TouchedPage> TouchedPages() const;

  // Up to `limit` bytes whose values differ, in ascending order.
  std::vector<ByteDifference> Differences(const Memory& other, size_t limit = 16) const;

 private:
  struct Page {
    std::array<uint8_t, kPageBytes> bytes;
    std::array<uint64_t, kPageBytes / 64> touched;
  };

  uint64_t DefaultWord(uint64_t index) const { return Mix64(seed_ ^ index); }
  // The last page looked for, whether it exists or not, and the last page written.
  const Page* Find(uint64_t number) const {
    return number == read_number_ ? read_page_ : FindSlow(number);
  }
  const Page* FindSlow(uint64_t number) const;
  Page& Get(uint64_t number) { return number == write_number_ ? *write_page_ : GetSlow(number); }
  Page& GetSlow(uint64_t number);
  void ForgetPages() const {
    read_number_ = write_number_ = kNoPage;
    read_page_ = nullptr;
    write_page_ = nullptr;
  }
  std::vector<uint64_t> PageNumbers() const;

  struct Attached {
    AddressRange range;
    MemoryDevice* device = nullptr;
  };
  // The bytes of `out` that devices answer for; the others stay.
  void ReadDevices(uint64_t addr, std::span<uint8_t> out) const;
  void WriteDevices(uint64_t addr, std::span<const uint8_t> data, const LaneMask& strobe);
  void LoadDevices(uint64_t addr, std::span<const uint8_t> bytes);

  uint64_t seed_;
  std::vector<Attached> devices_;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  static constexpr uint64_t kNoPage = ~uint64_t{0};
  mutable uint64_t read_number_ = kNoPage;
  mutable const Page* read_page_ = nullptr;
  mutable uint64_t write_number_ = kNoPage;
  mutable Page* write_page_ = nullptr;
};

}  // namespace tessera
