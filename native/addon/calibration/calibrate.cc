// A program that calibrates a camera: calibrate FILE, with a task (task_text.h) in it. Prints a line of progress now
// and then, {"step":"hold-out","share":0.5}, and at last the result, {"ok":true,...}, or
// {"ok":false,"detail":"a sentence"} where there is none. A process of its own: it may be ended at any moment, and what
// is beyond its limits ends nobody else.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "json.h"
#include "own_process.h"
#include "task_text.h"

namespace vedette {
namespace {

constexpr rlim_t MAX_MEMORY = 600'000'000;  // of addresses, of which libraries take most: 300 pictures need 20 MB
constexpr rlim_t MAX_CPU_S = 120;
constexpr std::chrono::milliseconds BETWEEN_LINES{100};

void print_failure(const char* detail) {
  print_line(JsonPieces().boolean("ok", false).text("detail", detail).object());
}

void run(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("the task cannot be opened");
  const CalibrationTask task = read_task(file);
  auto last = std::chrono::steady_clock::now() - BETWEEN_LINES;
  const auto found = calibrate(task, [&](const char* step, double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < BETWEEN_LINES) return true;
    last = now;
    char text[16];
    std::snprintf(text, sizeof text, "%.2f", share);
    print_line(JsonPieces().text("step", step).field("share", text).object());
    return true;
  });
  print_line(written(*found));
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "calibrate FILE\n"), 2;
  vedette::limit_resources(vedette::MAX_MEMORY, vedette::MAX_CPU_S);
  return vedette::run_to_end("the calibration", [&] {
    try {
      vedette::run(argv[1]);
    } catch (const vedette::BadTask& bad) {
      vedette::print_failure(bad.what());
    }
  });
}
