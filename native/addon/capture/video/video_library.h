// The engine's other addon, as far as it reads videos: looked for when the first video is opened, so that no other
// stream needs it.
#pragma once

#include <string>

#include "video_reader.h"

namespace vedette {

/**
 * How videos are opened. library: the path of the other addon. Throws Fault `video.unavailable`, naming what is
 * missing.
 */
VedetteOpenVideo* video_library(const std::string& library);

}  // namespace vedette
