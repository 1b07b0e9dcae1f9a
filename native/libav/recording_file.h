// The file of a recording: written through an AVIOContext of our own, cut back to its last whole fragment when writing fails, and brought to the disk by a
// thread that nobody waits for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "fault.h"

extern "C" {
#include <libavformat/avio.h>
}

namespace vedette {

/** One muxing thread writes; `bytes` and `fault` may be asked for by any. */
class RecordingFile {
 public:
  /** Creates the file, or empties the one that was prepared. Throws Fault. */
  explicit RecordingFile(const std::string& path);
  ~RecordingFile();
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  AVIOContext* io() { return io_; }

  /** Hands to the kernel what FFmpeg still holds, and remembers that the file is whole up to here. Throws Fault when anything could not be written. */
  void finish_fragment();
  /** Cuts off what was written since the last whole fragment; nothing can be written any more. */
  void cut_back();
  /** Waits until everything is on the disk. Throws Fault when it is not. */
  void sync();

  int64_t bytes() const { return whole_bytes_; }

 private:
  static int write(void* self, uint8_t* bytes, int length);
  void sync_when_asked();
  Fault fault(int error_number) const;

  const std::string path_;
  int fd_ = -1;
  AVIOContext* io_ = nullptr;
  int error_ = 0;  // errno of the first write that failed
  int64_t written_bytes_ = 0;
  std::atomic<int64_t> whole_bytes_{0};

  std::mutex mutex_;  // what follows
  std::condition_variable changed_;
  bool is_asked_ = false, is_ending_ = false;
  std::thread syncing_;
};

}  // namespace vedette
