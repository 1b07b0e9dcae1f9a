// A part of the picture, read by the sensor (V4L2's selection interface).
#pragma once

#include <linux/videodev2.h>

#include "v4l2_device.h"

namespace vedette {

/**
 * Has the sensor read everything again, whatever an earlier opening had it read: a driver keeps that when it is closed.
 */
void read_everything(const V4l2Device& device);

/**
 * Has the sensor read no more than a part of the mode that is set, or what it can do around that. Returns what it
 * reads, in pixels of the mode's picture, and puts into `set` what the driver gives then.
 *
 * Whole: all is as it was, because the camera has no such thing, its mode is no picture pixel by pixel (scaled, or
 * several pixels as one), or it would scale the part up again, which looks larger and shows nothing more. Throws Fault
 * `camera.mode` when the driver does not take that back.
 */
Crop read_part(const V4l2Device& device, v4l2_format& set, const Crop& part);

}  // namespace vedette
