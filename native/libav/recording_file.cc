#include "recording_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

extern "C" {
#include <libavutil/mem.h>
}

namespace vedette {

namespace {

constexpr int BUFFER_BYTES = 32 * 1024;  // FFmpeg's own for files holds 256 KiB back, the header among them

/** So that the name is on the disk as well. Some file systems of networks cannot; then the file is what counts. */
void sync_folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

}  // namespace

RecordingFile::Descriptor::~Descriptor() {
  if (fd >= 0) close(fd);
}

void RecordingFile::free_io(AVIOContext* io) {
  av_freep(&io->buffer);
  avio_context_free(&io);
}

RecordingFile::RecordingFile(const std::string& path) : path_(path) {
  file_.fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_.fd < 0) throw fault(errno);
  auto* buffer = static_cast<uint8_t*>(av_malloc(BUFFER_BYTES));
  io_.reset(buffer ? avio_alloc_context(buffer, BUFFER_BYTES, 1, this, nullptr, &RecordingFile::write, nullptr)
                   : nullptr);
  if (!io_) av_free(buffer);
  if (!io_) throw fault(ENOMEM);
  syncing_ = std::thread([this] { sync_when_asked(); });
  pthread_setname_np(syncing_.native_handle(), "sync");
}

RecordingFile::~RecordingFile() { end_syncing(); }

Fault RecordingFile::fault(int error_number) const {
  return fault_of_file(error_number, "the recording " + path_ + " cannot be written");
}

/** The first failure counts: what FFmpeg tries to write after it would leave a hole. */
int RecordingFile::write(void* opaque, uint8_t* bytes, int length) {
  auto& self = *static_cast<RecordingFile*>(opaque);
  for (int done = 0; done < length && !self.error_;) {
    const ssize_t count = ::write(self.file_.fd, bytes + done, static_cast<size_t>(length - done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) self.error_ = errno;
    if (count > 0) self.written_bytes_ += count;
    done += static_cast<int>(count);
  }
  return self.error_ ? AVERROR(self.error_) : length;
}

void RecordingFile::finish_fragment() {
  avio_flush(io_.get());
  if (error_) throw fault(error_);
  check_synced();
  whole_bytes_ = written_bytes_;
  const std::lock_guard<std::mutex> lock(mutex_);
  is_asked_ = true;
  changed_.notify_all();
}

void RecordingFile::cut_back() {
  if (!error_) error_ = EIO;
  end_syncing();
  if (sync_error_) whole_bytes_ = synced_bytes_.load();
  // where even that fails, the start of the service repairs the file
  if (ftruncate(file_.fd, whole_bytes_) == 0) fdatasync(file_.fd);
}

void RecordingFile::sync() {
  if (error_) throw fault(error_);
  end_syncing();
  bring_to_disk();
  check_synced();
}

void RecordingFile::check_synced() {
  if (const int error = sync_error_) throw fault(error);
}

void RecordingFile::end_syncing() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
    changed_.notify_all();
  }
  if (syncing_.joinable()) syncing_.join();
}

void RecordingFile::sync_when_asked() {
  sync_folder_of(path_);
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_asked_ || is_ending_; });
    if (is_ending_) return;
    is_asked_ = false;
    lock.unlock();
    bring_to_disk();
    lock.lock();
  }
}

/** Nothing behind what was lost counts: a second attempt would succeed without writing it. */
void RecordingFile::bring_to_disk() {
  const int64_t bytes = whole_bytes_;
  if (fdatasync(file_.fd) != 0 && sync_error_ == 0) sync_error_ = errno;
  if (sync_error_ == 0) synced_bytes_ = bytes;
}

}  // namespace vedette
