// overlay: what was found stands where it is seen, in the colour of its kind, whatever was done to the picture.
#include <opencv2/core.hpp>

#include "tagged.h"
#include "views.h"

namespace vedette::test {
namespace {

const std::vector<std::pair<std::string, Param>> PARAMS{{"scale", 1.0}, {"labels", true}},
    WITHOUT_LABELS{{"scale", 1.0}, {"labels", false}};

/** In the order of its ports: image, detections, contours, targets, objects, circles, barcodes. */
struct Found {
  const Value *detections = nullptr, *contours = nullptr, *targets = nullptr, *objects = nullptr, *circles = nullptr,
              *barcodes = nullptr;
};

cv::Mat drawn(OneNode& overlay, const Value& picture, const Found& found) {
  overlay.run(
      {&picture, found.detections, found.contours, found.targets, found.objects, found.circles, found.barcodes});
  const Image& out = overlay.out<Image>();
  expect(out.format == ImageFormat::colour, "it is not in colour");
  return view_of(out);
}

const cv::Mat GRAY(200, 300, CV_8U, cv::Scalar(100));

bool is_gray(const cv::Vec3b& pixel) { return pixel == cv::Vec3b(100, 100, 100); }

/** Neither grey nor the black of a rim. */
bool is_coloured(const cv::Vec3b& pixel) { return pixel[0] != pixel[1] || pixel[1] != pixel[2]; }

const double SQUARE[4][2] = {{60, 50}, {140, 50}, {140, 130}, {60, 130}};

template <typename Row>
Row with_corners(Row row) {
  std::copy_n(&SQUARE[0][0], 8, &row.corners[0][0]);
  return row;
}

const Suite suite([] {
  test("of a long text whole letters are drawn", [] {
    const auto shown = [](const std::string& words) {
      Barcodes codes;
      codes.rows.push_back(with_corners(Barcode{}));
      codes.rows[0].bytes = words.size();
      codes.text = words;
      const Value barcodes = codes, picture = image_of(GRAY, ImageFormat::gray, {});
      OneNode overlay("overlay", {{"scale", 0.3}, {"labels", true}});
      return drawn(overlay, picture, {nullptr, nullptr, nullptr, nullptr, nullptr, &barcodes}).clone();
    };
    const std::string most(39, 'i');
    expect(cv::norm(shown(most), shown(most + "\xc3\xb6"), cv::NORM_INF) == 0, "a part of one was drawn");
    return "";
  });

  test("each kind is drawn where it is, in a colour of its own, and nothing else is changed", [] {
    Contours contours;
    for (const auto& corner : SQUARE)
      contours.points.push_back({static_cast<float>(corner[0]), static_cast<float>(corner[1])});
    contours.rows.push_back({});
    contours.rows[0].count = 4;
    Barcodes codes;
    codes.rows.push_back(with_corners(Barcode{}));
    Object object;
    object.center[0] = 100;
    object.center[1] = 90;
    object.width_px = object.height_px = 80;
    const Value detections = Detections{with_corners(Detection{})}, outlines = contours,
                targets = Targets{with_corners(Target{})}, objects = Objects{object},
                circles = Circles{{{100, 90}, 40}}, barcodes = codes, picture = image_of(GRAY, ImageFormat::gray, {});
    OneNode overlay("overlay", WITHOUT_LABELS);
    std::vector<cv::Vec3b> colours;
    for (const Found& found :
         {Found{&detections}, Found{nullptr, &outlines}, Found{nullptr, nullptr, &targets},
          Found{nullptr, nullptr, nullptr, &objects}, Found{nullptr, nullptr, nullptr, nullptr, &circles},
          Found{nullptr, nullptr, nullptr, nullptr, nullptr, &barcodes}}) {
      const cv::Mat out = drawn(overlay, picture, found);
      const cv::Vec3b edge = out.at<cv::Vec3b>(90, 60);
      expect(is_coloured(edge), text("kind %d is not drawn", static_cast<int>(colours.size())));
      expect(is_gray(out.at<cv::Vec3b>(90, 100)) && is_gray(out.at<cv::Vec3b>(150, 200)),
             "something is drawn elsewhere");
      for (const cv::Vec3b& other : colours) expect(edge != other, "two kinds have one colour");
      colours.push_back(edge);
    }
    return "";
  });

  test("tags are drawn around themselves in pictures that were turned, scaled, mirrored and seen otherwise", [] {
    const GrayImage wall = wall_of_tags();
    const Value source = source_value(wall), tags = tags_in(source);
    const std::vector<std::vector<double>> corners{{0.05, 0.02}, {0.95, 0}, {1, 0.9}, {0, 1}};
    OneNode rotate("rotate", {{"angle_deg", 90.0}}), flip("flip", {{"direction", std::string("horizontal")}}),
        resize("resize", {{"width_px", 500.0}, {"height_px", 700.0}}), keystone("keystone", {{"corners", corners}});
    OneNode overlay("overlay", WITHOUT_LABELS);
    for (OneNode* node : {&rotate, &flip, &resize, &keystone}) {
      node->run({&source});
      const Value picture = node->out<Image>();
      const cv::Mat out = drawn(overlay, picture, {&tags});
      const FromSource place(std::get<Image>(picture).to_source);
      for (const Detection& tag : std::get<Detections>(tags))
        for (int i = 0; i < 4; i++) {
          const auto& next = tag.corners[(i + 1) % 4];
          double x = (tag.corners[i][0] + next[0]) / 2, y = (tag.corners[i][1] + next[1]) / 2;
          place.apply(x, y);
          if (x < 1 || y < 1 || x >= out.cols - 1 || y >= out.rows - 1) continue;
          expect(is_coloured(out.at<cv::Vec3b>(static_cast<int>(y), static_cast<int>(x))),
                 text("tag %d has no line at (%.0f, %.0f)", tag.id, x, y));
        }
    }
    return "";
  });

  test("ids stand in the tags, and only when they are wanted", [] {
    Detection tag = with_corners(Detection{});
    tag.id = 888;
    const Value picture = image_of(GRAY, ImageFormat::gray, {}), tags = Detections{tag};
    OneNode with("overlay", PARAMS), without("overlay", WITHOUT_LABELS);
    const cv::Rect middle(75, 75, 50, 30);
    const cv::Mat labelled = drawn(with, picture, {&tags})(middle).clone();
    const double bare = cv::norm(drawn(without, picture, {&tags})(middle),
                                 cv::Mat(GRAY.size(), CV_8UC3, cv::Scalar::all(100))(middle), cv::NORM_INF);
    expect(bare == 0 && cv::norm(labelled, cv::Mat(labelled.size(), CV_8UC3, cv::Scalar::all(100)), cv::NORM_INF) > 0,
           "they stand otherwise");
    return "";
  });

  test("the picture that others read is not drawn on, and what lies far outside harms nothing", [] {
    const cv::Mat colour(60, 80, CV_8UC3, cv::Scalar(1, 2, 3)), before = colour.clone();
    Detection far;
    for (auto& corner : far.corners) corner[0] = corner[1] = 1e12;
    far.corners[1][0] = -1e12;
    far.corners[2][1] = NAN;
    Contours nothing;
    nothing.rows.push_back({});
    const Value picture = image_of(colour, ImageFormat::colour, {}), tags = Detections{far}, contours = nothing,
                circles = Circles{{{30, 30}, 1e9}};
    OneNode overlay("overlay", PARAMS);
    drawn(overlay, picture, {&tags, &contours, nullptr, nullptr, &circles});
    expect(cv::norm(colour, before, cv::NORM_INF) == 0, "it is");
    const Value empty = Image{};
    overlay.run({&empty, &tags, nullptr, nullptr, nullptr, nullptr, nullptr});
    expect(overlay.out<Image>().is_empty() && overlay.out<Image>().format == ImageFormat::colour,
           "an empty picture has become another");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
