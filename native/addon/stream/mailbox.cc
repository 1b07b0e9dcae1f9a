#include "mailbox.h"

#include <algorithm>
#include <utility>

namespace vedette {

namespace {
constexpr size_t MAX_ON_THEIR_WAY = 2;  // one is being written while the next picture is in work
constexpr size_t MAX_NOTICES = 32;      // more can only be warnings, and a reader that late needs no more of them
}  // namespace

/** Under the lock, so that nobody is in the middle of waking once disconnect() has returned. */
void Mailbox::announce() {
  if (!std::exchange(announced_, true) && wake_) wake_();
}

void Mailbox::disconnect() {
  const std::lock_guard<std::mutex> lock(mutex_);
  wake_ = nullptr;
}

void Mailbox::post_result(std::vector<double>& packed) {
  const std::lock_guard<std::mutex> lock(mutex_);
  waiting_.result.swap(packed);
  packed.clear();
  announce();
}

bool Mailbox::post_result_in_turn(std::vector<double>& packed) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return on_their_way_ < MAX_ON_THEIR_WAY || interrupted_; });
  if (interrupted_) return false;
  on_their_way_++;
  waiting_.in_turn.push_back(std::move(packed));
  packed.clear();
  announce();
  return true;
}

void Mailbox::result_left() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (on_their_way_ > 0) on_their_way_--;  // none: it was of a camera that has been closed since
  changed_.notify_all();
}

void Mailbox::interrupt() {
  const std::lock_guard<std::mutex> lock(mutex_);
  interrupted_ = true;
  changed_.notify_all();
}

void Mailbox::post_picture(EncodedPicture picture) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& pictures = waiting_.pictures;
  const auto same =
      std::find_if(pictures.begin(), pictures.end(), [&](const auto& other) { return other.key == picture.key; });
  if (same == pictures.end()) pictures.push_back(std::move(picture));
  else *same = std::move(picture);
  announce();
}

void Mailbox::post_notice(Notice notice) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (waiting_.notices.size() >= MAX_NOTICES && notice.type == "warned") return;
  waiting_.notices.push_back(std::move(notice));
  announce();
}

void Mailbox::post_left(ViewerLeft left) {
  const std::lock_guard<std::mutex> lock(mutex_);
  waiting_.left.push_back(std::move(left));
  announce();
}

void Mailbox::take(Contents& out) {
  out.result.clear();
  out.in_turn.clear();
  out.pictures.clear();
  out.notices.clear();
  out.left.clear();
  const std::lock_guard<std::mutex> lock(mutex_);
  std::swap(out, waiting_);
  announced_ = false;
}

void Mailbox::clear() {
  Contents dropped;
  const std::lock_guard<std::mutex> lock(mutex_);
  std::swap(dropped, waiting_);
  std::swap(dropped.left, waiting_.left);
  interrupted_ = false;
  on_their_way_ = 0;
}

}  // namespace vedette
