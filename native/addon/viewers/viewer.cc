#include "viewer.h"

#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace vedette {

namespace {

constexpr size_t MIN_BACKLOG_BYTES = 64 * 1024;  // small pictures shall not cost a wake-up each

int duplicate(int fd) {
  const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (own < 0)
    throw Fault{"engine.failed", std::string("the connection of a viewer cannot be taken: ") + std::strerror(errno)};
  return own;
}

/** What is left of some bytes when so many of all have been sent; `done` goes down to what concerns the next. */
iovec rest(const void* bytes, size_t count, size_t& done) {
  const size_t skipped = std::min(done, count);
  done -= skipped;
  return {const_cast<char*>(static_cast<const char*>(bytes)) + skipped, count - skipped};
}

}  // namespace

Viewer::Viewer(int fd, Record& record) : fd_(duplicate(fd)), record_(record) {}

Viewer::~Viewer() { close(fd_); }

void Viewer::start(View view) {
  position_ = position_of(fd_);
  view_ = std::move(view);
  is_started_ = true;
  record_.clear();  // of the previous viewer in this place
}

/** Where it waits it is replaced with the next frame, but for a viewer who wants fewer. */
void Viewer::offer(const std::shared_ptr<const Part>& part) {
  if (part->is_placeholder || is_due(*part)) next_ = is_full_ && view_.fps > 0 ? copy_of(part) : part;
}

/**
 * By the time of capture. A quarter of a period early is in time: cameras jitter. One that is earlier than the last
 * that was shown is of a camera that was opened again, while the times before ran ahead of the clock, as those of a
 * file do that is played as fast as it goes.
 */
bool Viewer::is_due(const Part& part) {
  if (view_.fps == 0) return true;
  const auto period_us = static_cast<int64_t>(1e6 / view_.fps);
  if (part.captured_us < due_us_ - 2 * period_us) due_us_ = part.captured_us;
  if (part.captured_us < due_us_ - period_us / 4) return false;
  due_us_ = (part.captured_us - due_us_ > period_us ? part.captured_us : due_us_) + period_us;
  return true;
}

bool Viewer::push() {
  while (!is_full_ && (part_ || next_)) {
    if (!part_) begin(std::exchange(next_, nullptr));
    const std::string_view head = part_->head.text();
    const size_t whole = head.size() + part_->jpeg->size() + view_.boundary.size();
    size_t done = sent_;
    iovec pieces[] = {rest(head.data(), head.size(), done), rest(part_->jpeg->data(), part_->jpeg->size(), done),
                      rest(view_.boundary.data(), view_.boundary.size(), done)};
    msghdr message{};
    message.msg_iov = pieces;
    message.msg_iovlen = std::size(pieces);
    record_.about_to_send();
    const ssize_t taken = sendmsg(fd_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (taken < 0 && errno != EAGAIN && errno != EINTR) return false;
    sent_ += static_cast<size_t>(std::max<ssize_t>(taken, 0));
    position_ += static_cast<uint64_t>(std::max<ssize_t>(taken, 0));
    record_.settled(sent_, sent_ == whole || sent_ == 0);
    if (sent_ == whole) {
      part_ = nullptr;
      since_us_ = 0;
      continue;
    }
    is_full_ = taken < 0 && errno == EAGAIN;
    if (since_us_ == 0) since_us_ = monotonic_us();
    if (!is_full_) continue;
    if (sent_ > 0) {
      part_ = copy_of(part_);
      continue;
    }
    std::shared_ptr<const Part> put_back = std::exchange(part_, nullptr);  // until there is room a newer one may come
    if (!next_) next_ = std::move(put_back);
  }
  return true;
}

void Viewer::begin(std::shared_ptr<const Part> part) {
  part_ = std::move(part);
  sent_ = 0;
  record_.begin(*part_, position_);
  bound_backlog(part_->head.text().size() + part_->jpeg->size() + view_.boundary.size());
}

/**
 * What the kernel holds and has not yet sent is an old picture when the viewer comes to it: no more of it than one
 * part. The send buffer, which also holds what is on its way, is left alone: a far viewer needs it.
 */
void Viewer::bound_backlog(size_t part_bytes) {
  const size_t wanted = std::max(part_bytes, MIN_BACKLOG_BYTES);
  if (wanted <= backlog_bytes_) return;
  backlog_bytes_ = wanted + wanted / 4;  // pictures differ; not one call for each that is a little larger
  const auto bytes = static_cast<unsigned>(backlog_bytes_);
  setsockopt(fd_, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

}  // namespace vedette
