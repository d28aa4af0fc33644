// The sparse memory: pages come to life at the first write.
#include "tb/bus/memory.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tessera {

Memory::Memory(const Memory& other) : seed_(other.seed_) {
  for (const auto& [number, page] : other.pages_) {
    pages_.emplace(number, std::make_unique<Page>(*page));
  }
}

Memory& Memory::operator=(const Memory& other) {
  if (this != &other) *this = Memory(other);
  return *this;
}

Memory::Memory(Memory&& other) noexcept : seed_(other.seed_), pages_(std::move(other.pages_)) {
  other.pages_.clear();
  other.ForgetPages();
}

Memory& Memory::operator=(Memory&& other) noexcept {
  seed_ = other.seed_;
  pages_ = std::move(other.pages_);
  ForgetPages();
  other.pages_.clear();
  other.ForgetPages();
  return *this;
}

const Memory::Page* Memory::FindSlow(uint64_t number) const {
  const auto it = pages_.find(number);
  read_number_ = number;
  read_page_ = it == pages_.end() ? nullptr : it->second.get();
  return read_page_;
}

Memory::Page& Memory::GetSlow(uint64_t number) {
  std::unique_ptr<Page>& slot = pages_[number];
  if (slot == nullptr) {
    slot = std::make_unique<Page>();
    const uint64_t first = number * (kPageBytes / 8);
    for (uint64_t i = 0; i < kPageBytes / 8; ++i) {
      const uint64_t word = DefaultWord(first + i);
      std::memcpy(&slot->bytes[i * 8], &word, 8);
    }
    slot->touched.fill(0);
    if (read_number_ == number) read_page_ = slot.get();
  }
  write_number_ = number;
  write_page_ = slot.get();
  return *write_page_;
}

uint8_t Memory::ReadByte(uint64_t addr) const {
  if (!devices_.empty()) [[unlikely]]
    return ReadBytes(addr, 1)[0];
  const Page* page = Find(addr / kPageBytes);
  return page != nullptr ? page->bytes[addr % kPageBytes] : DefaultByte(addr);
}

void Memory::Read(uint64_t addr, std::span<uint8_t> out) const {
  size_t done = 0;
  while (done < out.size()) {
    const uint64_t offset = addr % kPageBytes;
    const size_t count = std::min<size_t>(kPageBytes - offset, out.size() - done);
    if (const Page* page = Find(addr / kPageBytes)) {
      std::memcpy(&out[done], &page->bytes[offset], count);
    } else {
      for (size_t i = 0; i < count;) {
        const uint64_t byte = (addr + i) & 7;
        const size_t part = std::min<size_t>(8 - byte, count - i);
        const uint64_t word = DefaultWord((addr + i) >> 3) >> (8 * byte);
        std::memcpy(&out[done + i], &word, part);
        i += part;
      }
    }
    done += count;
    addr += count;
  }
  if (!devices_.empty()) ReadDevices(addr - out.size(), out);
}

std::vector<uint8_t> Memory::ReadBytes(uint64_t addr, size_t count) const {
  std::vector<uint8_t> out(count);
  Read(addr, out);
  return out;
}

void Memory::Load(uint64_t addr, std::span<const uint8_t> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const uint64_t offset = addr % kPageBytes;
    const size_t count = std::min<size_t>(kPageBytes - offset, bytes.size() - done);
    std::memcpy(&Get(addr / kPageBytes).bytes[offset], &bytes[done], count);
    done += count;
    addr += count;
  }
  if (!devices_.empty()) LoadDevices(addr - bytes.size(), bytes);
}

void Memory::Fill(uint64_t addr, uint64_t count, uint8_t value) {
  while (count > 0) {
    const uint64_t offset = addr % kPageBytes;
    const uint64_t part = std::min(kPageBytes - offset, count);
    std::memset(&Get(addr / kPageBytes).bytes[offset], value, part);
    count -= part;
    addr += part;
  }
}

void Memory::ReadWord(uint64_t addr, uint8_t* out, int bytes) const {
  const size_t count = static_cast<size_t>(bytes);
  if (const Page* page = Find(addr / kPageBytes)) {
    std::memcpy(out, &page->bytes[addr % kPageBytes], count);
  } else if (count >= 8) {
    for (size_t i = 0; i < count; i += 8) {
      const uint64_t word = DefaultWord((addr + i) >> 3);
      std::memcpy(out + i, &word, 8);
    }
  } else {
    for (size_t i = 0; i < count; ++i) out[i] = DefaultByte(addr + i);
  }
  if (!devices_.empty()) [[unlikely]]
    ReadDevices(addr, {out, count});
}

void Memory::WriteWord(uint64_t addr, const uint8_t* data, int bytes, const LaneMask& strobe) {
  if ((strobe.word[0] | strobe.word[1]) == 0) return;
  if (!devices_.empty()) [[unlikely]]
    WriteDevices(addr, {data, static_cast<size_t>(bytes)}, strobe);
  Page& page = Get(addr / kPageBytes);
  const uint64_t offset = addr % kPageBytes;
  uint8_t* to = &page.bytes[offset];
  if (std::popcount(strobe.word[0]) + std::popcount(strobe.word[1]) == bytes) {
    std::memcpy(to, data, static_cast<size_t>(bytes));
  } else {
    for (int half = 0; half < 2; ++half) {
      for (uint64_t left = strobe.word[static_cast<size_t>(half)]; left != 0; left &= left - 1) {
        const int lane = half * 64 + std::countr_zero(left);
        to[lane] = data[lane];
      }
    }
  }
  page.touched[offset / 64] |= strobe.word[0] << (offset % 64);
  if (bytes > 64) page.touched[offset / 64 + 1] |= strobe.word[1];
}

