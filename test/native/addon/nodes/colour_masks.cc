// From colours to masks, and what is done with masks.
#include <opencv2/imgproc.hpp>

#include "drawn.h"

namespace vedette::test {
namespace {

cv::Mat threshold(OneNode& node, const cv::Mat& picture) {
  const Value image = image_of(picture, ImageFormat::colour, {});
  node.run({&image});
  expect(node.out<Image>().format == ImageFormat::mask, "it is no mask");
  return view_of(node.out<Image>());
}

/** A row of pixels of these hues, of full saturation and value. */
cv::Mat hues(const std::vector<double>& degrees) {
  cv::Mat row(1, static_cast<int>(degrees.size()), CV_8UC3);
  for (int i = 0; i < row.cols; i++) {
    const auto part = [&](double shift) {
      return cv::saturate_cast<uint8_t>(
          255 * std::clamp(std::abs(std::fmod(degrees[i] + shift, 360) / 60 - 3) - 1, 0.0, 1.0));
    };
    row.at<cv::Vec3b>(0, i) = {part(120), part(240), part(0)};
  }
  return row;
}

std::string shown(const cv::Mat& mask) {
  std::string out;
  for (int x = 0; x < mask.cols; x++) out += mask.at<uint8_t>(0, x) ? '1' : '0';
  return out;
}

int pixels_after(const Settings& params, const cv::Mat& mask) {
  OneNode node("morphology", params);
  const Value image = image_of(mask, ImageFormat::mask, {});
  node.run({&image});
  return cv::countNonZero(view_of(node.out<Image>()));
}

Settings morphology(const std::string& operation, double radius_px = 1, double iterations = 1,
                    const std::string& shape = "rectangle") {
  return {{"operation", operation}, {"shape", shape}, {"radius_px", radius_px}, {"iterations", iterations}};
}

const Suite suite([] {
  test("a mask is the one that OpenCV gives for half of the hues", [] {
    cv::Mat picture(120, 160, CV_8UC3), hsv, truth;
    cv::RNG random(7);
    random.fill(picture, cv::RNG::UNIFORM, 0, 256);
    cv::cvtColor(picture, hsv, cv::COLOR_BGR2HSV);
    cv::inRange(hsv, cv::Scalar(30, 80, 90), cv::Scalar(75, 255, 255), truth);
    OneNode node("hsv-threshold", range(60, 150, 80, 90));
    const cv::Mat mask = threshold(node, picture);
    expect(cv::norm(mask, truth, cv::NORM_INF) == 0, "a pixel differs");
    return text("%d pixels of 19200", cv::countNonZero(mask));
  });

  test("a range of hues whose beginning is above its end goes through red", [] {
    OneNode node("hsv-threshold", range(340, 20));
    expect(shown(threshold(node, hues({0, 10, 20, 24, 180, 336, 340, 350, 358}))) == "111000111",
           "it is another range");
    return "";
  });

  test("all hues are from 0 to 360, and none is between two steps", [] {
    OneNode all("hsv-threshold", range(0, 360)), none("hsv-threshold", range(120.5, 121.5)),
        end("hsv-threshold", range(360, 0));
    const cv::Mat picture = hues({0, 60, 120, 240, 358});
    expect(shown(threshold(all, picture)) == "11111", "not all");
    expect(shown(threshold(none, picture)) == "00000", "not none");
    expect(shown(threshold(end, picture)) == "10000", "360 is not 0");
    return "";
  });

  test("another range holds from the next picture on", [] {
    OneNode node("hsv-threshold", range(100, 140));
    const cv::Mat picture = hues({0, 120, 240});
    expect(shown(threshold(node, picture)) == "010", "not green");
    Params blue("blue");
    for (const auto& [name, value] : range(220, 260)) blue.set(name, value);
    node.node().set_params(blue);
    expect(shown(threshold(node, picture)) == "001", "not blue");
    return "";
  });

  test("thinner and thicker by as many pixels as are asked for", [] {
    cv::Mat mask = cv::Mat::zeros(60, 60, CV_8UC1);
    draw(mask, rectangle({30, 30}, 20, 10));
    expect(pixels_after(morphology("erode"), mask) == 18 * 8, "thinner by one");
    expect(pixels_after(morphology("erode", 2, 2), mask) == 12 * 2, "thinner by two, twice");
    expect(pixels_after(morphology("dilate", 2), mask) == 24 * 14, "thicker by two");
    expect(pixels_after(morphology("dilate", 1, 3), mask) == 26 * 16, "thicker by one, three times");
    expect(pixels_after(morphology("dilate", 1, 1, "cross"), mask) == 22 * 12 - 4, "thicker by a cross");
    expect(pixels_after(morphology("dilate", 3, 1, "ellipse"), mask) < 26 * 16, "thicker by an ellipse");
    return "";
  });

  test("opening removes specks and closing fills gaps, and neither changes what else there is", [] {
    cv::Mat mask = cv::Mat::zeros(60, 60, CV_8UC1);
    draw(mask, rectangle({30, 30}, 20, 20));
    mask.at<uint8_t>(5, 5) = 255;
    mask.at<uint8_t>(30, 30) = 0;
    expect(pixels_after(morphology("close"), mask) == 401, "the gap, and not the speck");
    mask.at<uint8_t>(30, 30) = 255;
    expect(pixels_after(morphology("open"), mask) == 400, "the speck, and nothing else");
    cv::Mat edge = cv::Mat::zeros(60, 60, CV_8UC1);
    draw(edge, rectangle({5, 5}, 10, 10));
    expect(pixels_after(morphology("close", 3), edge) == 100 && pixels_after(morphology("open", 3), edge) == 100,
           "at the border of the picture");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
