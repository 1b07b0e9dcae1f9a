#include "viewers.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace vedette {

namespace {

constexpr int64_t WAKE = -1;  // among the numbers of viewers
constexpr int MAX_EVENTS = 64;
constexpr int LOOK_EVERY_MS = 1000;

// A browser shows a part when the next one begins: the second one at once, the others for who looks later.
constexpr int64_t SECOND_PLACEHOLDER_US = 100'000, PLACEHOLDER_EVERY_US = 1'000'000;

epoll_event watch(int64_t id, uint32_t what) {
  epoll_event event{};
  event.events = what;
  event.data.u64 = static_cast<uint64_t>(id);
  return event;
}

}  // namespace

uint64_t Viewers::take(int64_t id, size_t place, int fd) {
  auto viewer = std::make_unique<Viewer>(fd, records_.at(place));
  const uint64_t position = viewer->position();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!thread_.joinable()) start_thread();
  if (const auto before = viewers_.find(id); before != viewers_.end()) remove(before, nullptr);
  viewers_[id] = std::move(viewer);
  return position;
}

void Viewers::start_thread() {
  if (epoll_ < 0) epoll_ = epoll_create1(EPOLL_CLOEXEC);
  if (wake_ < 0) wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  epoll_event event = watch(WAKE, EPOLLIN);
  if (epoll_ < 0 || wake_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0)
    throw Fault{"engine.failed", "no viewers can be watched here"};
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "viewers");
}

void Viewers::start(int64_t id, View view) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = viewers_.find(id);
  if (found == viewers_.end() || found->second->view()) return;
  Viewer& viewer = *found->second;
  viewer.start(std::move(view));
  Audience& audience = audiences_[viewer.view()->key];
  audience.viewers++;
  // Edges: no call for each picture. One that came before is told as soon as it is added.
  epoll_event event = watch(id, EPOLLOUT | EPOLLRDHUP | EPOLLET);
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, viewer.fd(), &event) != 0) return remove(found, "gone");
  const auto placeholder = placeholders_.find(viewer.view()->output);
  push(found, placeholder != placeholders_.end() ? placeholder->second.part : audience.newest);
  wake();  // there is a viewer to look after
}

void Viewers::drop(int64_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto found = viewers_.find(id); found != viewers_.end()) remove(found, nullptr);
}

void Viewers::show_instead(std::vector<uint8_t> jpeg, const std::string& output) {
  const std::lock_guard<std::mutex> lock(mutex_);
  placeholders_.erase(output);
  if (!jpeg.empty()) {
    const int64_t now_us = monotonic_us();
    const Placeholder& placeholder =
        placeholders_[output] = {placeholder_of(std::move(jpeg)), now_us + SECOND_PLACEHOLDER_US, now_us};
    show(placeholder.part, [&](const View& view) { return view.output == output; });
  }
  wake();
}

bool Viewers::want(const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return audiences_.count(key) > 0;
}

void Viewers::offer(const ShownPicture& picture) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto audience = audiences_.find(picture.key);
  if (audience == audiences_.end()) return;
  const std::shared_ptr<const Part> part = part_of(picture);
  const auto placeholder = placeholders_.find(picture.output);
  // pictures come
  if (placeholder != placeholders_.end() && picture.captured_us >= placeholder->second.since_us)
    placeholders_.erase(placeholder);
  audience->second.newest = part;
  show(part, [&](const View& view) { return view.key == picture.key; });  // the audience may leave
}

void Viewers::end() {
  if (thread_.joinable()) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_ending_ = true;
      wake();
    }
    thread_.join();
  }
  viewers_.clear();
  for (int* fd : {&epoll_, &wake_}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
}

void Viewers::wake() {
  const uint64_t one = 1;
  if (wake_ >= 0 && write(wake_, &one, sizeof one) < 0) return;  // full: it wakes anyway
}

void Viewers::run() {
  epoll_event events[MAX_EVENTS];
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_ending_) {
    const int timeout = timeout_ms();
    lock.unlock();
    const int count = epoll_wait(epoll_, events, MAX_EVENTS, timeout);
    lock.lock();
    try {
      for (int i = 0; i < count; i++) follow(static_cast<int64_t>(events[i].data.u64), events[i].events);
      show_placeholders(monotonic_us());
      look_for_stalled();
    } catch (const std::
                 // no memory to tell who has left: the control process has its connection too, and sees it end
             exception&) {
    }
  }
}

/**
 * What happened on a connection. A viewer that will send nothing more has left, though it might still read: no viewer
 * of pictures does that.
 */
void Viewers::follow(int64_t id, uint32_t what) {
  if (id == WAKE) {
    uint64_t count;
    if (read(wake_, &count, sizeof count) < 0) return;
    return;
  }
  const auto found = viewers_.find(id);
  if (found == viewers_.end()) return;
  if (what & (EPOLLERR | EPOLLHUP | EPOLLRDHUP)) return remove(found, "gone");
  found->second->has_room();
  push(found, nullptr);
}

/** Those that are due. */
void Viewers::show_placeholders(int64_t now_us) {
  for (auto& [output, placeholder] : placeholders_) {
    if (now_us < placeholder.due_us) continue;
    placeholder.due_us = now_us + PLACEHOLDER_EVERY_US;
    const std::string& whose = output;
    show(placeholder.part, [&](const View& view) { return view.output == whose; });
  }
}

template <typename Sees>
void Viewers::show(const std::shared_ptr<const Part>& part, Sees sees) {
  for (auto viewer = viewers_.begin(); viewer != viewers_.end();) {
    const auto each = viewer++;
    const View* view = each->second->view();
    if (view && sees(*view)) push(each, part);
  }
}

/**
 * part: none when there is nothing newer. A viewer for whose pictures there is no memory is let go, and may come again.
 */
void Viewers::push(Each::iterator viewer, const std::shared_ptr<const Part>& part) {
  bool is_there = false;
  try {
    if (part) viewer->second->offer(part);
    is_there = viewer->second->push();
  } catch (const std::exception&) {
  }
  if (!is_there) remove(viewer, "gone");
}

void Viewers::look_for_stalled() {
  const int64_t now_us = monotonic_us();
  for (auto viewer = viewers_.begin(); viewer != viewers_.end();) {
    const auto each = viewer++;
    if (each->second->is_stalled(now_us)) remove(each, "stalled");
  }
}

/** why: none when nobody has to be told. */
void Viewers::remove(Each::iterator viewer, const char* why) {
  const int64_t id = viewer->first;
  // Others have this connection open, so that the kernel would go on watching it.
  epoll_ctl(epoll_, EPOLL_CTL_DEL, viewer->second->fd(), nullptr);
  if (const View* view = viewer->second->view()) {
    const auto audience = audiences_.find(view->key);
    if (--audience->second.viewers == 0) audiences_.erase(audience);
  }
  viewers_.erase(viewer);
  if (why) left_(id, why);
}

int Viewers::timeout_ms() const {
  if (viewers_.empty()) return -1;
  int64_t left_ms = LOOK_EVERY_MS;
  for (const auto& [output, placeholder] : placeholders_)
    left_ms = std::min(left_ms, (placeholder.due_us - monotonic_us() + 999) / 1000);
  return static_cast<int>(std::max<int64_t>(left_ms, 0));
}

}  // namespace vedette
