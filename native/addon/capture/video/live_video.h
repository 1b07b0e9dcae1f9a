// Cameras on the network that give a video instead of single pictures.
#pragma once

#include <memory>

#include "http_answer.h"
#include "source.h"

namespace vedette {

/** An address of RTSP. */
std::unique_ptr<Source> make_rtsp_video(const UrlOptions& options);

/** An answer over HTTP that has begun, and is a video. asked_us: when it was asked for, CLOCK_MONOTONIC. */
std::unique_ptr<Source> make_http_video(const UrlOptions& options, std::unique_ptr<HttpAnswer> answer,
                                        int64_t asked_us);

}  // namespace vedette
