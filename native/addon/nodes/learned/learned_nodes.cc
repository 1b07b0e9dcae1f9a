#include "learned_nodes.h"

#include "tensor.h"

namespace vedette {

namespace {

/** machines/models/input.ts holds models to it. */
constexpr int MAX_SIDE = 2048;

int whole(double number, int least, int most) {
  if (!(number >= least && number <= most))
    throw Fault{"engine.bad_task", "the facts of the model do not hold together"};
  return static_cast<int>(number);
}

}  // namespace

std::vector<NodeType> learned_node_types() {
  return {
      {"object-detector", {image_port(PortFormat::any)}, {{"objects", Kind::objects}}, make_object_detector_node},
      {"classifier", {image_port(PortFormat::any)}, {{"classes", Kind::classes}}, make_classifier_node},
  };
}

ModelFacts model_facts(const std::vector<double>& facts, Levels levels) {
  if (facts.size() != 10) throw Fault{"engine.bad_task", "a model has ten facts"};
  ModelFacts out;
  out.input.width = whole(facts[0], 0, MAX_SIDE);
  out.input.height = whole(facts[1], 0, MAX_SIDE);
  out.input.channels = whole(facts[2], 1, 3);
  out.input.is_planar = whole(facts[3], 0, 1) == 1;
  out.input.element = whole(facts[4], 0, 1) == 1 ? Element::u8 : Element::f32;
  out.input.levels = levels;
  out.head = whole(facts[5], 0, 100);
  const int most = static_cast<int>(Tensors::MAX) - 1;
  out.boxes = whole(facts[6], -1, most);
  out.labels = whole(facts[7], -1, most);
  out.scores = whole(facts[8], -1, most);
  out.count = whole(facts[9], -1, most);
  if (out.input.channels == 2) throw Fault{"engine.bad_task", "no picture has two colours"};
  return out;
}

}  // namespace vedette
