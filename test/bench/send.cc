// The bare minimum that the video server is measured against: the same MJPEG bytes to every client by plain send(), one thread, one loop.
//
//   send FILE [--fps F] [--clients N] [--frames K]
//
// Listens on a free port of 127.0.0.1 and prints it, waits for N connections, sends K frames of FILE to each, then prints one line of JSON:
// { clients, frames, bytes, cpu_us, skipped }.
#include <fstream>
#include <iterator>

#include "bare_server.h"

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
  const std::string part = bare::part_of(jpeg.data(), jpeg.size());
  std::vector<bare::Client> clients = bare::accept_clients(bare::listen_anywhere(), wanted);

  const auto period_ns = static_cast<int64_t>(1e9 / fps);
  const int64_t start_ns = bare::now_ns(CLOCK_MONOTONIC), cpu_start_ns = bare::now_ns(CLOCK_PROCESS_CPUTIME_ID);
  long skipped = 0;
  for (int frame = 0; frame < frames; frame++) {
    bare::finish_until(start_ns + frame * period_ns, -1, clients, part);
    for (bare::Client& client : clients) {
      if (client.sent != 0) skipped++;
      else bare::push(client, part);
    }
  }
  const int64_t cpu_ns = bare::now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_start_ns;
  std::printf("{\"clients\":%zu,\"frames\":%d,\"bytes\":%zu,\"cpu_us\":%lld,\"skipped\":%ld}\n", clients.size(), frames, part.size(), static_cast<long long>(cpu_ns / 1000), skipped);
}
