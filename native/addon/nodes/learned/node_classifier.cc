// What a model takes the whole picture for.
#include <algorithm>

#include "heads.h"
#include "learned_nodes.h"
#include "model_node.h"

namespace vedette {

namespace {

constexpr int MAX_GUESSES = 100;

Fit fit_of(const std::string& name) {
  if (name == "middle") return Fit::middle;
  if (name == "whole") return Fit::whole;
  throw Fault{"engine.bad_task", "there is no way to fit a picture called " + name};
}

struct WantedGuesses {
  size_t most;
  double least;

  explicit WantedGuesses(const Params& params)
      : most(static_cast<size_t>(std::clamp(params.integer("limit"), 1, MAX_GUESSES))),
        least(params.number("min_confidence")) {}
};

class ClassifierNode : public ModelNode {
 public:
  explicit ClassifierNode(const Params& params) : ModelNode(params, fit_of(params.string("fit"))), wanted_(params) {}

  void set_params(const Params& params) override {
    const WantedGuesses wanted(params);
    HostNode::set_params(params);
    wanted_ = wanted;
  }

 protected:
  void clear(const Ports& ports) override { ports.out<Classes>().clear(); }

  void read(const Moment&, const Ports& ports, const uint8_t* answer, size_t bytes) override {
    const Tensors tensors = tensors_of(answer, bytes);
    Classes& out = ports.out<Classes>();
    for (const Guess& guess : reader_.read(tensors.all[0], wanted_.most, wanted_.least))
      out.push_back({guess.label, guess.share});
  }

 private:
  ClassReader reader_;
  WantedGuesses wanted_;
};

}  // namespace

std::unique_ptr<Node> make_classifier_node(const Params& params, const Scene&) {
  return std::make_unique<ClassifierNode>(params);
}

}  // namespace vedette
