// The viewers of both video servers under measurement: they take everything and look at nothing, so that the servers are not kept waiting.
//
//   read PORT PATH CLIENTS SECONDS SETTLE
//
// Connects CLIENTS times, asks for PATH, waits until each has got its first bytes, and for SETTLE seconds more; prints `ready`, then reads for SECONDS and prints
// one line of JSON: { clients, bytes, parts, least_parts }: all bytes and pictures since then, and the pictures of the client that got the fewest.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Counts {
  long bytes = 0;
  std::vector<long> parts;
};

int64_t now_ms() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

pollfd ask(int port, const std::string& path) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n";
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("connect");
  if (send(fd, request.data(), request.size(), MSG_NOSIGNAL) < 0) fail("send");
  return {fd, POLLIN, 0};
}

/** Reads what is there. A part is counted by its header, which each server writes at the beginning of a send, hence of a read or soon after. */
void take(size_t client, int fd, Counts& counts) {
  static std::vector<char> buffer(1 << 20);
  const ssize_t got = recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (got == 0) std::fprintf(stderr, "read: a server hung up\n"), std::exit(1);
  if (got < 0) return;
  counts.bytes += got;
  static const std::string mark = "Content-Length: ";
  const char* at = buffer.data();
  const char* const end = at + got;
  while ((at = static_cast<const char*>(memmem(at, static_cast<size_t>(end - at), mark.data(), mark.size())))) counts.parts[client]++, at += mark.size();
}

/** Until a moment, or until every client has been heard of. */
void read_until(int64_t end_ms, std::vector<pollfd>& clients, Counts& counts, bool only_first) {
  std::vector<bool> heard(clients.size());
  for (size_t silent = clients.size(); now_ms() < end_ms && (silent > 0 || !only_first);) {
    if (poll(clients.data(), clients.size(), static_cast<int>(end_ms - now_ms())) < 0) fail("poll");
    for (size_t i = 0; i < clients.size(); i++) {
      if (clients[i].revents == 0) continue;
      take(i, clients[i].fd, counts);
      if (!heard[i]) silent--;
      heard[i] = true;
    }
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 6) {
    std::fprintf(stderr, "read PORT PATH CLIENTS SECONDS SETTLE\n");
    return 1;
  }
  const auto wanted = static_cast<size_t>(std::atoi(words[3]));
  std::vector<pollfd> clients;
  while (clients.size() < wanted) clients.push_back(ask(std::atoi(words[1]), words[2]));
  Counts ignored{0, std::vector<long>(wanted)}, counts{0, std::vector<long>(wanted)};
  read_until(now_ms() + 10'000, clients, ignored, true);
  read_until(now_ms() + static_cast<int64_t>(std::atof(words[5]) * 1000), clients, ignored, false);
  std::printf("ready\n");
  std::fflush(stdout);
  read_until(now_ms() + static_cast<int64_t>(std::atof(words[4]) * 1000), clients, counts, false);
  long parts = 0;
  for (const long each : counts.parts) parts += each;
  std::printf("{\"clients\":%zu,\"bytes\":%ld,\"parts\":%ld,\"least_parts\":%ld}\n", wanted, counts.bytes, parts, *std::min_element(counts.parts.begin(), counts.parts.end()));
}
