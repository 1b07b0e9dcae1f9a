#include "plan.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace vedette {

namespace {

constexpr size_t MAX_PICTURES = 64;  // bits of a PictureSet; graphs have half as many outputs

[[noreturn]] void refuse(const std::string& why) {
  throw Fault{"engine.bad_task", "the plan does not hold together: " + why};
}

std::string megabytes(double bytes) { return std::to_string(static_cast<int64_t>(bytes / 1e6)) + " MB"; }

/** Whether the pixels of an image are some of another's: it was made without copying any. */
bool is_part(const Image& image, const Image& of) {
  return image.pixels >= of.pixels && image.pixels < of.pixels + static_cast<size_t>(of.stride) * of.height;
}

/**
 * Of the pictures that a step gives and keeps until it gives others; of those that are only parts of what it was given
 * nothing.
 */
double bytes_given(const Ports& ports) {
  double bytes = 0;
  for (const Value* value : ports.outputs) {
    const auto* image = value ? std::get_if<Image>(value) : nullptr;
    if (!image || image->is_empty()) continue;
    const auto is_from = [image](const Value* input) {
      const auto* whole = input ? std::get_if<Image>(input) : nullptr;
      return whole && is_part(*image, *whole);
    };
    if (!std::any_of(ports.inputs.begin(), ports.inputs.end(), is_from))
      bytes += static_cast<double>(image->stride) * image->height;
  }
  return bytes;
}

/** Whether pixels of that format are what a port takes. A mask counts as grey where only levels matter. */
bool fits(PortFormat wanted, ImageFormat given) {
  switch (wanted) {
    case PortFormat::gray:
      return given != ImageFormat::colour;
    case PortFormat::colour:
      return given == ImageFormat::colour;
    case PortFormat::mask:
      return given == ImageFormat::mask;
    default:
      return true;
  }
}

/** What a port gives, when the first picture that its step reads is of the format `first`. */
ImageFormat format_of(PortFormat format, ImageFormat first) {
  switch (format) {
    case PortFormat::colour:
      return ImageFormat::colour;
    case PortFormat::mask:
      return ImageFormat::mask;
    case PortFormat::same:
      return first;
    default:
      return ImageFormat::gray;
  }
}

Fault too_slow(const std::string& step, int64_t took_us) {
  return {"picture.too_slow", "the pipeline was " + std::to_string(took_us / 1000) + " ms at this picture when step " +
                                  step +
                                  " was done, which is too long for its result to be of use; choose smaller pictures, "
                                  "or a pipeline that computes less"};
}

/**
 * What a library throws at one picture costs that picture alone, as a Fault does: whatever is held before a camera must
 * not end the stream.
 */
void process(Node& node, const Moment& moment, const Ports& ports, const std::string& step) {
  try {
    node.process(moment, ports);
  } catch (const std::exception& error) {
    throw Fault{"step.failed", "step " + step + " failed with a picture, which is left out: " + error.what()};
  }
}

}  // namespace

Plan::Plan(const PlanDocument& document, const Scene& scene, double max_bytes) : max_bytes_(max_bytes) {
  if (document.slots < 0 || document.slots > MAX_SLOTS) refuse(std::to_string(document.slots) + " slots");
  slots_.resize(document.slots);
  std::vector<bool> filled(document.slots);
  for (const auto& step : document.steps) add_step(step, scene, filled);
  std::vector<Need> needs(document.slots);
  add_outputs(document, filled, needs);
  find_needs(document, needs);
  stage_us_.resize(steps_.size());
}

void Plan::add_step(const PlanDocument::Step& step, const Scene& scene, std::vector<bool>& filled) {
  const NodeType* type = find_node_type(step.type);
  if (!type) refuse("step " + step.id + " is of the unknown type " + step.type);
  const StepPorts all = type->ports ? type->ports(step.params) : StepPorts{type->inputs, type->outputs};
  if (step.inputs.size() != all.inputs.size() || step.outputs.size() != all.outputs.size())
    refuse("step " + step.id + " has the wrong number of ports");
  bytes_ += type->bytes_kept ? type->bytes_kept(step.params) : 0;
  if (bytes_ > max_bytes_) refuse("its steps would keep more than " + megabytes(max_bytes_));

  Ports ports;
  std::vector<OptionalOutput> optional;
  ImageFormat first = ImageFormat::gray;
  for (size_t i = 0; i < step.inputs.size(); i++) {
    const NodeType::Port& port = all.inputs[i];
    const bool left_open = step.inputs[i] == -1 && port.optional;
    const Value* value = left_open ? nullptr : slot(step.inputs[i], step.id);
    if (value && (!filled[step.inputs[i]] || kind_of(*value) != port.kind))
      refuse("step " + step.id + " reads a slot of another kind");
    const Image* image = value ? std::get_if<Image>(value) : nullptr;
    if (image && !fits(port.format, image->format)) refuse("step " + step.id + " reads pixels of another format");
    if (image && i == 0) first = image->format;
    ports.inputs.push_back(value);
  }
  for (size_t i = 0; i < step.outputs.size(); i++) {
    const NodeType::Port& port = all.outputs[i];
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
    if (port.optional) optional.push_back({i, value, {}});
  }
  steps_.push_back({step.id,
                    type->make(step.params, scene),
                    std::move(ports),
                    std::move(optional),
                    {},
                    false,
                    step.type == "source",
                    step.type == "field-pose"});
}

