// What the bare servers under measurement have in common: some clients, who get the same bytes by plain send() from one
// thread. A client whose socket is full when a frame is due skips that frame, as the service's viewers do.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bare {

struct Client {
  int fd = -1;
  size_t sent = 0;  // of the frame that is under way; 0: between frames
};

inline int64_t now_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

[[noreturn]] inline void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

/** On a free port of 127.0.0.1, which is printed. */
inline int listen_anywhere() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || listen(fd, 128) != 0)
    fail("listen");
  socklen_t length = sizeof address;
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return fd;
}

/** The next one who connects, whatever he asks for. */
inline Client accept_client(int server) {
  static const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n";
  const int fd = accept(server, nullptr, nullptr);
  if (fd < 0) fail("accept");
  char request[4096];
  if (recv(fd, request, sizeof request, 0) < 0) fail("recv");
  if (send(fd, head.data(), head.size(), MSG_NOSIGNAL) < 0) fail("send");
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return {fd, 0};
}

inline std::vector<Client> accept_clients(int server, size_t wanted) {
  std::vector<Client> clients;
  while (clients.size() < wanted) clients.push_back(accept_client(server));
  return clients;
}

/** A picture as a part. own: headers of it, each with its end of line. */
inline std::string part_of(const char* jpeg, size_t bytes, const std::string& own = "") {
  std::string part =
      "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: " + std::to_string(bytes) + "\r\n" + own + "\r\n";
  part.append(jpeg, bytes);
  return part + "\r\n";
}

/** Sends as much of the frame as the socket takes. */
inline void push(Client& client, const std::string& part) {
  while (client.sent < part.size()) {
    const ssize_t done = send(client.fd, part.data() + client.sent, part.size() - client.sent, MSG_NOSIGNAL);
    if (done < 0 && errno == EAGAIN) return;
    if (done < 0) fail("send");
    client.sent += static_cast<size_t>(done);
  }
  client.sent = 0;
}

/**
 * Finishes the frames that are under way until the next is there: at a moment of CLOCK_MONOTONIC, or as soon as
 * `source` (if it is one) can be read.
 */
inline void finish_until(int64_t due_ns, int source, std::vector<Client>& clients, const std::string& part) {
  for (;;) {
    std::vector<pollfd> waiting{{source, POLLIN, 0}};
    std::vector<Client*> owners;
    for (Client& client : clients) {
      if (client.sent == 0) continue;
      waiting.push_back({client.fd, POLLOUT, 0});
      owners.push_back(&client);
    }
    const int64_t left_ns = due_ns - now_ns(CLOCK_MONOTONIC);
    if (left_ns <= 0) return;
    const timespec limit{left_ns / 1'000'000'000, left_ns % 1'000'000'000};
    if (ppoll(waiting.data(), waiting.size(), &limit, nullptr) <= 0 || waiting[0].revents) return;
    for (size_t i = 0; i < owners.size(); i++)
      if (waiting[i + 1].revents) push(*owners[i], part);
  }
}

}  // namespace bare
