// Whole looks of this service's own detector on one thread and on two, picture by picture, turn about who is first.
//
//   two-threads ROUNDS FAMILY BITS DECIMATE WIDTH HEIGHT FILE...
//
// The words are those of `scan`. Prints a line for each round: for each picture { one, two }, each a list [what the
// clock says, CPU of all threads together, how long they had to wait for a processor], us. The program ends where two
// find something else than one.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "bare_library.h"
#include "clock.h"
#include "json.h"
#include "rounds.h"
#include "same_answer.h"
#include "sized_picture.h"
#include "tag_family.h"
#include "tag_scan.h"

namespace vedette {
namespace {

/**
 * How long all threads together have stood in line for a processor, since they began. Since other programs had it, or
 * each other.
 */
int64_t waited_us() {
  int64_t ns = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    int64_t ran_ns = 0, waited_ns = 0;
    std::ifstream(task.path() / "schedstat") >> ran_ns >> waited_ns;
    ns += waited_ns;
  }
  return ns / 1000;
}

std::string timed(TagScan& scan, const GreyView& picture, double decimate) {
  const int64_t before_us = waited_us(), cpu_us = process_cpu_us(), wall_us = monotonic_us();
  scan.find(picture, decimate);
  const int64_t wall = monotonic_us() - wall_us, cpu = process_cpu_us() - cpu_us;
  return "[" + std::to_string(wall) + "," + std::to_string(cpu) + "," + std::to_string(waited_us() - before_us) + "]";
}

int measure(int rounds, const SoughtFamily& sought, double decimate, const std::vector<GrayImage>& pictures,
            char** paths) {
  TagScan one({sought}), two({sought}, 0, best_vector_path(), TagScan::MAX_THREADS);
  for (size_t i = 0; i < pictures.size(); i++) {
    const GreyView view = view_of(pictures[i]);
    if (!is_same(one.find(view, decimate), two.find(view, decimate)))
      return std::fprintf(stderr, "two-threads: two find something else in %s\n", paths[i]), 1;
  }
  print_rounds(rounds, pictures, [&](const GreyView& view, bool is_one_first) {
    std::string of_one;
    if (is_one_first) of_one = timed(one, view, decimate);
    const std::string of_two = timed(two, view, decimate);
    if (!is_one_first) of_one = timed(one, view, decimate);
    return JsonPieces().field("one", of_one).field("two", of_two).object();
  });
  return 0;
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  if (argc < 8) return std::fprintf(stderr, "two-threads ROUNDS FAMILY BITS DECIMATE WIDTH HEIGHT FILE...\n"), 1;
  cv::setNumThreads(0);
  const FamilyOwner family = named_family("two-threads", argv[2]);
  const std::vector<GrayImage> pictures =
      read_pictures("two-threads", argc - 7, argv + 7, std::atoi(argv[5]), std::atoi(argv[6]));
  return measure(std::atoi(argv[1]), {family.get(), std::atoi(argv[3])}, std::atof(argv[4]), pictures, argv + 7);
}
