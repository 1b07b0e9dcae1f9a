#include "jpeg_errors.h"

#include <jerror.h>

#include <algorithm>
#include <cstdarg>

namespace vedette {
namespace {

constexpr size_t MAX_STRAY_BYTES =
    64;  // cameras leave up to some 20; more that are not all the same are pixels left over
constexpr size_t MAX_READ_AHEAD = 7;  // that libjpeg has read at a restart marker, and counts only at a later one

/** The row of pixels that is decoded; of pictures in several scans it says too little. */
unsigned row_of(j_decompress_ptr jpeg) {
  const JDIMENSION row = jpeg->input_iMCU_row * static_cast<JDIMENSION>(jpeg->max_v_samp_factor * DCTSIZE);
  return std::min(row, jpeg->image_height);
}

bool has_several_scans(j_decompress_ptr jpeg) { return jpeg_has_multiple_scans(jpeg) != 0; }

}  // namespace

JpegErrors::JpegErrors() {
  jpeg_std_error(&manager_);
  manager_.error_exit = leave_fatal;
  manager_.emit_message = hear;
  manager_.output_message = [](j_common_ptr) {};
}

void JpegErrors::watch(const JOCTET* bytes, size_t length) {
  begin_ = bytes;
  length_ = length;
  is_cut_ = false;
}

JpegErrors& JpegErrors::of(j_common_ptr jpeg) { return *reinterpret_cast<JpegErrors*>(jpeg->err); }

void JpegErrors::leave() { std::longjmp(escape_, 1); }

void JpegErrors::leave_for(const char* why) {
  say("%s", why);
  leave();
}

void JpegErrors::say(const char* format, ...) {
  va_list values;
  va_start(values, format);
  std::vsnprintf(why_, sizeof why_, format, values);
  va_end(values);
}

void JpegErrors::leave_fatal(j_common_ptr jpeg) {
  JpegErrors& errors = of(jpeg);
  const int* const said = errors.manager_.msg_parm.i;
  switch (errors.manager_.msg_code) {
    case JERR_BAD_PRECISION:
      errors.say("it has %d bits a sample, and 8 are read", said[0]);
      break;
    case JERR_FRACT_SAMPLE_NOTIMPL:
      errors.say("its colours are so few beside its brightness that it is read in grey only");
      break;
    case JERR_NO_IMAGE:
      errors.say("it ends before its pixels begin");
      break;
    default:
      (*errors.manager_.format_message)(jpeg, errors.why_);
  }
  errors.leave();
}

void JpegErrors::hear(j_common_ptr jpeg, int level) {
  if (level < 0 && jpeg->is_decompressor) of(jpeg).weigh(reinterpret_cast<j_decompress_ptr>(jpeg));
}

/** Returns where nothing is lost. */
void JpegErrors::weigh(j_decompress_ptr jpeg) {
  const int* const said = manager_.msg_parm.i;
  switch (manager_.msg_code) {
    case JWRN_JFIF_MAJOR:      // the version of a header that says nothing of the pixels
    case JWRN_ADOBE_XFORM:     // its colours are taken for those that all JPEGs have
    case JWRN_NOT_SEQUENTIAL:  // numbers that only progressive pictures need: all 64 of a block are there
      return;
    case JWRN_JPEG_EOF:  // all pixels may be there already; where one is not, that is told next
      is_cut_ = true;
      return;
    case JWRN_EXTRANEOUS_DATA:
      return weigh_stray(jpeg, static_cast<size_t>(said[0]));
    case JWRN_HIT_MARKER:
      if (has_several_scans(jpeg))
        say(is_cut_ ? "it is cut short, and one of its scans is not whole" : "one of its scans is not whole");
      else
        say("%sits pixels from row %u of %u on are lost", is_cut_ ? "it is cut short: " : "", row_of(jpeg),
            jpeg->image_height);
      return leave();
    case JWRN_HUFF_BAD_CODE:
      if (has_several_scans(jpeg)) say("one of its scans is damaged");
      else say("its pixels from row %u of %u on are damaged", row_of(jpeg), jpeg->image_height);
      return leave();
    case JWRN_MUST_RESYNC:
      say("pixels of it are lost: restart marker %d is missing at row %u of %u", said[1], row_of(jpeg),
          jpeg->image_height);
      return leave();
    case JWRN_BOGUS_PROGRESSION:
      say("one of its scans is missing");
      return leave();
    default:
      (*manager_.format_message)(reinterpret_cast<j_common_ptr>(jpeg), why_);
      leave();
  }
}

/** What a camera leaves before a marker that is due: they are met when all pixels up to there are decoded. */
void JpegErrors::weigh_stray(j_decompress_ptr jpeg, size_t count) {
  const JDIMENSION blocks = jpeg->MCUs_per_row * jpeg->MCU_rows_in_scan;
  const size_t restarts = jpeg->restart_interval > 0 ? blocks / jpeg->restart_interval : 0;
  if (count <= MAX_STRAY_BYTES + restarts * MAX_READ_AHEAD) return;
  const size_t read = is_cut_ ? length_ : length_ - std::min(length_, jpeg->src->bytes_in_buffer);
  const JOCTET* const end = begin_ + read;
  const JOCTET* const from = end - std::min(read, count);
  if (std::all_of(from, end, [from](JOCTET byte) { return byte == *from; })) return;  // they fill up
  say("its pixels are damaged: %zu bytes of them are left over", count);
  leave();
}

}  // namespace vedette
