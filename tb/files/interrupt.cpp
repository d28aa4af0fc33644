// See interrupt.h. A handler can reach globals alone, so the state of the signals is global here.
#include "tb/files/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace tessera {
namespace {

constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};
std::array<std::atomic<char*>, 64> remembered{};
std::atomic<int> caught{0};
std::atomic<int> scopes{0};
std::atomic<bool> patient{false};

extern "C" void OnSignal(int signal) {
  if (signal != SIGPIPE && scopes.load() > 0) {
    int none = 0;
    if (caught.compare_exchange_strong(none, signal) || patient.load()) return;
  }
  for (const std::atomic<char*>& path : remembered) {
    if (const char* name = path.load()) unlink(name);
  }
  for (bool gone = true; gone;) {  // a folder within another goes first
    gone = false;
    for (const std::atomic<char*>& path : remembered) {
      const char* name = path.load();
      gone = (name != nullptr && rmdir(name) == 0) || gone;
    }
  }
  ::signal(signal, SIG_DFL);
  raise(signal);  // delivered when this handler returns
}

void Install(int number) {
  struct sigaction action {};
  sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;  // as nohup asks
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

void CatchSignals() {
  for (const int number : kInterrupts) Install(number);
  Install(SIGPIPE);
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write
}

bool Interrupted() { return caught.load(std::memory_order_relaxed) != 0; }
int InterruptStatus() { return 128 + caught.load(); }

InterruptScope::InterruptScope() { ++scopes; }
InterruptScope::InterruptScope(Patient) : InterruptScope() { patient = patient_ = true; }
InterruptScope::~InterruptScope() {
  if (patient_) patient = false;
  --scopes;
}

int RemoveAtSignal(const std::string& path) {
  char* copy = strdup(path.c_str());
  for (size_t n = 0; copy != nullptr && n < remembered.size(); ++n) {
    char* none = nullptr;
    if (remembered[n].compare_exchange_strong(none, copy)) return static_cast<int>(n);
  }
  free(copy);
  return -1;
}

void KeepAtSignal(int slot) {
  if (slot >= 0) free(remembered[static_cast<size_t>(slot)].exchange(nullptr));
}

}  // namespace tessera
