// The file of a recording: written through an AVIOContext of our own, cut back to its last whole fragment when writing
// fails, and brought to the disk by a thread that nobody waits for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "fault.h"

extern "C" {
#include <libavformat/avio.h>
}

namespace vedette {

/** One muxing thread writes; `bytes` may be asked for by any. */
class RecordingFile {
 public:
  /** Creates the file, or empties the one that was prepared. Throws Fault. */
  explicit RecordingFile(const std::string& path);
  ~RecordingFile();
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  AVIOContext* io() { return io_.get(); }

  /**
   * Hands to the kernel what FFmpeg still holds, and remembers that the file is whole up to here. Throws Fault when
   * anything could not be written, or did not reach the disk.
   */
  void finish_fragment();
  /**
   * Cuts off what was written since the last whole fragment, or never reached the disk; nothing can be written any
   * more.
   */
  void cut_back();
  /** Waits until everything is on the disk, after which nothing more is written. Throws Fault when it is not. */
  void sync();

  int64_t bytes() const { return whole_bytes_; }

 private:
  struct Descriptor {
    ~Descriptor();
    int fd = -1;
  };
  static int write(void* self, uint8_t* bytes, int length);
  static void free_io(AVIOContext* io);
  void sync_when_asked();
  void bring_to_disk();
  void end_syncing();
  void check_synced();
  Fault fault(int error_number) const;

  const std::string path_;
  Descriptor file_;
  std::unique_ptr<AVIOContext, void (*)(AVIOContext*)> io_{nullptr, free_io};
  int error_ = 0;  // errno of the first write that failed
  int64_t written_bytes_ = 0;
  std::atomic<int64_t> whole_bytes_{0};
  // The kernel tells once that it has lost what it was given, at the next sync.
  std::atomic<int> sync_error_{0};
  std::atomic<int64_t> synced_bytes_{0};

  std::mutex mutex_;  // what follows
  std::condition_variable changed_;
  bool is_asked_ = false, is_ending_ = false;
  std::thread syncing_;
};

}  // namespace vedette
