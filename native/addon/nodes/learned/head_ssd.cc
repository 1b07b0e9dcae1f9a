// The head of single-shot detectors: boxes, classes, scores and how many of them hold.
#include <algorithm>
#include <string>

#include "head_shapes.h"
#include "heads.h"

namespace vedette {

namespace {

constexpr size_t MAX_CLASSES = 10'000;

const Tensor& output(const Tensors& tensors, int index, const char* what) {
  if (index < 0 || static_cast<size_t>(index) >= tensors.count)
    throw Fault{"step.failed", std::string("the model gives no ") + what + "; choose another head"};
  return tensors.all[static_cast<size_t>(index)];
}

size_t rows_of(const Tensor& boxes) {
  const bool is_one = boxes.rank == 2 || (boxes.rank == 3 && boxes.dims[0] == 1);
  if (!is_one || boxes.dims[boxes.rank - 1] != 4) refuse_shape(boxes, "1 x boxes x 4");
  return boxes.dims[boxes.rank - 2];
}

/** Those that hold: the others are left over from before. */
size_t count_in(const Tensors& tensors, int index, size_t rows) {
  if (index < 0) return rows;
  const Tensor& tensor = output(tensors, index, "count");
  if (tensor.count() != 1) refuse_shape(tensor, "one number as the count");
  const double count = tensor.at(0);
  return count > 0 ? static_cast<size_t>(std::min(count, static_cast<double>(rows))) : 0;
}

}  // namespace

void read_ssd(const Tensors& tensors, const SsdOutputs& outputs, const SsdBoxes& written, double width, double height,
              Candidates& out) {
  const Tensor& boxes = output(tensors, outputs.boxes, "boxes");
  const Tensor& labels = output(tensors, outputs.labels, "classes");
  const Tensor& scores = output(tensors, outputs.scores, "scores");
  const size_t rows = rows_of(boxes);
  if (labels.count() != rows) refuse_shape(labels, "a class for each box");
  if (scores.count() != rows) refuse_shape(scores, "a score for each box");
  const double wide = written.is_share ? width : 1, high = written.is_share ? height : 1;
  const size_t x = written.is_rows_first ? 1 : 0, y = 1 - x;
  const size_t count = count_in(tensors, outputs.count, rows);
  for (size_t at = 0; at < count; at++) {
    const double score = scores.at(at), label = labels.at(at);
    if (!out.wants(score) || !(label >= 0 && label < MAX_CLASSES)) continue;
    const size_t box = 4 * at;
    out.put({boxes.at(box + x) * wide, boxes.at(box + y) * high, boxes.at(box + 2 + x) * wide,
             boxes.at(box + 2 + y) * high, score, static_cast<int>(label), at});
  }
}

}  // namespace vedette
