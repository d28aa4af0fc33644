// See play.h.
#include "tools/aieml/txn/play.h"

#include <fmt/format.h>

#include <cstdio>

#include "tb/files/text.h"
#include "tb/sim/counted.h"
#include "tools/aieml/array/bus.h"
#include "tools/aieml/txn/disassemble.h"
#include "tools/terminal/terminal.h"

namespace tessera::txn {
namespace {

// A standard output that takes nothing does not hide the verdict: RunCommand tells of it.
void Tell(const std::string& text) { std::fputs(text.c_str(), stdout); }

}  // namespace

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
  std::string text;
  if (!result.ok()) {
    text = fmt::format("stopped: {}\n", Escaped(Sentence(name, words, result.fault)));
  }
  machine.array->Settle(kSettle);
  text += fmt::format("{}, {}", Counted(result.operations, "operation"), array::Report(machine));
  if (bus.pdis() != 0) {
    text += fmt::format("{} PDI passed over: the array is as its file says\n", bus.pdis());
  }
  const std::vector<std::string> differences = array::Compare(file, machine);
  for (const std::string& line : differences) text += line + "\n";
  const int status = result.ok() && differences.empty() ? cli::kGood : cli::kFailed;
  if (status != cli::kGood) {
    for (const std::string& line : machine.array->WaitingChannels()) {
      text += fmt::format("stands still: {}\n", line);
    }
  }
  Tell(text);
  return array::WriteDumps(file, machine, status);
}

void Trace(array::Machine* machine) {
  machine->array->Trace([](const std::string& line) { Tell(line + "\n"); });
}

}  // namespace tessera::txn