void Plan::add_outputs(const PlanDocument& document, const std::vector<bool>& filled, std::vector<Need>& needs) {
  for (const auto& output : document.outputs) {
    const Value* value = slot(output.slot, output.port);
    if (!filled[output.slot]) refuse("output " + output.port + " has nothing to send");
    if (const auto* image = std::get_if<Image>(value)) {
      if (pictures_.size() == MAX_PICTURES)
        refuse("more than " + std::to_string(MAX_PICTURES) + " outputs are pictures");
      needs[output.slot].by_pictures |= PictureSet{1} << pictures_.size();
      pictures_.push_back({output.port, image});
    } else {
      needs[output.slot].by_results = true;
      outputs_.push_back(value);
    }
  }
}

/**
 * Against the edges. What nobody needs at all was put there to be run, but for the source: who else sees its picture is
 * not the plan's to know.
 */
void Plan::find_needs(const PlanDocument& document, std::vector<Need>& needs) {
  for (size_t at = document.steps.size(); at-- > 0;) {
    const auto& step = document.steps[at];
    Need& need = steps_[at].need;
    for (const int output : step.outputs)
      if (output != -1) need.add(needs[output]);
    if (step.type != "source" && need.is_none()) need.by_results = true;
    for (OptionalOutput& output : steps_[at].optional) {
      output.need = needs[step.outputs[output.port]];
      if (output.need.is_none()) output.need.by_results = true;
      if (step.type != "source") continue;
      colour_ = output.need;
      need.add(colour_);
    }
    if (step.type == "source") is_read_ = need.by_results;
    for (const int input : step.inputs)
      if (input != -1) needs[input].add(need);
  }
}

Value* Plan::slot(int number, const std::string& of) {
  if (number < 0 || number >= static_cast<int>(slots_.size()))
    refuse(of + " names the slot " + std::to_string(number) + " of " + std::to_string(slots_.size()));
  return &slots_[number];
}

void Plan::run(const Moment& moment, PictureSet pictures, const std::function<bool(int64_t)>& is_too_late,
               bool is_seen) {
  for (size_t i = 0; i < steps_.size(); i++)
    if (!std::exchange(steps_[i].has_run, false) || (steps_[i].is_source && !is_seen)) stage_us_[i] = 0;
  picture_bytes_ = 0;
  run_steps(moment, pictures, is_too_late,
            [&](const Step& step) { return step.is_source ? is_seen : step.need.by_results; });
}

void Plan::read_picture(const Moment& moment) {
  for (Step& step : steps_) {
    if (!step.is_source) continue;
    for (const OptionalOutput& output : step.optional) step.ports.outputs[output.port] = nullptr;
    vedette::process(*step.node, moment, step.ports, step.id);
  }
}

void Plan::make_pictures(const Moment& moment, PictureSet pictures, const std::function<bool(int64_t)>& is_too_late) {
  run_steps(moment, pictures, is_too_late,
            [&](const Step& step) { return !step.is_source && !step.need.by_results && step.need.is_there(pictures); });
}

template <typename IsDue>
void Plan::run_steps(const Moment& moment, PictureSet pictures, const std::function<bool(int64_t)>& is_too_late,
                     IsDue is_due) {
  const int64_t started_us = monotonic_us();
  int64_t before_us = started_us;
  for (size_t i = 0; i < steps_.size(); i++) {
    Step& step = steps_[i];
    if (!is_due(step)) continue;
    for (const OptionalOutput& output : step.optional)
      step.ports.outputs[output.port] = output.need.is_there(pictures) ? output.value : nullptr;
    vedette::process(*step.node, moment, step.ports, step.id);
    step.has_run = true;
    keep_count(step);
    const int64_t now_us = monotonic_us();
    stage_us_[i] = static_cast<double>(now_us - before_us);
    before_us = now_us;
    if (is_too_late(now_us - started_us)) throw too_slow(step.id, now_us - started_us);
  }
}

/** Pictures are as large as a camera gives them, which nobody knew when the plan was made. */
void Plan::keep_count(const Step& step) {
  picture_bytes_ += bytes_given(step.ports);
  if (picture_bytes_ <= max_bytes_) return;
  throw Fault{"step.failed", "the pictures of all steps up to " + step.id + " take more than " + megabytes(max_bytes_) +
                                 "; let fewer steps give pictures, or smaller ones"};
}

PictureSet Plan::picture(const std::string& port) const {
  for (size_t i = 0; i < pictures_.size(); i++)
    if (pictures_[i].port == port) return PictureSet{1} << i;
  return 0;
}

void Plan::set_params(const std::string& step, const Params& params) {
  const auto found = std::find_if(steps_.begin(), steps_.end(), [&](const Step& each) { return each.id == step; });
  if (found == steps_.end()) refuse("there is no step " + step + " to give parameters to");
  try {
    found->node->set_params(params);
  } catch (const std::exception& error) {
    refuse("step " + step + " cannot take its parameters: " + error.what());
  }
}

const Points* Plan::observed() const {
  const Points* last = nullptr;
  for (const Step& step : steps_) {
    if (!step.has_run) continue;
    if (step.finds_robot) return &step.ports.in<Points>(0);
    for (const Value* value : step.ports.outputs)
      if (const auto* points = value ? std::get_if<Points>(value) : nullptr) last = points;
  }
  return last;
}

void Plan::collect_detections(Detections& out) const {
  out.clear();
  for (const Step& step : steps_) {
    if (!step.has_run) continue;
    for (const Value* value : step.ports.outputs)
      if (const auto* detections = value ? std::get_if<Detections>(value) : nullptr)
        out.insert(out.end(), detections->begin(), detections->end());
  }
}

}  // namespace vedette
