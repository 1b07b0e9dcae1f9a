// A camera's own JPEG in which nothing is looked for: it is shown as it came, and decoded for those alone who see its
// pixels.
#include "by_hand.h"
#include "picture.h"

namespace vedette::test {

namespace {

constexpr size_t SEQ = 0, WIDTH_PX = 4, STAGE_OF_SOURCE = 10;  // as native/addon/stream/result.cc packs them
constexpr int64_t APART_US = 100'000;

std::vector<uint8_t> gray_jpeg() {
  GrayImage image;
  image.resize(WIDTH, HEIGHT);
  std::fill(image.pixels.begin(), image.pixels.end(), static_cast<uint8_t>(100));
  int width = 0, height = 0;
  return PictureEncoder().encode_gray(image, 90, 0, width, height);
}

/** It begins and ends as one, and holds nothing that can be decoded. */
std::vector<uint8_t> broken_jpeg() { return {0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9}; }

/** Its camera gives this again and again. */
void open(EngineByHand& engine, const PlanDocument& plan, std::vector<uint8_t> jpeg) {
  engine.shutter.jpeg = std::move(jpeg);
  engine.shutter.apart_us = APART_US;
  engine.open(plan);
}

/** Results of pictures that were taken one after the other. */
struct Results {
  std::vector<int64_t> all, decoded;
  std::vector<EncodedPicture> pictures;

  void of(EngineByHand& engine, size_t count) {
    engine.until("results", [&](Mailbox::Contents contents) {
      if (!contents.result.empty()) {
        all.push_back(static_cast<int64_t>(contents.result[SEQ]));
        expect(contents.result[WIDTH_PX] == WIDTH, "a result is of another size");
        if (contents.result[STAGE_OF_SOURCE] > 0) decoded.push_back(all.back());
      }
      std::move(contents.pictures.begin(), contents.pictures.end(), std::back_inserter(pictures));
      return all.size() >= count;
    });
  }
};

void test_decoding() {
  test("where nothing is looked for one picture a second is decoded, and each has a result", [] {
    EngineByHand engine;
    open(engine, empty_plan(), gray_jpeg());
    Results results;
    results.of(engine, 60);
    expect(results.decoded.size() >= 2, "none is looked at");
    for (size_t i = 1; i < results.decoded.size(); i++) {
      const auto apart_us = (results.decoded[i] - results.decoded[i - 1]) * APART_US;
      expect(apart_us >= 1'000'000, text("two are decoded, %lld us apart", static_cast<long long>(apart_us)));
    }
    return text("%zu of %zu", results.decoded.size(), results.all.size());
  });

  test("who wants to see pixels sees them, from the next picture on", [] {
    EngineByHand engine;
    open(engine, empty_plan(), gray_jpeg());
    Results before;
    before.of(engine, 5);
    engine.runner().set_kinds({kind_of("", "small", WIDTH / 2)});
    Results watched;
    engine.until("a picture", [&](Mailbox::Contents contents) {
      std::move(contents.pictures.begin(), contents.pictures.end(), std::back_inserter(watched.pictures));
      return watched.pictures.size() >= 5;
    });
    for (const EncodedPicture& picture : watched.pictures) {
      GrayImage seen;
      PictureDecoder().decode_gray(picture.jpeg.data(), picture.jpeg.size(), seen);
      expect(picture.width == WIDTH / 2 && seen.width == WIDTH / 2 && std::abs(seen.pixels[0] - 100) <= 2,
             "it is not what the camera gave");
    }
    return "";
  });

  test("where something is looked for each is decoded", [] {
    EngineByHand engine;
    open(engine, measuring_plan(), gray_jpeg());
    Results results;
    results.of(engine, 20);
    expect(results.decoded.size() == results.all.size(),
           text("%zu of %zu", results.decoded.size(), results.all.size()));
    return "";
  });
}

void test_broken() {
  test("that pictures are broken is known though nobody looks at them, and none of them has a result", [] {
    EngineByHand engine;
    open(engine, empty_plan(), broken_jpeg());
    const Mailbox::Contents contents = engine.until("a warning", [](const Mailbox::Contents& each) {
      expect(each.result.empty(), "a broken picture has a result");
      return !each.notices.empty();
    });
    return text("%zu", contents.notices.size());
  });
}

}  // namespace

void test_unseen() {
  test_decoding();
  test_broken();
}

}  // namespace vedette::test
