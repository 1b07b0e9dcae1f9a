// Nodes whose work a learned model does. The runtime of the models is JavaScript's (native/engine/host): here are their
// inputs made, and their answers read.
#pragma once

#include "host_node.h"
#include "letterbox.h"
#include "node.h"

namespace vedette {

std::vector<NodeType> learned_node_types();

std::unique_ptr<Node> make_object_detector_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_classifier_node(const Params& params, const Scene& scene);

/**
 * The facts of a model as its worker tells them, number by number (machines/models/model-fit.ts). Without a model the
 * input has no size.
 */
struct ModelFacts {
  ModelInput input;
  int head = 0, boxes = -1, labels = -1, scores = -1, count = -1;
};

/** Throws Fault `engine.bad_task` for facts that are none. */
ModelFacts model_facts(const std::vector<double>& facts, Levels levels);

}  // namespace vedette
