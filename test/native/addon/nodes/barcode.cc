// Codes drawn by the library's own writer, seen upright, turned, small, in a part of a picture and in noise.
#define ZX_USE_UTF8 1
#include <ZXing/BitMatrix.h>
#include <ZXing/CharacterSet.h>
#include <ZXing/MultiFormatWriter.h>

#include <cmath>
#include <cstring>
#include <opencv2/imgproc.hpp>

#include "one_node.h"
#include "views.h"

namespace vedette::test {
namespace {

/** A code with its margin; `module` pixels for each square or bar. */
cv::Mat drawn(ZXing::BarcodeFormat format, const std::string& text, int module, int height = 0) {
  const ZXing::BitMatrix bits =
      ZXing::MultiFormatWriter(format).setEncoding(ZXing::CharacterSet::UTF8).setMargin(4).encode(text, 0, height);
  cv::Mat small(bits.height(), bits.width(), CV_8UC1), large;
  for (int y = 0; y < small.rows; y++)
    for (int x = 0; x < small.cols; x++) small.at<uint8_t>(y, x) = bits.get(x, y) ? 30 : 220;
  cv::resize(small, large, {}, module, module, cv::INTER_NEAREST);
  return large;
}

cv::Mat paper() { return cv::Mat(480, 640, CV_8UC1, cv::Scalar(220)); }

void put(const cv::Mat& code, cv::Mat& picture, int left, int top) {
  code.copyTo(picture(cv::Rect(left, top, code.cols, code.rows)));
}

OneNode reader(const std::vector<std::string>& symbologies = {"qr"}, double limit = 20) {
  return OneNode("barcode", {{"symbologies", symbologies}, {"thorough", true}, {"limit", limit}});
}

const Barcodes& read(OneNode& node, const cv::Mat& picture, const ToSource& to_source = {}) {
  const Value image = image_of(picture, ImageFormat::gray, to_source);
  node.run({&image});
  return node.out<Barcodes>();
}

/** Whether it told that there is too much in the picture. */
bool is_too_full(OneNode& node, const cv::Mat& picture) {
  const Value image = image_of(picture, ImageFormat::gray, {});
  Frame frame;
  bool is_told = false;
  node.node().process({frame, Pose{}, nullptr, nullptr, nullptr, &is_told}, node.ports({&image}));
  return is_told;
}

/** Corners of QR codes side by side, without any code. */
cv::Mat corners_of_codes(int width, int height, int module) {
  cv::Mat out(height, width, CV_8UC1);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const int across = x / module % 9 - 3, down = y / module % 9 - 3;
      const int ring = std::max(std::abs(across), std::abs(down));
      out.at<uint8_t>(y, x) = ring <= 1 || ring == 3 ? 30 : 220;
    }
  return out;
}

std::string text_of(const Barcodes& codes, size_t row) {
  return codes.text.substr(codes.rows[row].at, codes.rows[row].bytes);
}

const Suite suite([] {
  test("a QR code is read upright and turned, and its corners are where it is", [] {
    const cv::Mat code = drawn(ZXing::BarcodeFormat::QRCode, "pit 3", 6);  // 21 squares, and a margin of 4 on each side
    cv::Mat picture = paper();
    put(code, picture, 200, 100);
    OneNode node = reader();
    double worst_px = 0;
    for (const double turn_deg : {0.0, 30.0, 90.0, 200.0}) {
      cv::Mat turned;
      const cv::Mat turn = cv::getRotationMatrix2D({319.5, 239.5}, turn_deg, 1);
      cv::warpAffine(picture, turned, turn, picture.size(), cv::INTER_LINEAR, cv::BORDER_CONSTANT, cv::Scalar(220));
      const Barcodes& codes = read(node, turned);
      expect(codes.rows.size() == 1 && text_of(codes, 0) == "pit 3",
             text("turned by %g degrees it is not read", turn_deg));
      const double corners[4][2] = {{224, 124}, {350, 124}, {350, 250}, {224, 250}};
      for (int i = 0; i < 4; i++) {
        const cv::Mat at = turn * (cv::Mat_<double>(3, 1) << corners[i][0] - 0.5, corners[i][1] - 0.5, 1);
        worst_px = std::max(worst_px, std::hypot(codes.rows[0].corners[i][0] - at.at<double>(0) - 0.5,
                                                 codes.rows[0].corners[i][1] - at.at<double>(1) - 0.5));
      }
    }
    expect(worst_px < 3, text("a corner is %.2f px off", worst_px));
    return text("corners are at most %.2f px off", worst_px);
  });

  test("several codes are read with all their letters, and no more of them than are asked for", [] {
    cv::Mat picture = paper();
    const std::string german =
                          "Tor gr\xc3\xb6\xc3\x9f"
                          "er",
                      japanese = "\xe6\x97\xa5\xe6\x9c\xac";
    put(drawn(ZXing::BarcodeFormat::QRCode, german, 4), picture, 20, 20);
    put(drawn(ZXing::BarcodeFormat::QRCode, japanese, 4), picture, 300, 250);
    OneNode node = reader();
    const Barcodes& codes = read(node, picture);
    expect(codes.rows.size() == 2, text("there are %zu", codes.rows.size()));
    const std::string first = text_of(codes, 0), second = text_of(codes, 1);
    expect((first == german && second == japanese) || (first == japanese && second == german),
           first + " and " + second);
    expect(codes.text.size() == german.size() + japanese.size(), "there is more text than that of the codes");
    OneNode one = reader({"qr"}, 1);
    expect(read(one, picture).rows.size() == 1, "there are more than were asked for");
    return "";
  });

  test("other kinds of codes are read where they are asked for, and only there", [] {
    struct Kind {
      ZXing::BarcodeFormat format;
      const char *name, *text;
      int module, height;
    };
    const Kind kinds[] = {{ZXing::BarcodeFormat::DataMatrix, "data-matrix", "A-1234", 6, 0},
                          {ZXing::BarcodeFormat::PDF417, "pdf417", "A-1234", 2, 0},
                          {ZXing::BarcodeFormat::Code128, "code-128", "A-1234", 2, 40},
                          {ZXing::BarcodeFormat::Code39, "code-39", "A-1234", 2, 40},
                          {ZXing::BarcodeFormat::EAN13, "ean-13", "4006381333931", 2, 40}};
    OneNode qr = reader();
    size_t symbology = 0;  // 0 is that of QR
    for (const Kind& kind : kinds) {
      cv::Mat picture = paper();
      put(drawn(kind.format, kind.text, kind.module, kind.height), picture, 50, 150);
      OneNode asked = reader({kind.name});
      expect(read(qr, picture).rows.empty(), std::string(kind.name) + " is read though nobody asked for it");
      const Barcodes& codes = read(asked, picture);
      expect(codes.rows.size() == 1 && codes.text == kind.text,
             std::string(kind.name) + text(" is not read: there are %zu ", codes.rows.size()) + codes.text);
      expect(codes.rows[0].symbology == ++symbology,
             std::string(kind.name) + text(" has the number %zu", codes.rows[0].symbology));
    }
    return "";
  });

  test("a code in a part of a picture has its corners in the whole one", [] {
    cv::Mat picture = paper();
    put(drawn(ZXing::BarcodeFormat::QRCode, "part", 6), picture, 200, 100);
    OneNode node = reader();
    const Barcodes& codes = read(node, picture(cv::Rect(150, 60, 300, 300)), ToSource().scaled(1, 1, 150, 60));
    expect(
        codes.rows.size() == 1 && std::hypot(codes.rows[0].corners[0][0] - 224, codes.rows[0].corners[0][1] - 124) < 3,
        "it is not read, or elsewhere");
    return "";
  });

  test("of codes of lines one is read, also where there are copies of it in a large picture", [] {
    OneNode node = reader({"qr", "code-128", "code-39", "ean-13"});
    for (const ZXing::BarcodeFormat format : {ZXing::BarcodeFormat::Code128, ZXing::BarcodeFormat::EAN13})
      for (int module = 2; module <= 6; module++) {
        cv::Mat picture(1200, 1600, CV_8UC1, cv::Scalar(220));
        for (const int top : {150, 700}) put(drawn(format, "4006381333931", module, 60), picture, 100, top);
        const size_t codes = read(node, picture).rows.size();
        expect(codes == 1, text("there are %zu", codes));
      }
    return "";
  });

  test("a picture full of corners of QR codes is not searched for these, which is told; other codes are read", [] {
    cv::Mat picture = corners_of_codes(1280, 800, 4);
    const cv::Mat code = drawn(ZXing::BarcodeFormat::DataMatrix, "A-1234", 6);
    picture(cv::Rect(560, 320, 200, 200)) = 220;
    put(code, picture, 600, 360);
    OneNode node = reader({"qr", "data-matrix"});
    expect(is_too_full(node, picture), "nobody is told");
    const Barcodes& codes = node.out<Barcodes>();
    expect(codes.rows.size() == 1 && codes.text == "A-1234",
           text("%zu codes are read: ", codes.rows.size()) + codes.text);
    OneNode without = reader({"data-matrix"});
    expect(!is_too_full(without, picture), "it is told though nobody asked for QR codes");
    return "";
  });

  test("a sheet of a hundred QR codes is searched, and so is noise with one in it", [] {
    cv::Mat sheet(900, 900, CV_8UC1, cv::Scalar(220));
    for (int i = 0; i < 100; i++)
      put(drawn(ZXing::BarcodeFormat::QRCode, std::to_string(i), 3), sheet, 10 + 88 * (i % 10), 10 + 88 * (i / 10));
    OneNode node = reader({"qr"}, 100);
    expect(!is_too_full(node, sheet), "a hundred are too many");
    expect(!node.out<Barcodes>().rows.empty(), "none is read");
    cv::Mat noise(1600, 2400, CV_8UC1);
    cv::RNG(2).fill(noise, cv::RNG::UNIFORM, 0, 256);
    put(drawn(ZXing::BarcodeFormat::QRCode, "pit 3", 8), noise, 1000, 600);
    expect(!is_too_full(node, noise) && node.out<Barcodes>().text == "pit 3", "it is not read in noise");
    return "";
  });

  test("noise, and pictures of hardly a pixel, have no code", [] {
    cv::Mat noise(480, 640, CV_8UC1);
    cv::RNG(1).fill(noise, cv::RNG::UNIFORM, 0, 256);
    OneNode node = reader({"qr", "data-matrix", "pdf417", "code-128", "code-39", "ean-13"});
    expect(read(node, noise).rows.empty(), "there is a code in noise");
    for (const auto& [width, height] : {std::pair{1, 1}, std::pair{3, 200}, std::pair{8, 8}})
      expect(read(node, noise(cv::Rect(0, 0, width, height)).clone()).rows.empty(), "there is a code in a few pixels");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
