// tessera gen: a folder for Vivado, Vitis and simulators from a specification.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tb/files/interrupt.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"
#include "tools/gen/folder.h"
#include "tools/gen/product.h"
#include "tools/gen/writers.h"
#include "tools/program/commands.h"
#include "tools/terminal/terminal.h"

namespace tessera::cli {
namespace {

struct Options {
  std::string spec, folder;
  std::vector<std::string> checked;
  bool force = false, list = false, schema = false;
};

void List(const Terminal& terminal) {
  for (const gen::Top& top : gen::Tops()) {
    fmt::print("{}\n  {}\n\n", terminal.Strong(top.name), top.about);
    fmt::print("  {:<14} {:>8}  {:<40} {}\n", "parameter", "unless", "legal", "about");
    for (const gen::Parameter& parameter : top.parameters) {
      fmt::print("  {:<14} {:>8}  {:<40} {}\n", parameter.name, parameter.Shown(parameter.usual),
                 parameter.legal, parameter.about);
    }
    for (const gen::Rule& rule : top.rules) fmt::print("  {}: {}\n", rule.of, rule.legal);
  }
  for (const gen::AbsentTop& top : gen::AbsentTops())
    fmt::print("not in this build: {} ({}=none)\n", top.name, top.option);
}

// A line for each; false if one is wrong.
bool Check(const std::vector<std::string>& specs) {
  bool good = true;
  for (const std::string& path : specs) {
    try {
      for (const gen::Spec& spec : gen::ReadSpecs(path)) gen::Elaborate(spec);
      fmt::print("{}: ok\n", Escaped(path));
    } catch (const job::Error& error) {
      fmt::print("{}\n", Escaped(error.what()));
      good = false;
    }
  }
  return good;
}

int Generate(const Options& options) {
  const InterruptScope whole{InterruptScope::Patient()};  // no folder is left half written
  const std::vector<gen::Spec> specs = gen::ReadSpecs(options.spec);
  gen::Files all;
  std::string told, warned;
  for (const gen::Spec& spec : specs) {  // several modules: a folder each
    const gen::Design design = gen::Elaborate(spec);
    const gen::Files files = gen::WriteAll(design);
    const std::string below = specs.size() == 1 ? "" : spec.name + "/";
    for (const auto& [path, text] : files) all[below + path] = text;
    const std::string folder = Escaped(options.folder);
    told += fmt::format("{}: {} in {}; begin with {}/{}README.md\n", spec.name,
                        Counted(files.size(), "file"),
                        below.empty() ? folder : folder + "/" + spec.name, folder, below);
    told += fmt::format("  {}\n", gen::EstimateLine(design));
    if (const std::string warning = gen::ClockWarning(design); !warning.empty())
      warned += fmt::format("warning: {}\n", warning);
  }
  try {
    gen::WriteFolder(options.folder, all,
                     options.force ? gen::FilesOfEarlier(options.folder) : nullptr);
  } catch (const InterruptedRun&) {
    fmt::print("interrupted: {} is as it was\n", Escaped(options.folder));
    return InterruptStatus();
  }
  fmt::print("{}", told);
  fmt::print(stderr, "{}", warned);
  return Interrupted() ? InterruptStatus() : kGood;
}

}  // namespace

void RegisterGen(CLI::App& app, int* status) {
  CLI::App* gen = app.add_subcommand(
      "gen", "Writes a folder with an IP of its own for Vivado, Vitis and Verilator");
  gen->footer("For example: tessera gen examples/gen/pair.json -o tile_pair");
  auto options = std::make_shared<Options>();
  CLI::Option* spec =
      gen->add_option("SPEC", options->spec, "What to make, in JSON (docs/generate.md)");
  CLI::Option* out = gen->add_option("-o,--output", options->folder, "The folder: new, or empty");
  gen->add_flag("--force", options->force, "Replace a folder that gen wrote");
  CLI::Option* list =
      gen->add_flag("--list", options->list, "Tell what can be made, with all parameters")
          ->excludes(spec)
          ->excludes(out);
  CLI::Option* schema =
      gen->add_flag("--schema", options->schema, "Print the JSON schema of specifications")
          ->excludes(spec)
          ->excludes(out)
          ->excludes(list);
  gen->add_option("--check", options->checked,
                  "Tell whether these specifications are right; write nothing")
      ->excludes(spec)
      ->excludes(out)
      ->excludes(list)
      ->excludes(schema);
  gen->callback([=] {
    if (options->schema) {
      fmt::print("{}", gen::SchemaText());
    } else if (options->list) {
      List(Terminal());
    } else if (!options->checked.empty()) {
      if (!Check(options->checked)) *status = 2;
    } else if (options->spec.empty() || options->folder.empty()) {
      throw job::Error(fmt::format(
          "tessera gen: {} missing: legal are SPEC and -o, --check, --list or --schema (see "
          "tessera gen --help)",
          !options->folder.empty() ? "SPEC is"
          : !options->spec.empty() ? "-o is"
                                   : "SPEC and -o are"));
    } else {
      *status = Generate(*options);
    }
  });
}

}  // namespace tessera::cli
