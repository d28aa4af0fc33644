// SIGINT, SIGTERM, SIGHUP and SIGPIPE: an end in order.
//
// CatchSignals(), called once by a program, makes a signal remove every temporary file, every
// folder that was made for one and is empty, and end the program as the signal would have. Within
// an InterruptScope the first SIGINT, SIGTERM or SIGHUP only sets Interrupted(): the command ends
// what it does, tells what it has, and returns InterruptStatus(). A second one ends the program at
// once. A library installs nothing.
#pragma once

#include <string>

namespace tessera {

void CatchSignals();
bool Interrupted();
int InterruptStatus();  // 128 + the signal

class InterruptScope {
 public:
  // Of a process that another one ends, or of work that ends soon and must not be cut: any number
  // of signals only sets Interrupted().
  struct Patient {};
  InterruptScope();
  explicit InterruptScope(Patient);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  bool patient_ = false;
};

// Thrown out of a run that was interrupted. No std::exception: it is nobody's failure.
struct InterruptedRun {};

// A file, or a folder if it is empty, that must not outlive the program. Returns what
// KeepAtSignal() takes; -1 if too many files are remembered already, which only means that a signal
// leaves this one.
int RemoveAtSignal(const std::string& path);
void KeepAtSignal(int slot);

}  // namespace tessera
