// What the nodes share that ask a learned model about a picture.
#pragma once

#include "host_node.h"
#include "learned_nodes.h"
#include "letterbox.h"
#include "tensor.h"

namespace vedette {

/** Gives the model the picture of the first input; what its answer means is left to others. */
class ModelNode : public HostNode {
 protected:
  ModelNode(const Params& params, Fit fit)
      : HostNode(params),
        facts_(model_facts(facts(), levels_of(params.string("levels")))),
        letterbox_(facts_.input, fit) {}

  size_t write(const Moment&, const Ports& ports, uint8_t* room, size_t most) final {
    const Image& image = ports.in<Image>(0);
    if (image.is_empty() || facts_.input.bytes() == 0) return 0;
    if (facts_.input.bytes() > most) throw Fault{"step.failed", "the model has no room for its input"};
    to_source_ = letterbox_.write(image, room);
    return facts_.input.bytes();
  }

  /** Of an answer: one at least. */
  static Tensors tensors_of(const uint8_t* answer, size_t bytes) {
    Tensors tensors = read_tensors(answer, bytes);
    if (tensors.count == 0) throw Fault{"step.failed", "the model answers with nothing"};
    return tensors;
  }

  const ModelFacts& model() const { return facts_; }
  /** Of the picture that was written last, from pixels of the input. */
  const ToSource& to_source() const { return to_source_; }

 private:
  const ModelFacts facts_;
  Letterbox letterbox_;
  ToSource to_source_;
};

}  // namespace vedette
