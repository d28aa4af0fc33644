// tessera show: explains transfers without running RTL.
#pragma once

namespace CLI {
class App;
}

namespace tessera {

// Adds the command to a program. Wrong input is thrown: a sentence in an exception derived from
// std::exception.
void RegisterShow(CLI::App& app, int* status);

}  // namespace tessera
