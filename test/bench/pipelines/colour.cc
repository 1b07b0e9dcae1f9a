// The colour pipeline through the executor, from the threshold to the target, against the same calls of OpenCV in a
// bare loop, on the same pictures, turn about.
//
//   colour-loop ROUNDS
//
// A round is all pictures a number of times. Prints a line of JSON after each: { pictures, targets, plan_us, loop_us }:
// CPU of the thread for each picture. What the source does, which is to give the colours, is in neither.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "plan.h"
#include "views.h"

namespace vedette {
namespace {

constexpr int WIDTH = 640, HEIGHT = 480, PICTURES = 8, TIMES = 25;
constexpr double MIN_AREA_PX = 15, MIN_SHARE = 0.0005, MAX_RATIO = 5, MIN_FULLNESS = 0.4, DEG = 180 / CV_PI;
constexpr int HUE_MIN = 45, HUE_MAX = 80, SATURATION_MIN = 100, VALUE_MIN = 80;
constexpr size_t MAX_TARGETS = 10;

double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

/** Shapes of the colour that is searched for and of others, specks, and the noise of a camera. */
cv::Mat drawn(int seed) {
  cv::RNG random(static_cast<uint64_t>(seed) + 1);
  cv::Mat picture(HEIGHT, WIDTH, CV_8UC3), noise(HEIGHT, WIDTH, CV_8SC3);
  random.fill(picture, cv::RNG::UNIFORM, 60, 130);
  cv::blur(picture, picture, {9, 9});
  for (int i = 0; i < 80; i++) {
    const bool is_wanted = i % 2 == 0;
    const cv::Scalar colour = is_wanted ? cv::Scalar(60, 210, 50) : cv::Scalar(200, 60, 40);
    const int size = i < 16 ? random.uniform(20, 70) : random.uniform(1, 5);
    const cv::Point2f at(random.uniform(40.0F, WIDTH - 40.0F), random.uniform(40.0F, HEIGHT - 40.0F));
    const cv::RotatedRect shape(at, cv::Size2f(static_cast<float>(size), 0.6F * static_cast<float>(size)),
                                random.uniform(0.0F, 180.0F));
    if (i % 4 < 2) {
      cv::ellipse(picture, shape, colour, cv::FILLED);
      continue;
    }
    cv::Point2f corners[4];
    shape.points(corners);
    const std::vector<cv::Point> polygon(corners, corners + 4);
    cv::fillConvexPoly(picture, polygon, colour);
  }
  random.fill(noise, cv::RNG::NORMAL, 0, 4);
  cv::add(picture, noise, picture, cv::noArray(), CV_8U);
  return picture;
}

/** As a camera gives it, with colour at half of the resolution. */
void into_frame(const cv::Mat& picture, Frame& frame) {
  cv::Mat planes, parts[3], cb, cr;
  cv::cvtColor(picture, planes, cv::COLOR_BGR2YCrCb);
  cv::split(planes, parts);
  frame.gray.resize(WIDTH, HEIGHT);
  std::copy(parts[0].begin<uint8_t>(), parts[0].end<uint8_t>(), frame.gray.pixels.begin());
  frame.chroma.resize(WIDTH / 2, HEIGHT / 2, 1, 1);
  cv::resize(parts[2], cb, {WIDTH / 2, HEIGHT / 2}, 0, 0, cv::INTER_AREA);
  cv::resize(parts[1], cr, {WIDTH / 2, HEIGHT / 2}, 0, 0, cv::INTER_AREA);
  std::copy(cb.begin<uint8_t>(), cb.end<uint8_t>(), frame.chroma.cb.begin());
  std::copy(cr.begin<uint8_t>(), cr.end<uint8_t>(), frame.chroma.cr.begin());
  frame.width = WIDTH;
  frame.height = HEIGHT;
}

Intrinsics lens() { return {true, WIDTH, HEIGHT, 600, 600, 319.5, 239.5, {-0.1, 0.03, 0.0005, -0.0003, 0}}; }

PlanDocument::Step step(const char* type, int input, int output,
                        const std::vector<std::pair<const char*, Param>>& params) {
  PlanDocument::Step out{type, type, {input}, {output}, Params(type)};
  for (const auto& [name, value] : params) out.params.set(name, value);
  return out;
}

PlanDocument plan_document() {
  PlanDocument plan;
  plan.slots = 7;
  plan.steps.push_back({"source", "source", {}, {0, 1}, Params("source")});
  plan.steps.push_back(step("hsv-threshold", 1, 2,
                            {{"hue_min_deg", 2.0 * HUE_MIN},
                             {"hue_max_deg", 2.0 * HUE_MAX},
                             {"saturation_min", 1.0 * SATURATION_MIN},
                             {"saturation_max", 255.0},
                             {"value_min", 1.0 * VALUE_MIN},
                             {"value_max", 255.0}}));
  plan.steps.push_back(step("contours", 2, 3, {{"min_area_px", MIN_AREA_PX}}));
  plan.steps.push_back(step("contour-filter", 3, 4,
                            {{"area_share_min", MIN_SHARE},
                             {"area_share_max", 1.0},
                             {"ratio_min", 1 / MAX_RATIO},
                             {"ratio_max", MAX_RATIO},
                             {"fullness_min", MIN_FULLNESS},
                             {"fullness_max", 1.0},
                             {"speckle_share", 0.0},
                             {"x_min_px", 0.0},
                             {"x_max_px", 65536.0},
                             {"y_min_px", 0.0},
                             {"y_max_px", 65536.0}}));
  plan.steps.push_back(step("sort", 4, 5, {{"by", std::string("largest")}, {"limit", 1.0 * MAX_TARGETS}}));
  plan.steps.push_back(
      step("target", 5, 6,
           {{"point", std::string("centre")}, {"model_points_m", std::vector<double>{}}, {"tolerance_share", 0.03}}));
  plan.outputs.push_back({"targets", 6});
  return plan;
}

/** What somebody would write who needs this one pipeline and nothing else. */
class BareLoop {
 public:
  size_t run(const cv::Mat& picture) {
    cv::cvtColor(picture, hsv_, cv::COLOR_BGR2HSV);
    cv::inRange(hsv_, cv::Scalar(HUE_MIN, SATURATION_MIN, VALUE_MIN), cv::Scalar(HUE_MAX, 255, 255), mask_);
    cv::findContours(mask_, outlines_, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
    found_.clear();
    for (const auto& outline : outlines_) {
      const double area = cv::contourArea(outline);
      if (area < MIN_AREA_PX) continue;
      const cv::Rect box = cv::boundingRect(outline);
      const cv::RotatedRect rect = cv::minAreaRect(outline);
      const cv::Moments moments = cv::moments(outline);
      const double longer = std::max(rect.size.width, rect.size.height),
                   shorter = std::min(rect.size.width, rect.size.height);
      if (area < MIN_SHARE * WIDTH * HEIGHT || longer > MAX_RATIO * shorter || area < MIN_FULLNESS * longer * shorter)
        continue;
      found_.push_back({area, {moments.m10 / moments.m00, moments.m01 / moments.m00}, box, rect});
    }
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.area > b.area; });
    if (found_.size() > MAX_TARGETS) found_.resize(MAX_TARGETS);
    if (found_.empty()) return 0;
    centers_.clear();
    for (const Found& found : found_) centers_.push_back(found.center);
    cv::undistortPoints(centers_, ideal_, matrix_, camera_.distortion);
    for (size_t i = 0; i < ideal_.size(); i++)
      found_[i].direction = {std::atan(ideal_[i].x) * DEG, std::atan(-ideal_[i].y) * DEG};
    return found_.size();
  }

