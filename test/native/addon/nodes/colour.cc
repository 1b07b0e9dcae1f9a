// Colour from the camera to the nodes: as it was encoded, whatever was cropped, and grey where there is none.
#include <turbojpeg.h>

#include <opencv2/imgproc.hpp>

#include "one_node.h"
#include "picture.h"
#include "views.h"

namespace vedette::test {
namespace {

/**
 * Patches of clear colours on grey, away from each other, so that colour at half resolution is good enough in their
 * middles.
 */
cv::Mat patches(int width, int height) {
  cv::Mat picture(height, width, CV_8UC3, cv::Scalar(90, 90, 90));
  const cv::Scalar colours[] = {{220, 40, 40}, {40, 220, 40}, {40, 40, 220}, {30, 200, 230}};
  for (int i = 0; i < 4; i++) cv::rectangle(picture, {20 + 60 * i, 20, 40, 40}, colours[i], cv::FILLED);
  return picture;
}

std::vector<uint8_t> jpeg_of(const cv::Mat& bgr, int sampling) {
  const std::unique_ptr<void, int (*)(tjhandle)> turbo(tjInitCompress(), tjDestroy);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  expect(tjCompress2(turbo.get(), bgr.data, bgr.cols, static_cast<int>(bgr.step), bgr.rows, TJPF_BGR, &bytes, &size,
                     sampling, 95, 0) == 0,
         tjGetErrorStr2(turbo.get()));
  const std::vector<uint8_t> out(bytes, bytes + size);
  tjFree(bytes);
  return out;
}

cv::Mat decoded(const std::vector<uint8_t>& jpeg, int width, int height) {
  const std::unique_ptr<void, int (*)(tjhandle)> turbo(tjInitDecompress(), tjDestroy);
  cv::Mat bgr(height, width, CV_8UC3);
  expect(tjDecompress2(turbo.get(), jpeg.data(), jpeg.size(), bgr.data, width, static_cast<int>(bgr.step), height,
                       TJPF_BGR, TJFLAG_FASTUPSAMPLE) == 0,
         tjGetErrorStr2(turbo.get()));
  return bgr;
}

/** The greatest difference of a level in the middles of the patches. */
double difference(const Image& image, const cv::Mat& truth, const Crop& crop) {
  double most = 0;
  for (int i = 0; i < 4; i++) {
    const cv::Rect middle(30 + 60 * i - crop.x, 30 - crop.y, 20, 20);
    const cv::Rect in_truth(30 + 60 * i, 30, 20, 20);
    if ((middle & cv::Rect(0, 0, image.width, image.height)) != middle) continue;
    most = std::max(most, cv::norm(view_of(image)(middle), truth(in_truth), cv::NORM_INF));
  }
  return most;
}

void run_source(OneNode& source, const std::vector<uint8_t>& bytes, const Crop& crop, Frame& frame) {
  frame.encoded = bytes;
  frame.crop = crop;
  source.run({}, frame);
}

const Suite suite([] {
  test("colours are as libjpeg gives them, however coarsely they were encoded, and in every crop", [] {
    double most = 0;
    for (const int width : {260, 259})
      for (const int sampling : {TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411})
        for (const Crop& crop : {Crop{}, Crop{19, 13, 230, 60}}) {
          const std::vector<uint8_t> jpeg = jpeg_of(patches(width, 81), sampling);
          const cv::Mat truth = decoded(jpeg, width, 81);
          OneNode source("source", {});
          Frame frame;
          run_source(source, jpeg, crop, frame);
          const Image& colour = source.out<Image>(1);
          expect(colour.format == ImageFormat::colour && colour.width == (crop.is_whole() ? width : crop.width),
                 "it has another size");
          most = std::max(most, difference(colour, truth, crop));
        }
    expect(most <= 2, text("a level is %.0f off", most));
    return text("%.0f of 255 off at most", most);
  });

  test("the grey beside the colour is the one that is decoded alone", [] {
    for (const int sampling : {TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_GRAY}) {
      const std::vector<uint8_t> bytes = jpeg_of(patches(259, 81), sampling);
      PictureDecoder decoder;
      GrayImage alone, beside;
      Chroma chroma;
      decoder.decode_gray(bytes.data(), bytes.size(), alone);
      decoder.decode_colour(bytes.data(), bytes.size(), beside, chroma);
      expect(alone.width == beside.width && alone.height == beside.height, "it has another size");
      for (int y = 0; y < alone.height; y++)
        expect(std::equal(alone.data() + static_cast<size_t>(y) * alone.stride,
                          alone.data() + static_cast<size_t>(y) * alone.stride + alone.width,
                          beside.data() + static_cast<size_t>(y) * beside.stride),
               text("row %d differs", y));
      expect(chroma.is_empty() == (sampling == TJSAMP_GRAY), "colour where there is none, or none");
    }
    return "";
  });

  test("the colours of a frame that comes decoded are mixed as it says: by BT.601, or by BT.709", [] {
    struct Mix {
      double red, blue;
      bool is_bt709;
    };
    for (const Mix& mix : {Mix{0.299, 0.114, false}, Mix{0.2126, 0.0722, true}})
      for (const cv::Scalar& bgr :
           {cv::Scalar(220, 40, 40), cv::Scalar(40, 220, 40), cv::Scalar(40, 40, 220), cv::Scalar(30, 200, 230)}) {
        const double y = mix.blue * bgr[0] + (1 - mix.blue - mix.red) * bgr[1] + mix.red * bgr[2];
        Frame frame;
        frame.gray.resize(4, 2);
        std::fill(frame.gray.pixels.begin(), frame.gray.pixels.end(), static_cast<uint8_t>(y + 0.5));
        frame.chroma.resize(2, 1, 1, 1);
        frame.chroma.is_bt709 = mix.is_bt709;
        frame.chroma.cb.assign(2, static_cast<uint8_t>(128.5 + (bgr[0] - y) / (2 - 2 * mix.blue)));
        frame.chroma.cr.assign(2, static_cast<uint8_t>(128.5 + (bgr[2] - y) / (2 - 2 * mix.red)));
        OneNode source("source", {});
        source.run({}, frame);
        const cv::Mat truth(2, 4, CV_8UC3, bgr);
        const double off = cv::norm(view_of(source.out<Image>(1)), truth, cv::NORM_INF);
        expect(off <= 2, text("a level of %.0f, %.0f, %.0f is %.0f off", bgr[0], bgr[1], bgr[2], off));
      }
    return "";
  });

  test("a picture without colour is grey in all three", [] {
    OneNode source("source", {});
    Frame frame;
    run_source(source, jpeg_of(patches(260, 81), TJSAMP_GRAY), {}, frame);
    OneNode gray("gray", {});
    const Value colour = source.out<Image>(1);
    gray.run({&colour});
    const cv::Mat back = view_of(gray.out<Image>()), first = view_of(source.out<Image>(0));
    expect(cv::norm(back, first, cv::NORM_INF) <= 1, "it has another level");
    return "";
  });

  test("where a pixel lies in the source picture is kept through crops and scales", [] {
    const cv::Mat pixels(80, 120, CV_8UC3, cv::Scalar(1, 2, 3));
    const Value whole = image_of(pixels, ImageFormat::colour, {});
    OneNode crop("crop", {{"x_px", 20.0}, {"y_px", 10.0}, {"width_px", 60.0}, {"height_px", 40.0}});
    crop.run({&whole});
    OneNode resize("resize", {{"width_px", 30.0}, {"height_px", 80.0}});
    const Value part = crop.out<Image>();
    resize.run({&part});
    const Image& small = resize.out<Image>();
    double x = 15, y = 40;
    small.to_source.apply(x, y);
    expect(x == 50 && y == 30, text("(15, 40) lies at (%g, %g)", x, y));
    expect(small.format == ImageFormat::colour && small.to_source.scale_at(3, 3) == 1,
           text("a pixel is %g large", small.to_source.scale_at(3, 3)));
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
