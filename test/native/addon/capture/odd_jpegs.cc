// JPEGs as real cameras and programs write them: what is harmless costs no picture, and what is lost is said in words.
// Whatever is read is of this picture alone, never what was in the buffer before.
#include <malloc.h>

#include "huffman_tables.h"
#include "jpeg_crop.h"
#include "jpeg_files.h"
#include "picture.h"
#include "suites.h"

namespace vedette::test {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint8_t POISONS[] = {0x55, 0xc3};
constexpr int SIDE = 480 * 640;

/** All that is decoded of a picture, or why it is refused. */
struct Decoded {
  std::string why;
  Bytes gray, cb, cr;
  bool operator==(const Decoded& other) const {
    return why == other.why && gray == other.gray && cb == other.cb && cr == other.cr;
  }
};

Bytes pixels_of(const GrayImage& image) {
  Bytes pixels;
  for (int y = 0; y < image.height; y++)
    pixels.insert(pixels.end(), image.data() + static_cast<size_t>(y) * image.stride,
                  image.data() + static_cast<size_t>(y) * image.stride + image.width);
  return pixels;
}

/** Into buffers that are full of something else; what libjpeg asks for is as well. */
Decoded decode(const Bytes& jpeg, bool in_colour, uint8_t poison) {
  mallopt(M_PERTURB, poison);
  PictureDecoder decoder;
  GrayImage gray;
  Chroma chroma;
  gray.pixels.assign(SIDE, poison);
  chroma.cb.assign(SIDE, poison);
  chroma.cr.assign(SIDE, poison);
  Decoded out;
  out.why = fault_of([&] {
              if (in_colour) decoder.decode_colour(jpeg.data(), jpeg.size(), gray, chroma);
              else decoder.decode_gray(jpeg.data(), jpeg.size(), gray);
            }).detail;
  mallopt(M_PERTURB, 0);
  if (!out.why.empty()) return out;
  out.gray = pixels_of(gray);
  if (chroma.is_empty()) return out;
  const size_t samples = static_cast<size_t>(chroma.width) * chroma.height;
  out.cb.assign(chroma.cb.begin(), chroma.cb.begin() + static_cast<long>(samples));
  out.cr.assign(chroma.cr.begin(), chroma.cr.begin() + static_cast<long>(samples));
  return out;
}

Decoded gray_of(const Bytes& jpeg) { return decode(jpeg, false, POISONS[0]); }

Bytes crop_of(const Bytes& jpeg, const Crop& part, std::string& why) {
  Bytes out;
  why = fault_of([&] { out = JpegCropper().crop(jpeg, part); }).detail;
  return out;
}

/** The same for whatever was in the buffers; the grey is that of the colours, and a part is refused where the whole is.
 */
Decoded decode_everywhere(const Bytes& jpeg, const std::string& name) {
  const Decoded gray = gray_of(jpeg), colour = decode(jpeg, true, POISONS[0]);
  expect(gray == decode(jpeg, false, POISONS[1]), name + ": grey is what was in the buffer");
  expect(colour == decode(jpeg, true, POISONS[1]), name + ": colour is what was in the buffer");
  expect(gray.why == colour.why && gray.gray == colour.gray,
         name + ": grey and colour differ: " + gray.why + " " + colour.why);
  std::string why;
  for (const Crop& part : {Crop{0, 0, 16, 16}, Crop{3, 5, 16, 16}}) {
    crop_of(jpeg, part, why);
    expect(why.empty() == gray.why.empty(), name + ": its part says '" + why + "', it says '" + gray.why + "'");
  }
  return gray;
}

/** Where the first such segment begins, before the scan; 0: there is none. */
size_t segment_of(const Bytes& jpeg, uint8_t marker) {
  for (size_t at = 2; jpeg[at + 1] != 0xda; at += 2 + jpeg[at + 2] * 256u + jpeg[at + 3])
    if (jpeg[at + 1] == marker) return at;
  return 0;
}

Bytes with(Bytes jpeg, size_t at, const Bytes& more) {
  jpeg.insert(jpeg.begin() + static_cast<long>(at), more.begin(), more.end());
  return jpeg;
}

}  // namespace

