#include "record.h"

#include <linux/sockios.h>
#include <linux/tcp.h>  // glibc's lacks tcpi_bytes_acked
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace vedette {

namespace {

Fault fault(const std::string& what) { return {"engine.failed", what + ": " + std::strerror(errno)}; }

uint64_t acknowledged_bytes(int fd) {
  tcp_info info{};
  socklen_t length = sizeof info;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
    throw fault("the connection of a viewer cannot be read");
  return info.tcpi_bytes_acked;
}

}  // namespace

void Record::begin(const Part& part, uint64_t position) {
  clear();
  sent_bytes_ = 0;
  position_ = position;
  jpeg_bytes_ = static_cast<uint32_t>(part.jpeg->size());
  head_bytes_ = static_cast<uint32_t>(std::min(part.head.text().size(), HEAD_ROOM));
  std::memcpy(head_, part.head.text().data(), head_bytes_);
}

void Record::settled(size_t sent_bytes, bool is_whole) {
  sent_bytes_ = static_cast<uint32_t>(sent_bytes);
  state_.store(is_whole ? NOTHING_OWED : OWED);
}

Records::~Records() {
  if (first_) munmap(first_, bytes_);
}

void Records::map(int fd) {
  struct stat file {};
  if (fstat(fd, &file) != 0) throw fault("the page of the viewers cannot be opened");
  bytes_ = static_cast<size_t>(file.st_size) / sizeof(Record) * sizeof(Record);
  void* mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) throw fault("the page of the viewers cannot be used");
  first_ = static_cast<Record*>(mapped);
}

Record& Records::at(size_t place) const {
  if (place >= bytes_ / sizeof(Record))
    throw Fault{"engine.failed", "there is no place " + std::to_string(place) + " for a viewer"};
  return first_[place];
}

uint64_t position_of(int fd) {
  for (;;) {
    const uint64_t acknowledged = acknowledged_bytes(fd);
    int waiting = 0;
    if (ioctl(fd, SIOCOUTQ, &waiting) != 0) throw fault("the connection of a viewer cannot be read");
    if (acknowledged_bytes(fd) == acknowledged) return acknowledged + static_cast<uint64_t>(waiting);
  }
}

}  // namespace vedette
