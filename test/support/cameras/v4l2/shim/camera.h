// One opening of an emulated camera: what its driver would do for each ioctl, and a thread that takes its pictures.
#pragma once

#include <linux/videodev2.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "description.h"
#include "pictures.h"
#include "state.h"

namespace shim {

/**
 * The program's descriptor is one end of a pair of sockets: one byte waits in it for each filled buffer, so that the
 * kernel's own poll works, and it hangs up when the camera is pulled out.
 */
class Camera {
 public:
  /** folder: holds its `description`, and beside the folder lie its `pictures`. state_path: of this plugging-in. */
  Camera(const std::string& folder, const std::string& state_path);
  ~Camera();
  Camera(const Camera&) = delete;
  Camera& operator=(const Camera&) = delete;

  /** The program's end; -1 with errno when the camera does not open. It is the program's to close. */
  int open();
  /** 0, or an errno. */
  int control(unsigned long request, void* argument);
  /** Where the buffers lie, for mmap. */
  int memory() const { return memory_; }

 private:
  struct Buffer {
    bool is_queued = false;
    v4l2_buffer filled{};
  };

  int query(v4l2_capability& out);
  int enumerate_format(v4l2_fmtdesc& out);
  int enumerate_size(v4l2_frmsizeenum& out);
  int enumerate_interval(v4l2_frmivalenum& out);
  int format(v4l2_format& wish, bool is_set);
  int rate(v4l2_streamparm& wish, bool is_set);
  int request_buffers(v4l2_requestbuffers& wish);
  int query_buffer(v4l2_buffer& out);
  int queue(v4l2_buffer& given);
  int dequeue(v4l2_buffer& out);
  int stream_on();
  int stream_off();
  int ask_about_controls(unsigned long request, void* argument);
  int query_control(v4l2_query_ext_ctrl& out);
  int query_menu(v4l2_querymenu& out);
  int controls(v4l2_ext_controls& wish, bool is_set);
  int selection(v4l2_selection& wish, bool is_set);
  void set_crop(const v4l2_rect& part);
  v4l2_rect in_crop_steps(const v4l2_rect& wanted) const;

  bool is_others() const;
  const Format* format_of(uint32_t fourcc) const;
  const ControlEntry* entry_of(uint32_t id, size_t& index) const;
  bool is_automatic(uint32_t id) const;
  void choose(const Format& format, uint32_t width, uint32_t height);
  uint32_t stamp_flags() const;
  void join();
  void run();
  bool wait_for_due(int64_t& due_us);
  void take_picture(int64_t due_us);
  void fill(Buffer& buffer, int64_t sequence, int64_t exposed_us);
  void hang_up();

  const Description description_;
  State* state_ = nullptr;
  Pictures pictures_;
  int memory_ = -1, ours_ = -1, theirs_ = -1;
  uint8_t* mapped_ = nullptr;
  size_t mapped_bytes_ = 0;

  std::mutex mutex_;
  std::vector<Buffer> buffers_;
  std::deque<uint32_t> waiting_, filled_;  // indexes of buffers: to be filled, and filled
  uint32_t buffer_bytes_ = 0;
  bool owns_stream_ = false, is_streaming_ = false;
  std::condition_variable stopped_;
  std::thread thread_;
};

}  // namespace shim
