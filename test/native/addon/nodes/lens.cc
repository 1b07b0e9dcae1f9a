// undistort: what is straight is straight in it, its way back is the lens's own, and results stay where the camera saw
// them.
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "tagged.h"
#include "views.h"

namespace vedette::test {
namespace {

/** A usual lens, and a wide one, in whose pictures the edges of tags are no straight lines any more. */
const Intrinsics DEFAULT{true, 800, 600, 520, 524, 405, 296, {-0.1, 0.03, 0.001, -0.0008, -0.01}},
    WIDE{true, 800, 600, 520, 524, 405, 296, {-0.28, 0.09, 0.001, -0.0008, -0.01}};

Scene scene_of(const Intrinsics& lens) {
  Scene scene;
  scene.intrinsics = lens;
  return scene;
}

Frame frame_of(int width, int height) {
  Frame frame;
  frame.width = width;
  frame.height = height;
  return frame;
}

cv::Matx33d matrix_of(const Intrinsics& lens) { return {lens.fx, 0, lens.cx, 0, lens.fy, lens.cy, 0, 0, 1}; }

/** By OpenCV, in continuous pixels on both sides. */
cv::Point2d straightened(const Intrinsics& lens, double x, double y) {
  const std::vector<cv::Point2d> seen{{x - 0.5, y - 0.5}};
  std::vector<cv::Point2d> straight;
  const cv::TermCriteria exact(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 100, 1e-12);
  cv::undistortPoints(seen, straight, matrix_of(lens), lens.distortion, cv::noArray(), matrix_of(lens), exact);
  return straight[0] + cv::Point2d(0.5, 0.5);
}

Value output_of(const std::string& type, const std::vector<std::pair<std::string, Param>>& params, const Value& input,
                std::vector<std::unique_ptr<OneNode>>& kept, Scene scene = {}) {
  kept.push_back(std::make_unique<OneNode>(type, params, scene));
  Frame frame = frame_of(800, 600);
  kept.back()->run({&input}, frame);
  return kept.back()->out<Image>();
}

const Suite suite([] {
  test("tags of an undistorted picture are where the camera saw them", [] {
    const GrayImage picture = wall_of_tags(DEFAULT);
    const Value source = source_value(picture);
    std::vector<std::unique_ptr<OneNode>> kept;
    const Shift shift = shift_of(tags_in(source), tags_in(output_of("undistort", {}, source, kept, scene_of(DEFAULT))));
    expect(shift.tags == 12 && shift.max_px < 0.1, shift.words());
    return shift.words();
  });

  test("where the lens bends much, they are where the tags were, nearer than what is found in the bent picture", [] {
    const Frame frame = frame_of_tags(WIDE);
    const Value source = source_value(frame.gray);
    std::vector<std::unique_ptr<OneNode>> kept;
    const Shift bent = shift_of(true_tags(frame), tags_in(source)),
                straight =
                    shift_of(true_tags(frame), tags_in(output_of("undistort", {}, source, kept, scene_of(WIDE))));
    expect(straight.tags == 12 && straight.max_px < 0.1 && straight.max_px < bent.max_px,
           straight.words() + text(", %.3f before", bent.max_px));
    return straight.words() + text(", %.3f px in the bent picture", bent.max_px);
  });

  test("tags in an undistorted picture lie where OpenCV takes their corners to", [] {
    const Frame frame = frame_of_tags(WIDE);
    Detections straight = true_tags(frame);
    double bent_px = 0;
    for (Detection& tag : straight)
      for (auto* place : {&tag.center, &tag.corners[0], &tag.corners[1], &tag.corners[2], &tag.corners[3]}) {
        const cv::Point2d at = straightened(WIDE, (*place)[0], (*place)[1]);
        bent_px = std::max(bent_px, std::hypot(at.x - (*place)[0], at.y - (*place)[1]));
        (*place)[0] = at.x;
        (*place)[1] = at.y;
      }
    std::vector<std::unique_ptr<OneNode>> kept;
    Value as_source = output_of("undistort", {}, source_value(frame.gray), kept, scene_of(WIDE));
    std::get<Image>(as_source).to_source = {};
    const Shift shift = shift_of(straight, tags_in(as_source));
    expect(shift.tags >= 10 && shift.max_px < 0.1, shift.words() + text(", bent by %.1f px", bent_px));
    return shift.words() + text(", where the lens bends by up to %.1f px", bent_px);
  });

  test("the way to the source and back is OpenCV's, to a millionth of a pixel", [] {
    const GrayImage picture = wall_of_tags(WIDE);
    const Value source = source_value(picture);
    OneNode undistort("undistort", {}, scene_of(WIDE));
    Frame frame = frame_of(800, 600);
    undistort.run({&source}, frame);
    const ToSource& to_source = undistort.out<Image>().to_source;
    const FromSource from_source(to_source);
    double most = 0;
    for (double v = 30; v < 600; v += 60)
      for (double u = 30; u < 800; u += 60) {
        const cv::Point2d straight = straightened(WIDE, u, v);
        double x = straight.x, y = straight.y;
        to_source.apply(x, y);
        most = std::max(most, std::hypot(x - u, y - v));
        expect(from_source.apply(x, y), "there is no way back");
        most = std::max(most, std::hypot(x - straight.x, y - straight.y));
      }
    expect(most < 1e-6, text("%g px off", most));
    return text("%.1g px off at most", most);
  });

  test("tags are where they were through crops, scales, turns, perspective and lens in any order", [] {
    const GrayImage picture = wall_of_tags(DEFAULT);
    const Value source = source_value(picture);
    const Detections before = tags_in(source);
    const std::vector<std::vector<double>> corners{{0.01, 0.02}, {0.99, 0}, {1, 0.99}, {0, 0.97}};
    const std::vector<std::pair<std::string, std::vector<std::pair<std::string, Param>>>> steps{
        {"crop", {{"x_px", 10.0}, {"y_px", 5.0}, {"width_px", 1500.0}, {"height_px", 1500.0}}},
        {"keystone", {{"corners", corners}, {"width_px", 1000.0}, {"height_px", 900.0}}},
        {"undistort", {}},
        {"rotate", {{"angle_deg", 90.0}}},
        {"resize", {{"width_px", 1000.0}, {"height_px", 1000.0}}}};
    // three times are pixels computed again, each of which costs a few hundredths of a pixel; half a pixel would be a
    // mistake
    Shift all;
    for (size_t first = 0; first < steps.size(); first++) {
      std::vector<std::unique_ptr<OneNode>> kept;
      Value value = source;
      for (size_t i = 0; i < steps.size(); i++) {
        const auto& [type, params] = steps[(first + i) % steps.size()];
        value = output_of(type, params, value, kept, scene_of(DEFAULT));
      }
      all.add(shift_of(before, tags_in(value)));
    }
    expect(all.tags >= 50 && all.max_px < 0.3, all.words());
    return all.words();
  });

  test("a picture passes untouched without matching intrinsics or distortion, and when it is straight", [] {
    const GrayImage picture = wall_of_tags();
    const Value source = source_value(picture);
    Intrinsics straight = WIDE, other = WIDE;
    straight.distortion = {0, 0, 0, 0, 0};
    other.width = 640;
    for (const Intrinsics& lens : {Intrinsics{}, straight, other}) {
      OneNode undistort("undistort", {}, scene_of(lens));
      Frame frame = frame_of(800, 600);
      undistort.run({&source}, frame);
      expect(undistort.out<Image>().pixels == picture.data() && !undistort.out<Image>().to_source.bend,
             "it was changed");
    }
    std::vector<std::unique_ptr<OneNode>> kept;
    const Value once = output_of("undistort", {}, source, kept, scene_of(WIDE)),
                twice = output_of("undistort", {}, once, kept, scene_of(WIDE));
    expect(std::get<Image>(once).pixels != picture.data(), "it was not changed");
    expect(std::get<Image>(once).pixels == std::get<Image>(twice).pixels, "it was straightened twice");
    return "";
  });

  test("what the lens does not show is black, not a second picture of what it shows", [] {
    const Intrinsics folding{true, 800, 600, 420, 420, 399.5, 299.5, {-0.35, 0, 0, 0}};
    const cv::Mat white(600, 800, CV_8U, cv::Scalar(255));
    const Value source = image_of(white, ImageFormat::gray, {});
    OneNode undistort("undistort", {}, scene_of(folding));
    Frame frame = frame_of(800, 600);
    undistort.run({&source}, frame);
    const cv::Mat out = view_of(undistort.out<Image>());
    expect(out.at<uint8_t>(0, 0) == 0 && out.at<uint8_t>(599, 799) == 0 && out.at<uint8_t>(300, 400) == 255,
           "the corners are not black");
    return "";
  });

  test("colour and masks are straightened like grey", [] {
    const GrayImage picture = wall_of_tags(WIDE);
    const cv::Mat gray = view_of(std::get<Image>(source_value(picture)));
    cv::Mat colour, mask = gray > 128;
    cv::cvtColor(gray, colour, cv::COLOR_GRAY2BGR);
    std::vector<std::unique_ptr<OneNode>> kept;
    const Value straight = output_of("undistort", {}, source_value(picture), kept, scene_of(WIDE));
    const Value straight_colour =
        output_of("undistort", {}, image_of(colour, ImageFormat::colour, {}), kept, scene_of(WIDE));
    const Value straight_mask = output_of("undistort", {}, image_of(mask, ImageFormat::mask, {}), kept, scene_of(WIDE));
    cv::Mat red;
    cv::extractChannel(view_of(std::get<Image>(straight_colour)), red, 2);
    const cv::Mat levels = view_of(std::get<Image>(straight_mask));
    expect(cv::norm(red, view_of(std::get<Image>(straight)), cv::NORM_INF) == 0, "colour is elsewhere");
    expect(cv::countNonZero(levels == 0) + cv::countNonZero(levels == 255) == 800 * 600, "the mask is none");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
