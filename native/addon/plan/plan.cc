#include "plan.h"

#include <algorithm>

namespace vedette {

namespace {

constexpr int MOST_SLOTS = 4096;

constexpr double MOST_BYTES = 600e6;  // of what all steps keep; graphs are held to half of that before they come here

[[noreturn]] void refuse(const std::string& why) { throw Fault{"engine.bad_task", "the plan does not hold together: " + why}; }

/** Whether pixels of that format are what a port takes. A mask is grey to whoever looks at levels alone. */
bool fits(PortFormat wanted, ImageFormat given) {
  switch (wanted) {
    case PortFormat::gray: return given != ImageFormat::colour;
    case PortFormat::colour: return given == ImageFormat::colour;
    case PortFormat::mask: return given == ImageFormat::mask;
    default: return true;
  }
}

/** What a port gives, when the first picture that its step reads is of the format `first`. */
ImageFormat format_of(PortFormat format, ImageFormat first) {
  switch (format) {
    case PortFormat::colour: return ImageFormat::colour;
    case PortFormat::mask: return ImageFormat::mask;
    case PortFormat::same: return first;
    default: return ImageFormat::gray;
  }
}

Fault too_slow(const std::string& step, int64_t took_us) {
  return {"picture.too_slow", "the pipeline was " + std::to_string(took_us / 1000) + " ms at this picture when step " + step +
                                  " was done, which is too long for its result to be of use; choose smaller pictures, or a pipeline that computes less"};
}

}  // namespace

Plan::Plan(const PlanDocument& document, const Scene& scene) {
  if (document.slots < 0 || document.slots > MOST_SLOTS) refuse(std::to_string(document.slots) + " slots");
  slots_.resize(document.slots);
  std::vector<bool> filled(document.slots);
  double bytes = 0;
  for (const auto& step : document.steps) {
    const NodeType* type = find_node_type(step.type);
    if (!type) refuse("step " + step.id + " is of the unknown type " + step.type);
    if (step.inputs.size() != type->inputs.size() || step.outputs.size() != type->outputs.size()) refuse("step " + step.id + " has the wrong number of ports");
    bytes += type->bytes_kept ? type->bytes_kept(step.params) : 0;
    if (bytes > MOST_BYTES) refuse("its steps would keep more than 600 MB");

    Ports ports;
    ImageFormat first = ImageFormat::gray;
    for (size_t i = 0; i < step.inputs.size(); i++) {
      const NodeType::Port& port = type->inputs[i];
      const bool left_open = step.inputs[i] == -1 && port.optional;
      const Value* value = left_open ? nullptr : slot(step.inputs[i], step.id);
      if (value && (!filled[step.inputs[i]] || kind_of(*value) != port.kind)) refuse("step " + step.id + " reads a slot of another kind");
      const Image* image = value ? std::get_if<Image>(value) : nullptr;
      if (image && !fits(port.format, image->format)) refuse("step " + step.id + " reads pixels of another format");
      if (image && i == 0) first = image->format;
      ports.inputs.push_back(value);
    }
    for (size_t i = 0; i < step.outputs.size(); i++) {
      const NodeType::Port& port = type->outputs[i];
      if (step.outputs[i] == -1 && port.optional) {
        ports.outputs.push_back(nullptr);
        continue;
      }
      Value* value = slot(step.outputs[i], step.id);
      if (filled[step.outputs[i]]) refuse("step " + step.id + " writes a slot that is taken");
      filled[step.outputs[i]] = true;
      *value = empty_value(port.kind);
      if (auto* image = std::get_if<Image>(value)) image->format = format_of(port.format, first);
      ports.outputs.push_back(value);
    }
    steps_.push_back({step.id, type->make(step.params, scene), std::move(ports)});
  }
  for (const auto& output : document.outputs) {
    const Value* value = slot(output.slot, output.port);
    if (!filled[output.slot] || kind_of(*value) == Kind::image) refuse("output " + output.port + " has nothing to send");
    outputs_.push_back(value);
  }
  stage_us_.resize(steps_.size());
}

Value* Plan::slot(int number, const std::string& of) {
  if (number < 0 || number >= static_cast<int>(slots_.size())) refuse(of + " names the slot " + std::to_string(number) + " of " + std::to_string(slots_.size()));
  return &slots_[number];
}

void Plan::run(const Moment& moment, const std::function<bool(int64_t)>& is_too_late) {
  const int64_t started_us = monotonic_us();
  int64_t before_us = started_us;
  for (size_t i = 0; i < steps_.size(); i++) {
    steps_[i].node->process(moment, steps_[i].ports);
    const int64_t now_us = monotonic_us();
    stage_us_[i] = static_cast<double>(now_us - before_us);
    before_us = now_us;
    if (is_too_late(now_us - started_us)) throw too_slow(steps_[i].id, now_us - started_us);
  }
}

void Plan::set_params(const std::string& step, const Params& params) {
  const auto found = std::find_if(steps_.begin(), steps_.end(), [&](const Step& each) { return each.id == step; });
  if (found == steps_.end()) refuse("there is no step " + step + " to give parameters to");
  found->node->set_params(params);
}

void Plan::collect_detections(Detections& out) const {
  out.clear();
  for (const Value& value : slots_)
    if (const auto* detections = std::get_if<Detections>(&value)) out.insert(out.end(), detections->begin(), detections->end());
}

}  // namespace vedette
