// Things that a model knows, and where in the picture they are.
#include <algorithm>
#include <cmath>

#include "heads.h"
#include "ideal_points.h"
#include "learned_nodes.h"
#include "model_node.h"

namespace vedette {

namespace {

constexpr int MAX_OBJECTS = 300;

SsdBoxes ssd_boxes_of(const std::string& name) {
  if (name == "yxyx-share") return {true, true};
  if (name == "xyxy-share") return {false, true};
  if (name == "yxyx-px") return {true, false};
  if (name == "xyxy-px") return {false, false};
  throw Fault{"engine.bad_task", "there are no boxes called " + name};
}

/** The upright box around a box of the model, in pixels of the source. */
struct SourceBox {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/** Empty where a part of it is nowhere in the source. */
SourceBox in_source(const Candidate& box, const ToSource& to_source) {
  SourceBox out{INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (const auto& [x, y] :
       {std::pair(box.x0, box.y0), std::pair(box.x1, box.y0), std::pair(box.x1, box.y1), std::pair(box.x0, box.y1)}) {
    double at[2] = {x, y};
    if (!to_source.apply(at[0], at[1])) return {};
    out.x0 = std::min(out.x0, at[0]);
    out.y0 = std::min(out.y0, at[1]);
    out.x1 = std::max(out.x1, at[0]);
    out.y1 = std::max(out.y1, at[1]);
  }
  return out;
}

struct WantedObjects {
  std::vector<int> labels;
  size_t limit;
  double min_confidence, max_overlap;

  explicit WantedObjects(const Params& params)
      : limit(static_cast<size_t>(std::clamp(params.integer("limit"), 1, MAX_OBJECTS))),
        min_confidence(params.number("min_confidence")),
        max_overlap(params.number("max_overlap")) {
    for (const double label : params.numbers("classes"))
      labels.push_back(static_cast<int>(std::clamp(label, -1.0, 1e9)));
  }
};

class ObjectDetectorNode : public ModelNode {
 public:
  ObjectDetectorNode(const Params& params, const Intrinsics& camera)
      : ModelNode(params, Fit::whole),
        ssd_boxes_(ssd_boxes_of(params.string("boxes"))),
        ideal_(camera),
        wanted_(params) {
    if (model().head >= DETECTOR_HEAD_COUNT) throw Fault{"engine.bad_task", "the head of the model is not known"};
  }

  void set_params(const Params& params) override {
    WantedObjects wanted(params);
    HostNode::set_params(params);
    wanted_ = std::move(wanted);
  }

 protected:
  void clear(const Ports& ports) override { ports.out<Objects>().clear(); }

  void read(const Moment& moment, const Ports& ports, const uint8_t* answer, size_t bytes) override {
    const Tensors tensors = tensors_of(answer, bytes);
    candidates_.begin(wanted_.min_confidence, wanted_.labels);
    find(tensors);
    Objects& out = ports.out<Objects>();
    for (const Candidate& found : candidates_.distinct(wanted_.max_overlap, wanted_.limit)) {
      const SourceBox box = in_source(found, to_source());
      const double x0 = std::clamp<double>(box.x0, 0, moment.frame.width),
                   x1 = std::clamp<double>(box.x1, 0, moment.frame.width);
      const double y0 = std::clamp<double>(box.y0, 0, moment.frame.height),
                   y1 = std::clamp<double>(box.y1, 0, moment.frame.height);
      if (!(x1 > x0 && y1 > y0)) continue;  // in the bars
      out.push_back(
          {found.label, std::min(found.confidence, 1.0), {(x0 + x1) / 2, (y0 + y1) / 2}, x1 - x0, y1 - y0, 0, 0});
    }
    if (ideal_.know(moment.frame)) set_directions(out, ideal_);
  }

 private:
  void find(const Tensors& tensors) {
    const Tensor& first = tensors.all[0];
    switch (static_cast<DetectorHead>(model().head)) {
      case DetectorHead::yolov5:
        return read_yolov5(first, candidates_);
      case DetectorHead::yolov8:
        return yolov8_.read(first, candidates_);
      case DetectorHead::corners:
        return read_corners(first, candidates_);
      case DetectorHead::ssd:
        return read_ssd(tensors, {model().boxes, model().labels, model().scores, model().count}, ssd_boxes_,
                        model().input.width, model().input.height, candidates_);
    }
  }

  const SsdBoxes ssd_boxes_;
  YoloV8Reader yolov8_;
  Candidates candidates_;
  IdealPoints ideal_;
  WantedObjects wanted_;
};

}  // namespace

std::unique_ptr<Node> make_object_detector_node(const Params& params, const Scene& scene) {
  return std::make_unique<ObjectDetectorNode>(params, scene.intrinsics);
}

}  // namespace vedette
