// Runs a plan over frames of the synthetic camera, or over picture files, one after the other and without a clock: the engine without its threads.
// Reads the task in words from standard input, as test/support/stepped.ts writes it, and writes each result as a count and so many doubles.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>

#include "pack.h"
#include "picture.h"
#include "plan.h"
#include "synthetic_camera.h"

namespace vedette::test {
namespace {

struct Task {
  SyntheticOptions camera;
  PlanDocument plan;
  int frames = 0, every = 1, from = 0;
  std::vector<std::string> pictures;
};

/** Nothing is given up here: what counts is frames. */
const auto NEVER_TOO_LATE = [](int64_t) { return false; };

Pose read_pose(std::istream& in) {
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

Param read_param(std::istream& in) {
  std::string type, text;
  double number = 0;
  in >> type;
  if (type == "null") return std::monostate{};
  if (type == "numbers") return read_list<double>(in);
  if (type == "strings") return read_list<std::string>(in);
  if (type == "string") return in >> text, text;
  in >> number;
  if (type == "flag") return number != 0;
  return number;
}

void read_line(const std::string& word, std::istream& in, Task& task) {
  SyntheticOptions& camera = task.camera;
  if (word == "size") in >> camera.width >> camera.height;
  else if (word == "motion") in >> camera.motion >> camera.speed_m_s;
  else if (word == "light") in >> camera.light >> camera.vignetting >> camera.exposure_us;
  else if (word == "noise") in >> camera.noise >> camera.seed >> camera.occlusion;
  else if (word == "fps") in >> camera.fps;
  else if (word == "mount") camera.mount = read_pose(in);
  else if (word == "pose") camera.pose = read_pose(in), camera.has_pose = true;
  else if (word == "map") in >> camera.map.family >> camera.map.tag_size_m >> camera.map.length_m >> camera.map.width_m;
  else if (word == "tag") in >> camera.map.tags.emplace_back().id, camera.map.tags.back().field_tag = read_pose(in);
  else if (word == "frames") in >> task.frames >> task.every >> task.from;
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

Task read_task(std::istream& in) {
  Task task;
  for (std::string line, word; std::getline(in, line);) {
    std::istringstream words(line);
    if (words >> word) read_line(word, words, task);
  }
  return task;
}

void write_result(const Frame& frame, const Plan& plan) {
  std::vector<double> packed{static_cast<double>(frame.seq), static_cast<double>(frame.captured_us), 0, 0, static_cast<double>(frame.width), static_cast<double>(frame.height), 0, 0, 0};
  packed.insert(packed.end(), plan.stage_us().begin(), plan.stage_us().end());
  for (const Value* value : plan.outputs()) pack_rows(*value, packed);
  pack_truth(frame, packed);
  const auto count = static_cast<double>(packed.size());
  std::fwrite(&count, sizeof count, 1, stdout);
  std::fwrite(packed.data(), sizeof(double), packed.size(), stdout);
}

void step_camera(const Task& task) {
  SyntheticCamera camera(task.camera);
  Plan plan(task.plan, {camera.intrinsics(), task.camera.map});
  Frame frame;
  for (int i = 0; i < task.frames; i++) {
    const int64_t index = task.from + static_cast<int64_t>(i) * task.every;
    camera.render(index, frame);
    frame.captured_us = 1'000'000 + static_cast<int64_t>(static_cast<double>(index) * 1e6 / task.camera.fps);
    plan.run({frame, task.camera.mount}, NEVER_TOO_LATE);
    write_result(frame, plan);
  }
}

/** A photograph as it would be in less light, with the camera's noise. */
void darken(const SyntheticOptions& camera, GrayImage& picture) {
  std::minstd_rand random(camera.seed);
  std::normal_distribution<double> noise(0, std::max(camera.noise, 1e-9));
  for (uint8_t& pixel : picture.pixels) pixel = static_cast<uint8_t>(std::clamp(pixel * camera.light + noise(random) + 0.5, 0.0, 255.0));
}

void step_pictures(const Task& task) {
  Plan plan(task.plan, {task.camera.intrinsics, task.camera.map});
  PictureDecoder decoder;
  Frame frame;
  for (const std::string& path : task.pictures) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    decoder.decode_gray(bytes.data(), bytes.size(), frame.gray);
    if (task.camera.light != 1 || task.camera.noise > 0) darken(task.camera, frame.gray);
    plan.run({frame, task.camera.mount}, NEVER_TOO_LATE);
    write_result(frame, plan);
    frame.seq++;
  }
}

}  // namespace
}  // namespace vedette::test

int main() {
  try {
    const auto task = vedette::test::read_task(std::cin);
    if (task.pictures.empty()) step_camera(task);
    else step_pictures(task);
    return 0;
  } catch (const vedette::Fault& fault) {
    std::fprintf(stderr, "step: %s\n", fault.detail.c_str());
    return 1;
  }
}
