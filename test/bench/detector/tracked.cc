// Pictures of a camera that moves, through bare libapriltag at decimate 1 on one thread, through this service's own
// detector as it follows tags, and through the same as it looks at all of each picture; picture by picture, turn about
// who is first.
//
//   tracked PICTURES SEED FAMILY BITS FILE...
//
// Each file is a scene: so many pictures of 1280x800 at 30 a second are taken of it by a camera that pans, turns, comes
// nearer, shakes, and is knocked once in two seconds, with the noise of a sensor. Prints a line for each scene: a list
// with, for each picture, [libapriltag's, following, whole look: CPU of the thread, us; tags found by each; tags of
// libapriltag that following has not; those of them that the whole look has].
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <string>

#include "bare_library.h"
#include "clock.h"
#include "json.h"
#include "sized_picture.h"
#include "tag_scan.h"
#include "tag_tracker.h"

namespace vedette {
namespace {

constexpr int WIDTH_PX = 1280, HEIGHT_PX = 800, PICTURES_PER_S = 30;
constexpr double NOISE_GREY = 2, SHAKE_PX = 1.5, KNOCK_PX = 60, KNOCKS_PER_S = 0.5;
constexpr double LARGER = 1.25;  // the scene than what is seen of it at once
constexpr double NEAR_PX = 5;    // two tags of one id are farther apart

cv::Mat matrix_of(GrayImage& picture) {
  return {picture.height, picture.width, CV_8UC1, picture.data(), static_cast<size_t>(picture.stride)};
}

/** Where the camera looks by then, and what its sensor makes of it. The same for equal seeds. */
class MovingCamera {
 public:
  MovingCamera(cv::Mat scene, uint64_t seed)
      : scene_(std::move(scene)), dice_(seed), noise_(2 * HEIGHT_PX, 2 * WIDTH_PX, CV_16S) {
    dice_.fill(noise_, cv::RNG::NORMAL, 0, NOISE_GREY);
    for (double& phase : phases_) phase = dice_.uniform(0.0, 2 * CV_PI);
  }

  cv::Mat picture(int nth) {
    const double t_s = static_cast<double>(nth) / PICTURES_PER_S,
                 to_view = LARGER * std::max<double>(WIDTH_PX / static_cast<double>(scene_.cols),
                                                     HEIGHT_PX / static_cast<double>(scene_.rows));
    const auto swing = [&](int which, double period_s) {
      return std::sin(2 * CV_PI * t_s / period_s + phases_[which]);
    };
    if (dice_.uniform(0.0, 1.0) < KNOCKS_PER_S / PICTURES_PER_S)
      knock_ = {dice_.gaussian(KNOCK_PX), dice_.gaussian(KNOCK_PX)};
    knock_ *= 0.8;
    const double zoom = to_view * (1 + 0.2 * swing(0, 5)), turn = 0.15 * swing(1, 3.1), c = zoom * std::cos(turn),
                 s = zoom * std::sin(turn);
    const cv::Point2d aim{scene_.cols * (0.5 + 0.2 * swing(2, 2.3)), scene_.rows * (0.5 + 0.15 * swing(3, 3.7))};
    const cv::Point2d to{WIDTH_PX / 2.0 + knock_.x + dice_.gaussian(SHAKE_PX),
                         HEIGHT_PX / 2.0 + knock_.y + dice_.gaussian(SHAKE_PX)};
    const cv::Matx23d map(c, -s, to.x - c * aim.x + s * aim.y, s, c, to.y - s * aim.x - c * aim.y);
    cv::Mat out, grainy;
    cv::warpAffine(scene_, out, map, {WIDTH_PX, HEIGHT_PX}, cv::INTER_LINEAR, cv::BORDER_REFLECT_101);
    const cv::Rect grain(dice_.uniform(0, WIDTH_PX), dice_.uniform(0, HEIGHT_PX), WIDTH_PX, HEIGHT_PX);
    cv::add(out, noise_(grain), grainy, cv::noArray(), CV_8U);
    return grainy;
  }

 private:
  const cv::Mat scene_;
  cv::RNG dice_;
  cv::Mat noise_;
  double phases_[4];
  cv::Point2d knock_;
};

/** One who looks at picture after picture. */
struct Looker {
  TagSearch& search;
  int64_t us = 0;
  std::vector<FoundTag> tags{};

  void look(const cv::Mat& picture, int64_t captured_us) {
    const int64_t before_us = thread_cpu_us();
    const std::vector<FoundTag>& found =
        search.find({picture.data, picture.cols, picture.rows, static_cast<int>(picture.step)}, 1, {0, 0, captured_us});
    us = thread_cpu_us() - before_us;
    tags = as_of_node(found);
  }

  bool has(const FoundTag& tag) const {
    return std::any_of(tags.begin(), tags.end(), [&](const FoundTag& each) {
      return each.id == tag.id && std::hypot(each.center[0] - tag.center[0], each.center[1] - tag.center[1]) < NEAR_PX;
    });
  }
};

std::string measured(cv::Mat scene, uint64_t seed, int pictures, const SoughtFamily& sought) {
  BareLibrary bare(sought);
  TagTracker tracker(std::make_unique<TagScan>(std::vector<SoughtFamily>{sought}));
  TagScan scan({sought});
  Looker library{bare}, following{tracker}, whole{scan};
  MovingCamera camera(std::move(scene), seed);
  JsonPieces lines;
  for (int nth = 0; nth < pictures; nth++) {
    const cv::Mat picture = camera.picture(nth);
    Looker* turn[] = {&library, &following, &whole};
    std::rotate(turn, turn + nth % 3, turn + 3);
    for (Looker* each : turn) each->look(picture, static_cast<int64_t>(nth) * 1'000'000 / PICTURES_PER_S);
    int lost = 0, lost_by_following = 0;
    for (const FoundTag& tag : library.tags) {
      if (following.has(tag)) continue;
      lost++;
      lost_by_following += whole.has(tag);
    }
    JsonPieces line;
    for (const int64_t figure : {library.us, following.us, whole.us}) line.add(std::to_string(figure));
    for (const Looker* each : {&library, &following, &whole}) line.add(std::to_string(each->tags.size()));
    for (const int figure : {lost, lost_by_following}) line.add(std::to_string(figure));
    lines.add(line.list());
  }
  return lines.list();
}

}  // namespace
}  // namespace vedette

int main(int argc, char** argv) {
  using namespace vedette;
  if (argc < 6) return std::fprintf(stderr, "tracked PICTURES SEED FAMILY BITS FILE...\n"), 1;
  cv::setNumThreads(0);
  const FamilyOwner family = named_family("tracked", argv[3]);
  uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  for (GrayImage& scene : read_pictures("tracked", argc - 5, argv + 5, 0, 0)) {
    std::puts(measured(matrix_of(scene), seed++, std::atoi(argv[1]), {family.get(), std::atoi(argv[4])}).c_str());
    std::fflush(stdout);
  }
  return 0;
}
