// Detectors with several threads, started again and again: each new pipeline starts one.
#include "one_node.h"

namespace vedette::test {
namespace {

// where their start is not taken care of, the process dies in every tenth to thirtieth of such runs, and in nearly each
// where something slows it down
constexpr int STARTS = 300;

const Suite suite([] {
  test("a detector with threads of its own survives its start, however often", [] {
    GrayImage picture;
    picture.resize(128, 96);
    const Value source = Image{picture.data(), picture.width, picture.height, picture.stride};
    size_t found = 0;
    for (int i = 0; i < STARTS; i++) {
      OneNode detector("apriltag", {{"families", std::vector<std::string>{"tag16h5"}},
                                    {"decimate", 1.0},
                                    {"blur", 0.0},
                                    {"engine", std::string("reference")},
                                    {"mode", std::string("full")},
                                    {"threads", 4.0},
                                    {"refine", true},
                                    {"min_margin", std::vector<double>{5}},
                                    {"max_hamming", std::vector<double>{0}},
                                    {"ids", std::vector<double>{}}});
      detector.run({&source});
      found += detector.out<Detections>().size();
    }
    expect(found == 0, "there is nothing in an empty picture");
    return text("%d starts", STARTS);
  });
});

}  // namespace
}  // namespace vedette::test
