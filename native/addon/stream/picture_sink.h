// Where an engine's pictures go besides its viewers: a table of functions. Two addons of one process share it as plain
// C, so neither is linked to the other, and the one with FFmpeg's libraries may be missing. It crosses JavaScript as an
// External and is never looked into there.
#pragma once

#include <cstddef>
#include <cstdint>

/**
 * Changes with the layout below. Both addons of a checkout are built together, so that this is a safeguard and no more.
 */
constexpr uint32_t VEDETTE_PICTURE_SINK = 0x56535032;

/**
 * Counted: a callee that keeps it longer than the call that brought it calls retain, and release when done. All
 * functions may be called by any thread.
 */
struct VedettePictureSink {
  uint32_t kind;
  void* self;
  void (*retain)(void* self);
  void (*release)(void* self);
  /**
   * Copies a JPEG, or counts it as lost where there is no room. Returns at once. captured_us: CLOCK_MONOTONIC,
   * mid-exposure.
   */
  void (*take)(void* self, const uint8_t* bytes, size_t length, int64_t captured_us);
  /** The same for grey pixels, rows `stride` bytes apart; none: it takes JPEGs only. */
  void (*take_gray)(void* self, const uint8_t* pixels, int width, int height, int stride, int64_t captured_us);
};
