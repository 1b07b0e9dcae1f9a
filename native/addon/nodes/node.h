// A step of a plan, seen from inside: one operation with numbered ports.
#pragma once

#include <memory>
#include <vector>

#include "params.h"
#include "source.h"
#include "value.h"

namespace vedette {

/** What holds for a whole opening. intrinsics: those of the source. */
struct Scene {
  Intrinsics intrinsics;
  FieldMap map;
};

/** What holds for one frame. mount: the camera body on the robot. */
struct Moment {
  Frame& frame;
  Pose mount;
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
};

/**
 * One operation. Created when a camera opens, used by one worker thread; keeps its buffers between frames.
 * A Fault that it throws concerns the present picture, which is then skipped; any other exception ends the run.
 */
class Node {
 public:
  virtual ~Node() = default;
  virtual void process(const Moment& moment, const Ports& ports) = 0;
};

/** A type of node: its ports and how one is made. Making throws Fault `engine.bad_task`. */
struct NodeType {
  struct Port {
    const char* name;
    Kind kind;
    bool optional = false;
  };
  const char* name;
  std::vector<Port> inputs, outputs;
  std::unique_ptr<Node> (*make)(const Params& params, const Scene& scene);
};

const std::vector<NodeType>& node_types();

/** nullptr when there is no such type. */
const NodeType* find_node_type(const std::string& name);

std::unique_ptr<Node> make_source_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_gray_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_resize_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_crop_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_apriltag_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_undistort_points_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_tag_pose_node(const Params& params, const Scene& scene);
std::unique_ptr<Node> make_field_pose_node(const Params& params, const Scene& scene);

}  // namespace vedette
