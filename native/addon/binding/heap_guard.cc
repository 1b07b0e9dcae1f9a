#include "heap_guard.h"

#include <v8.h>

#include <utility>

namespace vedette {

namespace {
// The largest list or text that V8 makes has 1 GB; a copy may be on its way.
constexpr size_t ALLOWANCE_BYTES = size_t{4} << 30;
}  // namespace

struct HeapGuard::State {
  v8::Isolate* isolate;
  std::function<void()> full;

  static size_t near_limit(void* data, size_t limit, size_t) {
    auto* state = static_cast<State*>(data);
    state->full();
    state->isolate->TerminateExecution();
    return limit + ALLOWANCE_BYTES;
  }
};

HeapGuard::HeapGuard(std::function<void()> full) : state_(new State{v8::Isolate::GetCurrent(), std::move(full)}) {
  state_->isolate->AddNearHeapLimitCallback(State::near_limit, state_.get());
}

HeapGuard::~HeapGuard() { state_->isolate->RemoveNearHeapLimitCallback(State::near_limit, 0); }

}  // namespace vedette