void test_odd_jpegs() {
  const Bytes plain = jpeg_file("01-no-dht.jpg");

  test("what only warns of a harmless oddity is decoded, to the same pixels as without it", [&] {
    const Decoded wanted = decode_everywhere(plain, "plain");
    expect(wanted.why.empty(), wanted.why);
    for (const char* name : {"02-sos-zeros.jpg", "12-jfif-2.jpg", "13-adobe-7.jpg", "03c-rst-9-extra.jpg",
                             "restarts-2-stray.jpg", "06b-one-scan-each-eoi-extra.jpg", "05c-prog-5.jpg"}) {
      const Decoded got = decode_everywhere(jpeg_file(name), name);
      expect(got.why.empty(), std::string(name) + ": " + got.why);
      expect(got.gray == wanted.gray, std::string(name) + " has other pixels");
    }
    return std::string();
  });

  test("a progressive picture with stray bytes before its end is itself, after whatever picture", [] {
    const Bytes tag = jpeg_file("stale-tag.jpg"), empty = jpeg_file("stale-empty.jpg");
    const Decoded alone = decode_everywhere(empty, "the empty wall");
    PictureDecoder decoder;
    GrayImage image;
    decoder.decode_gray(tag.data(), tag.size(), image);
    const Bytes before = pixels_of(image);
    decoder.decode_gray(empty.data(), empty.size(), image);
    expect(pixels_of(image) == alone.gray && alone.gray != before, "the empty wall shows the tag");
    return std::string();
  });

  test("4:1:0 is read in grey and in colour; CMYK is refused in words", [&] {
    const Decoded colour = decode(jpeg_file("08e-410.jpg"), true, 1);
    expect(colour.why.empty() && colour.cb.size() == 160 * 240, colour.why + text(" %zu samples", colour.cb.size()));
    expect(decode_everywhere(jpeg_file("08e-410.jpg"), "4:1:0").gray == gray_of(plain).gray, "its grey is another");
    const std::string why = decode_everywhere(jpeg_file("10-cmyk.jpg"), "CMYK").why;
    expect(why.find("CMYK") != std::string::npos && why.find("save it") != std::string::npos, why);
    return why;
  });

  test("no buffer is read that the picture did not fill, wherever it ends, with and without a marker of the end", [] {
    int read = 0, refused = 0;
    for (const char* name : {"02-sos-zeros.jpg", "05c-prog-5.jpg", "06b-one-scan-each-eoi-extra.jpg",
                             "03c-rst-9-extra.jpg", "08e-410.jpg", "stale-empty.jpg"}) {
      const Bytes whole = jpeg_file(name);
      for (size_t length = 2; length<whole.size(); length += length + 30> whole.size() ? 3 : whole.size() / 29)
        for (const Bytes& end : {Bytes{}, Bytes{0xff, 0xd9}, Bytes{0, 0, 0, 0, 0xff, 0xd9}}) {
          const Bytes cut = with(Bytes(whole.begin(), whole.begin() + static_cast<long>(length)), length, end);
          (decode_everywhere(cut, text("%zu bytes of %s", length, name)).why.empty() ? read : refused)++;
        }
    }
    expect(read > 20 && refused > 300, text("%d read, %d refused", read, refused));
    return text("%d read, %d refused", read, refused);
  });

  test("what is lost is said: the row from which on pixels are, a scan, a table", [&] {
    const auto why = [](const Bytes& jpeg) { return decode_everywhere(jpeg, "damaged").why; };
    const auto expect_words = [](const std::string& found, const std::string& wanted) {
      expect(found.find(wanted) != std::string::npos, "'" + found + "' does not say '" + wanted + "'");
    };
    const Bytes half(plain.begin(), plain.begin() + static_cast<long>(plain.size() * 2 / 3));
    expect_words(why(half), "it is cut short: its pixels from row 2");
    expect_words(why(with(half, half.size(), {0xff, 0xd9})), "its pixels from row 2");

    const Bytes scans = jpeg_file("06b-one-scan-each-eoi-extra.jpg");
    size_t last = scans.size() - 2;
    while (!(scans[last] == 0xff && scans[last + 1] == 0xda)) last--;
    expect_words(why(with(Bytes(scans.begin(), scans.begin() + static_cast<long>(last)), last, {0xff, 0xd9})),
                 "scan of a colour is missing");

    Bytes tables;
    copy_jpeg_with_tables(plain.data(), plain.size(), tables);
    const size_t at = segment_of(tables, 0xc4);
    Bytes first(tables.begin(), tables.begin() + static_cast<long>(at + 4 + 29));  // one of the four in it
    first[at + 2] = 0;
    first[at + 3] = 2 + 29;
    first.insert(first.end(), tables.begin() + static_cast<long>(at + 2 + 0x1a2), tables.end());
    expect_words(why(first), "5 of the 6 Huffman tables of its pixels are lost");
    return std::string();
  });

  test("a picture without tables is never decoded with those of the picture before", [&] {
    const Decoded wanted = gray_of(plain);
    const Bytes other = jpeg_file("stale-tag.jpg");
    Bytes lost = plain;  // the tables that say how fine its pixels are
    for (size_t at; (at = segment_of(lost, 0xdb)) > 0;)
      lost.erase(lost.begin() + static_cast<long>(at),
                 lost.begin() + static_cast<long>(at + 2 + lost[at + 2] * 256 + lost[at + 3]));
    PictureDecoder decoder;
    GrayImage image;
    decoder.decode_gray(other.data(), other.size(), image);
    const std::string why = fault_of([&] { decoder.decode_gray(lost.data(), lost.size(), image); }).detail;
    expect(!why.empty(), "it is decoded with the tables of another");
    decoder.decode_gray(plain.data(), plain.size(), image);
    expect(pixels_of(image) == wanted.gray, "it has other pixels behind another picture");
    return why;
  });
}

}  // namespace vedette::test
