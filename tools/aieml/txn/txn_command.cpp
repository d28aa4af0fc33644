// See txn_command.h.
#include "tools/aieml/txn/txn_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tb/files/text.h"
#include "tools/aieml/txn/disassemble.h"
#include "tools/aieml/txn/play.h"

namespace tessera::txn {
namespace {

struct Options {
  std::string file, array;
  bool check = false;
  bool registers = false;
  bool rtl = false;
  bool trace = false;
  uint32_t turns = 100000;
  uint64_t window = 0;
};

int Run(const Options& options, const std::vector<uint32_t>& words) {
  FileNames names;
  names.Input("FILE", options.file);
  names.Input("--array", options.array);
  array::ArrayFile file = array::Load(options.array);
  file.rtl = options.rtl;
  const driver::npu::Header header = HeaderOf(options.file, words);
  array::Partition(header.generation, header.columns, &file);
  array::Machine machine = array::Build(file, names);
  if (options.trace) Trace(&machine);
  return Play(options.file, words, file, machine, {options.turns, options.window});
}

}  // namespace

void RegisterTxn(CLI::App& app, int* status) {
  CLI::App* txn =
      app.add_subcommand("txn", "Disassembles, checks or runs an NPU transaction binary");
  txn->footer(
      "For example: tessera txn insts.bin --array array.json\n"
      "A file whose name ends with .txt has a word of hexadecimal digits a line.");
  auto options = std::make_shared<Options>();
  CLI::Option* name = txn->add_option("FILE", options->file, "The binary");
  CLI::Option* array =
      txn->add_option("--array", options->array, "Runs it on the simulated array of this file");
  txn->add_flag("--check", options->check, "Only checks it")->excludes(array);
  txn->add_flag("--registers", options->registers, "Prints the table of registers, as Markdown")
      ->excludes(name)
      ->excludes(array);
  txn->add_flag("--rtl", options->rtl,
                "The DMAs of the array are the RTL, not the behavioural model")
      ->needs(array);
  txn->add_option("--turns", options->turns, "Most turns of 32 cycles that an operation waits")
      ->needs(array);
  txn->add_option("--window", options->window,
                  "Added to the addresses of the first five arguments, as firmware does")
      ->needs(array);
  txn->add_flag("--trace", options->trace, "Prints every access of the run")->needs(array);
  txn->callback([=] {
    if (options->registers) {
      fmt::print("{}", aieml::Markdown());
      return;
    }
    if (name->count() == 0) throw CLI::RequiredError("FILE");
    const std::vector<uint32_t> words = Load(options->file);
    if (!options->array.empty()) {
      *status = Run(*options, words);
    } else if (options->check) {
      Check(options->file, words);
      fmt::print("{}: good\n", Escaped(options->file));
    } else {
      fmt::print("{}", Disassemble(options->file, words));
    }
  });
}

}  // namespace tessera::txn
