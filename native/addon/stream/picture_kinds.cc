#include "picture_kinds.h"

#include <algorithm>

#include "jpeg_start.h"

namespace vedette {

namespace {

double period_us(const PictureKind& kind) { return kind.fps > 0 ? 1e6 / kind.fps : 0; }

}  // namespace

bool shrinks(const Frame& frame, const PictureKind& kind) { return kind.max_width > 0 && kind.max_width < frame.width; }

bool is_as_captured(const Frame& frame, const PictureKind& kind) {
  return kind.output.empty() && kind.quality == 0 && !kind.overlay && !shrinks(frame, kind) && is_jpeg(frame.encoded);
}

bool is_passed_through(const Frame& frame, const PictureKind& kind) {
  return is_as_captured(frame, kind) && frame.crop.is_whole();
}

/**
 * A quarter of a period early still counts: a camera's jitter must not halve the rate of a kind that equals its own.
 */
bool PictureKinds::Rhythm::is_due(int64_t at_us) const {
  return static_cast<double>(at_us) >= static_cast<double>(due_us) - period_us(kind) / 4;
}

void PictureKinds::Rhythm::advance(int64_t at_us) {
  const auto period = static_cast<int64_t>(period_us(kind));
  due_us = at_us - due_us > period ? at_us + period : due_us + period;
}

void PictureKinds::set(const std::vector<PictureKind>& kinds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Rhythm> rhythms;
  for (const PictureKind& kind : kinds) {
    const auto same =
        std::find_if(rhythms_.begin(), rhythms_.end(), [&](const Rhythm& old) { return old.kind.key == kind.key; });
    rhythms.push_back({kind, same == rhythms_.end() ? 0 : same->due_us});
  }
  rhythms_ = std::move(rhythms);
}

}  // namespace vedette
