// Is the truth true? Drawn edges against OpenCV's camera model, and libapriltag's corners against the truth.
#include <apriltag/apriltag.h>
#include <apriltag/tag36h11.h>

#include <cmath>
#include <memory>
#include <opencv2/calib3d.hpp>

#include "check.h"
#include "scene.h"
#include "suites.h"
#include "synthetic_camera.h"

namespace vedette::test {
namespace {

/**
 * Points of a tag's plane (y, z; metres) in the picture, by OpenCV alone. Continuous pixels: first pixel's centre =
 * (0.5, 0.5).
 */
std::vector<cv::Point2d> project_by_opencv(const Intrinsics& intrinsics, const Pose& field_camera,
                                           const Pose& field_tag, const std::vector<cv::Point3d>& points) {
  const Pose optical_tag = compose(invert(compose(field_camera, body_optical())), field_tag);
  const Mat3 r = rotation_matrix(optical_tag);
  cv::Mat turn;
  cv::Rodrigues(cv::Mat(3, 3, CV_64F, const_cast<double*>(r.data())), turn);
  const cv::Mat camera =
      (cv::Mat_<double>(3, 3) << intrinsics.fx, 0, intrinsics.cx, 0, intrinsics.fy, intrinsics.cy, 0, 0, 1);
  std::vector<cv::Point2d> pixels;
  cv::projectPoints(points, turn, cv::Vec3d(optical_tag.x, optical_tag.y, optical_tag.z), camera, intrinsics.distortion,
                    pixels);
  for (cv::Point2d& pixel : pixels) pixel += cv::Point2d(0.5, 0.5);
  return pixels;
}

const MapTag& tag_of(const FieldMap& map, int id) {
  for (const MapTag& tag : map.tags)
    if (tag.id == id) return tag;
  throw std::runtime_error("the map has no such tag");
}

/**
 * How far the drawn tag is shifted against a dense projection of its cells, pixels: least squares over the picture's
 * gradient.
 */
cv::Point2d shift_of(const SyntheticOptions& options, const Frame& frame, const Intrinsics& intrinsics,
                     const VisibleTag& seen) {
  const std::vector<Sheet> sheets = print_sheets(options.map, 0, 1);
  const Sheet* sheet = nullptr;
  for (const Sheet& candidate : sheets)
    if (candidate.id == seen.id) sheet = &candidate;
  constexpr int DENSITY = 120;  // samples per cell and direction
  const int side = sheet->columns * DENSITY;
  std::vector<cv::Point3d> points;
  for (int i = 0; i < side * side; i++) {
    const double s = (i % side + 0.5) / DENSITY - sheet->columns / 2.0,
                 t = (i / side + 0.5) / DENSITY - sheet->rows / 2.0;
    points.emplace_back(0, s * sheet->cell_width_m, -t * sheet->cell_height_m);
  }
  const std::vector<cv::Point2d> pixels =
      project_by_opencv(intrinsics, frame.truth.field_camera, sheet->field_tag, points);

  std::vector<double> light(frame.gray.pixels.size()), count(frame.gray.pixels.size());
  for (int i = 0; i < side * side; i++) {
    if (pixels[i].x < 0 || pixels[i].y < 0 || pixels[i].x >= frame.width || pixels[i].y >= frame.height) continue;
    const size_t at = static_cast<size_t>(pixels[i].y) * frame.gray.stride + static_cast<size_t>(pixels[i].x);
    light[at] += 255 * sheet->ink[(i / side / DENSITY) * sheet->columns + i % side / DENSITY];
    count[at]++;
  }
  double xx = 0, xy = 0, yy = 0, xd = 0, yd = 0;
  const auto whole = [&](size_t at) { return count[at] > 150; };  // pixels at the sheet's rim mix with the wall
  const auto level = [&](size_t at) { return light[at] / count[at]; };
  const size_t stride = frame.gray.stride;
  for (size_t at = stride + 1; at + stride + 1 < light.size(); at++) {
    if (!whole(at) || !whole(at - 1) || !whole(at + 1) || !whole(at - stride) || !whole(at + stride)) continue;
    const double dx = (level(at + 1) - level(at - 1)) / 2, dy = (level(at + stride) - level(at - stride)) / 2,
                 off = level(at) - frame.gray.pixels[at];
    xx += dx * dx, xy += dx * dy, yy += dy * dy, xd += dx * off, yd += dy * off;
  }
  const double determinant = xx * yy - xy * xy;
  expect(determinant > 0, "the tag was not found in the picture");
  return {(yy * xd - xy * yd) / determinant, (xx * yd - xy * xd) / determinant};
}

/** Sums over corners. */
struct Errors {
  double x = 0, y = 0, squares = 0, worst = 0;
  int corners = 0;

  void add(double off_x, double off_y) {
    x += off_x;
    y += off_y;
    squares += off_x * off_x + off_y * off_y;
    worst = std::max(worst, std::hypot(off_x, off_y));
    corners++;
  }
  double bias_x() const { return x / corners; }
  double bias_y() const { return y / corners; }
  double rms() const { return std::sqrt(squares / corners / 2); }
};

/** libapriltag with its defaults but without decimation. */
class Detector {
 public:
  Detector() { apriltag_detector_add_family(detector_.get(), family_.get()), detector_->quad_decimate = 1; }

