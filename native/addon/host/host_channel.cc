#include "host_channel.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "channels.h"

namespace vedette {

namespace {

constexpr size_t ALIGNMENT = 64;                // a line of the cache, and what vector instructions like
constexpr size_t MAX_BYTES = 64 * 1024 * 1024;  // a picture of 2000x2000 in three floats is 48 MB
constexpr size_t MAX_FACTS = 64;

Channels<HostChannel>& channels() { return Channels<HostChannel>::of_process(); }

[[noreturn]] void refuse(const std::string& why) { throw Fault{"engine.bad_task", why}; }

void check(const HostNeeds& needs) {
  for (const size_t bytes : {needs.input_bytes, needs.output_bytes})
    if (bytes < 1 || bytes > MAX_BYTES)
      refuse("its worker needs room for " + std::to_string(bytes) + " bytes; 1 to " + std::to_string(MAX_BYTES) +
             " can be had");
  if (needs.facts.size() > MAX_FACTS)
    refuse("its worker says " + std::to_string(needs.facts.size()) + " facts; " + std::to_string(MAX_FACTS) +
           " at most");
  for (const double fact : needs.facts)
    if (!std::isfinite(fact)) refuse("its worker says a fact that is no finite number");
}

}  // namespace

HostRoom::HostRoom(size_t bytes) : size_(bytes) {
  const size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  data_.reset(static_cast<uint8_t*>(std::aligned_alloc(ALIGNMENT, whole)));
  if (!data_) throw std::bad_alloc();
  std::memset(data_.get(), 0, whole);
}

void HostRoom::Free::operator()(uint8_t* data) const { std::free(data); }

int HostChannel::open() { return channels().open(std::make_shared<HostChannel>()); }

std::shared_ptr<HostChannel> HostChannel::find(int number) {
  auto found = channels().find(number);
  if (!found) refuse("there is no worker " + std::to_string(number) + " for a step that JavaScript does");
  return found;
}

void HostChannel::close(int number) {
  const auto closed = channels().take(number);
  if (!closed) return;
  const std::lock_guard<std::mutex> lock(closed->mutex_);
  closed->is_closed_ = true;
  closed->settle(HostOutcome::gone, 0);
}

void HostChannel::attach(const HostNeeds& needs, std::function<void(size_t)> wake) {
  check(needs);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed_) refuse("its worker came too late");
  if (wake_) refuse("it has a worker already");
  if (!input_) {
    auto input = std::make_shared<HostRoom>(needs.input_bytes);
    output_ = std::make_shared<HostRoom>(needs.output_bytes);
    input_ = std::move(input);
    needs_ = needs;
  } else if (!(needs == needs_)) {
    refuse("its worker needs other room than the one before");
  }
  is_exhausted_ = false;
  reason_.clear();
  wake_ = std::move(wake);
}

void HostChannel::detach() {
  const std::lock_guard<std::mutex> lock(mutex_);
  wake_ = nullptr;
  settle(HostOutcome::gone, 0);
}

void HostChannel::answer(size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_busy_) return;
  if (bytes <= output_->size()) return settle(HostOutcome::done, bytes);
  failure_ = "it answered " + std::to_string(bytes) + " bytes; there is room for " + std::to_string(output_->size());
  settle(HostOutcome::failed, 0);
}

void HostChannel::fail(const std::string& why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_busy_) return;
  failure_ = why;
  settle(HostOutcome::failed, 0);
}

/** Under the mutex. */
void HostChannel::settle(HostOutcome outcome, size_t bytes) {
  if (is_busy_) answered_++;
  is_busy_ = false;
  latest_ = {outcome, bytes};
  answered_cv_.notify_all();
}

HostChannel::Pulse HostChannel::pulse() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {is_busy_, is_exhausted_, answered_, users_};
}

void HostChannel::set_reason(const std::string& why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  reason_ = why;
}

HostOutcome HostChannel::readiness() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return readiness_locked();
}

HostOutcome HostChannel::readiness_locked() const {
  if (is_closed_ || !wake_ || is_exhausted_) return HostOutcome::gone;
  return is_busy_ ? HostOutcome::late : HostOutcome::done;
}

HostAnswer HostChannel::ask(size_t bytes, int64_t limit_us) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(limit_us);
  std::unique_lock<std::mutex> lock(mutex_);
  const HostOutcome readiness = readiness_locked();
  if (readiness != HostOutcome::done) return {readiness, 0};
  is_busy_ = true;
  wake_(bytes);
  const bool is_settled = answered_cv_.wait_until(lock, deadline, [this] { return !is_busy_; });
  return is_settled ? latest_ : HostAnswer{HostOutcome::late, 0};
}

std::string HostChannel::why() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (readiness_locked() != HostOutcome::gone) return failure_;
  if (!reason_.empty()) return reason_;
  // its keeper has not looked yet
  return is_exhausted_ ? "it needed more memory than it may have" : "its worker has ended";
}

}  // namespace vedette
