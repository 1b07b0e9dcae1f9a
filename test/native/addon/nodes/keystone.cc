// keystone: the four corners come to those of the rectangle, and tags stay where the camera saw them.
#include <opencv2/imgproc.hpp>

#include "tagged.h"
#include "views.h"

namespace vedette::test {
namespace {

using Rows = std::vector<std::vector<double>>;

const Rows WHOLE{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, ASLANT{{0.1, 0.05}, {0.9, 0.15}, {0.98, 0.95}, {0.02, 0.9}};

std::vector<std::pair<std::string, Param>> params(const Rows& corners, Param width = {}, Param height = {}) {
  return {{"corners", corners}, {"width_px", width}, {"height_px", height}};
}

const Suite suite([] {
  test("the corners come to those of the rectangle, whatever is in the picture", [] {
    cv::Mat picture(300, 400, CV_8U, cv::Scalar(0));
    const cv::Point places[] = {{40, 15}, {360, 45}, {392, 285}, {8, 270}};
    cv::fillConvexPoly(picture, places, 4, 255);
    const Value source = image_of(picture, ImageFormat::gray, {});
    OneNode keystone("keystone", params(ASLANT, 200.0, 100.0));
    keystone.run({&source});
    const Image& out = keystone.out<Image>();
    expect(out.width == 200 && out.height == 100, "it has another size");
    expect(cv::mean(view_of(out)(cv::Rect(2, 2, 196, 96)))[0] == 255, "something of outside is in it");
    const double inside[][2] = {{0, 0}, {200, 0}, {200, 100}, {0, 100}},
                 wanted[][2] = {{40, 15}, {360, 45}, {392, 285}, {8, 270}};
    for (int i = 0; i < 4; i++) {
      double at[2];
      out.to_source.apply(inside[i], at);
      expect(std::hypot(at[0] - wanted[i][0], at[1] - wanted[i][1]) < 1e-9,
             text("a corner lies at (%g, %g)", at[0], at[1]));
    }
    return "";
  });

  test("tags are where the camera saw them", [] {
    std::vector<GrayImage> pictures = photographs();
    pictures.push_back(wall_of_tags());
    Shift all;
    for (const GrayImage& picture : pictures) {
      const Value source = source_value(picture);
      OneNode keystone("keystone", params(ASLANT));
      keystone.run({&source});
      expect(keystone.out<Image>().width == picture.width && keystone.out<Image>().height == picture.height,
             "it has another size than the picture");
      all.add(shift_of(tags_in(source), tags_in(keystone.out<Image>())));
    }
    expect(all.tags >= 10 && all.max_px < 0.1, all.words());
    return all.words();
  });

  test("the whole picture is the picture", [] {
    const GrayImage picture = wall_of_tags();
    const Value source = source_value(picture);
    OneNode keystone("keystone", params(WHOLE));
    keystone.run({&source});
    expect(pixels_of(keystone.out<Image>()) == pixels_of(std::get<Image>(source)), "pixels are others");
    return "";
  });

  test("corners move between two pictures; those of no rectangle are refused, and the previous stay", [] {
    const GrayImage picture = wall_of_tags();
    const Value source = source_value(picture);
    OneNode keystone("keystone", params(WHOLE));
    Params moved("keystone");
    moved.set("corners", ASLANT);
    keystone.node().set_params(moved);
    keystone.run({&source});
    const ToSource before = keystone.out<Image>().to_source;
    for (const Rows& wrong : {Rows{{0, 0}, {1, 0}, {1, 1}}, Rows{{0, 0}, {0, 1}, {1, 1}, {1, 0}},
                              Rows{{0, 0}, {1, 0}, {0.2, 0.2}, {0, 1}}, Rows{{0, 0}, {0.5, 0.5}, {1, 1}, {0, 1}}}) {
      Params params("keystone");
      params.set("corners", wrong);
      expect(fault_of([&] { keystone.node().set_params(params); }).code == "engine.bad_task", "it was taken");
    }
    keystone.run({&source});
    expect(before.matrix[0] != 1 && keystone.out<Image>().to_source == before, "it shows something else");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
