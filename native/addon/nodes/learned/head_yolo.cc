// Heads of the YOLO family.
#include <algorithm>

#include "head_shapes.h"
#include "heads.h"

namespace vedette {

namespace {

/** More names nobody has; a row that long is another tensor. */
constexpr size_t MAX_CLASSES = 10'000;

constexpr size_t BOX = 4;

Candidate centred(double x, double y, double width, double height) {
  return {x - width / 2, y - height / 2, x + width / 2, y + height / 2, 0, 0, 0};
}

}  // namespace

void read_yolov5(const Tensor& tensor, Candidates& out) {
  constexpr const char* expected = "1 x boxes x (5 + classes)";
  const auto [rows, columns] = matrix_of(tensor, expected);
  if (columns <= BOX + 1 || columns > MAX_CLASSES) refuse_shape(tensor, expected);
  const size_t classes = columns - BOX - 1;
  for (size_t at = 0; at < rows; at++) {
    const float* row = tensor.floats() + at * columns;
    if (!out.wants(row[BOX])) continue;  // shares of it are less
    const float* scores = row + BOX + 1;
    const float* best = std::max_element(scores, scores + classes);
    Candidate found = centred(row[0], row[1], row[2], row[3]);
    found.confidence = static_cast<double>(row[BOX]) * *best;
    found.label = static_cast<int>(best - scores);
    found.at = at;
    out.put(found);
  }
}

/** Row by row, as the numbers lie. */
void YoloV8Reader::read(const Tensor& tensor, Candidates& out) {
  constexpr const char* expected = "1 x (4 + classes) x boxes";
  const auto [rows, columns] = matrix_of(tensor, expected);
  if (rows <= BOX || rows > MAX_CLASSES) refuse_shape(tensor, expected);
  const float* first = tensor.floats() + BOX * columns;
  best_.assign(first, first + columns);
  label_.assign(columns, 0);
  for (size_t row = BOX + 1; row < rows; row++) {
    const float* scores = tensor.floats() + row * columns;
    const int label = static_cast<int>(row - BOX);
    for (size_t at = 0; at < columns; at++) {
      const bool is_better = scores[at] > best_[at];
      best_[at] = is_better ? scores[at] : best_[at];
      label_[at] = is_better ? label : label_[at];
    }
  }
  for (size_t at = 0; at < columns; at++) {
    if (!out.wants(best_[at])) continue;
    const float* box = tensor.floats() + at;
    Candidate found = centred(box[0], box[columns], box[2 * columns], box[3 * columns]);
    found.confidence = best_[at];
    found.label = label_[at];
    found.at = at;
    out.put(found);
  }
}

void read_corners(const Tensor& tensor, Candidates& out) {
  constexpr const char* expected = "1 x boxes x 6";
  const auto [rows, columns] = matrix_of(tensor, expected);
  if (columns != BOX + 2) refuse_shape(tensor, expected);
  for (size_t at = 0; at < rows; at++) {
    const float* row = tensor.floats() + at * columns;
    const bool is_label = row[5] >= 0 && row[5] < MAX_CLASSES;
    if (is_label) out.put({row[0], row[1], row[2], row[3], row[4], static_cast<int>(row[5]), at});
  }
}

}  // namespace vedette
