// What the numbers that a model answers with mean: one function for each way in which models say what they see.
#pragma once

#include <vector>

#include "candidates.h"
#include "tensor.h"

namespace vedette {

/** Ways to say where something is; by the index in DETECTOR_HEADS of machines/models/head.ts. */
enum class DetectorHead { yolov5, yolov8, corners, ssd };
constexpr int DETECTOR_HEAD_COUNT = 4;

/**
 * How the boxes of an SSD are written. is_rows_first: top, left, bottom, right, else left, top, right, bottom.
 * is_share: of the input's size, else in pixels.
 */
struct SsdBoxes {
  bool is_rows_first = true, is_share = true;
};

/** Which outputs of the model are which. count: -1 when there is none. */
struct SsdOutputs {
  int boxes = 0, labels = 1, scores = 2, count = 3;
};

// All of them put what they find into `out`, and throw Fault `step.failed` for tensors of another shape.

/** [1, N, 5 + classes]: centre, width, height, whether there is anything, and what. */
void read_yolov5(const Tensor& tensor, Candidates& out);

/** [1, 4 + classes, N]: centre, width, height, and what. Keeps buffers between frames. */
class YoloV8Reader {
 public:
  void read(const Tensor& tensor, Candidates& out);

 private:
  std::vector<float> best_;
  std::vector<int> label_;
};

/** [1, N, 6]: two corners, confidence, class; of models that have sorted out themselves what they found. */
void read_corners(const Tensor& tensor, Candidates& out);

/** Boxes [1, N, 4] or [N, 4], and of each its class and its score. width, height: of the input. */
void read_ssd(const Tensors& tensors, const SsdOutputs& outputs, const SsdBoxes& boxes, double width, double height,
              Candidates& out);

/** What a model takes the whole picture for. share: 0 to 1. */
struct Guess {
  int label = 0;
  double share = 0;
};

/**
 * [1, classes] or [classes]: the likeliest first, at most `most`, none below `least`. Numbers that are no shares of 1
 * are taken for logits. Keeps its buffer.
 */
class ClassReader {
 public:
  const std::vector<Guess>& read(const Tensor& tensor, size_t most, double least);

 private:
  std::vector<Guess> guesses_;
};

}  // namespace vedette
