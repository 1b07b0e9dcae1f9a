// One JPEG, read by libjpeg: all of its pixels, or a fault that says in words what is lost. A caller without a fault
// has every byte of what was asked for from this picture. A reader is made for one picture: libjpeg keeps the tables of
// the picture before, and a later one that has lost its own would be decoded with those.
#pragma once

#include <cstddef>
#include <cstdint>

#include "jpeg_errors.h"

namespace vedette {

/** The planes of a JPEG as they lie in it. shift_x, shift_y: a sample of colour stands for 2^shift_x by 2^shift_y
 * pixels. */
struct JpegPlanes {
  /** Of the brightness: as many samples as the colour needs, which may be a few more than pixels. */
  int width = 0, height = 0;
  /** Of either colour. */
  int chroma_width = 0, chroma_height = 0, shift_x = 0, shift_y = 0;
};

class JpegReader {
 public:
  /** Reads the header. The bytes must stay while there is a reader. Throws BadJpeg, as everything here does. */
  JpegReader(const uint8_t* bytes, size_t length);
  ~JpegReader();
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  int width() const { return static_cast<int>(jpeg_.image_width); }
  int height() const { return static_cast<int>(jpeg_.image_height); }
  bool is_gray() const { return jpeg_.num_components == 1; }
  /** Stored as red, green and blue instead of brightness and colours. */
  bool is_rgb() const { return jpeg_.jpeg_color_space == JCS_RGB; }
  /** How its colours lie beside its brightness, as libjpeg-turbo's own interface numbers that; -1: in a way that has no
   * number. */
  int sampling() const;
  /** Whether read_planes() can read it; where not, `planes` is left alone. */
  bool has_planes(JpegPlanes& planes) const;

  // One of the following, once.

  /** Grey, one byte a pixel. stride: bytes from one row to the next. */
  void read_gray(uint8_t* to, size_t stride) { read_rows(JCS_GRAYSCALE, to, stride); }
  void read_rgb(uint8_t* to, size_t stride) { read_rows(JCS_RGB, to, stride); }
  /** Brightness and both colours; strides: the widths of `planes`. */
  void read_planes(const JpegPlanes& planes, uint8_t* luma, uint8_t* cb, uint8_t* cr);
  /** What the pixels are made from, component by component; they stay while there is a reader. */
  jvirt_barray_ptr* read_coefficients();

  /** For what is done with the coefficients. */
  jpeg_decompress_struct& jpeg() { return jpeg_; }
  template <typename Work>
  void attempt(Work work) {
    errors_.attempt(work);
  }

 private:
  /** libjpeg's struct, whatever became of what was begun with it. */
  struct Decompressor : jpeg_decompress_struct {
    Decompressor() : jpeg_decompress_struct{} {}
    ~Decompressor() { jpeg_destroy_decompress(this); }
  };
  struct Progress : jpeg_progress_mgr {
    JpegReader* reader;
  };

  void check_header() const;
  bool find_planes(JpegPlanes& planes) const;
  void check_scans();
  void note_scan();
  void read_rows(J_COLOR_SPACE colours, uint8_t* to, size_t stride);

  JpegErrors errors_;
  Decompressor jpeg_;
  Progress progress_{};
  int scan_ = 0;          // the latest whose components are noted
  unsigned scanned_ = 0;  // a bit for each component of which there was a scan
  bool is_repeated_ = false;
  JpegPlanes planes_;  // found at once: libjpeg forgets its components when it has read them
  bool has_planes_ = false;
};

}  // namespace vedette
