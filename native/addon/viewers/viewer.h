// One viewer: a socket that pictures are written to, never more than one of them unfinished.
#pragma once

#include "part.h"
#include "record.h"

namespace vedette {

/**
 * How a viewer is shown pictures. key: of which kind. output: of the pipeline; empty: the camera's pictures. fps 0:
 * all. boundary: what stands behind each part. stall_limit_us: to take one of them.
 */
struct View {
  std::string key, output, boundary;
  double fps = 0;
  int64_t stall_limit_us = 0;
};

class Viewer {
 public:
  /** Owns a descriptor of its own for the connection; other holders keep theirs. Throws Fault. */
  Viewer(int fd, Record& record);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  int fd() const { return fd_; }
  const View* view() const { return is_started_ ? &view_ : nullptr; }
  uint64_t position() const { return position_of(fd_); }

  /** Nothing was written before. */
  void start(View view);
  /**
   * A newer picture; it replaces one that was not begun. One that comes too early for the rate of this viewer is let
   * pass.
   */
  void offer(const std::shared_ptr<const Part>& part);
  /** Gives the kernel as much as it takes. False: the connection is broken. */
  bool push();
  /** The kernel takes more again. */
  void has_room() { is_full_ = false; }
  bool is_stalled(int64_t now_us) const { return since_us_ != 0 && now_us - since_us_ > view_.stall_limit_us; }

 private:
  bool is_due(const Part& part);
  void begin(std::shared_ptr<const Part> part);
  void bound_backlog(size_t part_bytes);

  const int fd_;
  Record& record_;
  View view_;
  bool is_started_ = false, is_full_ = false;
  std::shared_ptr<const Part> part_, next_;
  size_t sent_ = 0;        // of part_
  uint64_t position_ = 0;  // of the next byte
  int64_t since_us_ = 0;   // when it began to be behind; 0: it is not
  int64_t due_us_ = 0;
  size_t backlog_bytes_ = 0;
};

}  // namespace vedette
