// tessera serve: the simulated array, or the RTL of a tessera_dma, for programs that connect by
// TCP.
#pragma once

namespace CLI {
class App;
}

namespace tessera::serve {

void RegisterServe(CLI::App& app, int* status);

}  // namespace tessera::serve
