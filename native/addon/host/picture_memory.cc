#include "picture_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010  // Linux 5.1; older headers do not name it
#endif

namespace vedette {

namespace {

constexpr size_t PAGE = 4096;
constexpr size_t LEAST_BYTES = 64 * 1024;  // what is smaller is copied in a few microseconds

}  // namespace

PictureMemory* PictureMemory::of_process() {
  static PictureMemory* memory = made();  // never destroyed: pictures may outlive main()
  return memory;
}

/** What is mapped here can be written, and nothing that anybody opens or maps later. */
PictureMemory* PictureMemory::made() {
  const int fd = memfd_create("vedette-pictures", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return nullptr;
  const bool is_large = ftruncate(fd, BYTES) == 0;
  void* mapped = is_large ? mmap(nullptr, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  constexpr int SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;
  const bool is_sealed = mapped != MAP_FAILED && fcntl(fd, F_ADD_SEALS, SEALS) == 0;
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  const int readable = is_sealed ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  close(fd);
  if (readable < 0) {
    if (mapped != MAP_FAILED) munmap(mapped, BYTES);
    return nullptr;
  }
  auto* memory = new PictureMemory(readable, static_cast<uint8_t*>(mapped));
  pixel_home = memory;
  return memory;
}

int PictureMemory::descriptor() const { return fcntl(readable_, F_DUPFD_CLOEXEC, 0); }

uint8_t* PictureMemory::take(size_t bytes) {
  if (bytes < LEAST_BYTES) return nullptr;
  const size_t wanted = (bytes + PAGE - 1) / PAGE * PAGE;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t i = 0; i < blocks_.size(); i++) {
    const Block found = blocks_[i];
    if (found.is_taken || found.bytes < wanted) continue;
    blocks_[i] = {found.at, wanted, true};
    const Block rest{found.at + wanted, found.bytes - wanted, false};
    if (rest.bytes > 0) blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest);
    return begin_ + found.at;
  }
  return nullptr;
}

void PictureMemory::give_back(const uint8_t* pixels) {
  const size_t at = place_of(pixels);
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t i = 0; i < blocks_.size(); i++) {
    if (blocks_[i].at != at) continue;
    blocks_[i].is_taken = false;
    join_next(i);
    if (i > 0) join_next(i - 1);
    return;
  }
}

/** Makes one of two that are free. Under the mutex. */
void PictureMemory::join_next(size_t block) {
  if (block + 1 >= blocks_.size() || blocks_[block].is_taken || blocks_[block + 1].is_taken) return;
  blocks_[block].bytes += blocks_[block + 1].bytes;
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(block) + 1);
}

}  // namespace vedette
