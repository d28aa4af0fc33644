// The program around its commands; see commands.h.
#include <fmt/format.h>

#include <exception>

#include "tb/tessera/commands.h"
#ifdef TESSERA_HAS_SHOW
#include "tb/show/show_command.h"
#endif

namespace tessera::cli {
namespace {

// What a mistake in the arguments is, in a sentence.
std::string Sentence(const CLI::App& app, const CLI::ParseError& error, int argc,
                     const char* const* argv) {
  const CLI::App* command = &app;
  std::string path = "tessera";
  for (int n = 1; n < argc; ++n) {
    const std::string word = argv[n];
    const auto subs =
        command->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (!subs.empty()) {
      command = subs.front();
      path += " " + word;
      continue;
    }
    const auto all = command->get_subcommands([](const CLI::App*) { return true; });
    if (all.empty() || word.starts_with("-")) break;
    std::string names;
    for (const CLI::App* sub : all) names += (names.empty() ? "" : ", ") + sub->get_name();
    return fmt::format("{}: the command is \"{}\": legal are {}", path, word, names);
  }
  std::string what = error.what();
  if (const size_t end = what.find_last_not_of("\n "); end != std::string::npos) {
    what.resize(end + 1);
  }
  const std::string conversion = "Could not convert: ";
  if (const size_t equals = what.find(" = ");
      what.starts_with(conversion) && equals < what.size()) {
    return fmt::format("{}: {} is \"{}\": legal is a number (see {} --help)", path,
                       what.substr(conversion.size(), equals - conversion.size()),
                       what.substr(equals + 3), path);
  }
  return fmt::format("{}: {} (see {} --help)", path, what, path);
}

}  // namespace

int Main(int argc, const char* const* argv) {
  CLI::App app{
      "Tessera, an open tensor DMA: runs transfers on the verilated RTL.\n"
      "Exit status: 0 good, 1 something failed, 2 wrong input.",
      "tessera"};
  app.require_subcommand(1);
  app.set_version_flag("--version", TESSERA_VERSION);
  app.set_help_all_flag("--help-all", "Help of every command");
  Program program;
  try {
    RegisterRun(app, &program);
    RegisterCheck(app, &program);
#ifdef TESSERA_HAS_SHOW
    RegisterShow(app);
#endif
    RegisterConfig(app, &program);
    RegisterBench(app, &program);
    RegisterSoak(app, &program);
    RegisterCompletion(app, &program);
    app.parse(argc, argv);
    return program.status;
  } catch (const CLI::Success& success) {  // help or version was asked for
    return app.exit(success);
  } catch (const CLI::RuntimeError& error) {  // a command's own exit status
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}\n", Sentence(app, error, argc, argv));
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}

}  // namespace tessera::cli
