#include "plugin_channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "channels.h"

namespace vedette {

namespace {

constexpr size_t MAX_READY_BYTES = 16 * 1024, MAX_FAILURE_BYTES = 1024;
constexpr size_t MAX_TAKEN_BYTES = 64 * 1024;  // at once, so that one who never stops is not listened to for ever

Channels<PluginChannel>& channels() { return Channels<PluginChannel>::of_process(); }

[[noreturn]] void refuse(const std::string& why) { throw Fault{"engine.bad_task", why}; }

/** What a program says to people: one line. */
std::string line_of(std::string text) {
  for (char& each : text)
    if (static_cast<unsigned char>(each) < ' ' || each == 0x7f) each = ' ';
  return text;
}

size_t most_of(PluginMessage kind) {
  switch (kind) {
    case PluginMessage::ready:
      return MAX_READY_BYTES;
    case PluginMessage::failure:
      return MAX_FAILURE_BYTES;
    default:
      return 0;
  }
}

}  // namespace

int PluginChannel::open(PluginLayout layout) {
  return channels().open(std::make_shared<PluginChannel>(std::move(layout)));
}

std::shared_ptr<PluginChannel> PluginChannel::find(int number) {
  auto found = channels().find(number);
  if (!found) refuse("there is no process " + std::to_string(number) + " for a step of a plugin");
  return found;
}

void PluginChannel::close(int number) {
  const auto closed = channels().take(number);
  if (!closed) return;
  const std::lock_guard<std::mutex> lock(closed->mutex_);
  closed->is_closed_ = true;
  closed->break_off("it was ended");
}

PluginSeat::Theirs PluginChannel::seat() {
  auto seat = std::make_shared<PluginSeat>(layout_.bytes);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed_) refuse("its process came too late");
  break_off("another one begins");
  seat_ = std::move(seat);
  state_ = State::preparing;
  is_shown_ = false;
  inbox_.clear();
  ready_.clear();
  reason_.clear();
  return seat_->take_theirs();
}

void PluginChannel::start(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (seat_) send(*seat_, PluginMessage::start, 0, text);
}

void PluginChannel::vacate(const std::string& why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  break_off(why);
  reason_ = line_of(why);
}

PluginChannel::Look PluginChannel::look() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_asking_) take();
  return {state_, is_busy_, answered_, users_, ready_, reason_};
}

std::shared_ptr<PluginSeat> PluginChannel::ready_seat(HostOutcome& outcome) {
  const std::lock_guard<std::mutex> lock(mutex_);
  take();  // what came too late is dropped here
  outcome = state_ != State::working ? HostOutcome::gone : is_busy_ ? HostOutcome::late : HostOutcome::done;
  return outcome == HostOutcome::done ? seat_ : nullptr;
}

void PluginChannel::tell(const std::shared_ptr<PluginSeat>& seat, const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (seat == seat_) send(*seat, PluginMessage::params, 0, text);
}

HostOutcome PluginChannel::ask(const std::shared_ptr<PluginSeat>& seat, int64_t limit_us) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::microseconds(limit_us);
  std::unique_lock<std::mutex> lock(mutex_);
  if (seat != seat_ || state_ != State::working) return HostOutcome::gone;
  has_failed_ = false;
  number_++;
  send(*seat, PluginMessage::request, number_);
  if (seat != seat_) return HostOutcome::gone;
  is_busy_ = is_asking_ = true;
  while (is_busy_) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now()).count();
    if (left <= 0) break;
    lock.unlock();
    pollfd waiting{seat->socket(), POLLIN, 0};
    const timespec limit{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    ppoll(&waiting, 1, &limit, nullptr);
    lock.lock();
    if (seat == seat_) take();
  }
  is_asking_ = false;
  if (seat != seat_) return HostOutcome::gone;
  if (is_busy_) return HostOutcome::late;
  return has_failed_ ? HostOutcome::failed : HostOutcome::done;
}

bool PluginChannel::is_shown(const std::shared_ptr<PluginSeat>& seat) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return seat == seat_ && is_shown_;
}

std::string PluginChannel::why() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ == State::working) return failure_;
  if (!reason_.empty()) return reason_;
  return state_ == State::preparing ? "its program is getting ready" : "its program has ended";
}

/** Under the mutex. Whoever waits is woken. */
void PluginChannel::break_off(const std::string& why) {
  if (seat_) shutdown(seat_->socket(), SHUT_RDWR);
  seat_ = nullptr;
  state_ = State::gone;
  if (reason_.empty()) reason_ = line_of(why);
  if (is_busy_) answered_++;
  is_busy_ = false;
}

/** Under the mutex. */
void PluginChannel::send(const PluginSeat& seat, PluginMessage kind, uint64_t number, const std::string& text) {
  const PluginMessageHead head{static_cast<uint32_t>(kind), static_cast<uint32_t>(text.size()), number};
  std::string bytes(sizeof(head) + text.size(), '\0');
  std::memcpy(bytes.data(), &head, sizeof(head));
  std::memcpy(bytes.data() + sizeof(head), text.data(), text.size());
  const ssize_t sent = ::send(seat.socket(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent == static_cast<ssize_t>(bytes.size())) return;
  const bool is_full = sent >= 0 || errno == EAGAIN;
  break_off(is_full ? "its program does not read what it is told" : "its program has ended");
}

/** Under the mutex. Takes what has come, without waiting. */
void PluginChannel::take() {
  uint8_t buffer[4096];
  for (size_t taken = 0; seat_ && taken < MAX_TAKEN_BYTES;) {
    const ssize_t got = recv(seat_->socket(), buffer, sizeof(buffer), MSG_DONTWAIT);
    if (got < 0) {
      if (errno != EAGAIN && errno != EINTR) break_off("its program has ended");
      return;
    }
    if (got == 0) return break_off("its program has ended");
    taken += static_cast<size_t>(got);
    inbox_.insert(inbox_.end(), buffer, buffer + got);
    size_t at = 0;
    while (seat_ && inbox_.size() - at >= sizeof(PluginMessageHead)) {
      PluginMessageHead head;
      std::memcpy(&head, inbox_.data() + at, sizeof(head));
      if (head.bytes > most_of(static_cast<PluginMessage>(head.kind)))
        return break_off("its program sends what is no message");
      if (inbox_.size() - at - sizeof(head) < head.bytes) break;
      const char* text = reinterpret_cast<const char*>(inbox_.data()) + at + sizeof(head);
      take_message(head, {text, head.bytes});
      at += sizeof(head) + head.bytes;
    }
    inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

/** Under the mutex. */
void PluginChannel::take_message(const PluginMessageHead& head, std::string text) {
  const auto kind = static_cast<PluginMessage>(head.kind);
  if (kind == PluginMessage::ready && state_ == State::preparing) {
    ready_ = std::move(text);
    is_shown_ = head.number == 1;
    state_ = State::working;
    return;
  }
  if (kind == PluginMessage::failure && state_ == State::preparing)
    return break_off("its program cannot begin: " + line_of(std::move(text)));
  const bool is_answer = kind == PluginMessage::answer || kind == PluginMessage::failure;
  if (!is_answer || !is_busy_ || head.number != number_) return break_off("its program answers what it was not asked");
  is_busy_ = false;
  answered_++;
  has_failed_ = kind == PluginMessage::failure;
  if (has_failed_) failure_ = text.empty() ? "its program has failed" : line_of(std::move(text));
}

}  // namespace vedette
