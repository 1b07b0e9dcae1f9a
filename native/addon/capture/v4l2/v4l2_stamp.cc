#include "v4l2_stamp.h"

#include <cstdlib>

namespace vedette {
namespace {

// No picture waits that long for us; vivid stamps 0.17 s into the future.
constexpr int64_t FARTHEST_US = 5'000'000;

bool has_stamp(uint32_t flags) { return (flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC; }

bool is_start_of_exposure(uint32_t flags) {
  return (flags & V4L2_BUF_FLAG_TSTAMP_SRC_MASK) == V4L2_BUF_FLAG_TSTAMP_SRC_SOE;
}

}  // namespace

std::string stamp_source(uint32_t buffer_flags) {
  if (!has_stamp(buffer_flags)) return "arrival";
  return is_start_of_exposure(buffer_flags) ? "start-of-exposure" : "driver";
}

int64_t middle_of_exposure(const v4l2_buffer& buffer, uint32_t queue_flags, int64_t exposure_us, int64_t now_us) {
  const int64_t stamp_us = static_cast<int64_t>(buffer.timestamp.tv_sec) * 1'000'000 + buffer.timestamp.tv_usec;
  if (!has_stamp(queue_flags) || std::llabs(stamp_us - now_us) > FARTHEST_US) return now_us - exposure_us / 2;
  return is_start_of_exposure(queue_flags) ? stamp_us + exposure_us / 2 : stamp_us - exposure_us / 2;
}

}  // namespace vedette
