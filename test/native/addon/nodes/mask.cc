// mask: what stays and what becomes black, by polygons, by another picture, and by both.
#include <opencv2/core.hpp>

#include "one_node.h"
#include "views.h"

namespace vedette::test {
namespace {

using Rows = std::vector<std::vector<double>>;

const Rows LEFT{{0, 0, 0.5, 0, 0.5, 1, 0, 1}}, TOP{{0, 0, 1, 0, 1, 0.5, 0, 0.5}};

OneNode mask_node(const Rows& polygons, bool invert = false) {
  return OneNode("mask", {{"polygons", polygons}, {"invert", invert}});
}

const cv::Mat GRAY(100, 200, CV_8U, cv::Scalar(90)), COLOUR(100, 200, CV_8UC3, cv::Scalar(10, 20, 30));

int shown(const Image& image) {
  return cv::countNonZero(image.channels() == 1 ? view_of(image) : view_of(image).reshape(1)) / image.channels();
}

/** What the node leaves of a grey picture. */
cv::Mat left_by(OneNode& node, const Value* mask = nullptr) {
  const Value picture = image_of(GRAY, ImageFormat::gray, {});
  node.run({&picture, mask});
  return view_of(node.out<Image>()).clone();
}

bool is_near(int pixels, int wanted, int rim) { return std::abs(pixels - wanted) <= rim; }

const Suite suite([] {
  test("pixels within polygons stay, all others become black, in grey and in colour", [] {
    for (const auto& [pixels, format] : {std::pair(GRAY, ImageFormat::gray), std::pair(COLOUR, ImageFormat::colour)}) {
      OneNode node = mask_node(LEFT);
      const Value picture = image_of(pixels, format, {});
      node.run({&picture, nullptr});
      const Image& out = node.out<Image>();
      expect(out.format == format && is_near(shown(out), 100 * 100, 100), text("%d pixels are left", shown(out)));
      expect(cv::norm(view_of(out).colRange(0, 99), pixels.colRange(0, 99), cv::NORM_INF) == 0,
             "they have other levels");
    }
    return "";
  });

  test("polygons that overlap are one, and inverted they hide what they held", [] {
    const Rows both{LEFT[0], TOP[0]};
    OneNode node = mask_node(both), inverse = mask_node(both, true);
    const int pixels = cv::countNonZero(left_by(node)), hidden = cv::countNonZero(left_by(inverse));
    expect(is_near(pixels, 15'000, 300) && pixels + hidden == 20'000, text("%d and %d pixels", pixels, hidden));
    return "";
  });

  test("a mask from another picture counts where it shows the same of the source, whatever its size and part", [] {
    const cv::Mat small(30, 40, CV_8U, cv::Scalar(255));
    // 80x60 pixels from (100, 20) on
    const Value part = image_of(small, ImageFormat::mask, ToSource{}.scaled(2, 2, 100, 20));
    OneNode node = mask_node({});
    const cv::Mat left = left_by(node, &part);
    expect(cv::countNonZero(left) == 80 * 60 && cv::countNonZero(left(cv::Rect(100, 20, 80, 60))) == 80 * 60,
           text("%d pixels are left", cv::countNonZero(left)));
    cv::Mat half(100, 200, CV_8U, cv::Scalar(0));
    half.rowRange(50, 100) = 255;
    const Value same = image_of(half, ImageFormat::mask, {});
    expect(cv::countNonZero(left_by(node, &same)) == 10'000, "a mask of the same size counts otherwise");
    return "";
  });

  test("a mask and polygons together leave what is in both; an empty mask leaves nothing", [] {
    cv::Mat half(100, 200, CV_8U, cv::Scalar(0));
    half.rowRange(50, 100) = 255;
    const Value mask = image_of(half, ImageFormat::mask, {}), empty = Image{nullptr, 0, 0, 0, ImageFormat::mask};
    OneNode both = mask_node(LEFT), inverse = mask_node(LEFT, true), alone = mask_node({});
    const int pixels = cv::countNonZero(left_by(both, &mask)), others = cv::countNonZero(left_by(inverse, &mask));
    expect(is_near(pixels, 5000, 60) && pixels + others == 20'000, text("%d and %d pixels", pixels, others));
    expect(cv::countNonZero(left_by(alone, &empty)) == 0, "something is left");
    return "";
  });

  test("without either the picture passes untouched, and polygons change between two pictures", [] {
    OneNode node = mask_node({});
    const Value picture = image_of(GRAY, ImageFormat::gray, {});
    node.run({&picture, nullptr});
    expect(node.out<Image>().pixels == GRAY.data, "it was copied");
    Params params("mask");
    params.set("polygons", Rows{LEFT});
    params.set("invert", true);
    node.node().set_params(params);
    expect(is_near(cv::countNonZero(left_by(node)), 10'000, 100), "the new ones do not count");
    params.set("polygons", Rows{{0, 0, 1, 1}});
    expect(fault_of([&] { node.node().set_params(params); }).code == "engine.bad_task", "a line was taken");
    expect(is_near(cv::countNonZero(left_by(node)), 10'000, 100), "the ones before are gone");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
