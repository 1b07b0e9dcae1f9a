// A connection as viewers have one.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "by_hand.h"

namespace vedette::test {

/** Both ends of it. */
struct Connection {
  Connection() {
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    expect(bind(listening, reinterpret_cast<sockaddr*>(&address), length) == 0 && listen(listening, 1) == 0,
           "no port is free");
    getsockname(listening, reinterpret_cast<sockaddr*>(&address), &length);
    theirs = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(theirs, SOL_SOCKET, SO_RCVBUF, &HELD_BYTES, sizeof HELD_BYTES);
    expect(connect(theirs, reinterpret_cast<sockaddr*>(&address), length) == 0, "the port takes nobody");
    ours = accept(listening, nullptr, nullptr);
    setsockopt(ours, SOL_SOCKET, SO_SNDBUF, &HELD_BYTES, sizeof HELD_BYTES);
    ::close(listening);
  }
  ~Connection() {
    ::close(ours);
    ::close(theirs);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /** What has come. */
  std::string read() const {
    std::string all;
    char bytes[4096];
    for (ssize_t count; (count = recv(theirs, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;)
      all.append(bytes, static_cast<size_t>(count));
    return all;
  }

  static constexpr int HELD_BYTES = 256 * 1024;  // at either end, where kernels may take 32 MB of one that was fast
  int ours = -1, theirs = -1;
};

}  // namespace vedette::test
