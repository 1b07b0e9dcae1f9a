// What the answers of models mean: tensors written by hand, one head after the other.
#include "heads.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "one_node.h"

namespace vedette::test {
namespace {

Tensor tensor_of(const std::vector<float>& numbers, std::initializer_list<size_t> dims) {
  Tensor out;
  out.rank = dims.size();
  std::copy(dims.begin(), dims.end(), out.dims.begin());
  out.data = numbers.data();
  expect(out.count() == numbers.size(), "the test's tensor has another size");
  return out;
}

template <typename Read>
std::vector<Candidate> found(Read read, double least = 0.25, double max_overlap = 0.45, size_t most = 100,
                             const std::vector<int>& labels = {}) {
  Candidates candidates;
  candidates.begin(least, labels);
  read(candidates);
  return candidates.distinct(max_overlap, most);
}

void expect_box(const Candidate& box, int label, double confidence, double x0, double y0, double x1, double y1) {
  const bool is_same = box.label == label && std::fabs(box.confidence - confidence) < 1e-6 &&
                       std::fabs(box.x0 - x0) < 1e-4 && std::fabs(box.y0 - y0) < 1e-4 &&
                       std::fabs(box.x1 - x1) < 1e-4 && std::fabs(box.y1 - y1) < 1e-4;
  expect(is_same, text("%d with %f at %f, %f to %f, %f", box.label, box.confidence, box.x0, box.y0, box.x1, box.y1));
}

/**
 * Three boxes and two classes: the second is the first a little aside, the third is another class in the same place.
 */
const std::vector<float> YOLOV5 = {
    100, 50, 40, 20, 0.9f, 0.1f, 0.8f,  //
    102, 50, 40, 20, 0.8f, 0.1f, 0.8f,  //
    100, 50, 40, 20, 0.7f, 1.0f, 0.2f,
};

std::vector<float> transposed(const std::vector<float>& rows, size_t columns) {
  std::vector<float> out;
  for (size_t column = 0; column < columns; column++)
    for (size_t row = 0; row < rows.size() / columns; row++) out.push_back(rows[row * columns + column]);
  return out;
}

const float NOTHING = std::numeric_limits<float>::quiet_NaN();

std::vector<uint8_t> answer_of(std::vector<uint32_t> words) {
  std::vector<uint8_t> out(words.size() * 4);
  std::memcpy(out.data(), words.data(), out.size());
  return out;
}

bool holds(const std::vector<uint32_t>& words) {
  const auto answer = answer_of(words);
  return fault_of([&] { read_tensors(answer.data(), answer.size()); }).code.empty();
}

const Suite suite([] {
  test("YOLOv5: a class counts times objectness, and of two of one class in one place the likelier is kept", [] {
    const auto rows = found([](Candidates& out) { read_yolov5(tensor_of(YOLOV5, {1, 3, 7}), out); });
    expect(rows.size() == 2, text("%zu were found", rows.size()));
    expect_box(rows[0], 1, 0.72, 80, 40, 120, 60);
    expect_box(rows[1], 0, 0.7, 80, 40, 120, 60);
    return "";
  });

  test("YOLOv8 and 11: columns are boxes, and nothing says whether there is anything", [] {
    const std::vector<float> rows = {
        100, 50, 40, 20, 0.1f, 0.8f, 0.2f,  //
        10,  20, 4,  6,  0.3f, 0.2f, 0.9f,  //
        101, 50, 40, 20, 0.1f, 0.7f, 0.2f,  //
        300, 50, 40, 20, 0.1f, 0.2f, 0.1f,
    };
    const std::vector<float> numbers = transposed(rows, 7);
    YoloV8Reader reader;
    const auto kept = found([&](Candidates& out) { reader.read(tensor_of(numbers, {1, 7, 4}), out); });
    expect(kept.size() == 2, text("%zu were found", kept.size()));
    expect_box(kept[0], 2, 0.9, 8, 17, 12, 23);
    expect_box(kept[1], 1, 0.8, 80, 40, 120, 60);
    return "";
  });

  test("corners with a class each are taken as they are", [] {
    const std::vector<float> numbers = {10, 20, 30, 50, 0.9f, 4, 0, 0, 0, 0, 0, 0, 10, 20, 30, 50, 0.8f, 70'000};
    const auto rows = found([&](Candidates& out) { read_corners(tensor_of(numbers, {1, 3, 6}), out); });
    expect(rows.size() == 1, text("%zu were found", rows.size()));
    expect_box(rows[0], 4, 0.9, 10, 20, 30, 50);
    return "";
  });

  test("SSD: shares of the input or pixels, rows or columns first, and no more than the count says", [] {
    const std::vector<float> boxes = {0.1f, 0.2f, 0.3f, 0.6f, 0.5f, 0.5f, 0.75f, 1.0f, 0, 0, 1, 1},
                             scores = {0.9f, 0.5f, 0.8f}, count = {2};
    const std::vector<int64_t> labels = {3, 7, 1};
    Tensors tensors;
    tensors.count = 4;
    tensors.all[0] = tensor_of(scores, {1, 3});
    tensors.all[1] = tensor_of(boxes, {1, 3, 4});
    tensors.all[2] = {Element::i64, 2, {1, 3}, labels.data()};
    tensors.all[3] = tensor_of(count, {1});
    const auto rows = found([&](Candidates& out) { read_ssd(tensors, {1, 2, 0, 3}, {true, true}, 200, 100, out); });
    expect(rows.size() == 2, text("%zu were found", rows.size()));
    expect_box(rows[0], 3, 0.9, 40, 10, 120, 30);
    expect_box(rows[1], 7, 0.5, 100, 50, 200, 75);
    const auto uncounted = found([&](Candidates& out) {
      read_ssd(tensors, {1, 2, 0, -1}, {false, false}, 200, 100, out);
    });
    expect(uncounted.size() == 3, "the third is missing");
    expect_box(uncounted[1], 1, 0.8, 0, 0, 1, 1);
    return "";
  });

  test("only classes that are asked for are found, and no more than may be", [] {
    const auto only = found(
        [](Candidates& out) {
          read_yolov5(tensor_of(YOLOV5, {1, 3, 7}), out);
        },
        0.25, 0.45, 100, {0});
    const auto one = found([](Candidates& out) { read_yolov5(tensor_of(YOLOV5, {1, 3, 7}), out); }, 0.25, 0.45, 1);
    const auto sure = found([](Candidates& out) { read_yolov5(tensor_of(YOLOV5, {1, 3, 7}), out); }, 0.71);
    const auto all = found([](Candidates& out) { read_yolov5(tensor_of(YOLOV5, {1, 3, 7}), out); }, 0.25, 1);
    expect(only.size() == 1 && only[0].label == 0, "other classes");
    expect(one.size() == 1 && one[0].label == 1, "not the likeliest alone");
    expect(sure.size() == 1 && all.size() == 3, text("%zu and %zu", sure.size(), all.size()));
    return "";
  });

  test("a model that finds something everywhere gives the likeliest, in time", [] {
    std::vector<float> rows;
    for (int i = 0; i < 20'000; i++)
      for (const float number :
           {10.0f * static_cast<float>(i), 5.0f, 4.0f, 4.0f, 1.0f, 0.3f + 0.00003f * static_cast<float>(i)})
        rows.push_back(number);
    const auto kept = found(
        [&](Candidates& out) {
          read_yolov5(tensor_of(rows, {1, 20'000, 6}), out);
        },
        0.25, 0.45, 300);
    expect(kept.size() == 300 && kept[0].at == 19'999 && kept[299].at == 19'700,
           text("%zu, the first %zu", kept.size(), kept[0].at));
    return "";
  });

  test("numbers that are none are no objects", [] {
    const std::vector<float> boxes = {NOTHING, 50, 40,  20, 0.9f, 0.9f, 100, 50, NOTHING,  20, 0.9f, 0.9f,
                                      100,     50, -40, 20, 0.9f, 0.9f, 100, 50, INFINITY, 20, 0.9f, 0.9f};
    const std::vector<float> scores = {100, 50, 40, 20, NOTHING, 0.9f, 100, 50, 40, 20, 0.9f, NOTHING};
    for (const std::vector<float>& rows : {boxes, scores})
      expect(found([&](Candidates& out) {
               read_yolov5(tensor_of(rows, {1, rows.size() / 6, 6}), out);
             }).empty(),
             "something was found");
    YoloV8Reader reader;
    const std::vector<float> columns = transposed(boxes, 6);
    expect(found([&](Candidates& out) {
             reader.read(tensor_of(columns, {1, 6, 4}), out);
           }).empty(),
           "something was found");
    return "";
  });

  test("tensors of another shape are refused with their shape", [] {
    const std::vector<float> numbers(24, 0.5f);
    Candidates out;
    out.begin(0.2, {});
    YoloV8Reader reader;
    for (const Tensor& tensor : {tensor_of(numbers, {24}), tensor_of(numbers, {2, 2, 6}),
                                 tensor_of(numbers, {1, 2, 2, 6}), tensor_of(numbers, {1, 6, 4})}) {
      const Fault fault = fault_of([&] { read_yolov5(tensor, out); });
      expect(fault.code == "step.failed" && fault.detail.find("choose another head") != std::string::npos,
             fault.detail);
    }
    expect(fault_of([&] {
             reader.read(tensor_of(numbers, {1, 4, 6}), out);
           }).detail == "the model answers with 1x4x6, and 1 x (4 + classes) x boxes is read; choose another head",
           "no sentence");
    expect(fault_of([&] { read_corners(tensor_of(numbers, {1, 3, 8}), out); }).code == "step.failed", "corners");
    Tensors one;
    one.count = 1;
    one.all[0] = tensor_of(numbers, {1, 6, 4});
    expect(fault_of([&] {
             read_ssd(one, {0, 1, 2, 3}, {}, 64, 64, out);
           }).detail == "the model gives no classes; choose another head",
           "no sentence");
    return "";
  });

  test("logits become shares of 1, and shares stay what they are", [] {
    ClassReader reader;
    const std::vector<float> logits = {1, 3, 2, -5}, shares = {0.1f, 0.2f, 0.7f};
    const auto guesses = reader.read(tensor_of(logits, {1, 4}), 2, 0.1);
    const double sum = std::exp(-2.0) + 1 + std::exp(-1.0) + std::exp(-8.0);
    expect(guesses.size() == 2 && guesses[0].label == 1 && guesses[1].label == 2, "others are likelier");
    expect(std::fabs(guesses[0].share - 1 / sum) < 1e-9 && std::fabs(guesses[1].share - std::exp(-1.0) / sum) < 1e-9,
           "with other shares");
    const auto known = reader.read(tensor_of(shares, {3}), 5, 0.15);
    expect(known.size() == 2 && known[0].label == 2 && std::fabs(known[0].share - 0.7) < 1e-6, "shares were changed");
    const std::vector<float> broken = {1, NOTHING};
    expect(reader.read(tensor_of(broken, {1, 2}), 5, 0).empty(), "a class was made of nothing");
    expect(fault_of([&] { reader.read(tensor_of(logits, {2, 2}), 5, 0); }).code == "step.failed", "a square was read");
    return "";
  });

  test("an answer that does not hold together is refused, whatever it says of itself", [] {
    const std::vector<uint32_t> good = {1, 2, 2, 2, 3, 0, 0, 0, 0, 0, 0, 48, 0, 0};  // 2x3 bytes behind the head
    expect(holds(good), "the good one is refused");
    const auto spoilt = [&](size_t at, uint32_t word) {
      std::vector<uint32_t> bad = good;
      bad[at] = word;
      return !holds(bad);
    };
    expect(spoilt(0, 9) && spoilt(0, 2), "tensors that are not there");
    expect(spoilt(1, 0) && spoilt(1, 6) && spoilt(1, 4), "other numbers");
    expect(spoilt(2, 9) && spoilt(3, 0xffffffff) && spoilt(4, 5), "other shapes");
    expect(spoilt(11, 52) && spoilt(11, 0xffffffff), "another place");
    expect(!holds({}) && !holds({1, 2}), "one that ends");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
