#include "viewers.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace vedette {

namespace {

constexpr int64_t WAKE = -1;  // among the numbers of viewers
constexpr int MOST_EVENTS = 64;
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
  const auto viewer = std::make_shared<std::unique_ptr<Viewer>>(std::make_unique<Viewer>(fd, records_.at(place)));
  const uint64_t position = (*viewer)->position();
  if (!thread_.joinable()) {
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll_event event = watch(WAKE, EPOLLIN);
    if (epoll_ < 0 || wake_ < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0) throw Fault{"engine.failed", "no more viewers can be watched"};
    thread_ = std::thread([this] { run(); });
    pthread_setname_np(thread_.native_handle(), "viewers");
  }
  tell([this, id, viewer] {
    if (const auto before = viewers_.find(id); before != viewers_.end()) remove(before, nullptr);
    viewers_[id] = std::move(*viewer);
  });
  return position;
}

void Viewers::start(int64_t id, View view) {
  tell([this, id, view = std::move(view)] {
    const auto found = viewers_.find(id);
    if (found == viewers_.end() || found->second->view()) return;
    Viewer& viewer = *found->second;
    viewer.start(view);
    count(view.key, 1);
    // Edges: no call for each picture. One that came before is told as soon as it is added.
    epoll_event event = watch(id, EPOLLOUT | EPOLLRDHUP | EPOLLET);
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, viewer.fd(), &event) != 0) return remove(found, "gone");
    if (placeholder_)
      viewer.offer(placeholder_);
    else if (const auto part = newest_.find(view.key); part != newest_.end())
      viewer.offer(part->second);
    push(found);
  });
}

void Viewers::drop(int64_t id) {
  tell([this, id] {
    if (const auto found = viewers_.find(id); found != viewers_.end()) remove(found, nullptr);
  });
}

void Viewers::show_instead(std::vector<uint8_t> jpeg) {
  tell([this, part = jpeg.empty() ? nullptr : placeholder_of(std::move(jpeg))] {
    placeholder_ = part;
    placeholder_due_us_ = 0;
    if (placeholder_) show_placeholder();
  });
}

bool Viewers::want(const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return wanted_.count(key) > 0;
}

void Viewers::offer(EncodedPicture picture) {
  const std::string key = picture.key;
  const std::shared_ptr<const Part> part = part_of(std::move(picture));
  const std::lock_guard<std::mutex> lock(mutex_);
  if (wanted_.count(key) == 0) return;
  offered_[key] = part;
  wake();
}

void Viewers::end() {
  if (thread_.joinable()) {
    tell([this] { is_ending_ = true; });
    thread_.join();
  }
  viewers_.clear();
  for (int* fd : {&epoll_, &wake_}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
}

void Viewers::tell(std::function<void()> order) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (wake_ < 0) return;  // nobody has been taken
  orders_.push_back(std::move(order));
  wake();
}

void Viewers::wake() {
  const uint64_t one = 1;
  if (write(wake_, &one, sizeof one) < 0) return;  // full: it wakes anyway
}

void Viewers::run() {
  epoll_event events[MOST_EVENTS];
  while (!is_ending_) {
    const int count = epoll_wait(epoll_, events, MOST_EVENTS, timeout_ms());
    for (int i = 0; i < count; i++) follow(static_cast<int64_t>(events[i].data.u64), events[i].events);
    obey();
    show_newest();
    if (placeholder_ && monotonic_us() >= placeholder_due_us_) show_placeholder();
    look_for_stalled();
  }
}

/** What happened on a connection. Whoever will send nothing more has left, though he might still read: no viewer of pictures does that. */
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
  push(found);
}

void Viewers::obey() {
  std::vector<std::function<void()>> orders;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    orders.swap(orders_);
  }
  for (const auto& order : orders) order();
}

void Viewers::show_newest() {
  std::map<std::string, std::shared_ptr<const Part>> fresh;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    fresh.swap(offered_);
  }
  if (fresh.empty()) return;
  placeholder_ = nullptr;  // pictures come
  for (auto viewer = viewers_.begin(); viewer != viewers_.end();) {
    const auto each = viewer++;
    const View* view = each->second->view();
    const auto part = view ? fresh.find(view->key) : fresh.end();
    if (part == fresh.end()) continue;
    each->second->offer(part->second);
    push(each);
  }
  for (auto& [key, part] : fresh)
    if (want(key)) newest_[key] = std::move(part);
}

void Viewers::show_placeholder() {
  const bool is_first = placeholder_due_us_ == 0;
  placeholder_due_us_ = monotonic_us() + (is_first ? SECOND_PLACEHOLDER_US : PLACEHOLDER_EVERY_US);
  for (auto viewer = viewers_.begin(); viewer != viewers_.end();) {
    const auto each = viewer++;
    if (!each->second->view()) continue;
    each->second->offer(placeholder_);
    push(each);
  }
}

void Viewers::push(Each::iterator viewer) {
  if (!viewer->second->push()) remove(viewer, "gone");
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
  if (const View* view = viewer->second->view()) count(view->key, -1);
  viewers_.erase(viewer);
  if (why) left_(id, why);
}

void Viewers::count(const std::string& key, int more) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if ((wanted_[key] += more) > 0) return;
  wanted_.erase(key);
  offered_.erase(key);
  newest_.erase(key);
}

int Viewers::timeout_ms() const {
  const bool is_somebody_behind = std::any_of(viewers_.begin(), viewers_.end(), [](const auto& each) { return each.second->is_waiting(); });
  int64_t left_ms = is_somebody_behind ? LOOK_EVERY_MS : -1;
  if (placeholder_ && !viewers_.empty()) {
    const int64_t due_ms = std::max<int64_t>(0, (placeholder_due_us_ - monotonic_us() + 999) / 1000);
    left_ms = left_ms < 0 ? due_ms : std::min(left_ms, due_ms);
  }
  return static_cast<int>(left_ms);
}

}  // namespace vedette
