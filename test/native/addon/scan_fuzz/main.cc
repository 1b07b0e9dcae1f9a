// Drives the fuzz target where there is no fuzzer:
//
//   scan_fuzz seconds|runs NUMBER SEED WHERE   looks at a corpus made by code and then at changes of it, the same for a
//                                              seed; what fails is written to the file WHERE
//   scan_fuzz FILE...                          looks at such files
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>

#include "corpus.h"
#include "target.h"

namespace vedette::test {
namespace {

/** What is looked at now, and where to keep it when that ends the program. */
Bytes now;
const char* where = nullptr;

void keep_failed() {
  const int file = open(where, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const bool is_kept = file >= 0 && write(file, now.data(), now.size()) == static_cast<ssize_t>(now.size());
  std::fprintf(stderr,
               is_kept ? "\nThe bytes are in %s; `scan_fuzz FILE` looks at them again.\n"
                       : "\nThe bytes cannot be written to %s.\n",
               where);
}

int look_at_files(int count, char** paths) {
  for (int i = 0; i < count; i++) {
    std::ifstream file(paths[i], std::ios::binary);
    if (!file) return std::fprintf(stderr, "scan_fuzz: there is no file %s\n", paths[i]), 1;
    now.assign(std::istreambuf_iterator<char>(file), {});
    LLVMFuzzerTestOneInput(now.data(), now.size());
  }
  return std::printf("%d files, %zu tags seen; nothing failed\n", count, tags_seen), 0;
}

int fuzz(bool is_by_time, uint64_t number, uint64_t seed) {
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(number);
  const std::vector<Bytes> corpus = made_corpus();
  uint64_t done = 0;
  for (; is_by_time ? std::chrono::steady_clock::now() < end : done < number; done++) {
    Dice dice(seed * 1'000'003 + done);
    now = done < corpus.size() ? corpus[done] : changed(corpus, dice);
    LLVMFuzzerTestOneInput(now.data(), now.size());
  }
  return std::printf("%llu inputs, the first %zu made by code; %zu tags seen; nothing failed\n",
                     static_cast<unsigned long long>(done), corpus.size(), tags_seen),
         0;
}

}  // namespace
}  // namespace vedette::test

/** Also what ends by abort() is said with its stack, and kept. */
extern "C" __attribute__((no_sanitize("address", "undefined"))) const char* __asan_default_options() {
  return "handle_abort=1";
}

int main(int argc, char** argv) {
  using namespace vedette::test;
  const bool is_by_time = argc == 5 && std::strcmp(argv[1], "seconds") == 0,
             is_by_runs = argc == 5 && std::strcmp(argv[1], "runs") == 0;
  if (argc < 2) return std::fprintf(stderr, "scan_fuzz seconds|runs NUMBER SEED WHERE, or scan_fuzz FILE...\n"), 1;
  if (!is_by_time && !is_by_runs) return look_at_files(argc - 1, argv + 1);
  where = argv[4];
  __sanitizer_set_death_callback(keep_failed);
  return fuzz(is_by_time, std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
}
