// What tests and an emulated camera tell each other while it runs: a file that both sides read and write, mapped here,
// by position in cameras.ts.
#pragma once

#include <cstdint>

namespace shim {

constexpr int MAX_CONTROLS = 64;
constexpr int MAX_STAMPS = 256;

/** When a picture began to be exposed, CLOCK_MONOTONIC us; at index `sequence % MAX_STAMPS`. */
struct Stamp {
  int64_t sequence, exposed_us;
};

/**
 * One plugging-in of a camera. Numbers of 8 bytes, so that no compiler puts anything in between. The order is that of
 * FIELDS in cameras.ts.
 */
struct State {
  // Orders of the test.
  int64_t is_gone;           // unplugged: for ever
  int64_t is_hung;           // gives no pictures
  int64_t is_paced_by_hand;  // gives a picture only when pictures_due says so
  int64_t pictures_due;      // by hand: how many since the stream began; 0 when it begins
  int64_t pictures_version;  // counts up when the folder of pictures has others
  int64_t tag_id;            // painted where the folder is empty
  int64_t open_error;        // errno of every such call; 0: none
  int64_t set_format_error;
  int64_t request_buffers_error;
  int64_t stream_on_error;
  int64_t query_delay_ms;  // how long QUERYCAP takes
  int64_t dequeue_error;   // errno of the next dequeue_errors calls
  int64_t dequeue_errors;
  int64_t short_pictures;    // how many of the next are cut in the middle
  int64_t damaged_pictures;  // how many of the next carry the flag of an error
  int64_t lost_pictures;     // how many of the next nobody sees: the sequence has a gap
  int64_t padding_bytes;     // behind each picture
  int64_t stamps;            // 0: start of exposure, 1: end of picture, 2: none
  int64_t refused_control;   // its id; 0: none
  int64_t refused_error;     // errno of setting it; 0: it is taken, and nothing changes
  int64_t exposure_us;       // by which stamps lie before the moment at which a picture is there
  // what is cut out on the sensor comes pixel by pixel, in pictures of its size; 0: it is scaled to the size that is
  // set
  int64_t keeps_pixels;
  int64_t crop_step;      // a part begins and ends at multiples of it; 0: anywhere
  int64_t control_error;  // errno of everything that is asked about its controls; 0: none
  int64_t controls_hang;  // what is asked about its controls waits as long as this is set
  // What the camera says.
  int64_t streamer;        // process that streams; 0: none
  int64_t opens, streams;  // how often
  int64_t pictures;        // how many were given to the program
  int64_t sequence;        // of the last one taken
  int64_t width, height, fourcc, fps_milli;
  int64_t crop_x, crop_y, crop_width, crop_height;
  int64_t control_asks;            // how often something was asked about its controls
  int64_t controls[MAX_CONTROLS];  // values, in the order of the description
  Stamp taken[MAX_STAMPS];
};

}  // namespace shim
