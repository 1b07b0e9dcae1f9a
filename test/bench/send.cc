// The bare minimum that the video server is measured against: the same MJPEG bytes to every client by plain send(), one thread, one loop.
//
//   send FILE [--fps F] [--clients N] [--frames K]
//
// Listens on a free port of 127.0.0.1 and prints it, waits for N connections, sends K frames of FILE to each, then prints one line of JSON:
// { clients, frames, bytes, cpu_us, skipped }. A client whose socket is full when a frame is due skips that frame, as the service's viewers do.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <string>
#include <vector>

namespace {

struct Client {
  int fd = -1;
  size_t sent = 0;  // of the frame that is under way; 0: between frames
};

int64_t now_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

int listen_anywhere() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || listen(fd, 128) != 0) fail("listen");
  socklen_t length = sizeof address;
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
  std::printf("%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return fd;
}

Client accept_client(int server, const std::string& head) {
  const int fd = accept(server, nullptr, nullptr);
  if (fd < 0) fail("accept");
  char request[4096];
  if (recv(fd, request, sizeof request, 0) < 0) fail("recv");  // whatever it asks for, it gets the stream
  if (send(fd, head.data(), head.size(), MSG_NOSIGNAL) < 0) fail("send");
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return {fd, 0};
}

/** Sends as much of the frame as the socket takes. */
void push(Client& client, const std::string& part) {
  while (client.sent < part.size()) {
    const ssize_t done = send(client.fd, part.data() + client.sent, part.size() - client.sent, MSG_NOSIGNAL);
    if (done < 0 && errno == EAGAIN) return;
    if (done < 0) fail("send");
    client.sent += static_cast<size_t>(done);
  }
  client.sent = 0;
}

/** Until the next frame is due, finishes the frames that are under way. */
void finish_until(int64_t due_ns, std::vector<Client>& clients, const std::string& part) {
  for (;;) {
    std::vector<pollfd> waiting;
    std::vector<Client*> owners;
    for (Client& client : clients) {
      if (client.sent == 0) continue;
      waiting.push_back({client.fd, POLLOUT, 0});
      owners.push_back(&client);
    }
    const int64_t left_ns = due_ns - now_ns(CLOCK_MONOTONIC);
    if (left_ns <= 0) return;
    const timespec limit{left_ns / 1'000'000'000, left_ns % 1'000'000'000};
    if (ppoll(waiting.data(), waiting.size(), &limit, nullptr) <= 0) return;
    for (size_t i = 0; i < waiting.size(); i++)
      if (waiting[i].revents) push(*owners[i], part);
  }
}

}  // namespace

int main(int count, char** words) {
  std::string path;
  double fps = 30;
  size_t wanted = 1;
  int frames = 300;
  for (int i = 1; i < count; i++) {
    const std::string word = words[i];
    const char* value = i + 1 < count ? words[i + 1] : "0";
    if (word == "--fps") fps = std::atof(value), i++;
    else if (word == "--clients") wanted = static_cast<size_t>(std::atoi(value)), i++;
    else if (word == "--frames") frames = std::atoi(value), i++;
    else path = word;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string jpeg{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (jpeg.empty() || fps <= 0) {
    std::fprintf(stderr, "send: name a JPEG file and a rate above 0\n");
    return 1;
  }
  const std::string part = "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: " + std::to_string(jpeg.size()) + "\r\n\r\n" + jpeg + "\r\n";
  const int server = listen_anywhere();
  std::vector<Client> clients;
  while (clients.size() < wanted) clients.push_back(accept_client(server, "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"));

  const auto period_ns = static_cast<int64_t>(1e9 / fps);
  const int64_t start_ns = now_ns(CLOCK_MONOTONIC), cpu_start_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
  long skipped = 0;
  for (int frame = 0; frame < frames; frame++) {
    finish_until(start_ns + frame * period_ns, clients, part);
    for (Client& client : clients) {
      if (client.sent != 0) skipped++;
      else push(client, part);
    }
  }
  const int64_t cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_start_ns;
  std::printf("{\"clients\":%zu,\"frames\":%d,\"bytes\":%zu,\"cpu_us\":%lld,\"skipped\":%ld}\n", clients.size(), frames, part.size(), static_cast<long long>(cpu_ns / 1000), skipped);
}
