// exposure-stats and focus-metric, on levels that are known and on real pictures that are made darker and softer.
#include <opencv2/imgproc.hpp>

#include "tagged.h"
#include "views.h"

namespace vedette::test {
namespace {

const std::vector<std::pair<std::string, Param>> LEVELS{{"dark_level", 5.0}, {"bright_level", 250.0}};

Exposure exposure_of(const cv::Mat& picture, ImageFormat format = ImageFormat::gray) {
  OneNode stats("exposure-stats", LEVELS);
  const Value image = image_of(picture, format, {});
  stats.run({&image});
  expect(stats.out<Exposures>().size() == 1, "there is not one row");
  return stats.out<Exposures>()[0];
}

bool is_near(double value, double wanted) { return std::abs(value - wanted) < 1e-9; }

std::vector<GrayImage> all_pictures() {
  std::vector<GrayImage> pictures = photographs();
  pictures.push_back(wall_of_tags());
  return pictures;
}

double sharpness_of(OneNode& focus, const cv::Mat& picture) {
  const Value image = image_of(picture, ImageFormat::gray, {});
  focus.run({&image});
  return focus.out<FocusMetrics>().at(0).sharpness;
}

const Suite suite([] {
  test("levels are counted as they are", [] {
    cv::Mat picture(10, 101, CV_8U, cv::Scalar(100));  // not a multiple of four wide
    picture.colRange(0, 10) = 5;
    picture.colRange(10, 15) = 6;
    picture.colRange(81, 101) = 250;
    const Exposure exposure = exposure_of(picture);
    expect(is_near(exposure.mean, (10 * 5 + 5 * 6 + 66 * 100 + 20 * 250) / 101.0), text("mean %g", exposure.mean));
    expect(exposure.median == 100 && exposure.p05 == 5 && exposure.p95 == 250,
           text("%g, %g, %g", exposure.median, exposure.p05, exposure.p95));
    expect(is_near(exposure.dark_share, 10 / 101.0) && is_near(exposure.bright_share, 20 / 101.0),
           "the shares are others");
    return "";
  });

  test("colour counts as bright as it looks, and a part of a picture alone", [] {
    cv::Mat colour(8, 8, CV_8UC3, cv::Scalar(0, 255, 0));
    const Exposure green = exposure_of(colour, ImageFormat::colour);
    cv::Mat picture(20, 20, CV_8U, cv::Scalar(255));
    picture(cv::Rect(3, 4, 5, 6)) = 40;
    const Exposure part = exposure_of(picture(cv::Rect(3, 4, 5, 6)));
    expect(green.mean == 150 && green.median == 150, text("green is %g", green.mean));
    expect(part.mean == 40 && part.bright_share == 0, text("the part is %g", part.mean));
    return "";
  });

  test("levels that count as dark and bright change between two pictures", [] {
    OneNode stats("exposure-stats", LEVELS);
    const cv::Mat picture(4, 4, CV_8U, cv::Scalar(30));
    const Value image = image_of(picture, ImageFormat::gray, {});
    stats.run({&image});
    const double before = stats.out<Exposures>()[0].dark_share;
    Params params("exposure-stats");
    params.set("dark_level", 30.0);
    params.set("bright_level", 250.0);
    stats.node().set_params(params);
    stats.run({&image});
    expect(before == 0 && stats.out<Exposures>()[0].dark_share == 1, "the level did not count");
    return "";
  });

  test("half the light is half the brightness of a picture, and as sharp", [] {
    for (const GrayImage& each : all_pictures()) {
      const cv::Mat picture = view_of(std::get<Image>(source_value(each)));
      cv::Mat dim;
      picture.convertTo(dim, CV_8U, 0.5);
      OneNode focus("focus-metric", {});
      const double full = sharpness_of(focus, picture), half = sharpness_of(focus, dim);
      expect(std::abs(exposure_of(dim).mean / exposure_of(picture).mean - 0.5) < 0.01, "it is not half as bright");
      expect(std::abs(half / full - 1) < 0.1, text("%g of the sharpness", half / full));
    }
    return "";
  });

  test("the softer a picture, the less sharp it is, and the best is kept", [] {
    for (const GrayImage& each : all_pictures()) {
      const cv::Mat picture = view_of(std::get<Image>(source_value(each)));
      OneNode focus("focus-metric", {});
      const double sharp = sharpness_of(focus, picture);
      double before = sharp;
      for (const double sigma : {0.7, 1.5, 3.0, 6.0}) {
        cv::Mat soft;
        cv::GaussianBlur(picture, soft, {}, sigma);
        const double sharpness = sharpness_of(focus, soft);
        expect(sharpness < 0.8 * before, text("%g after %g", sharpness, before));
        expect(focus.out<FocusMetrics>()[0].best == sharp, "the best is another");
        before = sharpness;
      }
    }
    return "";
  });

  test("sharpness is the variance of OpenCV's Laplacian over the square of the mean", [] {
    const GrayImage wall = wall_of_tags();
    const cv::Mat picture = view_of(std::get<Image>(source_value(wall)));
    cv::Mat laplacian;
    cv::Laplacian(picture, laplacian, CV_64F, 1);
    const cv::Rect inner(1, 1, picture.cols - 2, picture.rows - 2);
    cv::Scalar mean, deviation;
    cv::meanStdDev(laplacian(inner), mean, deviation);
    const double wanted = deviation[0] * deviation[0] / std::pow(cv::mean(picture(inner))[0], 2);
    OneNode focus("focus-metric", {});
    const double sharpness = sharpness_of(focus, picture);
    expect(std::abs(sharpness / wanted - 1) < 1e-9, text("%g, not %g", sharpness, wanted));
    return text("%.4f", sharpness);
  });

  test("a black picture is not sharp, and none at all is not measured", [] {
    OneNode focus("focus-metric", {}), stats("exposure-stats", LEVELS);
    const double black = sharpness_of(focus, cv::Mat(8, 8, CV_8U, cv::Scalar(0)));
    const Value nothing = Image{};
    focus.run({&nothing});
    stats.run({&nothing});
    expect(black == 0 && focus.out<FocusMetrics>().empty() && stats.out<Exposures>().empty(), "it is");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
