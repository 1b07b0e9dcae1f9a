// What libjpeg says of a picture, judged by what is lost: a warning that costs no pixel is none.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdio>  // jpeglib.h wants it
#include <stdexcept>

#include <jpeglib.h>

namespace vedette {

/** Why a JPEG is not read, or not written: what is lost of it, in words for people. */
struct BadJpeg : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/**
 * libjpeg's error manager. What is fatal, and what loses pixels, leaves libjpeg for the latest attempt(). libjpeg is C:
 * no exception passes through it, and work in an attempt() keeps nothing that is to be destroyed when it is left.
 */
class JpegErrors {
 public:
  JpegErrors();
  JpegErrors(const JpegErrors&) = delete;
  JpegErrors& operator=(const JpegErrors&) = delete;

  jpeg_error_mgr* manager() { return &manager_; }

  /** The bytes that are read: stray ones are looked at. */
  void watch(const JOCTET* bytes, size_t length);

  /** For callbacks of libjpeg: the attempt fails, and why. */
  [[noreturn]] void leave_for(const char* why);

  /** Throws BadJpeg. */
  template <typename Work>
  void attempt(Work work) {
    if (setjmp(escape_) != 0) throw BadJpeg(why_);
    work();
  }

 private:
  static JpegErrors& of(j_common_ptr jpeg);
  static void leave_fatal(j_common_ptr jpeg);
  static void hear(j_common_ptr jpeg, int level);
  void weigh(j_decompress_ptr jpeg);
  void weigh_stray(j_decompress_ptr jpeg, size_t count);
  void say(const char* format, ...) __attribute__((format(printf, 2, 3)));
  [[noreturn]] void leave();

  jpeg_error_mgr manager_;  // first: libjpeg's pointer to it is one to this
  std::jmp_buf escape_;
  const JOCTET* begin_ = nullptr;
  size_t length_ = 0;
  bool is_cut_ = false;  // its bytes have ended before its marker of the end
  char why_[JMSG_LENGTH_MAX] = "";
};

}  // namespace vedette
