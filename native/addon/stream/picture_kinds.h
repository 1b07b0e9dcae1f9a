// Kinds of pictures that have viewers, and when one of each is due.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "frame.h"

namespace vedette {

/**
 * See PictureKind in machines/stream/picture.ts. output: of the plan; empty: the camera's picture. is_delivered: to
 * JavaScript as well; has_results: with the result of its frame.
 */
struct PictureKind {
  std::string key, output;
  int max_width = 0, quality = 0;
  bool overlay = false;
  double fps = 0;
  bool is_delivered = true;
  bool has_results = false;
};

/** Whether pictures of this kind are narrower than the frame. */
bool shrinks(const Frame& frame, const PictureKind& kind);

/** Whether a JPEG of the camera shows it, or a part of that. */
bool is_as_captured(const Frame& frame, const PictureKind& kind);

/** Whether the camera's own bytes will do. */
bool is_passed_through(const Frame& frame, const PictureKind& kind);

/** The kinds that are wanted, each with a rhythm of its own by the times of capture. Any thread. */
class PictureKinds {
 public:
  /** Those that stay keep their rhythm. */
  void set(const std::vector<PictureKind>& kinds);
  /** Calls back with each, and whether it is due. */
  template <typename Look>
  void look(int64_t at_us, Look look) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Rhythm& rhythm : rhythms_) look(rhythm.kind, rhythm.is_due(at_us));
  }
  /**
   * Calls back with each that is due, and is told whether that counts; those that do are due again a period later.
   * Meanwhile nobody can set them.
   */
  template <typename Use>
  void use_due(int64_t at_us, Use use) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (Rhythm& rhythm : rhythms_)
      if (rhythm.is_due(at_us) && use(rhythm.kind)) rhythm.advance(at_us);
  }
  /** Those that are due and count. */
  template <typename Counts>
  std::vector<PictureKind> take_due(int64_t at_us, Counts counts) {
    std::vector<PictureKind> due;
    use_due(at_us, [&](const PictureKind& kind) {
      if (!counts(kind)) return false;
      due.push_back(kind);
      return true;
    });
    return due;
  }

 private:
  struct Rhythm {
    PictureKind kind;
    int64_t due_us = 0;
    bool is_due(int64_t at_us) const;
    void advance(int64_t at_us);
  };
  std::mutex mutex_;
  std::vector<Rhythm> rhythms_;
};

}  // namespace vedette
