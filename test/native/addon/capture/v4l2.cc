// What is made of a camera's buffers, against a truth that is written out pixel by pixel.
#include <linux/videodev2.h>

#include <cmath>

#include "check.h"
#include "json.h"
#include "mjpeg_frame.h"
#include "picture.h"
#include "suites.h"
#include "v4l2_colour.h"
#include "v4l2_control.h"
#include "v4l2_gray.h"
#include "v4l2_quirks.h"
#include "v4l2_stamp.h"

namespace vedette::test {
namespace {

/** Any byte, the same for the same place. */
uint8_t noise(size_t at) { return static_cast<uint8_t>((at * 2654435761u) >> 13); }

/** The grey of a pixel, as V4L2 describes each format. */
int true_gray(const std::string& format, const std::vector<uint8_t>& bytes, int stride, int x, int y) {
  const size_t row = static_cast<size_t>(y) * stride;
  if (format == "yuyv") return bytes[row + 2 * x];
  if (format == "uyvy") return bytes[row + 2 * x + 1];
  if (format == "y10") return (bytes[row + 2 * x] + 256 * bytes[row + 2 * x + 1]) / 4;
  return bytes[row + x];
}

std::string raw_formats() {
  for (const std::string name : {"yuyv", "uyvy", "nv12", "grey", "y10"}) {
    const PixelFormat& format = *pixel_format_named(name);
    for (const auto& [width, height] : {std::pair{64, 48}, std::pair{66, 3}, std::pair{640, 2}}) {
      for (const int padding : {0, 24}) {
        const int stride = width * (format.bits == 16 ? 2 : 1) + padding;
        // no byte more than is needed, so that reading past it is seen
        std::vector<uint8_t> bytes(gray_bytes(format, width, height, stride));
        for (size_t at = 0; at < bytes.size(); at++)
          bytes[at] = name == "y10" && at % 2 == 1 ? noise(at) & 3 : noise(at);
        GrayImage gray;
        raw_to_gray(format, {bytes.data(), bytes.size(), width, height, stride}, gray);
        for (int y = 0; y < height; y++)
          for (int x = 0; x < width; x++)
            expect(gray.pixels[static_cast<size_t>(y) * gray.stride + x] == true_gray(name, bytes, stride, x, y),
                   name + text(" differs at %d, %d of width %d", x, y, width));
      }
    }
  }
  return "";
}

/** The colours of the bars of a television's test card at three quarters, as every description of BT.601 lists them. */
struct Bar {
  uint8_t y, cb, cr;
};
constexpr Bar BARS[] = {{180, 128, 128}, {162, 44, 142}, {131, 156, 44}, {112, 72, 58},
                        {84, 184, 198},  {65, 100, 212}, {35, 212, 114}, {16, 128, 128}};
constexpr int BAR_WIDTH = 8;

/** Upright bars in a camera's layout, with padding behind each row. */
std::vector<uint8_t> bars(const std::string& format, int width, int height, int stride) {
  std::vector<uint8_t> bytes(static_cast<size_t>(stride) * (format == "nv12" ? height + height / 2 : height), 0xee);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const Bar& bar = BARS[x / BAR_WIDTH % 8];
      const size_t row = static_cast<size_t>(y) * stride;
      if (format == "nv12") {
        bytes[row + x] = bar.y;
        bytes[static_cast<size_t>(height + y / 2) * stride + x] = x % 2 == 0 ? bar.cb : bar.cr;
        continue;
      }
      bytes[row + 2 * x + (format == "uyvy")] = bar.y;
      bytes[row + 2 * x + (format == "yuyv")] = x % 2 == 0 ? bar.cb : bar.cr;
    }
  return bytes;
}

std::string raw_colours() {
  constexpr int WIDTH = 64, HEIGHT = 6;
  for (const std::string name : {"yuyv", "uyvy", "nv12"})
    for (const int padding : {0, 24}) {
      const PixelFormat& format = *pixel_format_named(name);
      const int stride = WIDTH * (format.bits == 16 ? 2 : 1) + padding;
      const std::vector<uint8_t> bytes = bars(name, WIDTH, HEIGHT, stride);
      GrayImage gray;
      Chroma chroma;
      raw_to_gray(format, {bytes.data(), bytes.size(), WIDTH, HEIGHT, stride}, gray);
      raw_to_chroma(format, {bytes.data(), bytes.size(), WIDTH, HEIGHT, stride}, chroma);
      expect(has_chroma(format) && chroma.width == WIDTH / 2 && chroma.shift_x == 1 &&
                 chroma.height == HEIGHT >> chroma.shift_y,
             name + " has planes of another size");
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
          const Bar& bar = BARS[x / BAR_WIDTH];
          const size_t at = static_cast<size_t>(y >> chroma.shift_y) * chroma.width + (x >> chroma.shift_x);
          expect(gray.pixels[static_cast<size_t>(y) * gray.stride + x] == bar.y && chroma.cb[at] == bar.cb &&
                     chroma.cr[at] == bar.cr,
                 name + text(" has another colour at %d, %d", x, y));
        }
    }
  return "";
}

