// Videos are read by the engine's other addon, the one with FFmpeg's libraries, which is loaded with the first video
// (video_library.h). What passes between the two is plain C: neither is linked to the other, and the one with the
// libraries may be missing.
#pragma once

#include <cstddef>
#include <cstdint>

/**
 * Changes with the layout below. Both addons of a checkout are built together, so that this is a safeguard and no more.
 */
constexpr uint32_t VEDETTE_VIDEO = 0x56535634;

/** Filled in when something fails; both end with a NUL. */
struct VedetteVideoFault {
  char code[40];
  char detail[1024];
};

/**
 * What is to be read: the bytes that `read` gives or, where there is an address, what answers there. Stays valid until
 * the reader is closed.
 *
 * name: what people call it, for faults. address: rtsp:// or rtsps://, with name and password in it; nullptr: none.
 * is_live: the newest picture counts, and none is held back to be put in order. max_pixels: what a picture may have;
 * no memory is taken for a larger one. read: returns how many bytes, 0 at the end, -1 when there are none to come.
 * seek: returns where it is then; a negative place asks for the size; nullptr: bytes come once. stops: asked at least
 * ten times a second while something is waited for; true ends the waiting.
 */
struct VedetteVideoInput {
  uint32_t kind;
  const char* name;
  const char* address;
  bool is_live;
  int64_t max_pixels;
  void* self;
  int (*read)(void* self, uint8_t* to, int most);
  int64_t (*seek)(void* self, int64_t to);
  bool (*stops)(void* self);
};

/** The time of a picture of which none is told. */
constexpr int64_t VEDETTE_NO_PTS = INT64_MIN;

/**
 * A picture, valid until the next call: a JPEG as it lies in the video, else its brightness, and its colour where it
 * has some.
 *
 * bits: 8, or up to 16 in two bytes each, low ones first. is_limited: black is 16 and white 235 of 255, as in most
 * videos; colour then goes from 16 to 240. cb, cr: blueness and redness, a sample for 2^shift_x by 2^shift_y pixels,
 * chroma_step bytes apart, rows chroma_stride bytes apart; nullptr: none. is_bt709: how colour is mixed, else as
 * BT.601. was_waited_for: it did not lie ready when it was asked for. pts_us: within 2^53 of zero, or VEDETTE_NO_PTS.
 * missed: pictures before this one that were skipped undecoded.
 */
struct VedetteVideoPicture {
  const uint8_t* jpeg;
  size_t jpeg_bytes;
  const uint8_t* luma;
  int width, height, stride, bits;
  const uint8_t *cb, *cr;
  int chroma_stride, chroma_step, shift_x, shift_y;
  bool is_limited, is_bt709, was_waited_for;
  int64_t pts_us, missed;
};

/** corrupt and failed come with a fault. After ended and failed nothing follows. */
enum class VedetteVideoStep : int32_t { picture, corrupt, ended, failed };

/**
 * codec: mjpeg, h264 or h265. fps: as the video says, 0.1 to 240; 0: it does not. orientation: which side of its
 * pictures is up, as the container says (see orientation.h). skip_to: pictures before that time are not wanted any
 * more. Called by one thread.
 */
struct VedetteVideoReader {
  void* self;
  const char* codec;
  double fps;
  int32_t orientation;
  VedetteVideoStep (*next)(void* self, VedetteVideoPicture* picture, VedetteVideoFault* fault);
  void (*skip_to)(void* self, int64_t pts_us);
  void (*close)(void* self);
};

/**
 * Opens a video up to its first packet. False with the fault filled in when it cannot be read. The other addon has it
 * under this name.
 */
using VedetteOpenVideo = bool(const VedetteVideoInput* input, VedetteVideoReader* reader, VedetteVideoFault* fault);
constexpr const char* VEDETTE_OPEN_VIDEO = "vedette_open_video";
