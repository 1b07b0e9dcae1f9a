// The same picture has the same answer, to the last bit: on every vector path, from rows of any length, and whatever
// was looked at before.
#include <fstream>

#include "answers.h"
#include "noise.h"
#include "patterns.h"
#include "refined_corners.h"
#include "tag_sheets.h"

namespace vedette::test {
namespace {

/** Those with tags first. */
std::vector<Picture> pictures() {
  std::vector<Picture> out;
  out.emplace_back(mixed_sheet(500, 400, 1).picture);
  cv::Mat blurred = mixed_sheet(401, 303, 2).picture;
  blur(blurred, 0.8);
  out.emplace_back(blurred);
  cv::Mat noisy = mixed_sheet(320, 317, 3).picture;
  blur(noisy, 2);
  make_noisy(noisy, 0.2, 15);
  out.emplace_back(noisy);
  out.push_back(noise(130, 97));
  for (const Pattern& each : patterns(150, 90))
    if (each.name != "noise") out.emplace_back(150, 90, each.grey);
  return out;
}

/** How they are looked at. */
struct Way {
  double decimate, blur_px;
};

constexpr Way WAYS[] = {{1, 0}, {2, 0}, {1.5, 0.6}};

std::string answer(TagScan& scan, const Picture& picture, const Way& way) {
  return bits_of(scan.find(picture.view(), way.decimate));
}

const Suite suite([] {
  test("every vector path says the same of a picture", [] {
    size_t tags = 0;
    for (const Way& way : WAYS) {
      TagScan scalar(all_kinds(2), way.blur_px, VectorPath::scalar);
      for (const NamedPath& each : vector_paths()) {
        TagScan scan(all_kinds(2), way.blur_px, each.path);
        int nth = 0;
        for (const Picture& picture : pictures()) {
          const std::string truth = answer(scalar, picture, way);
          expect(answer(scan, picture, way) == truth,
                 text("%s says something else of picture %d, decimated by %g", each.name, nth, way.decimate));
          if (nth++ < 3) expect(!truth.empty(), "no tags are seen");
          tags += truth.size();
        }
      }
    }
    return names_of_paths();
  });

  test("longer rows, and where the first pixel lies, change nothing", [] {
    for (const Way& way : WAYS) {
      TagScan scan(all_kinds(2), way.blur_px);
      for (const Picture& picture : pictures()) {
        const std::string truth = answer(scan, picture, way);
        cv::Mat pixels(picture.height(), picture.width(), CV_8U, const_cast<uint8_t*>(picture.view().pixels));
        for (const int more : {1, 3, 64, 77}) {
          const Picture other(pixels, picture.width() + more, more % 16);
          expect(answer(scan, other, way) == truth,
                 text("%d bytes between rows of %d make another answer", more, picture.width()));
        }
      }
    }
    return "";
  });

  test("what was looked at before has no part in the answer", [] {
    const std::vector<Picture> all = pictures();
    for (const Way& way : WAYS) {
      std::vector<std::string> truth;
      for (const Picture& picture : all) {
        TagScan fresh(all_kinds(2), way.blur_px);
        truth.push_back(answer(fresh, picture, way));
      }
      TagScan scan(all_kinds(2), way.blur_px);
      const Picture large = noise(700, 500), tiny = noise(5, 5), thin = noise(9, 300);
      Dice dice(81);
      for (int nth = 0; nth < 60; nth++) {
        const size_t i = static_cast<size_t>(dice.below(static_cast<int>(all.size())));
        expect(answer(scan, all[i], way) == truth[i],
               text("picture %zu has another answer in the course of others", i));
        if (nth % 6 == 0) answer(scan, nth % 4 == 0 ? large : nth % 4 == 2 ? tiny : thin, way);
      }
    }
    return "";
  });

  test("another decimation in between has no part in the answer", [] {
    const Picture picture(mixed_sheet(500, 400, 1).picture);
    TagScan scan(all_kinds(2));
    const std::string once = answer(scan, picture, {1, 0}), halved = answer(scan, picture, {2, 0});
    expect(once != halved, "decimated it says the same");
    expect(answer(scan, picture, {1, 0}) == once && answer(scan, picture, {2, 0}) == halved,
           "it says something else the second time");
    return "";
  });
});

}  // namespace

void write_pictures(const char* path) {
  std::ofstream file(path, std::ios::binary);
  for (const Picture& picture : pictures()) {
    const GreyView view = picture.view();
    file.write(reinterpret_cast<const char*>(&view.width), sizeof view.width)
        .write(reinterpret_cast<const char*>(&view.height), sizeof view.height);
    for (int y = 0; y < view.height; y++) file.write(reinterpret_cast<const char*>(view.row(y)), view.width);
  }
}

void print_fingerprints(const char* path) {
  std::vector<Picture> all;
  std::ifstream file(path, std::ios::binary);
  for (int width, height; file.read(reinterpret_cast<char*>(&width), sizeof width) &&
                          file.read(reinterpret_cast<char*>(&height), sizeof height);)
    all.emplace_back(width, height, [&](int, int) { return file.get(); });
  for (const Way& way : WAYS) {
    TagScan scan(all_kinds(2), way.blur_px);
    int nth = 0;
    for (const Picture& picture : all) {
      std::vector<FoundTag> tags = scan.find(picture.view(), way.decimate);
      std::string bits = bits_of(tags);
      for (FoundTag& tag : tags) refine_corners(picture.view(), tag, tag.corners);
      bits += bits_of(tags);
      uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
      for (const char byte : bits) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001B3U;
      std::printf("picture %d, decimated by %g: %zu bytes, %016llx\n", nth++, way.decimate, bits.size(),
                  static_cast<unsigned long long>(hash));
    }
  }
}

}  // namespace vedette::test