std::string raw_without_colour() {
  Chroma chroma;
  for (const std::string name : {"grey", "y10", "nv12"}) {
    const PixelFormat& format = *pixel_format_named(name);
    const int stride = 64 * (format.bits == 16 ? 2 : 1);
    const std::vector<uint8_t> bytes(gray_bytes(format, 64, 6, stride));
    chroma.resize(1, 1, 0, 0);
    raw_to_chroma(format, {bytes.data(), bytes.size(), 64, 6, stride}, chroma);
    expect(chroma.is_empty(), name + " has colour of another picture");
  }
  for (const std::string name : {"yuyv", "uyvy"}) {  // read past no end, however odd the sides
    const PixelFormat& format = *pixel_format_named(name);
    for (const auto& [width, height] : {std::pair{1, 1}, std::pair{7, 3}}) {
      const std::vector<uint8_t> bytes(gray_bytes(format, width, height, 2 * width));
      raw_to_chroma(format, {bytes.data(), bytes.size(), width, height, 2 * width}, chroma);
      expect(chroma.is_empty() ? width < 2 || height < 2 : chroma.width == 3, name + " has another width");
    }
  }
  return "";
}

std::vector<uint8_t> jpeg_of(int width, int height) {
  GrayImage gray;
  gray.resize(width, height);
  for (size_t at = 0; at < gray.pixels.size(); at++) gray.pixels[at] = noise(at);
  int out_width = 0, out_height = 0;
  return PictureEncoder().encode_gray(gray, 80, 0, out_width, out_height);
}

void append(std::vector<uint8_t>& bytes, size_t count, uint8_t value) { bytes.insert(bytes.end(), count, value); }

std::string whole_and_padded() {
  const std::vector<uint8_t> jpeg = jpeg_of(160, 120);
  for (const uint8_t padding : {0x00, 0xff})
    for (const size_t count : {0u, 1u, 2u, 5000u}) {
      std::vector<uint8_t> padded = jpeg;
      append(padded, count, padding);
      const MjpegFrame found = check_mjpeg(padded.data(), padded.size(), 160, 120);
      expect(found.why.empty() && found.length == jpeg.size(), text("%zu bytes of %d: ", count, padding) + found.why);
    }
  return "";
}

/** Each a block of its own, so that reading past the end is seen. */
std::string cut_anywhere() {
  const std::vector<uint8_t> jpeg = jpeg_of(160, 120);
  for (size_t length = 0; length < jpeg.size(); length++) {
    std::vector<uint8_t> cut(jpeg.begin(), jpeg.begin() + static_cast<long>(length));
    expect(!check_mjpeg(cut.data(), cut.size(), 160, 120).why.empty(),
           text("cut at %zu of %zu it passes", length, jpeg.size()));
  }
  return "";
}

std::string other_headers() {
  const std::vector<uint8_t> jpeg = jpeg_of(160, 120);
  expect(check_mjpeg(jpeg.data(), jpeg.size(), 160, 128).why == "it has 160x120 pixels, the mode 160x128",
         "another size passes");
  std::vector<uint8_t> late = {0, 0};
  late.insert(late.end(), jpeg.begin(), jpeg.end());
  expect(!check_mjpeg(late.data(), late.size(), 160, 120).why.empty(), "bytes in front of the start pass");
  std::vector<uint8_t> spoilt = jpeg;
  spoilt[2] = 0;
  expect(!check_mjpeg(spoilt.data(), spoilt.size(), 160, 120).why.empty(), "a start without a marker passes");
  return "";
}

