// All viewers of an engine, and the thread that writes to them: pictures go from the encoder to the sockets without passing through JavaScript.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "viewer.h"

namespace vedette {

/**
 * Viewers by their number. The control process has a descriptor of each connection too, and decides: whom the engine takes, when it begins to write, and
 * when it stops. What it hears back is who has left.
 */
class Viewers {
 public:
  /** left: called on the thread with who has left and why: `gone` or `stalled`. */
  explicit Viewers(std::function<void(int64_t id, const char* why)> left) : left_(std::move(left)) {}
  ~Viewers() { end(); }
  Viewers(const Viewers&) = delete;
  Viewers& operator=(const Viewers&) = delete;

  /** Where is written down what each is owed. Before the first is taken. */
  void keep_records(int fd) { records_.map(fd); }
  /** Takes a connection, without writing to it. Returns its position. place: of its record. Throws Fault. */
  uint64_t take(int64_t id, size_t place, int fd);
  /** Begins to write to it. */
  void start(int64_t id, View view);
  /** Never writes to it again. One that is unknown has left already. */
  void drop(int64_t id);
  /** What those who are there are shown until the next picture, again and again. Empty: no more of that. */
  void show_instead(std::vector<uint8_t> jpeg);
  /** Whether pictures of a kind are wanted. */
  bool want(const std::string& key);
  /** The newest picture of its kind. */
  void offer(EncodedPicture picture);
  /** Ends the thread; every connection stays as it is. */
  void end();

 private:
  using Each = std::map<int64_t, std::unique_ptr<Viewer>>;

  void tell(std::function<void()> order);
  void wake();
  void run();
  void obey();
  void follow(int64_t id, uint32_t what);
  void show_newest();
  void show_placeholder();
  void push(Each::iterator viewer);
  void look_for_stalled();
  void remove(Each::iterator viewer, const char* why);
  void count(const std::string& key, int more);
  int timeout_ms() const;

  const std::function<void(int64_t, const char*)> left_;
  Records records_;
  int epoll_ = -1, wake_ = -1;
  std::thread thread_;

  std::mutex mutex_;  // down to the empty line
  std::vector<std::function<void()>> orders_;
  std::map<std::string, int> wanted_;                          // how many viewers of each kind
  std::map<std::string, std::shared_ptr<const Part>> offered_;  // not yet shown

  // The thread's own:
  bool is_ending_ = false;
  Each viewers_;
  std::map<std::string, std::shared_ptr<const Part>> newest_;
  std::shared_ptr<const Part> placeholder_;
  int64_t placeholder_due_us_ = 0;
};

}  // namespace vedette
