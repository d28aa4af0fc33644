// See arguments.h.
#include "tools/terminal/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/files/nearest.h"

namespace tessera::cli {
namespace {

// The library converts a number that is too long, or negative where none may be, to another one
// without a word.
std::string WrappedNumber(const std::string& text, bool sign) {
  if (!sign && text.starts_with('-')) return "Number less than 0: " + text;
  errno = 0;
  if (sign) {
    std::ignore = std::strtoll(text.c_str(), nullptr, 0);
  } else {
    std::ignore = std::strtoull(text.c_str(), nullptr, 0);
  }
  return errno == ERANGE ? "Number of more than 64 bits: " + text : std::string();
}

// What no option means: an empty text, a number that is none.
std::string Nothing(const std::string& text, bool number) {
  if (text.empty()) return "Empty";
  if (!number) return "";
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' && !std::isfinite(value) ? "No finite number: " + text : std::string();
}

// Refuses both in every option of every command.
void RefuseWrong(CLI::App* app) {
  for (CLI::Option* option : app->get_options()) {
    const std::string type = option->get_type_name();
    const bool sign = type.starts_with("INT"), real = type.starts_with("FLOAT");
    if (sign || type.starts_with("UINT")) {
      option->check(CLI::Validator(
          [sign](const std::string& text) { return WrappedNumber(text, sign); }, ""));
    }
    if (option->get_items_expected_max() == 0) continue;  // a flag
    option->check(
        CLI::Validator([real](const std::string& text) { return Nothing(text, real); }, ""));
  }
  for (CLI::App* sub : app->get_subcommands([](CLI::App*) { return true; })) RefuseWrong(sub);
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(sub->get_name());
  }
  return names;
}

// "; did you mean --config?"
std::string DidYouMean(const std::string& word, const std::vector<std::string>& words) {
  const std::string nearest = Nearest(word, words);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

// What is wrong with a word that a command does not know.
std::string UnknownWord(const CLI::App& command, const std::string& word) {
  std::vector<std::string> options, places;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    if (option->get_positional()) places.push_back(option->get_name());
  }
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("{} is unknown: legal are {}{}", name, fmt::join(options, ", "),
                       DidYouMean(name, options));
  }
  return fmt::format("\"{}\" is not expected: legal {}", word,
                     places.empty() ? "are options alone"
                                    : fmt::format("is one {}", fmt::join(places, " and one ")));
}

// "the job file" of what an option says of itself: "The job file".
std::string Described(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  std::string text = option == nullptr ? "" : option->get_description();
  if (text.empty()) return "with it";
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

// What a mistake in the arguments is, in a sentence; without `error`, words that nobody knows.
std::string Sentence(const CLI::App& app, const CLI::ParseError* error, int argc,
                     const char* const* argv) {
  const CLI::App* command = &app;
  std::string path = app.get_name();
  for (int n = 1; n < argc; ++n) {
    const std::string word = argv[n];
    const auto subs =
        command->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (!subs.empty()) {
      command = subs.front();
      path += " " + word;
      continue;
    }
    const std::vector<std::string> names = CommandNames(*command);
    if (names.empty() || word.starts_with("-")) break;
    return fmt::format("{}: the command is \"{}\": legal are {}{}", path, word,
                       fmt::join(names, ", "), DidYouMean(word, names));
  }
  std::string what = error == nullptr ? "" : error->what();
  const std::vector<std::string> extra = app.remaining(true);  // named in another order
  const auto* const first = std::find_if(argv + 1, argv + argc, [&](const char* word) {
    return std::find(extra.begin(), extra.end(), word) != extra.end();
  });
  // The value of an unknown option may stand where it makes another mistake.
  const bool unknown = first != argv + argc && std::string_view(*first).starts_with("--");
  if (unknown || error == nullptr || dynamic_cast<const CLI::ExtrasError*>(error) != nullptr) {
    what = UnknownWord(*command, first == argv + argc ? extra.front() : *first);
  }
  if (const size_t end = what.find_last_not_of("\n "); end != std::string::npos) {
    what.resize(end + 1);
  }
  constexpr size_t kMost = 1000;
  if (what.size() > kMost) what.replace(kMost, std::string::npos, "...");
  what = std::regex_replace(what, std::regex("\\.000000"), "");
  // What the library says of a value, in our words.
  static const std::array<std::pair<std::regex, const char*>, 12> kSayings{{
      {std::regex("Could not convert: ([^ ]+) = ([^]*)"), "$1 is \"$2\": legal is a number"},
      {std::regex("([^ ]+): Value ([^]*) not in range ([^ ]+) to ([^ ]+)"),
       "$1 is \"$2\": legal is $3 to $4"},
      {std::regex("([^ ]+): ([^]*) not in \\{([^]*)\\}"), "$1 is \"$2\": legal are $3"},
      {std::regex("([^ ]+): Number less than 0: ([^]*)"), "$1 is \"$2\": legal is 0 or more"},
      {std::regex("([^ ]+): Number of more than 64 bits: ([^]*)"),
       "$1 is \"$2\": legal is a number of at most 64 bits"},
      {std::regex("([^ ]+): No finite number: ([^]*)"), "$1 is \"$2\": legal is a finite number"},
      {std::regex("([^ ]+): Empty"), "$1 is \"\": legal is what is not empty"},
      {std::regex("([^ ]+) requires ([^]*)"), "$1 is given without $2: legal is with it"},
      {std::regex("([^ ]+) excludes ([^]*)"), "$1 is given with $2: legal is one of them"},
      {std::regex("([^ ]+): At Most ([0-9]+) required but received [0-9]+"),
       "$1 is given too often: legal is $2 time"},
      {std::regex("([^ ]+) was given a disallowed flag override"),
       "$1 has a value: legal is without one"},
      {std::regex("([^ ]+): ([0-9]+|At least [0-9]+) required [^]*"),
       "$1 has no value: legal is with one"},
  }};
  static const std::regex kMissing("([^ ]+) is required");
  if (what == "A subcommand is required") {
    what = fmt::format("the command is missing: legal are {}",
                       fmt::join(CommandNames(*command), ", "));
  } else if (std::smatch match; std::regex_match(what, match, kMissing)) {
    what = fmt::format("{} is missing: legal is {}", match[1].str(),
                       Described(*command, match[1].str()));
  }
  for (const auto& [pattern, saying] : kSayings) {
    if (!std::regex_match(what, pattern)) continue;
    what = std::regex_replace(what, pattern, saying);
    break;
  }
  return fmt::format("{}: {} (see {} --help)", path, what, path);
}

}  // namespace

std::optional<int> ReadArguments(CLI::App* app, int argc, const char* const* argv) {
  RefuseWrong(app);
  try {
    app->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& success) {  // help or version was asked for
    if (!app->remaining(true).empty()) {
      throw std::invalid_argument(Sentence(*app, nullptr, argc, argv));
    }
    return app->exit(success);
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(Sentence(*app, &error, argc, argv));
  }
}

}  // namespace tessera::cli
