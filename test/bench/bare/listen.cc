// Those who listen to events, many in one process: they take everything as it comes, so that the servers under
// measurement are not kept waiting, and answer pings.
//
//   listen PORT PATH COUNT
//
// Connects COUNT WebSockets, one after the other, and prints `ready`. For each line on its standard input it prints one
// of JSON of what has come since the line before: { open, events, least, most, disordered, bytes, closed, p50_us,
// p99_us, worst_us }. open: sockets that still are. events: of the kind `stream_changed`, of all; least, most: of the
// socket that got the fewest, and the most. disordered: those whose revision was not that of the one before and one
// more, since the first of all. closed: sockets that were closed meanwhile, by whatever. p50_us and so on: from the
// time in an event (Unix time, ms) until its last byte had been written, by the kernel's stamp on what it received:
// these readers may be late themselves.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "received.h"

namespace {

/**
 * rest: of what came, what is no whole frame yet. events, last: since the line before; the revision of the latest of
 * all, 0 before it.
 */
struct Listener {
  int fd = -1;
  std::string rest;
  long events = 0;
  int64_t last = 0;
};

struct Counts {
  long disordered = 0, bytes = 0, closed = 0;
  std::vector<int32_t> late_us;
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

/** Waits for the answer; what came behind it is the beginning of the rest. */
Listener listen_at(int port, const std::string& path) {
  Listener listener;
  listener.fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listener.fd < 0 || connect(listener.fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    fail("connect");
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                              "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: "
                              "13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  if (send(listener.fd, request.data(), request.size(), MSG_NOSIGNAL) < 0) fail("send");
  for (size_t end;
       (end = listener.rest.find("\r\n\r\n")) == std::string::npos || (listener.rest.erase(0, end + 4), false);) {
    char buffer[4096];
    const ssize_t got = recv(listener.fd, buffer, sizeof buffer, 0);
    if (got <= 0) fail("answer");
    listener.rest.append(buffer, static_cast<size_t>(got));
    if (listener.rest.compare(0, 12, "HTTP/1.1 101", std::min<size_t>(12, listener.rest.size())) != 0) {
      std::fprintf(stderr, "listen: %s\n", listener.rest.c_str());
      std::exit(1);
    }
  }
  const int on = 1;
  if (setsockopt(listener.fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0) fail("time stamps");
  if (fcntl(listener.fd, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
  return listener;
}

/** A number behind a name in a JSON text; 0: it is not there. */
int64_t number(std::string_view text, std::string_view name) {
  const size_t found = text.find(name);
  return found == std::string_view::npos ? 0 : std::atoll(std::string(text.substr(found + name.size(), 20)).c_str());
}

void hear(Listener& listener, std::string_view text, int64_t at_us, Counts& counts) {
  if (text.find("\"kind\":\"stream_changed\"") == std::string_view::npos) return;
  const int64_t revision = number(text, "\"revision\":");
  if (listener.last != 0 && revision != listener.last + 1) counts.disordered++;
  listener.last = revision;
  listener.events++;
  counts.late_us.push_back(static_cast<int32_t>(at_us - 1000 * number(text, "\"timestamp_ms\":")));
}

constexpr unsigned char kText = 1, kPing = 9;

/** Takes all whole frames of a text; how many bytes they have. */
size_t take(Listener& listener, std::string_view all, int64_t at_us, Counts& counts) {
  size_t at = 0;
  for (;;) {
    const std::string_view rest = all.substr(at);
    if (rest.size() < 2) return at;
    const auto byte = [&](size_t n) { return static_cast<unsigned char>(rest[n]); };
    const size_t head = byte(1) < 126 ? 2 : byte(1) == 126 ? 4 : 10;
    if (rest.size() < head) return at;
    size_t length = head == 2 ? byte(1) : 0;
    for (size_t n = 2; n < head; n++) length = length << 8 | byte(n);
    if (rest.size() < head + length) return at;
    const unsigned char opcode = byte(0) & 0x0f;
    if (opcode == kText) hear(listener, rest.substr(head, length), at_us, counts);
    if (opcode == kPing) {
      const char pong[] = {'\x8a', '\x80', 0, 0, 0, 0};
      if (length != 0 || send(listener.fd, pong, sizeof pong, MSG_NOSIGNAL) != sizeof pong)
        std::fprintf(stderr, "listen: a ping is not answered\n");
    }
    at += head + length;
  }
}

void read_from(Listener& listener, Counts& counts) {
  static std::vector<char> buffer(1 << 18);
  const auto [got, at_us] = receive(listener.fd, buffer);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    close(listener.fd);
    listener.fd = -1;
    counts.closed++;
    return;
  }
  counts.bytes += got;
  const std::string_view came(buffer.data(), static_cast<size_t>(got));
  if (listener.rest.empty()) {
    listener.rest.assign(came.substr(take(listener, came, at_us, counts)));
    return;
  }
  listener.rest.append(came);
  listener.rest.erase(0, take(listener, listener.rest, at_us, counts));
}

int32_t quantile(std::vector<int32_t>& values, double share) {
  if (values.empty()) return -1;
  const auto at = values.begin() + static_cast<long>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void tell(std::vector<Listener>& listeners, Counts& counts) {
  long events = 0, open = 0, least = listeners.front().events, most = 0;
  for (Listener& each : listeners) {
    events += each.events;
    open += each.fd >= 0;
    least = std::min(least, each.events);
    most = std::max(most, each.events);
    each.events = 0;
  }
  std::printf(
      "{\"open\":%ld,\"events\":%ld,\"least\":%ld,\"most\":%ld,\"disordered\":%ld,\"bytes\":%ld,\"closed\":%ld,\"p50_"
      "us\":%d,\"p99_us\":%d,\"worst_us\":%d}\n",
      open, events, least, most, counts.disordered, counts.bytes, counts.closed, quantile(counts.late_us, 0.5),
      quantile(counts.late_us, 0.99), quantile(counts.late_us, 1));
  std::fflush(stdout);
  counts = {};
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "listen PORT PATH COUNT\n");
    return 1;
  }
  const auto wanted = static_cast<size_t>(std::atoi(words[3]));
  const int waiting = epoll_create1(0);
  const auto watch = [&](int fd, uint64_t key) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = key;
    if (epoll_ctl(waiting, EPOLL_CTL_ADD, fd, &event) != 0) fail("epoll");
  };
  std::vector<Listener> listeners;
  Counts counts;
  while (listeners.size() < wanted) {
    listeners.push_back(listen_at(std::atoi(words[1]), words[2]));
    watch(listeners.back().fd, listeners.size() - 1);
  }
  const uint64_t kLines = wanted;
  watch(STDIN_FILENO, kLines);
  std::printf("ready\n");
  std::fflush(stdout);
  std::vector<epoll_event> events(wanted + 1);
  for (;;) {
    const int ready = epoll_wait(waiting, events.data(), static_cast<int>(events.size()), -1);
    if (ready < 0 && errno != EINTR) fail("epoll");
    for (int n = 0; n < ready; n++) {
      const uint64_t key = events[static_cast<size_t>(n)].data.u64;
      if (key != kLines) {
        if (listeners[key].fd >= 0) read_from(listeners[key], counts);
        continue;
      }
      char line[64];
      if (read(STDIN_FILENO, line, sizeof line) <= 0) return 0;
      tell(listeners, counts);
    }
  }
}
