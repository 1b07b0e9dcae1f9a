// Whole looks of this service's own detector on one thread and on two, picture by picture, turn about who is first.
//
//   two-threads ROUNDS FAMILY BITS DECIMATE WIDTH HEIGHT FILE...
//
// The words are those of `scan`. Prints a line for each round: a list of [one thread, two threads, CPU of one, CPU of two] for each picture, us: what the clock says, and what all threads use
// together. The program ends where two find something else than one.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bare_library.h"
#include "clock.h"
#include "json.h"
#include "same_answer.h"
#include "sized_picture.h"
#include "tag_family.h"
#include "tag_scan.h"

namespace vedette {
namespace {

struct Took {
  int64_t wall_us, cpu_us;
};

Took timed(TagScan& scan, const GreyView& picture, double decimate) {
  const int64_t wall_us = monotonic_us(), cpu_us = process_cpu_us();
  scan.find(picture, decimate);
  return {monotonic_us() - wall_us, process_cpu_us() - cpu_us};
}

int measure(int rounds, const SoughtFamily& sought, double decimate, const std::vector<GrayImage>& pictures, char** paths) {
  TagScan one({sought}), two({sought}, 0, best_vector_path(), TagScan::MOST_THREADS);
  for (size_t i = 0; i < pictures.size(); i++) {
    const GreyView view = view_of(pictures[i]);
    if (!is_same(one.find(view, decimate), two.find(view, decimate))) return std::fprintf(stderr, "two-threads: two find something else in %s\n", paths[i]), 1;
  }
  for (int round = 0; round < rounds; round++) {
    JsonPieces times;
    for (size_t i = 0; i < pictures.size(); i++) {
      const GreyView view = view_of(pictures[i]);
      Took of_one{}, of_two{};
      const bool is_one_first = (i + static_cast<size_t>(round)) % 2 == 0;
      if (is_one_first) of_one = timed(one, view, decimate);
      of_two = timed(two, view, decimate);
      if (!is_one_first) of_one = timed(one, view, decimate);
      JsonPieces each;
      for (const int64_t us : {of_one.wall_us, of_two.wall_us, of_one.cpu_us, of_two.cpu_us}) each.add(std::to_string(us));
      times.add(each.list());
    }
    std::puts(times.list().c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  if (argc < 8) return std::fprintf(stderr, "two-threads ROUNDS FAMILY BITS DECIMATE WIDTH HEIGHT FILE...\n"), 1;
  cv::setNumThreads(0);
  const FamilyOwner family = named_family("two-threads", argv[2]);
  const std::vector<GrayImage> pictures = read_pictures("two-threads", argc - 7, argv + 7, std::atoi(argv[5]), std::atoi(argv[6]));
  return measure(std::atoi(argv[1]), {family.get(), std::atoi(argv[3])}, std::atof(argv[4]), pictures, argv + 7);
}
