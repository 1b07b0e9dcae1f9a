// What a picture is made into for a model, held against OpenCV's own calls, and where its pixels lie.
#include "letterbox.h"

#include <cmath>
#include <opencv2/imgproc.hpp>

#include "one_node.h"
#include "views.h"

namespace vedette::test {
namespace {

/** A picture in which every pixel is another. */
cv::Mat ramp(int width, int height) {
  cv::Mat out(height, width, CV_8UC3);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      out.at<cv::Vec3b>(y, x) =
          cv::Vec3b(static_cast<uint8_t>(x * 3), static_cast<uint8_t>(y * 5), static_cast<uint8_t>(x + y));
  return out;
}

ModelInput input_of(int width, int height, int channels = 3, bool is_planar = true, Levels levels = Levels::unit) {
  return {width, height, channels, is_planar, Element::f32, levels};
}

struct Made {
  std::vector<float> numbers;
  ToSource to_source;

  float at(size_t index) const { return numbers[index]; }
};

Made made(const ModelInput& input, const cv::Mat& picture, Fit fit = Fit::whole, const ToSource& to_source = {}) {
  Made out;
  out.numbers.resize(static_cast<size_t>(input.width) * input.height * input.channels);
  Letterbox box(input, fit);
  out.to_source =
      box.write(image_of(picture, picture.channels() == 3 ? ImageFormat::colour : ImageFormat::gray, to_source),
                reinterpret_cast<uint8_t*>(out.numbers.data()));
  return out;
}

/** The same by OpenCV alone: scaled, bars put around, red first, 0 to 1, pixel by pixel. */
cv::Mat by_hand(const cv::Mat& picture, int width, int height, int top, int left, int inner_width, int inner_height) {
  cv::Mat scaled, framed, red_first, out;
  cv::resize(picture, scaled, {inner_width, inner_height}, 0, 0, cv::INTER_LINEAR);
  cv::copyMakeBorder(scaled, framed, top, height - inner_height - top, left, width - inner_width - left,
                     cv::BORDER_CONSTANT, cv::Scalar::all(114));
  cv::cvtColor(framed, red_first, cv::COLOR_BGR2RGB);
  red_first.convertTo(out, CV_32F, 1 / 255.0);
  return out;
}

void expect_same(const std::vector<float>& numbers, const cv::Mat& truth, bool is_planar) {
  const size_t plane = static_cast<size_t>(truth.rows) * truth.cols;
  for (int y = 0; y < truth.rows; y++)
    for (int x = 0; x < truth.cols; x++)
      for (int i = 0; i < 3; i++) {
        const size_t at = static_cast<size_t>(y) * truth.cols + x;
        const float found = is_planar ? numbers[i * plane + at] : numbers[3 * at + i];
        expect(found == truth.at<cv::Vec3f>(y, x)[i],
               text("colour %d of pixel %d, %d is %f and not %f", i, x, y, found, truth.at<cv::Vec3f>(y, x)[i]));
      }
}

void expect_at(const ToSource& to_source, double x, double y, double source_x, double source_y) {
  to_source.apply(x, y);
  expect(std::fabs(x - source_x) < 1e-9 && std::fabs(y - source_y) < 1e-9, text("it lies at %f, %f", x, y));
}

const Suite suite([] {
  test("a wide picture has bars above and below, as OpenCV draws them, in planes and pixel by pixel", [] {
    const cv::Mat picture = ramp(80, 45), truth = by_hand(picture, 64, 64, 14, 0, 64, 36);
    expect_same(made(input_of(64, 64), picture).numbers, truth, true);
    expect_same(made(input_of(64, 64, 3, false), picture).numbers, truth, false);
    return "";
  });

  test("a high picture has bars beside it, and one of the shape of the input has none", [] {
    expect_same(made(input_of(64, 64), ramp(30, 60)).numbers, by_hand(ramp(30, 60), 64, 64, 0, 16, 32, 64), true);
    expect_same(made(input_of(32, 32), ramp(64, 64)).numbers, by_hand(ramp(64, 64), 32, 32, 0, 0, 32, 32), true);
    return "";
  });

  test("a room that is filled again has the new picture, and bars of its own where that has another size", [] {
    for (const bool is_planar : {true, false}) {
      Letterbox box(input_of(64, 64, 3, is_planar), Fit::whole);
      std::vector<float> room(64 * 64 * 3), other(room.size(), -1);
      const auto filled = [&](std::vector<float>& numbers, const cv::Mat& picture) {
        box.write(image_of(picture, ImageFormat::colour, {}), reinterpret_cast<uint8_t*>(numbers.data()));
        return numbers;
      };
      const cv::Mat wide = ramp(80, 45), wider = 255 - ramp(160, 90), high = ramp(30, 60);
      filled(room, wide);
      expect_same(filled(room, wider), by_hand(wider, 64, 64, 14, 0, 64, 36), is_planar);
      expect_same(filled(room, high), by_hand(high, 64, 64, 0, 16, 32, 64), is_planar);
      expect_same(filled(other, high), by_hand(high, 64, 64, 0, 16, 32, 64), is_planar);
      expect_same(filled(room, wide), by_hand(wide, 64, 64, 14, 0, 64, 36), is_planar);
    }
    return "";
  });

  test("where a pixel of the input lies in the source is told exactly, through bars, roundings and crops", [] {
    const ToSource wide = made(input_of(64, 64), ramp(80, 45)).to_source;
    expect_at(wide, 0, 14, 0, 0);
    expect_at(wide, 64, 50, 80, 45);
    expect_at(wide, 32, 32, 40, 22.5);
    const ToSource uneven = made(input_of(64, 64), ramp(100, 33)).to_source;  // 21.12 rows are 21
    expect_at(uneven, 0, 21, 0, 0);
    expect_at(uneven, 64, 42, 100, 33);
    const ToSource cropped =
        made(input_of(64, 64), ramp(80, 45), Fit::whole, ToSource{}.scaled(2, 2, 100, 50)).to_source;
    expect_at(cropped, 64, 50, 260, 140);
    return "";
  });

  test("of the middle as much is taken as fills the input", [] {
    const cv::Mat picture = ramp(80, 40);
    const Made middle = made(input_of(20, 20), picture, Fit::middle);
    expect_same(middle.numbers, by_hand(picture(cv::Rect(20, 0, 40, 40)).clone(), 20, 20, 0, 0, 20, 20), true);
    expect_at(middle.to_source, 0, 0, 20, 0);
    expect_at(middle.to_source, 20, 20, 60, 40);
    return "";
  });

  test("levels are what the model was trained on", [] {
    const cv::Mat picture(8, 8, CV_8UC3, cv::Scalar(0, 51, 255));  // blue, green, red
    const size_t plane = 64;
    const Made bytes = made(input_of(8, 8, 3, true, Levels::bytes), picture),
               symmetric = made(input_of(8, 8, 3, true, Levels::symmetric), picture);
    expect(bytes.at(0) == 255 && bytes.at(plane) == 51 && bytes.at(2 * plane) == 0, "bytes");
    expect(std::fabs(symmetric.at(0) - 1) < 1e-6 && std::fabs(symmetric.at(plane) + 0.6) < 1e-6 &&
               symmetric.at(2 * plane) == -1,
           "symmetric");
    for (const bool is_planar : {true, false}) {
      const Made imagenet = made(input_of(8, 8, 3, is_planar, Levels::imagenet), picture);
      const size_t step = is_planar ? plane : 1;
      expect(std::fabs(imagenet.at(0) - (1 - 0.485) / 0.229) < 1e-5 &&
                 std::fabs(imagenet.at(step) - (0.2 - 0.456) / 0.224) < 1e-5 &&
                 std::fabs(imagenet.at(2 * step) + 0.406 / 0.225) < 1e-5,
             "imagenet");
    }
    return "";
  });

  test("grey is made of colour and colour of grey, and bytes stay bytes", [] {
    const cv::Mat gray(8, 8, CV_8U, cv::Scalar(102)), red(8, 8, CV_8UC3, cv::Scalar(0, 0, 200));
    const Made colours = made(input_of(8, 8), gray), level = made(input_of(8, 8, 1), red);
    expect(colours.at(0) == colours.at(64) && colours.at(0) == colours.at(128) && std::fabs(colours.at(0) - 0.4) < 1e-6,
           "grey is not the same in all colours");
    expect(std::fabs(level.at(0) - 60 / 255.0) < 1e-6, text("%f of red is grey", level.at(0)));
    ModelInput input = input_of(8, 8, 3, false);
    input.element = Element::u8;
    std::vector<uint8_t> room(input.bytes() + 1, 7);
    Letterbox(input, Fit::whole).write(image_of(red, ImageFormat::colour, {}), room.data());
    expect(room[0] == 200 && room[1] == 0 && room[2] == 0 && room[input.bytes() - 3] == 200 && room.back() == 7,
           "the bytes are others, or too many");
    return "";
  });

  test("pictures of another size or format are taken as they come, and leave nothing of those before", [] {
    Letterbox box(input_of(64, 64), Fit::whole);
    std::vector<float> room(3 * 64 * 64);
    auto* bytes = reinterpret_cast<uint8_t*>(room.data());
    const cv::Mat bright(64, 64, CV_8UC3, cv::Scalar::all(255)), gray(64, 64, CV_8U, cv::Scalar(255)),
        wide = ramp(80, 45);
    box.write(image_of(bright, ImageFormat::colour, {}), bytes);
    box.write(image_of(gray, ImageFormat::gray, {}), bytes);
    box.write(image_of(wide, ImageFormat::colour, {}), bytes);
    expect_same(room, by_hand(wide, 64, 64, 14, 0, 64, 36), true);
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
