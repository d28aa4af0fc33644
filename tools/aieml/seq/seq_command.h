// tessera seq: a textual runtime sequence, lowered, written as a transaction binary, or run.
#pragma once

namespace CLI {
class App;
}

namespace tessera::seq {

void RegisterSeq(CLI::App& app, int* status);

}  // namespace tessera::seq
