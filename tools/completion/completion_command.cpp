// tessera completion: what a shell needs to complete commands and options, made from the commands
// themselves.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/dma/dma.h"
#include "tb/sim/counted.h"
#include "tb/sim/dut.h"
#include "tools/program/commands.h"
#include "tools/show/configs.h"

namespace tessera::cli {
namespace {

struct Word {
  std::string text, help;
};

// A command with everything that may follow it.
struct Node {
  std::string path;         // "tessera config show"
  std::vector<Word> words;  // subcommands, options, and values of its argument
  std::vector<std::pair<std::string, std::string>> values;  // of options: "--config", "small wide"
};

std::string FirstSentence(const std::string& text) {
  std::string line = text.substr(0, text.find_first_of(".\n"));
  for (char& c : line) {
    if (c == '\'' || c == '[' || c == ']' || c == ':' || c == '`') c = ' ';
  }
  return line;
}

// What an option of the command `path` may be, with blanks between; empty if that is no short list.
std::string ValuesOf(const CLI::Option& option, const std::string& path) {
  const std::string name = option.get_lnames().empty() ? option.get_name() : option.get_lnames()[0];
  const std::string configs = Listed(Configs(), &Config::name, " ");
  const std::string builds = Listed(
      Dmas(), [](const DmaConfig& dma) { return dma.channel.name; }, " ");
  if (name == "config" && path == "tessera show") {
    return Listed(
        show::NamedHardware(), [](const job::Hardware& h) { return h.config.name; }, " ");
  }
  if (name == "config") return configs;
  if (name == "dma") return builds;
  if (name == "NAME") return configs + " " + builds;
  const std::string type = option.get_type_name();
  const size_t first = type.find('{'), last = type.find('}');
  if (first == std::string::npos || last == std::string::npos) return "";
  std::string values = type.substr(first + 1, last - first - 1);
  std::replace(values.begin(), values.end(), ',', ' ');
  return values;
}

void Collect(const CLI::App& app, const std::string& path, std::vector<Node>* nodes) {
  Node node{path, {}, {}};
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    node.words.push_back({sub->get_name(), FirstSentence(sub->get_description())});
  }
  for (const CLI::Option* option : app.get_options()) {
    const std::string help = FirstSentence(option->get_description());
    const std::string values = ValuesOf(*option, path);
    for (const std::string& name : option->get_lnames()) {
      node.words.push_back({"--" + name, help});
      if (!values.empty()) node.values.emplace_back("--" + name, values);
    }
    if (!option->get_lnames().empty()) continue;
    std::istringstream each(values);
    for (std::string value; each >> value;) node.words.push_back({value, help});
  }
  nodes->push_back(node);
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    Collect(*sub, path + " " + sub->get_name(), nodes);
  }
}

// No variable has a name that means something to zsh.
void Bash(const std::vector<Node>& nodes) {
  fmt::print(
      "# Completion of tessera for bash: eval \"$(tessera completion bash)\"\n"
      "_tessera() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n"
      "  local at=tessera all n\n"
      "  for ((n = 1; n < COMP_CWORD; ++n)); do\n"
      "    case \"$at ${{COMP_WORDS[n]}}\" in\n");
  for (size_t n = 1; n < nodes.size(); ++n) {
    fmt::print("      '{0}') at='{0}' ;;\n", nodes[n].path);
  }
  fmt::print("    esac\n  done\n  case \"$at\" in\n");
  for (const Node& node : nodes) {
    fmt::print("    '{}') all='{}' ;;\n", node.path, Listed(node.words, &Word::text, " "));
  }
  fmt::print("  esac\n  case \"$at $before\" in\n");
  for (const Node& node : nodes) {
    for (const auto& [option, values] : node.values) {
      fmt::print("    '{} {}') all='{}' ;;\n", node.path, option, values);
    }
  }
  fmt::print(
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$all\" -- \"$word\"))\n"
      "  [[ ${{#COMPREPLY[@]}} -eq 0 ]] && COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "}}\n"
      "complete -o filenames -F _tessera tessera\n");
}

constexpr const char* kZsh =
    "#compdef tessera\n# Completion of tessera for zsh: eval \"$(tessera completion zsh)\"\n"
    "autoload -U +X compinit && compinit\n"
    "autoload -U +X bashcompinit && bashcompinit\n";

// Between single quotes, as fish reads them.
std::string Quoted(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

void Fish(const std::vector<Node>& nodes) {
  std::string paths;
  for (size_t n = 1; n < nodes.size(); ++n) paths += " '" + nodes[n].path + "'";
  fmt::print(
      "# Completion of tessera for fish: tessera completion fish | source\n"
      "function __tessera_at\n"
      "  set -l at tessera\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    contains -- \"$at $word\"{} && set at \"$at $word\"\n"
      "  end\n"
      "  test \"$at\" = \"$argv\"\n"
      "end\n",
      paths);
  for (const Node& node : nodes) {
    const std::string here = fmt::format("complete -c tessera -n '__tessera_at {}'", node.path);
    for (const Word& word : node.words) {
      const bool option = word.text.starts_with("--");
      std::string values;
      for (const auto& [name, all] : node.values) {
        if (name == word.text) values = fmt::format(" -x -a '{}'", all);
      }
      fmt::print("{} {} {}{} -d '{}'\n", here, option ? "-l" : "-f -a",
                 option ? word.text.substr(2) : word.text, values, Quoted(word.help));
    }
  }
}

}  // namespace

void RegisterCompletion(CLI::App& app, int*) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion =
      app.add_subcommand("completion", "Prints what a shell needs to complete commands");
  completion->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->footer("For example: eval \"$(tessera completion bash)\"");
  completion->callback([&app, shell] {
    std::vector<Node> nodes;
    Collect(app, "tessera", &nodes);
    if (*shell == "fish") return Fish(nodes);
    if (*shell == "zsh") fmt::print("{}", kZsh);
    Bash(nodes);
  });
}

}  // namespace tessera::cli
