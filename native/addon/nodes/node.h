// A step of a plan, seen from inside: one operation with numbered ports.
#pragma once

#include <memory>
#include <vector>

#include "live.h"
#include "params.h"
#include "robot_yaw.h"
#include "source.h"
#include "value.h"

namespace vedette {

/** What holds for a whole opening. intrinsics: those of the source. */
struct Scene {
  Intrinsics intrinsics;
  FieldMap map;
};

/** Where it is told what went wrong without costing the picture its result. */
class WarningSink {
 public:
  virtual ~WarningSink() = default;
  virtual void add(const Fault& fault) = 0;
};

/**
 * What holds for one frame. mount: the camera body on the robot. live: what the robot has set; none: nothing. yaws:
 * which way it looked; none: it did not say. is_too_full: set by tell_too_full(); nullptr: nobody asks.
 */
struct Moment {
  Frame& frame;
  Pose mount;
  WarningSink* warnings = nullptr;
  const LiveControls* live = nullptr;
  const RobotYaws* yaws = nullptr;
  bool* is_too_full = nullptr;

  /**
   * Which way the robot looked then. Asked for as late as can be: what it says meanwhile lies after the frame, and
   * nothing has to be guessed.
   */
  std::optional<RobotYaw> yaw() const { return yaws ? yaws->yaw_at(frame.captured_us) : std::nullopt; }

  /** A step could not do its part; the others have done theirs. */
  void warn(const Fault& fault) const {
    if (warnings) warnings->add(fault);
  }

  /**
   * A step has done its part on less than was asked for, since there is more in the picture than memory and time allow.
   * detail: what that means, and the way out.
   */
  void tell_too_full(const std::string& detail) const {
    if (is_too_full) *is_too_full = true;
    warn({"picture.too_full", detail});
  }
};

/** The slots that a step reads and writes, in the order of its ports. The plan has checked their kinds. */
struct Ports {
  std::vector<const Value*> inputs;
  std::vector<Value*> outputs;

  template <typename T>
  const T& in(size_t port) const {
    return std::get<T>(*inputs[port]);
  }

  /** nullptr when the port is not connected. */
  template <typename T>
  const T* optional_in(size_t port) const {
    return inputs[port] ? &std::get<T>(*inputs[port]) : nullptr;
  }

  template <typename T>
  T& out(size_t port = 0) const {
    return std::get<T>(*outputs[port]);
  }

  /** nullptr when nobody reads the port. Only those that are optional may be left open. */
  template <typename T>
  T* optional_out(size_t port) const {
    return outputs[port] ? &std::get<T>(*outputs[port]) : nullptr;
  }
};

/**
 * One operation. Created when a camera opens, used by one worker thread; keeps its buffers between frames.
 * A Fault or an exception that it throws concerns the present picture, which is then skipped.
 */
class Node {
 public:
  virtual ~Node() = default;
  virtual void process(const Moment& moment, const Ports& ports) = 0;

  /**
   * Takes what the registry calls `live` of these parameters over, between two frames; the others are as they were.
   * Throws Fault `engine.bad_task` and changes nothing.
   */
  virtual void set_params(const Params&) {}
};

/** The pixels of a port of kind image. any: inputs that take all. same: outputs that give what the first input has. */
enum class PortFormat { gray, colour, mask, any, same };
constexpr const char* PORT_FORMAT_NAMES[] = {"gray", "colour", "mask", "any", "same"};

/** An input or an output. */
struct NodePort {
  const char* name;
  Kind kind;
  bool optional = false;
  PortFormat format = PortFormat::gray;
};

/** Those of a step. */
struct StepPorts {
  std::vector<NodePort> inputs, outputs;
};

/** A type of node: its ports and how one is made. Making throws Fault `engine.bad_task`. */
struct NodeType {
  using Port = NodePort;
  const char* name;
  std::vector<Port> inputs, outputs;
  std::unique_ptr<Node> (*make)(const Params& params, const Scene& scene);
  /** How much it keeps for as long as the camera is open, bytes, where that is much; nullptr: little. */
  double (*bytes_kept)(const Params& params) = nullptr;
  /** Of a type whose steps have ports of their own; nullptr: `inputs` and `outputs` are those of all. */
  StepPorts (*ports)(const Params& params) = nullptr;
};

/** An input or output with pixels. */
constexpr NodeType::Port image_port(PortFormat format, const char* name = "image") {
  return {name, Kind::image, false, format};
}

const std::vector<NodeType>& node_types();

/** nullptr when there is no such type. */
const NodeType* find_node_type(const std::string& name);

}  // namespace vedette
