// The words of a command line, read into options: every mistake is one sentence of ours.
#pragma once

#include <optional>

namespace CLI {
class App;
}

namespace tessera::cli {

// `app` is named as its program is. An empty text, a number that is none and one of more bits than
// its option has are refused too, in every option of every command.
//
// Returns the exit status of a program that has nothing left to do, as after help; nothing if the
// words were read. Throws std::invalid_argument for a mistake: "tessera run: --seed is ...".
std::optional<int> ReadArguments(CLI::App* app, int argc, const char* const* argv);

}  // namespace tessera::cli
