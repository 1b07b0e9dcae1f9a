// The plan executor: steps in order, over numbered slots.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "node.h"

namespace vedette {

/** A plan as it came from JavaScript (machines/pipeline/graph.ts). Slot -1: an optional input that is not connected. */
struct PlanDocument {
  struct Step {
    std::string id, type;
    std::vector<int> inputs, outputs;
    Params params;
  };
  struct Output {
    std::string port;
    int slot = 0;
  };
  int slots = 0;
  std::vector<Step> steps;
  std::vector<Output> outputs;
};

/** A plan with its nodes made. One worker thread runs it. */
class Plan {
 public:
  /** Throws Fault `engine.bad_task` when the plan does not hold together. */
  Plan(const PlanDocument& document, const Scene& scene);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /**
   * Runs all steps on a frame; what they leave in the slots stays until the next run. is_too_late: asked after each step that is done, with how long they
   * took so far in µs of wall time; when it says so, Fault `picture.too_slow` is thrown.
   */
  void run(const Moment& moment, const std::function<bool(int64_t)>& is_too_late);

  /** Hands a step its parameters anew (Node::set_params). Between runs. Throws Fault `engine.bad_task`. */
  void set_params(const std::string& step, const Params& params);

  /** Wall time of each step in the last run, µs. */
  const std::vector<double>& stage_us() const { return stage_us_; }
  /** The values that leave the engine, in the order of the plan's outputs. */
  const std::vector<const Value*>& outputs() const { return outputs_; }
  /** Every tag that any step has detected, to be drawn. */
  void collect_detections(Detections& out) const;

 private:
  struct Step {
    std::string id;
    std::unique_ptr<Node> node;
    Ports ports;
  };
  Value* slot(int number, const std::string& of);

  std::vector<Value> slots_;
  std::vector<Step> steps_;
  std::vector<double> stage_us_;
  std::vector<const Value*> outputs_;
};

}  // namespace vedette
