// The viewers of the video servers under measurement: they take everything as it comes, so that the servers are not
// kept waiting.
//
//   read PORT PATH CLIENTS SECONDS SETTLE [JPEG]
//
// Connects CLIENTS times, asks for PATH, waits until each has got its first bytes, and for SETTLE seconds more; prints
// `ready`, then reads for SECONDS and prints one line of JSON: { clients, bytes, parts, min_parts, foreign, p50_us,
// p99_us }: all bytes and whole pictures since then, the pictures of the client that got the fewest, those that are not
// the bytes of JPEG, and how long after its X-Timestamp the last byte of a picture had been written, by the kernel's
// stamp on what it received: these readers may be late themselves; -1 where no part has one.
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
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "received.h"

namespace {

struct Counts {
  long bytes = 0, foreign = 0;
  std::vector<long> parts;
  std::vector<int64_t> late_us;
};

/** What has come of the part that is under way: its head, then so many bytes of its picture. */
struct Reader {
  int fd = -1;
  std::string head;
  size_t at = 0, length = 0;
  int64_t taken_us = 0;
  bool is_equal = true;
};

int64_t now_us(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

int64_t now_ms() { return now_us(CLOCK_MONOTONIC) / 1000; }

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

Reader ask(int port, const std::string& path) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n";
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("connect");
  const int on = 1;
  if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0) fail("time stamps");
  if (send(fd, request.data(), request.size(), MSG_NOSIGNAL) < 0) fail("send");
  Reader reader;
  reader.fd = fd;
  return reader;
}

/** The value of a header; none: an empty text. */
std::string header(const std::string& head, const std::string& name) {
  const size_t found = head.find(name + ": ");
  if (found == std::string::npos) return "";
  const size_t from = found + name.size() + 2;
  return head.substr(from, head.find("\r\n", from) - from);
}

/** The head of a part is whole, or that of the answer, in which there is no length. */
void begin_picture(Reader& reader) {
  const std::string stamp = header(reader.head, "X-Timestamp");
  const size_t point = stamp.find('.');
  reader.taken_us = point == std::string::npos
                        ? 0
                        : std::atoll(stamp.c_str()) * 1'000'000 + std::atoll(stamp.substr(point + 1, 6).c_str());
  reader.length = static_cast<size_t>(std::atoll(header(reader.head, "Content-Length").c_str()));
  reader.at = 0;
  reader.is_equal = true;
  reader.head.clear();
}

void end_picture(size_t client, Reader& reader, size_t expected, int64_t at_us, Counts& counts) {
  counts.parts[client]++;
  if (expected > 0 && (!reader.is_equal || reader.length != expected)) counts.foreign++;
  if (reader.taken_us > 0 && at_us > 0) counts.late_us.push_back(at_us - reader.taken_us);
  reader.length = 0;
}

/** Reads what is there. jpeg: what each picture shall be; empty: it is not looked at. */
void take(size_t client, Reader& reader, const std::string& jpeg, Counts& counts) {
  static std::vector<char> buffer(1 << 20);
  const auto [got, at_us] = receive(reader.fd, buffer);
  if (got == 0) std::fprintf(stderr, "read: a server hung up\n"), std::exit(1);
  if (got < 0) return;
  counts.bytes += got;
  static const std::string end_of_head = "\r\n\r\n";
  for (const char *at = buffer.data(), *const end = at + got; at < end;) {
    if (reader.length == 0) {
      const size_t before = reader.head.size(), searched = before < 3 ? 0 : before - 3;
      // A head is short: no more of what may be pictures is copied than it could have.
      reader.head.append(at, std::min<size_t>(static_cast<size_t>(end - at), 4096));
      const size_t found = reader.head.find(end_of_head, searched);
      if (found == std::string::npos) {
        at += reader.head.size() - before;
        continue;
      }
      at += found + end_of_head.size() - before;
      reader.head.resize(found + end_of_head.size());
      begin_picture(reader);
      continue;
    }
    const size_t count = std::min(static_cast<size_t>(end - at), reader.length - reader.at);
    if (!jpeg.empty())
      reader.is_equal =
          reader.is_equal && reader.at + count <= jpeg.size() && std::memcmp(jpeg.data() + reader.at, at, count) == 0;
    reader.at += count;
    at += count;
    if (reader.at == reader.length) end_picture(client, reader, jpeg.size(), at_us, counts);
  }
}

/** Until a moment, or until every client has been heard of. */
void read_until(int64_t end_ms, std::vector<Reader>& readers, const std::string& jpeg, Counts& counts,
                bool only_first) {
  std::vector<bool> heard(readers.size());
  std::vector<pollfd> waiting;
  for (const Reader& reader : readers) waiting.push_back({reader.fd, POLLIN, 0});
  for (size_t silent = readers.size(); now_ms() < end_ms && (silent > 0 || !only_first);) {
    if (poll(waiting.data(), waiting.size(), static_cast<int>(end_ms - now_ms())) < 0) fail("poll");
    for (size_t i = 0; i < waiting.size(); i++) {
      if (waiting[i].revents == 0) continue;
      take(i, readers[i], jpeg, counts);
      if (!heard[i]) silent--;
      heard[i] = true;
    }
  }
}

int64_t quantile(std::vector<int64_t>& values, double share) {
  if (values.empty()) return -1;
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

std::string contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int count, char** words) {
  if (count != 6 && count != 7) {
    std::fprintf(stderr, "read PORT PATH CLIENTS SECONDS SETTLE [JPEG]\n");
    return 1;
  }
  const auto wanted = static_cast<size_t>(std::atoi(words[3]));
  const std::string jpeg = count == 7 ? contents(words[6]) : "";
  std::vector<Reader> readers;
  while (readers.size() < wanted) readers.push_back(ask(std::atoi(words[1]), words[2]));
  Counts ignored, counts;
  ignored.parts = counts.parts = std::vector<long>(wanted);
  read_until(now_ms() + 10'000, readers, jpeg, ignored, true);
  read_until(now_ms() + static_cast<int64_t>(std::atof(words[5]) * 1000), readers, jpeg, ignored, false);
  std::printf("ready\n");
  std::fflush(stdout);
  read_until(now_ms() + static_cast<int64_t>(std::atof(words[4]) * 1000), readers, jpeg, counts, false);
  long parts = 0;
  for (const long each : counts.parts) parts += each;
  std::printf(
      "{\"clients\":%zu,\"bytes\":%ld,\"parts\":%ld,\"min_parts\":%ld,\"foreign\":%ld,\"p50_us\":%lld,\"p99_us\":%lld}"
      "\n",
      wanted, counts.bytes, parts, *std::min_element(counts.parts.begin(), counts.parts.end()), counts.foreign,
      static_cast<long long>(quantile(counts.late_us, 0.5)), static_cast<long long>(quantile(counts.late_us, 0.99)));
}
