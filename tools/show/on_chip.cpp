// See on_chip.h.
#include "tools/show/on_chip.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "tb/sim/counted.h"
#include "tools/show/numbers.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

Subject SubjectOf(const job::Job& job, const job::Descriptor& d, const DmaConfig& dma) {
  return {d.transfer.value, job.DirectionOf(d), dma.channel};
}

// The step of the innermost dimension that jumps, if it leads to the same bank: words, and those
// that would not.
std::optional<std::pair<uint64_t, uint64_t>> Trap(const model::Transfer& t, const DmaConfig& dma) {
  const auto word = static_cast<uint64_t>(dma.channel.data_bytes),
             banks = static_cast<uint64_t>(dma.on_chip_banks);
  for (size_t d = 0; d < model::kDims; ++d) {
    const auto step = static_cast<uint64_t>(std::abs(t.stride[d]));
    if (t.count[d] < 2 || step <= word) continue;
    if (step % (word * banks) != 0) return std::nullopt;
    return std::pair{step / word, step / word + 1};
  }
  return std::nullopt;
}

std::string Line(const job::Job& job, const job::Descriptor& d, const DmaConfig& dma,
                 const BankUse& use) {
  const bool write = job.DirectionOf(d) == Direction::kWrite;
  std::string text = fmt::format("  {} {} {}, ", d.transfer.name, write ? "writes" : "reads",
                                 Plural(use.words, "word"));
  if (use.outside > 0) text += fmt::format("{} more outside, ", Grouped(use.outside));
  if (use.stays == 0) return text + "each in another bank than the one before\n";
  text += fmt::format("{} of them in the bank of the one before", Grouped(use.stays));
  if (const auto trap = Trap(d.transfer.value, dma)) {
    text += fmt::format(": a step of {} leads to the same bank, one of {} would not",
                        Plural(trap->first, "word"), trap->second);
  }
  return text + "\n";
}

std::string PortsLine(const char* what, const std::set<int>& ports) {
  if (ports.empty()) return "";
  const std::string names = Listed(ports, [](int port) { return std::to_string(port); });
  if (ports.size() == 1)
    return fmt::format("  {} come from port {} alone: none waits for a bank, but for a processor\n",
                       what, names);
  return fmt::format(
      "  {} come from ports {}: none waits for long where each word is in another bank than the "
      "one before\n",
      what, names);
}

}  // namespace

BankUse BanksOf(const Subject& subject, const DmaConfig& dma, uint64_t most_rows) {
  const auto word = static_cast<uint64_t>(dma.channel.data_bytes),
             banks = static_cast<uint64_t>(dma.on_chip_banks);
  BankUse use;
  std::optional<uint64_t> before;
  for (const Burst& burst : ListBursts(subject, most_rows)) {
    for (uint64_t n = 0; n < burst.words; ++n) {
      const uint64_t at = burst.addr + n * word - dma.onchip_first();
      if (at >= dma.onchip_bytes()) {
        ++use.outside;
        continue;
      }
      const uint64_t bank = at / word % banks;
      ++use.words;
      use.stays += before == bank ? 1 : 0;
      before = bank;
    }
  }
  return use;
}

std::string OnChipText(const job::Job& job, const job::Hardware& hardware) {
  if (!hardware.dma || hardware.dma->onchip_bytes() == 0) return "";
  const DmaConfig& dma = *hardware.dma;
  std::string lines;
  std::set<std::string> inside;
  for (const job::Descriptor& d : job.descriptors) {
    const BankUse use = BanksOf(SubjectOf(job, d, dma), dma);
    if (use.words == 0) continue;
    inside.insert(d.transfer.name);
    lines += Line(job, d, dma, use);
  }
  if (lines.empty()) return "";
  std::set<int> ports[2];
  for (const job::Channel& channel : job.channels) {
    const bool write = channel.direction == Direction::kWrite;
    const int each = (write ? dma.writes : dma.reads) / dma.ports;
    for (const job::Task& task : channel.tasks) {
      for (const job::Descriptor* d : job.ChainOf(task)) {
        if (inside.contains(d->transfer.name)) ports[write ? 1 : 0].insert(channel.engine / each);
      }
    }
  }
  return fmt::format("\nOn-chip buffer: {} KiB from {} on; word n, of {}, is in bank n mod {}\n",
                     dma.on_chip_size, Hex(static_cast<__int128>(dma.onchip_first())),
                     Plural(static_cast<uint64_t>(dma.channel.data_bytes), "byte"),
                     dma.on_chip_banks) +
         lines + PortsLine("reads", ports[0]) + PortsLine("writes", ports[1]);
}

}  // namespace tessera::show
