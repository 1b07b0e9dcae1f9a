// A camera's own JPEG for those who watch, as soon as it is there: it waits neither for its decoding nor for the
// pipeline.
#pragma once

#include <memory>

#include "picture_kinds.h"
#include "viewers.h"

namespace vedette {

/**
 * Works on the thread that captures: to wake another one would cost as much as two viewers do, and on busy cores the
 * decoder would go first.
 */
class PassThrough {
 public:
  explicit PassThrough(Viewers& viewers) : viewers_(viewers) {}

  /** Any thread. Of all that are wanted. */
  void set_kinds(const std::vector<PictureKind>& kinds);

  /**
   * Whether this shows the frame in that kind, so that nobody else has to. The JPEG of a camera is looked at when it is
   * taken; a file's only shows with its decoding.
   */
  static bool takes(const Frame& frame, const PictureKind& kind) {
    return frame.is_whole_jpeg && is_passed_through(frame, kind);
  }

  /** The capture thread's call with each new frame, after the pipeline has been given it. */
  void show(const std::shared_ptr<const Frame>& frame);

 private:
  Viewers& viewers_;
  PictureKinds kinds_;
};

}  // namespace vedette
