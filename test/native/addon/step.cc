// Runs a plan over frames of the synthetic camera, or over picture files, one after the other and without a clock: the
// engine without its threads. Reads the task in words from standard input, as test/support/engine/stepped.ts writes it,
// and writes each result as a count and so many doubles, and so each observation behind its result where it is to.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

#include "pack.h"
#include "picture.h"
#include "step_task.h"

namespace vedette::test {
namespace {

/** Nothing is given up here: what counts is frames. */
const auto NEVER_TOO_LATE = [](int64_t) { return false; };

/** With its pictures, as if somebody saw them. */
void run(Plan& plan, const Moment& moment) {
  constexpr PictureSet ALL = ~PictureSet{0};
  plan.run(moment, ALL, NEVER_TOO_LATE);
  plan.make_pictures(moment, ALL, NEVER_TOO_LATE);
}

void write(const std::vector<double>& packed) {
  const auto count = static_cast<double>(packed.size());
  std::fwrite(&count, sizeof count, 1, stdout);
  std::fwrite(packed.data(), sizeof(double), packed.size(), stdout);
}

void write_result(const Frame& frame, const Plan& plan) {
  std::vector<double> packed{static_cast<double>(frame.seq),
                             static_cast<double>(frame.captured_us),
                             0,
                             0,
                             static_cast<double>(frame.width),
                             static_cast<double>(frame.height),
                             0,
                             0,
                             0,
                             0};
  packed.insert(packed.end(), plan.stage_us().begin(), plan.stage_us().end());
  for (const Value* value : plan.outputs()) pack_rows(*value, packed);
  pack_truth(frame, packed);
  write(packed);
}

void write_observation(const Plan& plan, const Observed& how) {
  std::vector<double> packed;
  if (const Points* points = plan.observed()) pack_observation(*points, how, packed);
  write(packed);
}

void step_camera(const Task& task) {
  SyntheticCamera camera(task.camera);
  Plan plan(task.plan, {camera.intrinsics(), task.camera.map});
  Frame frame;
  const SaidYaw said(frame, task);
  for (int i = 0; i < task.frames; i++) {
    const int64_t index = task.from + static_cast<int64_t>(i) * task.every;
    camera.render(index, frame);
    frame.captured_us = 1'000'000 + static_cast<int64_t>(camera.seconds_of(index) * 1e6);
    run(plan, {frame, task.camera.mount, nullptr, nullptr, &said});
    write_result(frame, plan);
    if (task.observes) write_observation(plan, {camera.intrinsics(), task.camera.mount, frame.exposure_us});
  }
}

/** A photograph as it would be in less light, with the camera's noise. */
void darken(const SyntheticOptions& camera, GrayImage& picture) {
  std::minstd_rand random(camera.seed);
  std::normal_distribution<double> noise(0, std::max(camera.noise, 1e-9));
  for (uint8_t& pixel : picture.pixels)
    pixel = static_cast<uint8_t>(std::clamp(pixel * camera.light + noise(random) + 0.5, 0.0, 255.0));
}

void step_pictures(const Task& task) {
  Plan plan(task.plan, {task.camera.intrinsics, task.camera.map});
  PictureDecoder decoder;
  Frame frame;
  for (const std::string& path : task.pictures) {
    std::ifstream file(path, std::ios::binary);
    frame.encoded.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (task.camera.light != 1 || task.camera.noise > 0) {
      decoder.decode_gray(frame.encoded.data(), frame.encoded.size(), frame.gray);
      frame.encoded.clear();  // the source would decode it again
      darken(task.camera, frame.gray);
    }
    run(plan, {frame, task.camera.mount});
    write_result(frame, plan);
    frame.seq++;
  }
}

}  // namespace
}  // namespace vedette::test

int main() {
  try {
    using namespace vedette::test;
    const Task task = read_task(std::cin);
    if (task.pictures.empty()) step_camera(task);
    else step_pictures(task);
    return 0;
  } catch (const vedette::Fault& fault) {
    std::fprintf(stderr, "step: %s\n", fault.detail.c_str());
    return 1;
  }
}
