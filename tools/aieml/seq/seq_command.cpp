// See seq_command.h.
#include "tools/aieml/seq/seq_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tb/files/output.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"
#include "tools/aieml/seq/run.h"
#include "tools/aieml/txn/disassemble.h"
#include "tools/terminal/terminal.h"

namespace tessera::seq {
namespace {

struct Options {
  std::string file, name, binary, array;
  bool check = false, run = false, rtl = false, trace = false;
  uint32_t turns = 100000;
};

constexpr uint64_t kMostText = uint64_t{64} << 20;

int Do(const Options& options) {
  FileNames names;
  names.Input("FILE", options.file);
  if (!options.array.empty()) names.Input("--array", options.array);
  if (!options.binary.empty()) {
    names.Output("--binary", options.binary);
    CheckOutput(options.binary);
  }
  const Sequence sequence =
      Lower(array::ReadFile(options.file, kMostText), options.file, options.name);
  const Device& device = sequence.device;
  const auto words =
      sequence.program.Binary(device.columns, device.rows, device.memory_rows, device.generation);
  int status = cli::kGood;
  if (options.run || options.rtl || !options.array.empty()) {
    array::ArrayFile file;
    file.path = options.file;
    if (!options.array.empty()) file = array::Load(options.array);
    file.rtl = options.rtl;
    status = Run(options.file, sequence, file, options.trace, options.turns, names);
  } else if (options.check) {
    fmt::print("{}: good, {}\n{}", Escaped(options.file),
               Counted(sequence.program.operations(), "operation"), PassedOver(sequence));
  } else if (options.binary.empty()) {
    fmt::print("{}", txn::Disassemble(options.file, words));
  }
  if (options.binary.empty()) return status;
  return cli::WriteAfter(status, [&] { SaveBinary(options.binary, words); });
}

}  // namespace

void RegisterSeq(CLI::App& app, int* status) {
  CLI::App* seq = app.add_subcommand("seq", "Lowers or runs a textual runtime sequence");
  seq->footer(
      "For example: tessera seq design.mlir --array array.json\n"
      "Without another option it prints the register operations.");
  auto options = std::make_shared<Options>();
  seq->add_option("FILE", options->file, "MLIR text with a runtime sequence")->required();
  seq->add_option("--name", options->name, "The sequence of this name, not the first");
  seq->add_flag("--check", options->check, "Only checks it");
  seq->add_option("--binary", options->binary, "Writes a transaction binary");
  seq->add_flag("--run", options->run, "Runs it on a simulated array");
  seq->add_option("--array", options->array, "Runs it on the simulated array of this file");
  seq->add_flag("--rtl", options->rtl,
                "Runs it on a simulated array whose DMAs are the RTL, not the behavioural model");
  seq->add_option("--turns", options->turns, "Most turns of 32 cycles that an operation waits");
  seq->add_flag("--trace", options->trace, "Prints every access of the run");
  seq->callback([=] { *status = Do(*options); });
}

}  // namespace tessera::seq
