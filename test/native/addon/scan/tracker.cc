// Tags are followed from picture to picture: found as in a whole look, for a small part of its work.
#include <optional>

#include "noise.h"
#include "tag_sheets.h"
#include "tag_tracker.h"

namespace vedette::test {
namespace {

constexpr int WIDTH_PX = 640, HEIGHT_PX = 480;
constexpr int64_t PERIOD_US = 33'333;
constexpr double NEAR_PX = 0.01;

/** Adds up how many pixels are looked at in a picture. */
class Counted : public TagSearch {
 public:
  explicit Counted(std::vector<SoughtFamily> sought, int64_t& pixels) : scan_(std::move(sought)), pixels_(pixels) {}

  const std::vector<FoundTag>& find(const GreyView& picture, double decimate, const PictureOrigin& origin) override {
    pixels_ += static_cast<int64_t>(picture.width * picture.height / (decimate * decimate));
    return scan_.find(picture, decimate, origin);
  }

 private:
  TagScan scan_;
  int64_t& pixels_;
};

/** Remembers what is said of each look's picture. */
class Told : public TagSearch {
 public:
  explicit Told(std::vector<std::optional<bool>>& is_noisy) : is_noisy_(is_noisy) {}

  const std::vector<FoundTag>& find(const GreyView& picture, double decimate, const PictureOrigin& origin) override {
    is_noisy_.push_back(origin.is_noisy);
    return scan_.find(picture, decimate, origin);
  }

 private:
  TagScan scan_{{{&family_named("tag36h11"), 1}}};
  std::vector<std::optional<bool>>& is_noisy_;
};

const apriltag_family_t& FAMILY = family_named("tag36h11");

/** A sheet at a place. */
struct Placed {
  int id;
  cv::Point2f middle;
  float side_px;
  double turned_deg = 0;
};

DrawnSheet drawn(const std::vector<Placed>& tags, int width = WIDTH_PX, int height = HEIGHT_PX) {
  DrawnSheet out{wall(width, height), {}};
  for (const Placed& tag : tags) out.draw(FAMILY, tag.id, slanted(tag.middle, tag.side_px, tag.turned_deg));
  return out;
}

/** A stream of pictures with one tracker. */
class Stream {
 public:
  explicit Stream(double decimate = 1) : decimate_(decimate) {}

  const std::vector<FoundTag>& see(const DrawnSheet& sheet, int64_t later_us = PERIOD_US, int left = 0, int top = 0,
                                   const std::optional<Homography>& turned = {}) {
    now_us_ += later_us;
    looked_at_ = 0;
    return tracker_.find(view_of(sheet.picture), decimate_, {left, top, now_us_, turned});
  }

  bool sees_all(const DrawnSheet& sheet, int64_t later_us = PERIOD_US) {
    const std::vector<FoundTag>& found = see(sheet, later_us);
    return std::all_of(sheet.tags.begin(), sheet.tags.end(), [&](const DrawnTag& tag) { return is_in(found, tag); });
  }

  static bool is_in(const std::vector<FoundTag>& found, const DrawnTag& tag) {
    return std::any_of(found.begin(), found.end(), [&](const FoundTag& each) {
      return each.family == tag.family && each.id == tag.id && off_px(each, tag.corners) < 1;
    });
  }

  /** Share of the last picture. */
  double share() const { return static_cast<double>(looked_at_) / (WIDTH_PX * HEIGHT_PX); }

