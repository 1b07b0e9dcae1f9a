// Work on two threads: what they find is what one finds, to the last bit, and the second one comes and goes with who
// owns it.
#include "second_thread.h"

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>

#include "answers.h"
#include "borders.h"
#include "components.h"
#include "noise.h"
#include "patterns.h"
#include "picture_runs.h"
#include "tag_sheets.h"
#include "tag_tracker.h"

namespace vedette::test {
namespace {

constexpr int TWO = TagScan::MAX_THREADS;

/** All that makes an answer, whichever look finds it; large enough to be shared. */
std::vector<Picture> pictures() {
  std::vector<Picture> out;
  for (const uint64_t seed : {1, 2}) out.emplace_back(mixed_sheet(640, 417, seed).picture);
  cv::Mat blurred = mixed_sheet(801, 603, 3).picture;
  blur(blurred, 0.8);
  out.emplace_back(blurred);
  cv::Mat noisy = mixed_sheet(720, 518, 4).picture;
  blur(noisy, 2);
  make_noisy(noisy, 0.2, 15);
  out.emplace_back(noisy);
  cv::Mat crowded(600, 800, CV_8UC1);
  cv::resize(mixed_sheet(2000, 1500, 5).picture, crowded, crowded.size(), 0, 0, cv::INTER_AREA);
  out.emplace_back(crowded);
  for (const Pattern& each : patterns(400, 301)) out.emplace_back(400, 301, each.grey);
  return out;
}

const char* const NAME = "worker";

std::string name_of(const std::filesystem::path& task) {
  std::string name;
  std::getline(std::ifstream(task / "comm"), name);
  return name;
}

/** The names of all threads of this process. */
std::multiset<std::string> names_of_threads() {
  std::multiset<std::string> out;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) out.insert(name_of(task));
  return out;
}

/** How often second threads were done with something, and slept. */
int64_t times_slept() {
  int64_t out = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    if (name_of(task) != NAME) continue;
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line.rfind("voluntary_ctxt_switches:", 0) == 0) out += std::stoll(line.substr(line.find(':') + 1));
  }
  return out;
}

/** Whether all fields are the same. */
template <typename Item, typename Fields>
bool are_alike(const std::vector<Item>& some, const std::vector<Item>& others, Fields fields) {
  return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                    [&](const Item& a, const Item& b) { return fields(a) == fields(b); });
}

