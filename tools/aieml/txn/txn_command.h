// tessera txn: a transaction binary as text, checked, or run on a simulated array.
#pragma once

namespace CLI {
class App;
}

namespace tessera::txn {

// Leaves 1 in `status` when a run goes wrong; a wrong input is an exception.
void RegisterTxn(CLI::App& app, int* status);

}  // namespace tessera::txn