std::string bytes_before_end() {
  std::vector<uint8_t> jpeg = jpeg_of(160, 120);
  GrayImage clean, other;
  PictureDecoder decoder;
  decoder.decode_gray(jpeg.data(), jpeg.size(), clean);
  jpeg.insert(jpeg.end() - 2, 40, 0x12);  // more than libjpeg has read ahead, which it does not miss
  decoder.decode_gray(jpeg.data(), jpeg.size(), other);
  expect(clean.pixels == other.pixels, "the pixels differ");
  return "";
}

v4l2_buffer stamped(int64_t us) {
  v4l2_buffer buffer{};
  buffer.timestamp.tv_sec = us / 1'000'000;
  buffer.timestamp.tv_usec = us % 1'000'000;
  return buffer;
}

std::string stamps() {
  constexpr uint32_t START = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE,
                     END = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  constexpr int64_t NOW = 50'000'000;
  const v4l2_buffer buffer = stamped(NOW - 30'000), future = stamped(NOW + 170'000), never = stamped(0);
  expect(middle_of_exposure(buffer, START, 8'000, NOW) == NOW - 26'000,
         "the start of the exposure is not moved to its middle");
  expect(middle_of_exposure(buffer, END, 8'000, NOW) == NOW - 34'000, "the end is not moved to the middle");
  expect(middle_of_exposure(buffer, START, 0, NOW) == NOW - 30'000, "an exposure that nobody knows moves the stamp");
  expect(middle_of_exposure(future, END, 0, NOW) == NOW + 170'000, "a driver that stamps ahead is not believed");
  expect(middle_of_exposure(never, START, 0, NOW) == NOW, "a stamp that is none is believed");
  expect(middle_of_exposure(buffer, V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN, 0, NOW) == NOW,
         "a stamp of another clock is believed");
  expect(stamp_source(START) == "start-of-exposure" && stamp_source(END) == "driver" &&
             stamp_source(V4L2_BUF_FLAG_TIMESTAMP_COPY) == "arrival",
         "they have other names");
  return "";
}

std::string names() {
  expect(
      control_name(V4L2_CID_EXPOSURE_AUTO, "Auto Exposure") == control_name(V4L2_CID_EXPOSURE_AUTO, "Exposure, Auto"),
      "it depends on the title");
  expect(control_name(0x08000001, "LED1 Mode (test)") == "led1_mode_test",
         control_name(0x08000001, "LED1 Mode (test)"));
  expect(control_name(77, "") == "control_77", "one without a title has no name");
  const ExposureQuirk* quirk = exposure_quirk_of({0x045e, 0x0810}, "Microsoft LifeCam HD-3000");
  expect(quirk && nearest_allowed(*quirk, 100) == 78 && nearest_allowed(*quirk, 1'000'000) == 20000,
         "the LifeCam is asked for what it does not know");
  expect(!exposure_quirk_of({0x0c45, 0x6366}, "HD Camera") && !exposure_quirk_of({}, ""),
         "a camera has the quirk of another");
  return "";
}

std::string json() {
  expect(json_text("a\"\\\n\x01") == "\"a\\\"\\\\\\u000a\\u0001\"", json_text("a\"\\\n\x01"));
  expect(json_text("K\xc3\xa4mera \xff\xc3") == "\"K\xc3\xa4mera ??\"", json_text("K\xc3\xa4mera \xff\xc3"));
  return "";
}

}  // namespace

void test_v4l2() {
  test("the grey of each raw format is that of every pixel, whatever follows a row", raw_formats);
  test("the colours of each raw format are those of every bar, whatever follows a row", raw_colours);
  test("a raw picture without colour, or whose colour did not come, has none", raw_without_colour);
  test("a JPEG of a camera is taken whole, without its padding", whole_and_padded);
  test("a JPEG of a camera that is cut anywhere is refused", cut_anywhere);
  test("a JPEG of another size, or that begins as none, is refused", other_headers);
  test("bytes between the pixels of a JPEG and its end do not matter", bytes_before_end);
  test("a picture is stamped with the middle of its exposure, as well as the driver lets us know", stamps);
  test("controls have their names from their numbers, and cameras their quirks from their model", names);
  test("whatever a camera calls itself is good JSON", json);
}

}  // namespace vedette::test
