// The colour of a raw picture, out of the layouts in which cameras give it.
#pragma once

#include "v4l2_gray.h"

namespace vedette {

/** Whether there is colour in pictures of that format. */
bool has_chroma(const PixelFormat& format);

/**
 * Takes the colour as it is, like the brightness. `out` stays empty where the format has none, or where its bytes did
 * not come. The picture must be as long as gray_bytes() says.
 */
void raw_to_chroma(const PixelFormat& format, const RawPicture& picture, Chroma& out);

}  // namespace vedette
