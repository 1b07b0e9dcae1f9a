// All viewers of an engine, and the thread that writes to them: pictures go from the encoder to the sockets without
// passing through JavaScript.
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
 * Viewers by their number. The control process has a descriptor of each connection too, and decides: which viewers the
 * engine takes, when it begins to write, and when it stops. What it hears back is who has left.
 *
 * A picture is written by the thread that brings it, as far as the kernel takes it: to wake another one costs as much
 * as to write to two viewers. What is left, and what time brings, is done by a thread of their own.
 */
class Viewers {
 public:
  /** left: called with who has left and why: `gone` or `stalled`; by any thread, and must not come back here. */
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
  /**
   * What those who watch an output of the pipeline, or with none the camera, are shown again and again until there is a
   * picture for them that was taken from now on. No JPEG: no more of that.
   */
  void show_instead(std::vector<uint8_t> jpeg, const std::string& output = {});
  /** Whether pictures of a kind are wanted. */
  bool want(const std::string& key);
  /** The newest picture of its kind. Of one that nobody wants nothing is made. */
  void offer(const ShownPicture& picture);
  /** Ends the thread; every connection stays as it is. */
  void end();

 private:
  using Each = std::map<int64_t, std::unique_ptr<Viewer>>;
  /** Those who see one kind, and the newest picture of it. */
  struct Audience {
    int viewers = 0;
    std::shared_ptr<const Part> newest;
  };
  /**
   * What stands for pictures that do not come. since_us: whatever was taken before is none of those that are waited
   * for.
   */
  struct Placeholder {
    std::shared_ptr<const Part> part;
    int64_t due_us = 0, since_us = 0;
  };

  void start_thread();
  void wake();
  void run();
  void follow(int64_t id, uint32_t what);
  void show_placeholders(int64_t now_us);
  template <typename Sees>
  void show(const std::shared_ptr<const Part>& part, Sees sees);
  void push(Each::iterator viewer, const std::shared_ptr<const Part>& part);
  void look_for_stalled();
  void remove(Each::iterator viewer, const char* why);
  int timeout_ms() const;

  const std::function<void(int64_t, const char*)> left_;
  Records records_;
  int epoll_ = -1, wake_ = -1;
  std::thread thread_;

  std::mutex mutex_;  // all that follows
  Each viewers_;
  std::map<std::string, Audience> audiences_;        // by the kind that they see
  std::map<std::string, Placeholder> placeholders_;  // by the output whose viewers see it
  bool is_ending_ = false;
};

}  // namespace vedette
