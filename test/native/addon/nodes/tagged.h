// Pictures with tags, drawn and real, and how far their corners are after a node from where they were before.
#pragma once

#include <cmath>
#include <cstdlib>
#include <iterator>

#include "one_node.h"
#include "picture.h"
#include "pose_math.h"
#include "synthetic_camera.h"

namespace vedette::test {

/**
 * A wall of twelve tags over the whole picture, through that lens; without intrinsics through one that bends nothing.
 */
inline Frame frame_of_tags(Intrinsics lens = {}) {
  SyntheticOptions options;
  options.width = 800;
  options.height = 600;
  if (!lens.known) lens = {true, 800, 600, 520, 520, 399.5, 299.5, {}};
  options.intrinsics = lens;
  options.motion = "still";
  options.exposure_us = options.vignetting = 0;
  options.has_pose = true;
  options.pose = pose_from_euler(1, 4, 1, 0, 0, 0);
  options.map = {"tag36h11", 0.2, 8, 8, {}};
  for (int id = 0; id < 12; id++)
    options.map.tags.push_back({id, pose_from_euler(3, 2.8 + 0.8 * (id % 4), 0.3 + 0.7 * (id / 4), 0, 0, M_PI)});
  Frame frame;
  SyntheticCamera(options).render(0, frame);
  return frame;
}

inline GrayImage wall_of_tags(const Intrinsics& lens = {}) { return frame_of_tags(lens).gray; }

/** What a detector without any error would find. */
inline Detections true_tags(const Frame& frame) {
  Detections out;
  for (const VisibleTag& tag : frame.truth.visible) {
    Detection& detection = out.emplace_back();
    detection.id = tag.id;
    std::copy_n(tag.center, 2, detection.center);
    std::copy_n(&tag.corners[0][0], 8, &detection.corners[0][0]);
  }
  return out;
}

/**
 * Some of the real pictures beside the checkout, or where VEDETTE_PHOTOGRAPHS says; none where they are not at hand.
 * All of their tags have edges that can be followed: corners that libapriltag alone gives depend on which way is up, by
 * up to a pixel.
 */
inline std::vector<GrayImage> photographs() {
  const char* named = std::getenv("VEDETTE_PHOTOGRAPHS");
  const std::string folder = named ? named : "../../../shared/data/images";
  std::vector<GrayImage> out;
  PictureDecoder decoder;
  for (const char* name :
       {"photonvision/2024_SpeakerCenter_63in.jpg", "photonvision/2024_BackAmpZone_117in.jpg", "wpical/000.jpg"}) {
    std::ifstream file(folder + "/" + name, std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!bytes.empty()) decoder.decode_gray(bytes.data(), bytes.size(), out.emplace_back());
  }
  return out;
}

/** As the source gives it. */
inline Value source_value(const GrayImage& picture) {
  return Image{picture.data(), picture.width, picture.height, picture.stride};
}

/** Their corners are in pixels of the source. */
inline Detections tags_in(const Value& picture) {
  static OneNode detector("apriltag", {{"families", std::vector<std::string>{"tag36h11"}},
                                       {"decimate", 1.0},
                                       {"blur", 0.0},
                                       {"engine", std::string("reference")},
                                       {"mode", std::string("full")},
                                       {"threads", 1.0},
                                       {"refine", true},
                                       {"min_margin", std::vector<double>{5}},
                                       {"max_hamming", std::vector<double>{1}},
                                       {"ids", std::vector<double>{}}});
  detector.run({&picture});
  return detector.out<Detections>();
}

/**
 * Of those tags that are found before and after: how many, and how far their corners are apart at most. lost: of those
 * before.
 */
struct Shift {
  int tags = 0, lost = 0;
  double max_px = 0;

  void add(const Shift& other) {
    tags += other.tags;
    lost += other.lost;
    max_px = std::max(max_px, other.max_px);
  }
  std::string words() const { return text("%d tags, %.3f px off at most", tags, max_px); }
};

/** NEAR: two copies of one tag hang farther apart. */
inline Shift shift_of(const Detections& before, const Detections& after) {
  constexpr double NEAR_PX = 8;
  Shift out;
  for (const Detection& tag : before) {
    const Detection* same = nullptr;
    for (const Detection& other : after)
      if (other.id == tag.id && std::hypot(other.center[0] - tag.center[0], other.center[1] - tag.center[1]) < NEAR_PX)
        same = &other;
    if (!same) {
      out.lost++;
      continue;
    }
    out.tags++;
    for (int i = 0; i < 4; i++)
      out.max_px = std::max(
          out.max_px, std::hypot(same->corners[i][0] - tag.corners[i][0], same->corners[i][1] - tag.corners[i][1]));
  }
  return out;
}

/** The pixels of an image, without what lies between its rows. */
inline std::vector<uint8_t> pixels_of(const Image& image) {
  std::vector<uint8_t> out;
  for (int y = 0; y < image.height; y++) {
    const uint8_t* row = image.pixels + static_cast<size_t>(y) * image.stride;
    out.insert(out.end(), row, row + static_cast<size_t>(image.width) * image.channels());
  }
  return out;
}

}  // namespace vedette::test
