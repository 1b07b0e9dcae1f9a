// The pixel formats that we can read, and the modes that a camera offers in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "v4l2_device.h"

namespace vedette {

/** name: as in documents, lower case. fourcc: V4L2's code. bits: of a pixel; 0: compressed. */
struct PixelFormat {
  const char* name;
  uint32_t fourcc;
  int bits;
};

/** nullptr: we cannot read it. */
const PixelFormat* pixel_format_named(const std::string& name);
const PixelFormat* pixel_format_of(uint32_t fourcc);

/** Four letters of a V4L2 code, as people write it. */
std::string fourcc_text(uint32_t fourcc);

/** A size of pictures in a format, with the rates at which it comes, fastest first. */
struct CameraMode {
  std::string pixel_format;
  int width = 0, height = 0;
  std::vector<double> fps;
};

/** other_formats: the codes of those that we cannot read. */
struct CameraModes {
  std::vector<CameraMode> modes;
  std::vector<std::string> other_formats;
};

/**
 * Asks the driver for all of them. What it does not answer is left out. A camera with steps of sizes or rates instead
 * of a list is asked for the usual ones.
 */
CameraModes list_modes(const V4l2Device& device);

/** The modes in a few words, for a sentence: `mjpeg 1280x800 (30, 15), ...`. */
std::string modes_text(const CameraModes& modes);

/** Pictures a second as people write it: 30, 7.5. */
std::string fps_text(double fps);

}  // namespace vedette