 private:
  struct Found {
    double area;
    cv::Point2d center;
    cv::Rect box;
    cv::RotatedRect rect;
    cv::Point2d direction{};
  };
  const Intrinsics camera_ = lens();
  const cv::Matx33d matrix_{camera_.fx, 0, camera_.cx, 0, camera_.fy, camera_.cy, 0, 0, 1};
  cv::Mat hsv_, mask_;
  std::vector<std::vector<cv::Point>> outlines_;
  std::vector<Found> found_;
  std::vector<cv::Point2d> centers_, ideal_;
};

/** Since its source was done. */
double planned_us(Plan& plan, Frame& frame) {
  double since_us = 0;
  plan.run({frame, Pose{}}, PictureSet{0}, [&since_us](int64_t) {
    if (since_us == 0) since_us = cpu_us();
    return false;
  });
  return cpu_us() - since_us;
}

/** The colours as the source gives them. */
cv::Mat colours_of(Frame& frame) {
  Value gray = Image{}, colour = Image{};
  const auto source = find_node_type("source")->make(Params("source"), {});
  source->process({frame, Pose{}}, {{}, {&gray, &colour}});
  return view_of(std::get<Image>(colour)).clone();
}

int measure(int rounds) {
  cv::setNumThreads(0);  // as the engine does
  std::vector<Frame> frames(PICTURES);
  std::vector<cv::Mat> pictures;
  for (int i = 0; i < PICTURES; i++) {
    into_frame(drawn(i), frames[i]);
    pictures.push_back(colours_of(frames[i]));
  }
  Plan plan(plan_document(), {lens(), {}});
  BareLoop loop;
  cv::Mat colours;
  for (int round = 0; round < rounds; round++) {
    double plan_us = 0, loop_us = 0;
    size_t targets = 0;
    for (int i = 0; i < PICTURES * TIMES; i++) {
      size_t bare = 0;
      const auto run_bare = [&] {
        pictures[i % PICTURES].copyTo(colours);  // as near to the processor as the source leaves them
        const double before_us = cpu_us();
        bare = loop.run(colours);
        loop_us += cpu_us() - before_us;
      };
      if (i % 2 == 0) run_bare();
      plan_us += planned_us(plan, frames[i % PICTURES]);
      if (i % 2 == 1) run_bare();
      const size_t planned = std::get<Targets>(*plan.outputs()[0]).size();
      if (planned != bare)
        return std::fprintf(stderr, "colour-loop: %zu targets through the plan, %zu in the bare loop\n", planned, bare),
               1;
      targets += planned;
    }
    constexpr double RUNS = PICTURES * TIMES;
    std::printf("{\"pictures\":%.0f,\"targets\":%.1f,\"plan_us\":%.1f,\"loop_us\":%.1f}\n", RUNS,
                static_cast<double>(targets) / RUNS, plan_us / RUNS, loop_us / RUNS);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace vedette

int main(int count, char** words) { return vedette::measure(count > 1 ? std::atoi(words[1]) : 1); }