  void each(GrayImage& image, const std::function<void(const apriltag_detection_t&)>& visit) {
    image_u8_t view{image.width, image.height, image.stride, image.pixels.data()};
    const std::unique_ptr<zarray_t, void (*)(zarray_t*)> found(apriltag_detector_detect(detector_.get(), &view),
                                                               apriltag_detections_destroy);
    for (int i = 0; i < zarray_size(found.get()); i++) {
      apriltag_detection_t* detection;
      zarray_get(found.get(), i, &detection);
      visit(*detection);
    }
  }

 private:
  std::unique_ptr<apriltag_family_t, void (*)(apriltag_family_t*)> family_{tag36h11_create(), tag36h11_destroy};
  std::unique_ptr<apriltag_detector_t, void (*)(apriltag_detector_t*)> detector_{apriltag_detector_create(),
                                                                                 apriltag_detector_destroy};
};

/** What a detector made of frames of the synthetic camera. Tags count when they are whole and within 4 m. */
struct Score {
  Errors errors;
  int shown = 0, found = 0, false_ids = 0;

  std::string line() const {
    return text("recall %d/%d, false ids %d, %d corners, bias (%.4f, %.4f) px, rms %.3f px per axis, worst %.2f px",
                found, shown, false_ids, errors.corners, errors.bias_x(), errors.bias_y(), errors.rms(), errors.worst);
  }
};

Score score(const SyntheticOptions& options, int frames, int64_t stride) {
  SyntheticCamera camera(options);
  Detector detector;
  Frame frame;
  Score result;
  for (int i = 0; i < frames; i++) {
    camera.render(i * stride, frame);
    const auto counts = [](const VisibleTag& tag) { return tag.visible_fraction == 1 && tag.distance_m < 4; };
    for (const VisibleTag& tag : frame.truth.visible) result.shown += counts(tag);
    detector.each(frame.gray, [&](const apriltag_detection_t& detection) {
      for (const VisibleTag& tag : frame.truth.visible) {
        if (tag.id != detection.id || std::hypot(tag.center[0] - detection.c[0], tag.center[1] - detection.c[1]) > 10)
          continue;
        if (!counts(tag)) return;
        result.found++;
        for (int k = 0; k < 4; k++)
          result.errors.add(detection.p[k][0] - tag.corners[k][0], detection.p[k][1] - tag.corners[k][1]);
        return;
      }
      result.false_ids++;
    });
  }
  return result;
}

std::string expect_good(const Score& score, double max_bias, double max_rms, double min_recall) {
  expect(score.shown > 0 && score.false_ids == 0 && score.found >= min_recall * score.shown, score.line());
  expect(std::fabs(score.errors.bias_x()) < max_bias && std::fabs(score.errors.bias_y()) < max_bias &&
             score.errors.rms() < max_rms,
         score.line());
  return score.line();
}

}  // namespace

void test_accuracy(int frames) {
  test("the truth's corners are where OpenCV projects them", [] {
    const SyntheticOptions options = small_field_options();
    SyntheticCamera camera(options);
    Frame frame;
    double worst = 0;
    int corners = 0;
    for (int64_t index = 0; index < 900; index += 90) {
      camera.render(index, frame);
      for (const VisibleTag& tag : frame.truth.visible) {
        const double half = options.map.tag_size_m / 2;
        const std::vector<cv::Point3d> points = {
            {0, -half, -half}, {0, half, -half}, {0, half, half}, {0, -half, half}, {0, 0, 0}};
        const std::vector<cv::Point2d> pixels = project_by_opencv(camera.intrinsics(), frame.truth.field_camera,
                                                                  tag_of(options.map, tag.id).field_tag, points);
        for (int k = 0; k < 4; k++, corners++)
          worst = std::max(worst, std::hypot(pixels[k].x - tag.corners[k][0], pixels[k].y - tag.corners[k][1]));
        worst = std::max(worst, std::hypot(pixels[4].x - tag.center[0], pixels[4].y - tag.center[1]));
      }
    }
    expect(corners > 0 && worst < 1e-6, text("%g px off", worst));
    return text("%d corners, %.1g px off at most", corners, worst);
  });

  test("drawn tags lie where a dense projection by OpenCV puts them", [] {
    double worst = 0;
    int tags = 0;
    for (const char* motion : {"patrol", "still"}) {  // at odd angles, and with edges along the rows and columns
      SyntheticOptions options = small_field_options();
      options.motion = motion;
      options.noise = options.exposure_us = options.vignetting = 0;
      SyntheticCamera camera(options);
      Frame frame;
      for (const int64_t index : {40, 200, 360}) {
        camera.render(index, frame);
        for (const VisibleTag& tag : frame.truth.visible) {
          if (tag.visible_fraction < 1 || tag.distance_m > 3.6) continue;
          const cv::Point2d shift = shift_of(options, frame, camera.intrinsics(), tag);
          worst = std::max({worst, std::fabs(shift.x), std::fabs(shift.y)});
          tags++;
        }
      }
    }
    expect(tags > 6, text("only %d tags were looked at", tags));
    expect(worst < 0.01, text("shifted by %.4f px", worst));
    return text("%d tags, shifted by %.4f px at most", tags, worst);
  });

  test("libapriltag finds every whole tag within 4 m on patrol, and its corners agree with the truth",
       [frames] { return expect_good(score(small_field_options(), frames, 37), 0.05, 0.3, 1); });

  test("covers, dim light and another size bring no false tag", [frames] {
    SyntheticOptions options = small_field_options();
    options.occlusion = 0.6;
    options.light = 0.3;
    options.width = 640;
    options.height = 480;
    options.motion = "orbit";
    return expect_good(score(options, std::max(10, frames / 2), 31), 0.05, 0.3, 0.95);
  });
}

}  // namespace vedette::test
