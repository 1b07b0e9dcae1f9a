#include "both_detectors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "clock.h"

namespace vedette {

namespace {

constexpr size_t ROUNDS = 5;
constexpr double ENOUGH_US = 3e6;  // of both together: a large picture takes seconds, and is looked at once

Params params_of(const char* engine, const std::vector<FamilyChoice>& families, double decimate) {
  std::vector<double> min_margin, max_hamming;
  for (const FamilyChoice& family : families)
    min_margin.push_back(family.min_margin), max_hamming.push_back(family.max_hamming);
  Params params("compare");
  for (const auto& [name, value] : std::vector<std::pair<const char*, Param>>{{"engine", std::string(engine)},
                                                                              {"mode", std::string("full")},
                                                                              {"decimate", decimate},
                                                                              {"blur", 0.0},
                                                                              {"threads", 1.0},
                                                                              {"refine", true},
                                                                              {"ids", std::vector<double>{}},
                                                                              {"min_margin", min_margin},
                                                                              {"max_hamming", max_hamming}})
    params.set(name, value);
  return params;
}

std::vector<WantedFamily> wanted(const std::vector<FamilyChoice>& families) {
  std::vector<WantedFamily> out;
  for (const FamilyChoice& family : families) out.push_back(wanted_family(family.name));
  return out;
}

/** The time that it took, us. */
double run(TagDetector& detector, const GrayImage& picture, Detections& tags) {
  const Value image = Image{picture.data(), picture.width, picture.height, picture.stride};
  Value found = Detections{};
  Frame frame;
  frame.width = picture.width;
  frame.height = picture.height;
  const int64_t before_us = thread_cpu_us();
  detector.process({frame, Pose{}}, {{&image}, {&found}});
  const int64_t taken_us = thread_cpu_us() - before_us;
  tags = std::get<Detections>(found);
  return static_cast<double>(taken_us);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double side_px(const Detection& tag) {
  return std::hypot(tag.corners[1][0] - tag.corners[0][0], tag.corners[1][1] - tag.corners[0][1]);
}

/** The same tag in the same place. */
bool is_like(const Detection& a, const Detection& b) {
  return a.family == b.family && a.id == b.id &&
         std::hypot(a.center[0] - b.center[0], a.center[1] - b.center[1]) < side_px(a) / 2;
}

std::vector<bool> alone_of(const Detections& tags, const Detections& others) {
  std::vector<bool> out;
  for (const Detection& tag : tags)
    out.push_back(
        std::none_of(others.begin(), others.end(), [&](const Detection& other) { return is_like(tag, other); }));
  return out;
}

}  // namespace

BothDetectors::BothDetectors(const std::vector<FamilyChoice>& families, double decimate)
    : reference_(params_of("reference", families, decimate), wanted(families)),
      vedette_(params_of("vedette", families, decimate), wanted(families)) {}

Answers BothDetectors::look(const GrayImage& picture) {
  Answers out;
  std::vector<double> reference_us, vedette_us;
  double all_us = 0;
  for (size_t round = 0; round <= ROUNDS && all_us < ENOUGH_US; round++) {
    if (round == 1) reference_us.clear(), vedette_us.clear();  // the first one has asked for memory
    if (round % 2 == 0) reference_us.push_back(run(reference_, picture, out.reference.tags));
    vedette_us.push_back(run(vedette_, picture, out.vedette.tags));
    if (round % 2 == 1) reference_us.push_back(run(reference_, picture, out.reference.tags));
    all_us += reference_us.back() + vedette_us.back();
  }
  out.reference.cpu_us = median(reference_us);
  out.vedette.cpu_us = median(vedette_us);
  out.reference.is_alone = alone_of(out.reference.tags, out.vedette.tags);
  out.vedette.is_alone = alone_of(out.vedette.tags, out.reference.tags);
  return out;
}

}  // namespace vedette