void Memory::Attach(const AddressRange& range, MemoryDevice* device) {
  devices_.push_back({range, device});
}

void Memory::ReadDevices(uint64_t addr, std::span<uint8_t> out) const {
  for (const Attached& a : devices_) {
    const uint64_t first = std::max(addr, a.range.first);
    const uint64_t last = std::min(addr + (out.size() - 1), a.range.last);
    if (out.empty() || first > last) continue;
    a.device->Read(first, out.subspan(first - addr, last - first + 1));
  }
}

void Memory::WriteDevices(uint64_t addr, std::span<const uint8_t> data, const LaneMask& strobe) {
  for (const Attached& a : devices_) {
    const uint64_t first = std::max(addr, a.range.first);
    const uint64_t last = std::min(addr + (data.size() - 1), a.range.last);
    if (first > last) continue;
    const size_t lane = first - addr;
    a.device->Write(first, data.subspan(lane, last - first + 1), strobe, static_cast<int>(lane));
  }
}

void Memory::LoadDevices(uint64_t addr, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const size_t count = std::min<size_t>(bytes.size(), kMaxBusBytes);
    WriteDevices(addr, bytes.first(count), {.word = {~uint64_t{0}, ~uint64_t{0}}});
    bytes = bytes.subspan(count);
    addr += count;
  }
}

bool Memory::Touched(uint64_t addr) const {
  const Page* page = Find(addr / kPageBytes);
  const uint64_t offset = addr % kPageBytes;
  return page != nullptr && ((page->touched[offset / 64] >> (offset % 64)) & 1) != 0;
}

uint64_t Memory::TouchedBytes() const {
  uint64_t count = 0;
  for (const auto& [number, page] : pages_) {
    for (const uint64_t word : page->touched) count += static_cast<uint64_t>(std::popcount(word));
  }
  return count;
}

void Memory::ClearTouched() {
  for (auto& [number, page] : pages_) page->touched.fill(0);
}

std::vector<uint64_t> Memory::PageNumbers() const {
  std::vector<uint64_t> numbers;
  numbers.reserve(pages_.size());
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<Memory::TouchedPage> Memory::TouchedPages() const {
  std::vector<TouchedPage> touched;
  for (const uint64_t number : PageNumbers()) {
    const Page& page = *pages_.at(number);
    const bool any = std::any_of(page.touched.begin(), page.touched.end(),
                                 [](uint64_t word) { return word != 0; });
    if (any) touched.push_back({number * kPageBytes, page.bytes, page.touched});
  }
  return touched;
}

std::vector<AddressRange> Memory::TouchedRanges() const {
  std::vector<AddressRange> ranges;
  for (const uint64_t number : PageNumbers()) {
    const Page& page = *pages_.at(number);
    for (size_t i = 0; i < page.touched.size(); ++i) {
      uint64_t word = page.touched[i];
      while (word != 0) {
        const int first = std::countr_zero(word);
        const int count = std::countr_one(word >> first);
        const uint64_t addr = number * kPageBytes + i * 64 + static_cast<uint64_t>(first);
        const uint64_t last = addr + static_cast<uint64_t>(count) - 1;
        if (!ranges.empty() && ranges.back().last + 1 == addr) {
          ranges.back().last = last;
        } else {
          ranges.push_back({addr, last});
        }
        if (first + count == 64) break;
        word &= ~uint64_t{0} << (first + count);
      }
    }
  }
  return ranges;
}

std::vector<AddressRange> Memory::TouchedOutside(std::span<const AddressRange> allowed) const {
  std::vector<AddressRange> sorted(allowed.begin(), allowed.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const AddressRange& a, const AddressRange& b) { return a.first < b.first; });
  std::vector<AddressRange> outside;
  size_t from = 0;
  uint64_t reach = 0;      // every address below is settled by ranges before `from`
  bool reach_all = false;  // an allowed range ends at the last byte of memory
  for (AddressRange range : TouchedRanges()) {
    for (;;) {
      while (from < sorted.size() && sorted[from].first <= range.first) {
        if (sorted[from].last == ~uint64_t{0}) {
          reach_all = true;
        } else {
          reach = std::max(reach, sorted[from].last + 1);
        }
        ++from;
      }
      if (reach_all) return outside;
      if (reach > range.last) break;
      range.first = std::max(range.first, reach);
      if (from == sorted.size() || sorted[from].first > range.last) {
        outside.push_back(range);
        break;
      }
      if (sorted[from].first > range.first) {
        outside.push_back({range.first, sorted[from].first - 1});
        range.first = sorted[from].first;
      }
    }
  }
  return outside;
}

std::vector<ByteDifference> Memory::Differences(const Memory& other, size_t limit) const {
  std::vector<uint64_t> numbers = PageNumbers();
  for (const uint64_t number : other.PageNumbers()) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<ByteDifference> differences;
  for (const uint64_t number : numbers) {
    const Page* a = Find(number);
    const Page* b = other.Find(number);
    if (a != nullptr && b != nullptr && a->bytes == b->bytes) continue;
    for (uint64_t i = 0; i < kPageBytes && differences.size() < limit; ++i) {
      const uint64_t addr = number * kPageBytes + i;
      const uint8_t mine = a != nullptr ? a->bytes[i] : DefaultByte(addr);
      const uint8_t theirs = b != nullptr ? b->bytes[i] : other.DefaultByte(addr);
      if (mine != theirs) differences.push_back({addr, mine, theirs});
    }
  }
  return differences;
}

}  // namespace tessera
