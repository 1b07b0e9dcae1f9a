// rotate and flip: tags are where they were, and pixels are the same, elsewhere.
#include <algorithm>

#include "tagged.h"

namespace vedette::test {
namespace {

std::vector<GrayImage> all_pictures() {
  std::vector<GrayImage> pictures = photographs();
  pictures.push_back(wall_of_tags());
  return pictures;
}

GrayImage mirrored(GrayImage picture) {
  for (int y = 0; y < picture.height; y++)
    std::reverse(picture.data() + static_cast<size_t>(y) * picture.stride,
                 picture.data() + static_cast<size_t>(y) * picture.stride + picture.width);
  return picture;
}

GrayImage upside_down(const GrayImage& picture) {
  GrayImage out;
  out.resize(picture.width, picture.height);
  for (int y = 0; y < picture.height; y++)
    std::copy_n(picture.data() + static_cast<size_t>(y) * picture.stride, picture.width,
                out.data() + static_cast<size_t>(picture.height - 1 - y) * out.stride);
  return out;
}

/** Six numbered pixels in two rows. */
const std::vector<uint8_t> SIX{1, 2, 3, 4, 5, 6};
const Value six() { return Image{SIX.data(), 3, 2, 3}; }

const Suite suite([] {
  test("tags of a picture that is turned are where they were", [] {
    Shift all;
    for (const GrayImage& picture : all_pictures()) {
      const Value source = source_value(picture);
      const Detections before = tags_in(source);
      for (const double angle : {90.0, 180.0, 270.0}) {
        OneNode rotate("rotate", {{"angle_deg", angle}});
        rotate.run({&source});
        all.add(shift_of(before, tags_in(rotate.out<Image>())));
      }
    }
    expect(all.tags >= 36 && all.lost == 0 && all.max_px < 0.1, all.words() + text(", %d lost", all.lost));
    return all.words();
  });

  test("tags of a mirrored picture that is flipped are where they were seen in the mirror", [] {
    Shift all;
    for (const GrayImage& picture : all_pictures()) {
      Detections before = tags_in(source_value(picture));
      for (Detection& tag : before)
        for (auto* place : {&tag.center, &tag.corners[0], &tag.corners[1], &tag.corners[2], &tag.corners[3]})
          (*place)[0] = picture.width - (*place)[0];
      const GrayImage mirror = mirrored(picture);
      const Value source = source_value(mirror);
      OneNode flip("flip", {{"direction", std::string("horizontal")}});
      flip.run({&source});
      all.add(shift_of(before, tags_in(flip.out<Image>())));
    }
    expect(all.tags >= 12 && all.lost == 0 && all.max_px < 1e-6, all.words() + text(", %d lost", all.lost));
    return all.words();
  });

  test("tags of a picture that stands on its head are where they were seen when it is flipped", [] {
    const GrayImage picture = wall_of_tags(), turned = upside_down(mirrored(picture));
    const Value source = source_value(turned);
    OneNode flip("flip", {{"direction", std::string("vertical")}});
    flip.run({&source});
    const Value half = flip.out<Image>();
    OneNode second("flip", {{"direction", std::string("horizontal")}});
    second.run({&half});
    Params both("flip");
    both.set("direction", std::string("both"));
    flip.node().set_params(both);
    flip.run({&source});
    const Shift shift = shift_of(tags_in(source), tags_in(flip.out<Image>()));
    expect(pixels_of(flip.out<Image>()) == pixels_of(second.out<Image>()), "both are not one after the other");
    expect(shift.tags == 12 && shift.max_px < 0.1, shift.words());
    return shift.words();
  });

  test("pixels go where a turn and a mirror take them", [] {
    const Value picture = six();
    const auto rotated = [&](double angle) {
      OneNode rotate("rotate", {{"angle_deg", angle}});
      rotate.run({&picture});
      return pixels_of(rotate.out<Image>());
    };
    const auto flipped = [&](const char* direction) {
      OneNode flip("flip", {{"direction", std::string(direction)}});
      flip.run({&picture});
      return pixels_of(flip.out<Image>());
    };
    expect(rotated(90) == std::vector<uint8_t>{4, 1, 5, 2, 6, 3}, "a quarter of a turn");
    expect(rotated(180) == std::vector<uint8_t>{6, 5, 4, 3, 2, 1}, "half a turn");
    expect(rotated(270) == std::vector<uint8_t>{3, 6, 2, 5, 1, 4}, "three quarters of a turn");
    expect(flipped("horizontal") == std::vector<uint8_t>{3, 2, 1, 6, 5, 4}, "left and right");
    expect(flipped("vertical") == std::vector<uint8_t>{4, 5, 6, 1, 2, 3}, "top and bottom");
    expect(flipped("both") == rotated(180), "both");
    return "";
  });

  test("a direction that is none is refused, and the one before stays", [] {
    OneNode flip("flip", {{"direction", std::string("vertical")}});
    Params wrong("flip");
    wrong.set("direction", std::string("sideways"));
    const Fault fault = fault_of([&] { flip.node().set_params(wrong); });
    const Value picture = six();
    flip.run({&picture});
    expect(fault.code == "engine.bad_task", "it was taken: " + fault.code);
    expect(pixels_of(flip.out<Image>()) == std::vector<uint8_t>{4, 5, 6, 1, 2, 3}, "it flips otherwise");
    return "";
  });

  test("an empty picture stays one", [] {
    const Value nothing = Image{};
    for (const char* type : {"rotate", "flip", "blur"}) {
      OneNode node(type, {{"angle_deg", 90.0},
                          {"direction", std::string("both")},
                          {"method", std::string("median")},
                          {"radius_px", 3.0}});
      node.run({&nothing});
      expect(node.out<Image>().is_empty(), std::string(type) + " gives something");
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
