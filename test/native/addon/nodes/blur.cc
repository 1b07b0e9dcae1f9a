// blur: what each method does to an edge, a speck and a mask, and that tags stay where they are.
#include <opencv2/core.hpp>

#include "tagged.h"
#include "views.h"

namespace vedette::test {
namespace {

cv::Mat blurred(const cv::Mat& picture, const char* method, double radius_px, ImageFormat format = ImageFormat::gray) {
  OneNode blur("blur", {{"method", std::string(method)}, {"radius_px", radius_px}});
  const Value image = image_of(picture, format, {});
  blur.run({&image});
  expect(blur.out<Image>().format == format, "it has another format");
  return view_of(blur.out<Image>()).clone();
}

/** One white pixel in the middle of black ones. */
cv::Mat speck() {
  cv::Mat picture(21, 21, CV_8U, cv::Scalar(0));
  picture.at<uint8_t>(10, 10) = 250;
  return picture;
}

/** Black on the left, white from column 10 on. */
cv::Mat edge() {
  cv::Mat picture(21, 20, CV_8U, cv::Scalar(0));
  picture.colRange(10, 20) = 200;
  return picture;
}

const Suite suite([] {
  test("a speck is spread evenly by a box, as a bell by gauss, and taken by the median", [] {
    const cv::Mat box = blurred(speck(), "box", 2), bell = blurred(speck(), "gaussian", 2),
                  median = blurred(speck(), "median", 1);
    expect(cv::countNonZero(box) == 25 && box.at<uint8_t>(8, 8) == 10 && box.at<uint8_t>(10, 10) == 10,
           "the box is not even");
    expect(bell.at<uint8_t>(10, 10) > bell.at<uint8_t>(10, 11) && bell.at<uint8_t>(10, 11) > bell.at<uint8_t>(10, 12) &&
               bell.at<uint8_t>(10, 13) == 0,
           "the bell is none");
    expect(cv::countNonZero(median) == 0, "the speck is still there");
    return "";
  });

  test("the median keeps an edge, a box makes a slope of it", [] {
    const cv::Mat median = blurred(edge(), "median", 3), box = blurred(edge(), "box", 1);
    expect(cv::norm(median, edge(), cv::NORM_INF) == 0, "the edge is another");
    expect(box.at<uint8_t>(10, 9) == 67 && box.at<uint8_t>(10, 10) == 133 && box.at<uint8_t>(10, 11) == 200,
           "the slope is another");
    return "";
  });

  test("a mask stays a mask, without its specks and with its holes filled", [] {
    cv::Mat mask(40, 40, CV_8U, cv::Scalar(0));
    mask(cv::Rect(10, 10, 20, 20)) = 255;
    mask.at<uint8_t>(20, 20) = 0;
    mask.at<uint8_t>(2, 2) = 255;
    for (const char* method : {"gaussian", "median", "box"}) {
      const cv::Mat out = blurred(mask, method, 2, ImageFormat::mask);
      expect(cv::countNonZero(out == 0) + cv::countNonZero(out == 255) == 1600,
             std::string(method) + " leaves levels in between");
      expect(out.at<uint8_t>(2, 2) == 0 && out.at<uint8_t>(20, 20) == 255,
             std::string(method) + " leaves a speck or a hole");
    }
    return "";
  });

  test("tags stay where they are", [] {
    const GrayImage picture = wall_of_tags();
    const Value source = source_value(picture);
    const Detections before = tags_in(source);
    Shift all;
    for (const char* method : {"gaussian", "median", "box"}) {
      OneNode blur("blur", {{"method", std::string(method)}, {"radius_px", 1.0}});
      blur.run({&source});
      all.add(shift_of(before, tags_in(blur.out<Image>())));
    }
    expect(all.tags == 36 && all.max_px < 0.1, all.words());
    return all.words();
  });
});

}  // namespace
}  // namespace vedette::test
