// One node by itself: made of its parameters, run on values, asked for what it gives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check.h"
#include "node.h"

namespace vedette::test {

/** A node with a slot for each of its outputs, which stay until it runs again. */
class OneNode {
 public:
  /** scene: by default without intrinsics and without a map. */
  OneNode(const std::string& type, const std::vector<std::pair<std::string, Param>>& params, const Scene& scene = {}) {
    const NodeType* found = find_node_type(type);
    expect(found != nullptr, "there is no node type " + type);
    Params all(type);
    for (const auto& [name, value] : params) all.set(name, value);
    node_ = found->make(all, scene);
    for (const NodeType::Port& port : found->outputs) slots_.push_back(empty_value(port.kind));
  }

  /** Runs it on these inputs; nullptr: an optional one that is left open. */
  void run(const std::vector<const Value*>& inputs, Frame& frame) {
    node_->process({frame, Pose{}, nullptr, &live}, ports(inputs));
  }

  /** With these inputs and its own slots. */
  Ports ports(const std::vector<const Value*>& inputs) {
    Ports out;
    out.inputs = inputs;
    for (Value& slot : slots_) out.outputs.push_back(&slot);
    return out;
  }

  void run(const std::vector<const Value*>& inputs) {
    Frame frame;
    run(inputs, frame);
  }

  template <typename T>
  const T& out(size_t port = 0) const {
    return std::get<T>(slots_[port]);
  }

  Node& node() { return *node_; }

  /** What a robot has set; at first nothing. */
  LiveControls live;

 private:
  std::unique_ptr<Node> node_;
  std::vector<Value> slots_;
};

}  // namespace vedette::test
