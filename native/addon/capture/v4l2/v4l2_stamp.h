// When a picture was taken, out of what the driver stamped on its buffer.
#pragma once

#include <linux/videodev2.h>

#include <cstdint>
#include <string>

namespace vedette {

/**
 * What the times of pictures rest on. `start-of-exposure`: the driver stamps the moment at which exposure began.
 * `driver`: it stamps another moment, as a rule that of the last byte, so that pictures are stamped late by the time of
 * their read-out. `arrival`: it stamps nothing that can be compared with our clock, and pictures have the time at which
 * we were given them.
 */
std::string stamp_source(uint32_t buffer_flags);

/**
 * CLOCK_MONOTONIC, in microseconds. exposure_us: 0 where nobody knows. now_us: when the buffer was taken, which is used
 * where there is no stamp, or one that is nowhere near.
 */
int64_t middle_of_exposure(const v4l2_buffer& buffer, uint32_t queue_flags, int64_t exposure_us, int64_t now_us);

}  // namespace vedette
