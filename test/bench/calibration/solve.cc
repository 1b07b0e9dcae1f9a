// CPU of the solver against OpenCV's solve with five coefficients of the same corners, side by side in one process, and
// the memory that it takes. `make -C native/addon calibration-bench`; takes half a minute, nearly all of it OpenCV's.
#include <sys/resource.h>

#include <cstdio>
#include <ctime>
#include <opencv2/calib3d.hpp>

#include "procedure.h"
#include "simulated.h"

namespace {

double cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

int main() {
  using namespace vedette;
  cv::setNumThreads(1);
  test::SimulatedSet set;
  set.pictures = 100;
  const BoardViews board = test::simulate(set, 7);
  const long before_kib = peak_kib();

  double at = cpu_s();
  AdjustmentOptions options;
  options.sought = test::sought_of(5, false);
  const Adjusted adjusted = adjust(board, first_guess(board), options);
  const double ours_s = cpu_s() - at;

  at = cpu_s();
  const auto whole = calibrate({board, 0, true}, {});
  const double whole_s = cpu_s() - at;
  const long taken_kib = peak_kib() - before_kib;

  std::vector<std::vector<cv::Point3f>> on_board;
  std::vector<std::vector<cv::Point2f>> in_picture;
  size_t corners = 0;
  for (const BoardView& view : board.views) {
    on_board.emplace_back();
    in_picture.emplace_back();
    for (const BoardCorner& corner : view) {
      on_board.back().emplace_back(corner.x, corner.y, 0);
      in_picture.back().emplace_back(corner.u, corner.v);
    }
    corners += view.size();
  }
  cv::Mat matrix, distortion;
  std::vector<cv::Mat> turns, places;
  at = cpu_s();
  const double rms =
      cv::calibrateCamera(on_board, in_picture, {board.width, board.height}, matrix, distortion, turns, places);
  const double theirs_s = cpu_s() - at;

  std::printf("%zu pictures, %zu corners\n", board.views.size(), corners);
  std::printf("rms %.6f, OpenCV %.6f; fx %.4f, OpenCV %.4f\n", adjusted.rms, rms, adjusted.state.lens[FX],
              matrix.at<double>(0, 0));
  std::printf("CPU against OpenCV's: the same solve %.4f, the whole procedure %.4f (%d coefficients)\n",
              ours_s / theirs_s, whole_s / theirs_s, whole->coefficients);
  std::printf("memory of all of that before OpenCV: %ld KiB\n", taken_kib);
  return ours_s <= 0.05 * theirs_s && whole_s <= 0.05 * theirs_s ? 0 : 1;
}
