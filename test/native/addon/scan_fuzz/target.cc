#include "target.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "looks.h"
#include "refined_corners.h"
#include "scan/answers.h"
#include "time_limit.h"

namespace vedette::test {
namespace {

// Of CPU. Of 50,000 looks under sanitizers none took more than 80 ms, and of pictures of some size none more than 1.2
// us for each pixel; a machine that is ten times as slow must not fail.
constexpr int64_t LIMIT_US = 1'000'000, LIMIT_PER_PIXEL_US = 20;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  std::abort();
}

/** All bits of the answer. */
std::string look(TagScan& scan, const Looks& looks, const Picture& picture) {
  const std::vector<FoundTag>* found;
  {
    const TimeLimit limit(LIMIT_US + LIMIT_PER_PIXEL_US * picture.width() * picture.height());
    found = &scan.find(picture.view(), looks.decimate());
  }
  for (const FoundTag& tag : *found) {
    if (!is_sane(tag) || tag.hamming < 0 || tag.hamming > looks.head.max_wrong % (MAX_WRONG + 1))
      fail(text("%s %d cannot be seen like that", tag.family->name, tag.id));
    FoundTag refined = tag;
    const double sigma_px = refine_corners(picture.view(), tag, refined.corners);
    if (!is_sane(refined) || !(sigma_px >= 0 && sigma_px < picture.width() + picture.height()))
      fail(text("corners of %s %d cannot be there, within %g px", tag.family->name, tag.id, sigma_px));
  }
  tags_seen += found->size();
  return bits_of(*found);
}

}  // namespace
}  // namespace vedette::test

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace vedette;
  using namespace vedette::test;
  cv::setNumThreads(0);
  const Looks looks = looks_of(bytes, count);
  TagScan kept(looks.sought(), looks.blur_px());
  for (size_t i = 0; i < looks.pictures.size(); i++) {
    const cv::Mat& pixels = looks.pictures[i];
    const PictureHead& head = looks.head.each[i];
    const Picture picture(pixels, pixels.cols + head.between_rows, head.aside % 16), tight(pixels);
    const std::string truth = look(kept, looks, picture);
    for (const NamedPath& each : vector_paths()) {
      TagScan fresh(looks.sought(), looks.blur_px(), each.path);
      if (look(fresh, looks, each.path == VectorPath::scalar ? tight : picture) != truth)
        fail(text("%s says something else of picture %zu, or what was seen before has a part in it", each.name, i));
    }
  }
  return 0;
}
