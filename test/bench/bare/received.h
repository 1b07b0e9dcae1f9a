// What the readers under measurement receive, with the kernel's stamp on it: they may be late themselves.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#include <cstdint>
#include <cstring>
#include <vector>

/** Bytes that came, and when the last of them did, Unix time; 0: the kernel does not say. */
struct Received {
  ssize_t bytes = 0;
  int64_t at_us = 0;
};

inline Received receive(int fd, std::vector<char>& buffer) {
  iovec room{buffer.data(), buffer.size()};
  alignas(cmsghdr) char control[256];
  msghdr message{};
  message.msg_iov = &room;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  Received out{recvmsg(fd, &message, MSG_DONTWAIT), 0};
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); out.bytes > 0 && each; each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec at;
    std::memcpy(&at, CMSG_DATA(each), sizeof at);
    out.at_us = static_cast<int64_t>(at.tv_sec) * 1'000'000 + at.tv_nsec / 1000;
  }
  return out;
}
