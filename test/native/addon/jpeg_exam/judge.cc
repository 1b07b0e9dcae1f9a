#include "judge.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace vedette::test {
namespace {

/** A file in memory. */
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("picture", MFD_CLOEXEC)) {
    if (file_ < 0) throw std::runtime_error("there is no memory for a file");
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int number() const { return file_; }
  void write(const Bytes& bytes) const {
    if (pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      throw std::runtime_error("a picture cannot be handed over");
  }
  Bytes read() const {
    Bytes bytes(static_cast<size_t>(lseek(file_, 0, SEEK_END)));
    if (pread(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      throw std::runtime_error("pixels cannot be taken over");
    return bytes;
  }

 private:
  int file_;
};

constexpr int WIDTH = 176, HEIGHT = 144;

/** Soft colours with sharp black and white on them, as PNM. */
Bytes drawing(int width, int height, int channels, int shift) {
  char head[32];
  const int length = std::snprintf(head, sizeof head, "P%d %d %d 255\n", channels == 1 ? 5 : 6, width, height);
  Bytes out(head, head + length);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const bool is_sharp = (x / 20 + y / 20 + shift) % 3 == 0;
      for (int c = 0; c < channels; c++) {
        const double soft = 128 + 90 * std::sin((x + 3 * c) / 17.0 + shift) * std::cos(y / (11.0 + c));
        out.push_back(is_sharp ? (x + y) % 2 * 255 : static_cast<uint8_t>(soft));
      }
    }
  return out;
}

Bytes made(const std::vector<std::string>& command, const Bytes& input) {
  int code = 0;
  Bytes out = output_of(command, input, code);
  if (code != 0) throw std::runtime_error(command[0] + " failed");
  return out;
}

}  // namespace

Bytes output_of(const std::vector<std::string>& command, const Bytes& input, int& code) {
  const MemoryFile in, out;
  in.write(input);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.number(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error(command[0] + " cannot be run; install libjpeg-turbo-progs");
  int status = 0;
  waitpid(child, &status, 0);
  code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out.read();
}

Pixels judged(const Bytes& jpeg, const std::vector<std::string>& options) {
  std::vector<std::string> command{"djpeg"};
  command.insert(command.end(), options.begin(), options.end());
  int code = 0;
  const Bytes out = output_of(command, jpeg, code);
  Pixels pixels;
  int length = 0, kind = 0;
  const std::string head(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(out.size(), 40)));
  const int read = std::sscanf(head.c_str(), "P%d %d %d 255%n", &kind, &pixels.width, &pixels.height, &length);
  if ((code != 0 && code != 2) || read != 3 || length == 0) return {};  // 2: it has warned
  pixels.channels = kind == 5 ? 1 : 3;
  pixels.bytes.assign(out.begin() + length + 1, out.end());
  const size_t wanted = static_cast<size_t>(pixels.width) * pixels.height * pixels.channels;
  return pixels.bytes.size() == wanted ? pixels : Pixels{};
}

std::vector<Whole> whole_jpegs() {
  std::vector<Whole> all;
  const auto add = [&all](const char* name, Bytes bytes) { all.push_back({name, std::move(bytes)}); };
  const auto drawn = [](std::vector<std::string> options, int width = WIDTH, int height = HEIGHT, int channels = 3) {
    options.insert(options.begin(), {"cjpeg", "-quality", "85"});
    return made(options, drawing(width, height, channels, static_cast<int>(options.size())));
  };
  add("4:2:0", drawn({}));
  add("4:2:0 of odd sides", drawn({}, 163, 121));
  add("4:2:2", drawn({"-sample", "2x1"}));
  add("4:4:4", drawn({"-sample", "1x1"}));
  add("4:4:0", drawn({"-sample", "1x2"}));
  add("4:1:1 of odd sides", drawn({"-sample", "4x1"}, 171, 93));
  add("4:1:0", drawn({"-sample", "4x2"}));
  add("3x1", drawn({"-sample", "3x1"}));
  add("grey", drawn({}, WIDTH, HEIGHT, 1));
  add("grey of odd sides", drawn({}, 99, 61, 1));
  add("red, green, blue", drawn({"-rgb"}));
  add("tables of its own", drawn({"-optimize"}));
  const Bytes restarts = drawn({"-restart", "1"});
  add("restarts", restarts);
  add("restarts after each block", drawn({"-restart", "1B"}));
  const Bytes progressive = drawn({"-progressive"});
  add("progressive", progressive);
  add("progressive of odd sides", drawn({"-progressive"}, 163, 121));
  add("progressive, grey", drawn({"-progressive"}, WIDTH, HEIGHT, 1));
  add("progressive with restarts", drawn({"-progressive", "-restart", "2"}));
  char path[] = "/dev/shm/jpeg-exam-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0 || write(file, "0;1;2;\n", 7) != 7) throw std::runtime_error("the list of scans cannot be written");
  close(file);
  try {
    add("a scan for each colour", drawn({"-scans", path}));
  } catch (...) {
    unlink(path);
    throw;
  }
  unlink(path);
  return all;
}

}  // namespace vedette::test
