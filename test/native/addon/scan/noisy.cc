// Pictures full of a sensor's noise are told from others, and looked at in half the size as well.
#include "answers.h"
#include "noise.h"
#include "picture_noise.h"
#include "same_tag.h"
#include "tag_sheets.h"

namespace vedette::test {
namespace {

constexpr int WIDTH_PX = 640, HEIGHT_PX = 480;

bool is_noisy_picture(const cv::Mat& picture) {
  return is_noisy(Picture(picture).view(), *row_kernels(best_vector_path()));
}

cv::Mat noisy_wall(int max_off) {
  cv::Mat picture = wall(WIDTH_PX, HEIGHT_PX);
  make_noisy(picture, 0.2, max_off);
  return picture;
}

/** Dim, and out of focus by a share of a side. */
DrawnSheet dim_sheet(double side_px, uint64_t seed, double blurred = 1 / 30.0) {
  DrawnSheet out = sheet_of(family_named("tag36h11"), side_px, WIDTH_PX, HEIGHT_PX, seed);
  blur(out.picture, side_px * blurred);
  make_noisy(out.picture, 0.2, 15, seed);
  return out;
}

int found_in(const std::vector<FoundTag>& found, const DrawnTag& tag) {
  return static_cast<int>(std::count_if(found.begin(), found.end(), [&](const FoundTag& each) {
    return each.family == tag.family && each.id == tag.id && off_px(each, tag.corners) < 6;
  }));
}

FoundTag tag_with(int id, int hamming, double x, double margin) {
  return {&family_named("tag36h11"),
          id,
          hamming,
          margin,
          {x, 50},
          {{x - 10, 60}, {x + 10, 60}, {x + 10, 40}, {x - 10, 40}},
          {}};
}

const Suite suite([] {
  test("a picture is noisy where what is flat in it is not, be half of it burnt out", [] {
    expect(!is_noisy_picture(noisy_wall(0)) && !is_noisy_picture(noisy_wall(4)), "one with hardly any noise is");
    expect(is_noisy_picture(noisy_wall(15)), "one with much is not");
    for (const int burnt_out : {0, 255}) {
      cv::Mat half = noisy_wall(15);
      half(cv::Rect(0, 0, WIDTH_PX / 2, HEIGHT_PX)).setTo(burnt_out);
      expect(is_noisy_picture(half), text("one of which half is %d is not", burnt_out));
    }
    cv::Mat wide = wall(4096, 64);
    cv::Mat left = wide(cv::Rect(0, 0, 2048, 64));
    make_noisy(left, 0.2, 15);
    expect(!is_noisy_picture(wide), "one of which half is flat is");
    return "";
  });

  test("a picture is not noisy for what is in it: tags from edge to edge, or squares of black and white", [] {
    expect(!is_noisy_picture(sheet_of(family_named("tag36h11"), 20, WIDTH_PX, HEIGHT_PX, 3).picture), "tags are");
    const Picture squares(WIDTH_PX, HEIGHT_PX, [](int x, int y) { return (x + y) % 2 * 255; });
    expect(!is_noisy(squares.view(), *row_kernels(best_vector_path())), "squares are");
    return "";
  });

  test("noise is told alike on every vector path, in pictures of any size", [] {
    int pictures = 0, noisy = 0;
    for (const int max_off : {5, 6, 7, 8, 9})
      for (const int width : {1, 4, 67, 1023, 1024, 1028, 1300})
        for (const int height : {1, 4, 9, 130, 300}) {
          cv::Mat picture = wall(width, height);
          make_noisy(picture, 0.2, max_off, static_cast<uint64_t>(width + height));
          const Picture exact(picture);
          const bool truth = is_noisy(exact.view(), *row_kernels(VectorPath::scalar));
          for (const NamedPath& each : vector_paths())
            expect(is_noisy(exact.view(), *row_kernels(each.path)) == truth,
                   text("%s: %dx%d with noise of %d is another", each.name, width, height, max_off));
          pictures++;
          noisy += truth;
        }
    expect(noisy > 0 && noisy < pictures, text("%d of %d pictures are noisy", noisy, pictures));
    return text("%d of %d pictures are noisy", noisy, pictures);
  });

  test("dim tags in noise, of which libapriltag finds few, are found, each once", [] {
    const std::vector<SoughtFamily> sought{{&family_named("tag36h11"), 1}};
    Reference reference(sought);
    TagScan scan(sought);
    int drawn = 0, found = 0;
    size_t theirs = 0;
    for (const double side_px : {60, 60, 90, 90, 130, 130}) {
      const DrawnSheet sheet = dim_sheet(side_px, static_cast<uint64_t>(drawn + 1));
      theirs += reference.find(view_of(sheet.picture)).size();
      const std::vector<FoundTag>& ours = scan.find(view_of(sheet.picture), 1);
      for (const DrawnTag& tag : sheet.tags) {
        const int times = found_in(ours, tag);
        expect(times <= 1, text("one of %g px is found %d times", side_px, times));
        drawn++;
        found += times;
      }
    }
    const std::string words = text("of %d tags %d, libapriltag %zu", drawn, found, theirs);
    expect(2 * theirs < static_cast<size_t>(drawn) && found > 0.9 * drawn, words);
    return words;
  });

  test("what is seen in the full size keeps the corners that it has there, however noisy the picture is", [] {
    const std::vector<SoughtFamily> sought{{&family_named("tag36h11"), 1}};
    TagScan scan(sought);
    DrawnSheet sheet = sheet_of(*sought[0].family, 40, WIDTH_PX, HEIGHT_PX, 8);
    make_noisy(sheet.picture, 0.8, 15);
    PictureOrigin calm;
    calm.is_noisy = false;
    const std::string once = bits_of(scan.find(view_of(sheet.picture), 1, calm));
    expect(!once.empty() && bits_of(scan.find(view_of(sheet.picture), 1)) == once,
           "a second look changes what is said");
    return "";
  });

  test("whoever hands in a part of a picture says whether the whole is noisy", [] {
    TagScan scan({{&family_named("tag36h11"), 1}});
    const DrawnSheet sheet = dim_sheet(60, 5);
    PictureOrigin calm, noisy;
    calm.is_noisy = false;
    noisy.is_noisy = true;
    const std::string first = bits_of(scan.find(view_of(sheet.picture), 1, calm)),
                      both = bits_of(scan.find(view_of(sheet.picture), 1, noisy));
    expect(both.size() > first.size(), "a second look finds nothing");
    expect(bits_of(scan.find(view_of(sheet.picture), 1)) == both, "of a whole picture it is not told");
    return "";
  });

  test("a picture that is looked at in half the size is not looked at again in a quarter", [] {
    TagScan scan({{&family_named("tag36h11"), 1}});
    size_t in_a_quarter = 0;
    PictureOrigin calm;
    calm.is_noisy = false;
    for (const uint64_t seed : {6, 7, 8, 9}) {
      const DrawnSheet sheet = dim_sheet(130, seed, 1 / 20.0);
      const std::string once = bits_of(scan.find(view_of(sheet.picture), 2, calm));
      expect(bits_of(scan.find(view_of(sheet.picture), 2)) == once, "it is");
      const std::vector<FoundTag>& small = scan.find(view_of(sheet.picture), 4);
      in_a_quarter += !small.empty() && bits_of(small) != once;
    }
    expect(in_a_quarter > 0, "in a quarter nothing more is found");
    return "";
  });

  test("of two readings of a tag the one with fewer wrong bits stays, else the earlier one", [] {
    std::vector<FoundTag> tags{tag_with(1, 1, 50, 70)};
    add_once(tags, tag_with(1, 1, 52, 80));
    expect(tags.size() == 1 && tags[0].margin == 70, "a later one with as many takes its place");
    add_once(tags, tag_with(1, 0, 52, 60));
    expect(tags.size() == 1 && tags[0].margin == 60, "one with fewer does not");
    add_once(tags, tag_with(1, 2, 50, 90));
    expect(tags.size() == 1 && tags[0].margin == 60, "one with more does");
    add_once(tags, tag_with(1, 0, 75, 60));
    add_once(tags, tag_with(2, 0, 50, 60));
    expect(tags.size() == 3, text("of one elsewhere, and one with another id, %zu are there", tags.size()));
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
