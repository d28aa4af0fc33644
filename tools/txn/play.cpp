// See play.h.
#include "tools/txn/play.h"

#include <fmt/format.h>

#include "tb/sim/counted.h"
#include "tools/array/bus.h"
#include "tools/txn/disassemble.h"

namespace tessera::txn {

int Play(const std::string& name, const std::vector<uint32_t>& words, const array::ArrayFile& file,
         array::Machine& machine, const PlayOptions& options) {
  constexpr uint64_t kSettle = 10'000'000;
  array::Bus bus(machine.array.get());
  const auto tiles = machine.array->Tiles();
  const driver::npu::Player player(bus, tiles.data(), static_cast<uint32_t>(tiles.size()));
  const driver::npu::Arguments arguments{
      machine.arguments.data(), static_cast<uint32_t>(machine.arguments.size()), options.window};
  const auto count = static_cast<uint32_t>(words.size());
  const auto checked = player.Check(words.data(), count, arguments);
  if (!checked.ok()) throw Error(Sentence(name, words, checked.fault));
  const auto result =
      player.Play(words.data(), count, arguments, driver::Timeout::Turns(options.turns));
  int status = 0;
  if (!result.ok()) {
    fmt::print("stopped: {}\n", Sentence(name, words, result.fault));
    status = 1;
  }
  machine.array->Settle(kSettle);
  fmt::print("{}, {}", Counted(result.operations, "operation"), array::Report(machine));
  if (bus.pdis() != 0) {
    fmt::print("{} PDI passed over: the array is as its file says\n", bus.pdis());
  }
  for (const std::string& line : array::Finish(file, machine)) {
    fmt::print("{}\n", line);
    status = 1;
  }
  if (status == 0) return status;
  for (const std::string& line : machine.array->WaitingChannels()) {
    fmt::print("stands still: {}\n", line);
  }
  return status;
}

}  // namespace tessera::txn