const Suite suite([] {
  test("two threads find what one finds, to the last bit, in tags, noise, stripes and nothing", [] {
    size_t bytes = 0;
    const std::vector<Picture> all = pictures();
    for (const auto& [decimate, blur_px] : {std::pair{1.0, 0.0}, {2.0, 0.0}, {1.5, 0.6}}) {
      TagScan one(all_kinds(2), blur_px), two(all_kinds(2), blur_px, best_vector_path(), TWO);
      for (size_t nth = 0; nth < all.size(); nth++) {
        const std::string truth = bits_of(one.find(all[nth].view(), decimate));
        for (int again = 0; again < 3; again++)
          expect(bits_of(two.find(all[nth].view(), decimate)) == truth,
                 text("picture %zu has another answer, decimated by %g", nth, decimate));
        expect(one.was_too_much() == two.was_too_much(), text("picture %zu is too much for one of them", nth));
        bytes += truth.size();
      }
    }
    expect(bytes > 100'000, text("%zu bytes are said", bytes));
    return text("%zu pictures, %zu bytes", all.size(), bytes);
  });

  test("two threads find what one finds in random pictures of any size, one after the other", [] {
    Dice dice(5);
    TagScan one(all_kinds(2)), two(all_kinds(2), 0, best_vector_path(), TWO);
    for (int nth = 0; nth < 60; nth++) {
      const int width = 1 + dice.below(500), height = 1 + dice.below(500);
      const Picture picture =
          nth % 3 == 0 ? noise(width, height, dice.word()) : Picture(mixed_sheet(width, height, dice.word()).picture);
      expect(bits_of(two.find(picture.view(), 1)) == bits_of(one.find(picture.view(), 1)),
             text("picture %d of %dx%d has another answer", nth, width, height));
    }
    return "";
  });

  test("noise that is too much is so on two threads as well, though neither half is; and what is not is not", [] {
    TagScan one(all_kinds(1)), two(all_kinds(1), 0, best_vector_path(), TWO);
    const Picture whole = noise(3000, 2000);
    for (const auto& [first, last] : {std::pair{0, 2000}, {0, 1000}, {1000, 2000}, {500, 1500}}) {
      const Picture picture(3000, 2000,
                            [&, f = first, l = last](int x, int y) { return y >= f && y < l ? whole.at(x, y) : 128; });
      const std::string truth = bits_of(one.find(picture.view(), 1));
      expect(bits_of(two.find(picture.view(), 1)) == truth && one.was_too_much() == two.was_too_much(),
             text("rows %d to %d have another answer", first, last));
      expect(one.was_too_much() == (last - first == 2000),
             text("of rows %d to %d it is said that they are too much: %d", first, last, one.was_too_much()));
    }
    return "";
  });

  test("runs and components, borders and their points are those of one thread, in their order", [] {
    SecondThread second;
    PictureRuns runs_of_one(*row_kernels(best_vector_path())), runs_of_two = runs_of_one;
    Borders borders_of_one, borders_of_two;
    Dice dice(9);
    size_t borders = 0;
    for (int nth = 0; nth < 80; nth++) {
      const int width = 8 + dice.below(200), height = 8 + dice.below(90), blob_px = 1 + dice.below(6);
      const Plane plane = random_plane(width, height, 50, nth % 2 * 20, blob_px, dice);
      const Picture picture(width, height, [&](int x, int y) {
        return plane.at(x, y) == WHITE ? 200 : plane.at(x, y) == BLACK ? 50 : 125;
      });
      expect(runs_of_one.find(picture.view()) && runs_of_two.find(picture.view(), &second), "it is too much");
      expect(runs_of_one.has_borders() == runs_of_two.has_borders(),
             text("something is black in picture %d for one of them", nth));
      if (!runs_of_one.has_borders()) continue;
      for (const auto colour : {&PictureRuns::black, &PictureRuns::white}) {
        const Runs &some = (runs_of_one.*colour)(), &others = (runs_of_two.*colour)();
        const auto boxes = [](const ComponentBox& box) { return std::array{box.left, box.top, box.right, box.bottom}; };
        expect(are_alike(some.components(), others.components(), boxes), text("picture %d has other components", nth));
        for (int y = 0; y < height; y++) {
          const auto all = [&](const Runs& runs) { return std::vector<Run>(runs.first(y), runs.first(y + 1)); };
          expect(are_alike(all(some), all(others),
                           [](const Run& run) {
                             return std::array<uint32_t, 3>{run.begin, run.end, run.component};
                           }),
                 text("picture %d has other runs in row %d", nth, y));
        }
      }
      for (const Inside inside : {Inside{true, true}, {true, false}, {false, true}}) {
        borders_of_one.find(runs_of_one.black(), runs_of_one.white(), height, inside);
        borders_of_two.find(runs_of_two.black(), runs_of_two.white(), height, inside, &second);
        const auto sums = [](const Border& each) {
          return std::array<int64_t, 10>{each.white,     each.black,        each.points,     each.box.left,
                                         each.box.top,   each.box.right,    each.box.bottom, each.outward_x,
                                         each.outward_y, each.place_outward};
        };
        expect(are_alike(borders_of_one.all(), borders_of_two.all(), sums), text("picture %d has other borders", nth));
        std::vector<uint32_t> wanted;
        for (uint32_t i = 0; i < borders_of_one.all().size(); i++)
          if (dice.below(3) > 0) wanted.push_back(i);
        borders_of_one.make_points(wanted);
        borders_of_two.make_points(wanted, &second);
        for (size_t i = 0; i < wanted.size(); i++) {
          const auto all = [&](const Borders& of) {
            return std::vector<BorderPoint>(of.points_of(i).points, of.points_of(i).points + of.points_of(i).count);
          };
          expect(are_alike(all(borders_of_one), all(borders_of_two),
                           [](BorderPoint point) {
                             return std::array{point.x, point.y};
                           }),
                 text("picture %d has other points", nth));
        }
        borders += wanted.size();
      }
    }
    return text("%zu borders", borders);
  });

  test("tags are followed alike on one thread and on two", [] {
    TagTracker one(std::make_unique<TagScan>(all_kinds(1))),
        two(std::make_unique<TagScan>(all_kinds(1), 0, best_vector_path(), TWO));
    const cv::Mat wall = mixed_sheet(1100, 900, 6).picture;
    size_t tags = 0;
    for (int nth = 0; nth < 20; nth++) {
      const Picture seen(wall(cv::Rect(8 * nth, 5 * nth, 800, 640)));
      PictureOrigin origin;
      origin.captured_us = 1'000'000 + 33'000 * nth;
      const std::vector<FoundTag>& found = one.find(seen.view(), 1, origin);
      expect(bits_of(found) == bits_of(two.find(seen.view(), 1, origin)), text("picture %d has another answer", nth));
      tags += found.size();
    }
    expect(tags > 400, text("%zu tags", tags));
    return text("%zu tags", tags);
  });

  test("there is a second thread where two are allowed, never a third, and it ends with its search", [] {
    const std::multiset<std::string> before = names_of_threads();
    const Picture picture(mixed_sheet(640, 400, 1).picture);
    for (const int threads : {1, 2, 3, 100}) {
      for (const int looks : {0, 1, 5}) {
        TagScan scan(all_kinds(1), 0, best_vector_path(), threads);
        for (int nth = 0; nth < looks; nth++) scan.find(picture.view(), 1);
        std::multiset<std::string> expected = before;
        if (threads > 1) expected.insert(NAME);
        expect(names_of_threads() == expected, text("%d threads make others than they should", threads));
      }
      expect(names_of_threads() == before, "one is left");
    }
    for (int nth = 0; nth < 300; nth++) TagScan at_once(all_kinds(0), 0, best_vector_path(), TWO);
    return "";
  });

  test("a small picture does not wake the second thread, a large one does", [] {
    TagScan scan(all_kinds(1), 0, best_vector_path(), TWO);
    const Picture small(mixed_sheet(200, 200, 1).picture), large(mixed_sheet(640, 400, 1).picture);
    scan.find(large.view(), 1);
    const auto times_woken_by = [&](const Picture& picture) {
      const int64_t before = times_slept();
      for (int nth = 0; nth < 20; nth++) scan.find(picture.view(), 1);
      return times_slept() - before;
    };
    times_woken_by(small);  // it may still have been on its way to sleep
    const int64_t by_small = times_woken_by(small), by_large = times_woken_by(large);
    expect(by_small == 0 && by_large > 0,
           text("it is woken %lld and %lld times", static_cast<long long>(by_small), static_cast<long long>(by_large)));
    return "";
  });

  test("an exception of either thread reaches the caller when both are done, and later work is done", [] {
    SecondThread second;
    for (const auto& [here, there] : {std::pair{true, false}, {false, true}, {true, true}, {false, false}}) {
      std::atomic<int> done{0};
      std::string thrown;
      try {
        second.both([&, is_here = here, is_there = there](int part) {
          if (part == 0 && is_here) throw std::runtime_error("here");
          for (int i = 0; part == 1 && i < 1000; i++) done++;
          if (part == 1 && is_there) throw std::runtime_error("there");
        });
      } catch (const std::runtime_error& error) {
        thrown = error.what();
      }
      expect(done == 1000, text("it comes back when %d of 1000 are done", done.load()));
      expect(thrown == (here ? "here" : there ? "there" : ""), "it throws " + thrown);
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
