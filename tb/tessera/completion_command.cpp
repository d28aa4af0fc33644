// tessera completion: what a shell needs to complete commands and options, made from the commands
// themselves.
#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "tb/sim/dut.h"
#include "tb/sim/fabric.h"
#include "tb/tessera/commands.h"

namespace tessera::cli {
namespace {

// A command with everything that may follow it.
struct Node {
  std::string path;                                        // "tessera config show"
  std::vector<std::pair<std::string, std::string>> words;  // subcommands and options, with help
};

std::string FirstSentence(const std::string& text) {
  std::string line = text.substr(0, text.find_first_of(".\n"));
  for (char& c : line) {
    if (c == '\'' || c == '[' || c == ']' || c == ':' || c == '`') c = ' ';
  }
  return line;
}

void Collect(const CLI::App& app, const std::string& path, std::vector<Node>* nodes) {
  Node node{path, {}};
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    node.words.emplace_back(sub->get_name(), FirstSentence(sub->get_description()));
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      node.words.emplace_back("--" + name, FirstSentence(option->get_description()));
    }
  }
  nodes->push_back(node);
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    Collect(*sub, path + " " + sub->get_name(), nodes);
  }
}

std::string Names() {
  std::string names;
  for (const Config& config : Configs()) names += (names.empty() ? "" : " ") + config.name;
  for (const FabricConfig& fabric : Fabrics()) names += " " + fabric.channel.name;
  return names;
}

void Bash(const std::vector<Node>& nodes) {
  fmt::print(
      "# Completion of tessera for bash: eval \"$(tessera completion bash)\"\n"
      "_tessera() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n"
      "  local path=tessera words n\n"
      "  for ((n = 1; n < COMP_CWORD; ++n)); do\n"
      "    case \"$path ${{COMP_WORDS[n]}}\" in\n");
  for (size_t n = 1; n < nodes.size(); ++n) {
    fmt::print("      '{0}') path='{0}' ;;\n", nodes[n].path);
  }
  fmt::print("    esac\n  done\n  case \"$path\" in\n");
  for (const Node& node : nodes) {
    std::string words;
    for (const auto& [word, unused] : node.words) words += (words.empty() ? "" : " ") + word;
    fmt::print("    '{}') words='{}' ;;\n", node.path, words);
  }
  fmt::print(
      "  esac\n"
      "  [[ $before == --config || $path == 'tessera config show' ]] && words+=' {}'\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  [[ ${{#COMPREPLY[@]}} -eq 0 ]] && COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "}}\n"
      "complete -o filenames -F _tessera tessera\n",
      Names());
}

void Zsh(const std::vector<Node>& nodes) {
  fmt::print(
      "#compdef tessera\n# Completion of tessera for zsh: eval \"$(tessera completion zsh)\"\n");
  fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
  Bash(nodes);
}

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
  fmt::print("# Completion of tessera for fish: tessera completion fish | source\n");
  for (const Node& node : nodes) {
    const size_t blank = node.path.rfind(' ');
    const std::string condition =
        blank == std::string::npos ? "__fish_use_subcommand"
                                   : "__fish_seen_subcommand_from " + node.path.substr(blank + 1);
    for (const auto& [word, help] : node.words) {
      const bool option = word.starts_with("--");
      fmt::print("complete -c tessera -n '{}' {} {} -d '{}'\n", condition, option ? "-l" : "-a",
                 option ? word.substr(2) : word, Quoted(help));
    }
  }
  fmt::print("complete -c tessera -l config -x -a '{}'\n", Names());
}

}  // namespace

void RegisterCompletion(CLI::App& app, Program*) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion =
      app.add_subcommand("completion", "Prints what a shell needs to complete commands");
  completion->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->callback([&app, shell] {
    std::vector<Node> nodes;
    Collect(app, "tessera", &nodes);
    if (*shell == "bash") Bash(nodes);
    if (*shell == "zsh") Zsh(nodes);
    if (*shell == "fish") Fish(nodes);
  });
}

}  // namespace tessera::cli