 private:
  const double decimate_;
  int64_t looked_at_ = 0, now_us_ = 0;
  TagTracker tracker_{std::make_unique<Counted>(std::vector<SoughtFamily>{{&FAMILY, 1}}, looked_at_)};
};

/** Tags that go their own ways, one of them twice as fast as the picture is wide in a second. */
std::vector<Placed> moving(int nth) {
  const auto t = static_cast<float>(nth);
  return {{1, {80 + 8 * t, 100 + t}, 60, 2.0 * nth},
          {2, {500 - 5 * t, 330}, 40 + t},
          {3, {100 + 5 * t, 400 - 6 * t}, 30, 45},
          {3, {560, 120 + 2 * t}, 34}};
}

const Suite suite([] {
  test("tags that move are found in each picture, where a whole look finds them, in less than half of it", [] {
    Stream stream;
    TagScan whole({{&FAMILY, 1}});
    double max_px = 0, max_share = 0, shares = 0;
    constexpr int PICTURES = 48;
    for (int nth = 0; nth < PICTURES; nth++) {
      const DrawnSheet sheet = drawn(moving(nth));
      const std::vector<FoundTag> found = stream.see(sheet);
      const std::vector<FoundTag>& truth = whole.find(view_of(sheet.picture), 1);
      expect(truth.size() == sheet.tags.size(), text("a whole look finds %zu tags", truth.size()));
      expect(found.size() == truth.size(),
             text("%zu tags are found in picture %d, not %zu", found.size(), nth, truth.size()));
      for (const FoundTag& tag : truth) {
        const FoundTag* same = tag_at(found, tag.family, tag.id, tag.center[0], tag.center[1], NEAR_PX);
        expect(same != nullptr,
               text("tag %d is not at (%.2f, %.2f) in picture %d", tag.id, tag.center[0], tag.center[1], nth));
        for (int i = 0; i < 4; i++)
          max_px = std::max(
              max_px, std::hypot(same->corners[i][0] - tag.corners[i][0], same->corners[i][1] - tag.corners[i][1]));
        double u, v;
        same->homography.apply(-1, 1, u, v);
        expect(std::hypot(u - same->corners[0][0], v - same->corners[0][1]) < 1e-6,
               "its homography is of another place");
      }
      if (nth == 0) continue;
      max_share = std::max(max_share, stream.share());
      shares += stream.share() / (PICTURES - 1);
    }
    expect(max_px < NEAR_PX, text("corners are up to %.3f px elsewhere", max_px));
    expect(max_share < 0.6 && shares < 0.45,
           text("up to %.2f of a picture is looked at, %.2f in the mean", max_share, shares));
    return text("corners within %.3f px, %.2f of the picture in the mean, %.2f at most", max_px, shares, max_share);
  });

  test("a new tag of any size is found within a lap, wherever it is, and a large one within three pictures", [] {
    int most = 0, max_large = 0;
    Dice dice(5);
    for (const float side_px : {22.0F, 30.0F, 45.0F, 60.0F, 80.0F, 120.0F, 200.0F, 380.0F})
      for (int nth = 0; nth < 12; nth++) {
        Stream stream;
        // at another place of the lap each time
        for (int before = 0; before < 1 + nth; before++) stream.see(drawn({}));
        const float room = 0.75F * side_px, turned_deg = side_px > 300 ? 0.0F : static_cast<float>(dice.below(360));
        const auto place = [&](int size) {
          return room +
                 static_cast<float>(dice.below(1000)) / 1000 * std::max(0.0F, static_cast<float>(size) - 2 * room);
        };
        const float x = place(WIDTH_PX), y = side_px > 300 ? HEIGHT_PX / 2.0F : place(HEIGHT_PX);
        const DrawnSheet sheet = drawn({{7, {x, y}, side_px, turned_deg}});
        int pictures = 1;
        const bool is_large = side_px >= 80;
        const int lap = is_large ? TagTracker::LARGE_LAP : TagTracker::LAP;
        while (!stream.sees_all(sheet) && pictures <= lap) pictures++;
        expect(pictures <= lap, text("a tag of %g px at (%g, %g) is not found within %d pictures", side_px, x, y, lap));
        int& max_of_size = is_large ? max_large : most;
        max_of_size = std::max(max_of_size, pictures);
      }
    return text("%d pictures at most, %d where it is large", most, max_large);
  });

  test("a tag that jumps is found in the same picture", [] {
    for (const float jump_px : {20.0F, 40.0F, 60.0F}) {
      Stream stream;
      const auto at = [](float x) { return drawn({{4, {x, 240}, 60}}); };
      for (int nth = 0; nth < 5; nth++) stream.see(at(300 + 10.0F * static_cast<float>(nth)));
      expect(stream.sees_all(at(350 - jump_px)), text("after %g px the other way it is lost", jump_px));
    }
    return "";
  });

  test("a tag that was hidden is found when it is back, though it is farther by then", [] {
    Stream stream;
    const auto at = [](int nth) { return drawn({{4, {100 + 7.0F * static_cast<float>(nth), 240}, 60}}); };
    for (int nth = 0; nth < 4; nth++) stream.see(at(nth));
    for (int nth = 4; nth < 7; nth++) expect(stream.see(drawn({})).empty(), "one is seen that is not there");
    expect(stream.sees_all(at(7)), "it is not seen");
    return "";
  });

  test("one that is new is expected to move as the others do", [] {
    Stream stream;
    const auto at = [](int nth, bool has_both) {
      const float x = 40.0F * static_cast<float>(nth);
      std::vector<Placed> tags{{1, {60 + x, 150}, 60}};
      if (has_both) tags.push_back({2, {60 + x, 350}, 30});
      return drawn(tags);
    };
    for (int nth = 0; nth < 3; nth++) stream.see(at(nth, false));
    int nth = 3;
    while (!stream.sees_all(at(nth, true))) expect(++nth < 11, "the second one is never seen");
    stream.see(at(++nth, true));
    expect(stream.sees_all(at(nth, true)), "it is lost");
    return "";
  });

  test("a tag that enters or leaves over the border of the picture is followed while it is whole", [] {
    Stream stream;
    TagScan whole({{&FAMILY, 1}});
    size_t found = 0, there = 0;
    for (int nth = 0; nth < 60; nth++) {
      const DrawnSheet sheet = drawn({{9, {-40 + 12.0F * static_cast<float>(nth), 200}, 60}});
      found += stream.see(sheet).size();
      there += whole.find(view_of(sheet.picture), 1).size();
    }
    expect(there > 40, text("it is there in %zu pictures", there));
    expect(found + TagTracker::LAP > there, text("it is found in %zu of %zu pictures", found, there));
    return text("in %zu of %zu pictures", found, there);
  });

  test("where the camera pans, a tag that comes in is found within three pictures", [] {
    TagScan whole({{&FAMILY, 1}});
    for (const float side_px : {20.0F, 60.0F})
      for (int before = 0; before < TagTracker::LAP; before++) {
        Stream stream;
        int there = 0;
        for (int nth = 0; nth < before + 4 + TagTracker::LARGE_LAP && there < TagTracker::LARGE_LAP; nth++) {
          const float x = 25 * static_cast<float>(nth), from = -25 * static_cast<float>(before) - side_px;
          const DrawnSheet sheet = drawn({{1, {100 + x, 400}, 60}, {2, {from + x, 100}, side_px}});
          there += tag_at(whole.find(view_of(sheet.picture), 1), &FAMILY, 2, from + x, 100, 2) != nullptr;
          if (tag_at(stream.see(sheet), &FAMILY, 2, from + x, 100, 2) != nullptr) break;
          expect(there < TagTracker::LARGE_LAP,
                 text("a tag of %g px that comes in after %d pictures is not found", side_px, before));
        }
        expect(there > 0, "it never comes in");
      }
    return "";
  });

  test("where it is known how the camera turns, a tag that goes to and fro is found at once", [] {
    double shares[2] = {};
    for (const bool is_known : {false, true}) {
      Stream stream;
      for (int nth = 0; nth < 24; nth++) {
        const float to = nth % 2 == 0 ? 70.0F : -70.0F;
        const Homography turned{{1, 0, 2.0 * to, 0, 1, 0, 0, 0, 1}};
        const DrawnSheet sheet = drawn({{4, {300 + to, 240}, 60}});
        const std::vector<FoundTag>& found =
            stream.see(sheet, PERIOD_US, 0, 0, is_known ? std::optional{turned} : std::nullopt);
        if (is_known)
          expect(found.size() == 1 && off_px(found[0], sheet.tags[0].corners) < 1,
                 text("it is lost in picture %d", nth));
        if (nth > 0) shares[is_known] += stream.share() / 23;
      }
    }
    expect(shares[1] < 0.75 * shares[0],
           text("%.2f of the picture is looked at, %.2f when it is not known", shares[1], shares[0]));
    return text("%.2f of the picture is looked at, %.2f when it is not known", shares[1], shares[0]);
  });

  test("tags of one id beside each other are each followed", [] {
    Stream stream;
    const auto at = [](int nth) {
      std::vector<Placed> tags;
      for (int i = 0; i < 8; i++)
        tags.push_back({3,
                        {60 + 66.0F * static_cast<float>(i) + 5.0F * static_cast<float>(nth % 8),
                         200 + 9.0F * static_cast<float>(nth)},
                        50});
      return drawn(tags);
    };
    for (int nth = 0; nth < 16; nth++) expect(stream.sees_all(at(nth)), text("one is lost in picture %d", nth));
    return "";
  });

  test("after a knock all tags are found again in the same picture, and not by looking at all of it", [] {
    Stream stream;
    const auto at = [](float x, float y) {
      return drawn({{1, {200 + x, 150 + y}, 60},
                    {2, {350 + x, 160 + y}, 45},
                    {3, {250 + x, 330 + y}, 36},
                    {4, {420 + x, 320 + y}, 70}});
    };
    for (int nth = 0; nth < 6; nth++) stream.see(at(2.0F * static_cast<float>(nth), 0));
    expect(stream.sees_all(at(-70, 50)), "one is lost");
    expect(stream.share() < 1, text("%.2f of the picture is looked at", stream.share()));
    return text("%.2f of the picture is looked at", stream.share());
  });

  test("a part of the picture that moves changes nothing: places are followed in the whole", [] {
    Stream stream;
    const cv::Mat all = drawn({{5, {400, 300}, 60}}, 1200, 900).picture;
    for (int nth = 0; nth < 10; nth++) {
      const int left = 10 * nth, top = 17 * nth;
      const DrawnSheet part{all(cv::Rect(left, top, WIDTH_PX, HEIGHT_PX)), {}};
      expect(stream.see(part, PERIOD_US, left, top).size() == 1, text("it is lost in picture %d", nth));
      expect(nth == 0 || stream.share() < 0.6, "the whole is looked at");
    }
    return "";
  });

  test("after a pause, and in pictures of another size, all is looked at", [] {
    Stream stream;
    const DrawnSheet empty = drawn({}), sheet = drawn({{6, {300, 400}, 30}});
    const auto is_whole = [&] { return stream.share() > 0.99; };
    stream.see(empty);
    expect(is_whole(), "not the first time");
    stream.see(empty);
    expect(!is_whole(), "always");
    expect(stream.sees_all(sheet, TagTracker::MAX_GAP_US + 1) && is_whole(), "not after a pause");
    expect(stream.sees_all(sheet, -PERIOD_US) && is_whole(), "not when time goes back");
    const DrawnSheet other = drawn({{6, {200, 100}, 30}}, WIDTH_PX - 40, HEIGHT_PX + 40);
    expect(stream.sees_all(other), "not when the size changes");
    return "";
  });

  test("parts are as noisy as the picture is that they come from, whatever is seen in them", [] {
    for (const bool is_noisy : {false, true}) {
      std::vector<std::optional<bool>> told;
      TagTracker tracker(std::make_unique<Told>(told));
      for (int nth = 0; nth < 2 * TagTracker::LAP; nth++) {
        DrawnSheet sheet = drawn({{1, {100, 120}, 16}, {2, {400 + 4.0F * static_cast<float>(nth), 300}, 20}});
        make_noisy(sheet.picture, 0.5, is_noisy ? 15 : 3, static_cast<uint64_t>(nth));
        tracker.find(view_of(sheet.picture), 1, {0, 0, (nth + 1) * PERIOD_US});
      }
      expect(told.size() > 3 * TagTracker::LAP, text("only %zu parts are looked at", told.size()));
      for (const std::optional<bool>& each : told)
        expect(each == is_noisy, text("of a picture with%s noise a part has %s", is_noisy ? "" : "out",
                                      each ? "another answer" : "none"));
    }
    return "";
  });

  test("dim tags in noise are followed", [] {
    Stream stream;
    for (int nth = 0; nth < 20; nth++) {
      const auto t = static_cast<float>(nth);
      DrawnSheet sheet = drawn({{1, {100 + 3 * t, 120}, 100, 10}, {2, {420, 300 - 2 * t}, 120, 30}});
      blur(sheet.picture, 2.2);
      make_noisy(sheet.picture, 0.2, 15, static_cast<uint64_t>(nth));
      const std::vector<FoundTag>& found = stream.see(sheet);
      for (const DrawnTag& tag : sheet.tags)
        expect(std::any_of(found.begin(), found.end(),
                           [&](const FoundTag& each) { return each.id == tag.id && off_px(each, tag.corners) < 6; }),
               text("tag %d is lost in picture %d", tag.id, nth));
    }
    return "";
  });

  test("decimated pictures are followed as well", [] {
    for (const double decimate : {1.5, 2.0, 3.0}) {
      Stream stream(decimate);
      for (int nth = 0; nth < 20; nth++)
        expect(stream.sees_all(drawn({{1, {120 + 8.0F * static_cast<float>(nth), 200}, 90}})),
               text("decimated by %g it is lost", decimate));
    }
    return "";
  });

  test("pictures of any size, and full of noise, come to an end", [] {
    TagTracker tracker(std::make_unique<TagScan>(all_kinds(2)));
    int64_t now_us = 0;
    for (const auto& [width, height] : std::vector<std::pair<int, int>>{
             {1, 1}, {640, 480}, {640, 480}, {641, 483}, {7, 300}, {300, 7}, {241, 241}, {8, 8}, {1280, 250}})
      for (int nth = 0; nth < 10; nth++) {
        const Picture picture = noise(width, height, static_cast<uint64_t>(nth));
        for (const FoundTag& tag : tracker.find(picture.view(), 1 + nth % 3, {0, 0, now_us += PERIOD_US}))
          expect(tag.family == &family_named("tag16h5"), "a tag is seen in noise");
      }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
