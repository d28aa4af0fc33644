// Fibers on ucontext, each on a mapped stack with a guard page.
#include "tessera/graph/fiber.hpp"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace tessera::graph {
namespace {

constexpr size_t kStackBytes = size_t{1} << 20;

struct Unwind {};  // thrown where an unfinished fiber waits

thread_local Fiber* current = nullptr;

// Told to the address sanitizer, which follows stacks.
void StartSwitch([[maybe_unused]] void** save, [[maybe_unused]] const void* bottom,
                 [[maybe_unused]] size_t size) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(save, bottom, size);
#endif
}
void FinishSwitch([[maybe_unused]] void* save, [[maybe_unused]] const void** bottom,
                  [[maybe_unused]] size_t* size) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(save, bottom, size);
#endif
}

}  // namespace

struct Fiber::State {
  std::function<void()> body;
  ucontext_t here{}, caller{};
  uint8_t* stack = nullptr;
  size_t guard = 0;
  bool done = false, unwinding = false;
  std::exception_ptr thrown;
  // Of the stack that resumed this fiber, for the sanitizer.
  void* fake_stack = nullptr;
  const void* caller_bottom = nullptr;
  size_t caller_size = 0;

  static void Enter(unsigned high, unsigned low) {
    auto* state =
        reinterpret_cast<State*>(static_cast<uintptr_t>(high) << 32 | static_cast<uintptr_t>(low));
    FinishSwitch(nullptr, &state->caller_bottom, &state->caller_size);
    try {
      if (!state->unwinding) state->body();
    } catch (const Unwind&) {
    } catch (...) {
      if (!state->unwinding) state->thrown = std::current_exception();
    }
    state->done = true;
    StartSwitch(nullptr, state->caller_bottom, state->caller_size);  // this stack ends
    swapcontext(&state->here, &state->caller);
  }
};

Fiber::Fiber(std::function<void()> body) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.body = std::move(body);
  s.guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* mapped = mmap(nullptr, s.guard + kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  s.stack = static_cast<uint8_t*>(mapped);
  mprotect(s.stack, s.guard, PROT_NONE);
  getcontext(&s.here);
  s.here.uc_stack.ss_sp = s.stack + s.guard;
  s.here.uc_stack.ss_size = kStackBytes;
  s.here.uc_link = nullptr;
  const auto address = reinterpret_cast<uintptr_t>(&s);
  makecontext(&s.here, reinterpret_cast<void (*)()>(&State::Enter), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address & 0xffffffffu));
}

Fiber::~Fiber() {
  if (!state_->done) {
    state_->unwinding = true;
    Resume();
  }
  munmap(state_->stack, state_->guard + kStackBytes);
}

bool Fiber::done() const { return state_->done; }
Fiber* Fiber::Current() { return current; }

void Fiber::Resume() {
  State& s = *state_;
  Fiber* const before = std::exchange(current, this);
  void* fake_stack = nullptr;
  StartSwitch(&fake_stack, s.stack + s.guard, kStackBytes);
  swapcontext(&s.caller, &s.here);
  FinishSwitch(fake_stack, nullptr, nullptr);
  current = before;
  if (s.thrown) std::rethrow_exception(std::exchange(s.thrown, nullptr));
}

void Fiber::Yield() {
  State& s = *current->state_;
  StartSwitch(&s.fake_stack, s.caller_bottom, s.caller_size);
  swapcontext(&s.here, &s.caller);
  FinishSwitch(s.fake_stack, &s.caller_bottom, &s.caller_size);
  if (s.unwinding) throw Unwind();
}

}  // namespace tessera::graph
