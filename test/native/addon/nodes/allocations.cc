// What is made and read in memory that stays from picture to picture. That no step of a plan asks for more in a frame,
// the test `allocations` says of whole plans.
#include <cstdlib>
#include <new>

#include "drawn.h"
#include "heads.h"

namespace {
thread_local long allocations = 0;
}

__attribute__((noinline)) void* operator new(std::size_t size) {
  allocations++;
  if (void* memory = std::malloc(std::max<std::size_t>(1, size))) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace vedette::test {
namespace {

const Suite suite([] {
  test("what a model answers is read in the same memory from picture to picture", [] {
    const std::vector<float> numbers(20 * 500, 0.6F);
    const Tensor rows{Element::f32, 3, {1, 500, 20}, numbers.data()},
        columns{Element::f32, 3, {1, 20, 500}, numbers.data()}, classes{Element::f32, 1, {10'000}, numbers.data()};
    YoloV8Reader reader;
    ClassReader guesses;
    Candidates candidates;
    const std::vector<int> labels{0, 1};
    size_t found = 0;
    const auto read = [&] {
      const long before = allocations;
      for (int head = 0; head < 2; head++) {
        candidates.begin(0.1, labels);
        if (head == 0) read_yolov5(rows, candidates);
        if (head == 1) reader.read(columns, candidates);
        found += candidates.distinct(1, 100).size();
      }
      found += guesses.read(classes, 5, 0).size();
      return allocations - before;
    };
    read();
    const long again = read();
    expect(again == 0 && found == 410, text("%ld for %zu", again, found));
    return "";
  });

  test("masks lie in the same memory from picture to picture", [] {
    const cv::Mat picture(480, 640, CV_8UC3, cv::Scalar(40, 200, 50));
    const Value image = image_of(picture, ImageFormat::colour, {});
    OneNode threshold("hsv-threshold", range(340, 160));
    OneNode close("morphology", {{"operation", std::string("close")},
                                 {"shape", std::string("rectangle")},
                                 {"radius_px", 2.0},
                                 {"iterations", 1.0}});
    const uint8_t *mask = nullptr, *closed = nullptr;
    for (int i = 0; i < 3; i++) {
      threshold.run({&image});
      const Value found = threshold.out<Image>();
      close.run({&found});
      expect(i == 0 || (threshold.out<Image>().pixels == mask && close.out<Image>().pixels == closed),
             "in other memory");
      mask = threshold.out<Image>().pixels;
      closed = close.out<Image>().pixels;
    }
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
