#include "format_check.h"

#include <string>

namespace vedette {

std::optional<Fault> other_calibration(const SourceFormat& format) {
  const Intrinsics& camera = format.intrinsics;
  if (!camera.known || (camera.width == format.width && camera.height == format.height)) return std::nullopt;
  return Fault{"camera.intrinsics_mismatch",
               "the calibration is for pictures of " + size_text(camera.width, camera.height) + ", the camera gives " +
                   size_text(format.width, format.height) +
                   ": no poses are solved; calibrate in this video mode or choose the other"};
}

std::optional<Fault> other_size(const Frame& frame, const SourceFormat& format) {
  if (frame.width == format.width && frame.height == format.height) return std::nullopt;
  const std::string which = frame.name.empty() ? "a picture" : frame.name;
  const std::string poses = format.intrinsics.known ? ", so that no poses are solved from it" : "";
  return Fault{"picture.other_size", which + " has " + size_text(frame.width, frame.height) +
                                         " pixels, the first picture " + size_text(format.width, format.height) +
                                         poses + "; a stream needs pictures of one size"};
}

}  // namespace vedette
