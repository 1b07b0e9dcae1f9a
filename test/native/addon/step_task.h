// What is to be run on which frames, in words, as test/support/engine/stepped.ts writes it.
#pragma once

#include <istream>
#include <sstream>

#include "plan.h"
#include "pose_math.h"
#include "synthetic_camera.h"

namespace vedette::test {

struct Task {
  SyntheticOptions camera;
  PlanDocument plan;
  int frames = 0, every = 1, from = 0;
  bool observes = false;  // what each frame shows of tags is written behind its result
  std::vector<std::string> pictures;
  std::vector<double> heading;  // how far the robot's own is off, degrees; empty: it says none
};

/** What the robot says of its heading in a frame: with as much doubt as an engine has. */
class SaidYaw : public RobotYaws {
 public:
  SaidYaw(const Frame& frame, const Task& task) : frame_(frame), task_(task) {}

  std::optional<RobotYaw> yaw_at(int64_t) const override {
    if (task_.heading.empty()) return std::nullopt;
    constexpr double RAD = M_PI / 180, SIGMA_DEG = 0.5;
    const Mat3 turned = rotation_matrix(frame_.truth.field_robot);
    return RobotYaw{std::atan2(turned[3], turned[0]) + task_.heading.front() * RAD, SIGMA_DEG * RAD};
  }

 private:
  const Frame& frame_;
  const Task& task_;
};

inline Pose read_pose(std::istream& in) {
  Pose pose;
  in >> pose.x >> pose.y >> pose.z >> pose.qw >> pose.qx >> pose.qy >> pose.qz;
  return pose;
}

template <typename T>
std::vector<T> read_list(std::istream& in) {
  size_t count = 0;
  in >> count;
  std::vector<T> list(count);
  for (T& each : list) in >> each;
  return list;
}

inline Intrinsics read_intrinsics(std::istream& in) {
  Intrinsics out;
  in >> out.width >> out.height >> out.fx >> out.fy >> out.cx >> out.cy;
  out.distortion = read_list<double>(in);
  out.known = true;
  return out;
}

inline Param read_param(std::istream& in) {
  std::string type, text;
  double number = 0;
  in >> type;
  if (type == "null") return std::monostate{};
  if (type == "numbers") return read_list<double>(in);
  if (type == "rows") {
    size_t count = 0;
    in >> count;
    std::vector<std::vector<double>> rows;
    for (size_t i = 0; i < count; i++) rows.push_back(read_list<double>(in));
    return rows;
  }
  if (type == "strings") return read_list<std::string>(in);
  if (type == "string") return in >> text, text;
  in >> number;
  if (type == "flag") return number != 0;
  return number;
}

inline void read_line(const std::string& word, std::istream& in, Task& task) {
  SyntheticOptions& camera = task.camera;
  if (word == "size") in >> camera.width >> camera.height;
  else if (word == "motion") in >> camera.motion >> camera.speed_m_s;
  else if (word == "light") in >> camera.light >> camera.vignetting >> camera.exposure_us;
  else if (word == "noise") in >> camera.noise >> camera.seed >> camera.occlusion;
  else if (word == "fps") in >> camera.fps;
  else if (word == "lens") camera.intrinsics = read_intrinsics(in);
  else if (word == "mount") camera.mount = read_pose(in);
  else if (word == "pose") camera.pose = read_pose(in), camera.has_pose = true;
  else if (word == "drive") in >> camera.drive.seed >> camera.drive.speed_m_s >> camera.drive.spin_deg_s;
  else if (word == "lens_share") in >> camera.faults.lens_share;
  else if (word == "mount_fault") camera.faults.mount = read_pose(in);
  else if (word == "map_faults") in >> camera.faults.map_m >> camera.faults.map_deg >> camera.faults.map_seed;
  else if (word == "displaced")
    in >> camera.faults.tags.emplace_back().id, camera.faults.tags.back().offset = read_pose(in);
  else if (word == "map") in >> camera.map.family >> camera.map.tag_size_m >> camera.map.length_m >> camera.map.width_m;
  else if (word == "tag") in >> camera.map.tags.emplace_back().id, camera.map.tags.back().field_tag = read_pose(in);
  else if (word == "family") in >> camera.map.tags.back().family;
  else if (word == "tag_size") in >> camera.map.tags.back().size_m;
  else if (word == "frames") in >> task.frames >> task.every >> task.from;
  else if (word == "observes") task.observes = true;
  else if (word == "heading") in >> task.heading.emplace_back();
  else if (word == "picture") in >> std::ws, std::getline(in, task.pictures.emplace_back());
  else if (word == "slots") in >> task.plan.slots;
  else if (word == "output") in >> task.plan.outputs.emplace_back().port >> task.plan.outputs.back().slot;
  else if (word == "step") {
    PlanDocument::Step& step = task.plan.steps.emplace_back();
    in >> step.id >> step.type;
    step.inputs = read_list<int>(in);
    step.outputs = read_list<int>(in);
    step.params = Params(step.id);
  } else if (word == "param") {
    std::string name;
    in >> name;
    task.plan.steps.back().params.set(name, read_param(in));
  } else {
    throw Fault{"task", "no such word: " + word};
  }
  if (in.fail()) throw Fault{"task", "cannot read what follows " + word};
}

inline Task read_task(std::istream& in) {
  Task task;
  for (std::string line, word; std::getline(in, line);) {
    std::istringstream words(line);
    if (words >> word) read_line(word, words, task);
  }
  return task;
}

}  // namespace vedette::test
