// The index of an MP4 or QuickTime file (ISO/IEC 14496-12): whether there is one. Of FFmpeg's words for that none
// says what is wrong.
#pragma once

#include "video_reader.h"

namespace vedette {

/**
 * Whether these bytes are such a file, and no index is in it. input: can be gone through; is read from its beginning
 * on.
 */
bool lacks_index(const VedetteVideoInput& input);

}  // namespace vedette
