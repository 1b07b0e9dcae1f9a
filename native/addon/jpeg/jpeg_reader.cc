#include "jpeg_reader.h"

#include <turbojpeg.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace vedette {
namespace {

constexpr int MAX_SCANS = 500;  // libjpeg-turbo's own limit: a small file of thousands of scans takes minutes
constexpr int MAX_ROWS = 32;    // that libjpeg gives at once

[[noreturn]] void refuse(const std::string& why) { throw BadJpeg(why); }

/** 0, 1 or 2 for a factor of 1, 2 or 4; -1: another. */
int shift_of(int whole, int part) {
  for (int shift = 0; shift <= 2; shift++)
    if (part << shift == whole) return shift;
  return -1;
}

int rounded_up(int value, int to) { return (value + to - 1) / to * to; }

}  // namespace

JpegReader::JpegReader(const uint8_t* bytes, size_t length) {
  errors_.watch(bytes, length);
  jpeg_.err = errors_.manager();
  errors_.attempt([&] {
    jpeg_create_decompress(&jpeg_);
    progress_.reader = this;
    progress_.progress_monitor = [](j_common_ptr jpeg) { static_cast<Progress*>(jpeg->progress)->reader->note_scan(); };
    jpeg_.progress = &progress_;
    jpeg_mem_src(&jpeg_, bytes, length);
    jpeg_read_header(&jpeg_, TRUE);
  });
  check_header();
  has_planes_ = find_planes(planes_);
}

JpegReader::~JpegReader() = default;

/** What is read of all that a JPEG may be. */
void JpegReader::check_header() const {
  const int components = jpeg_.num_components;
  if (components == 4)
    refuse("its colours are those of a printer (CMYK); save it with the colours of a screen (RGB), or in grey");
  if (components != 1 && components != 3)
    refuse("it has " + std::to_string(components) + " components; 1 or 3 are read");
  if (jpeg_.arith_code)
    refuse("it is packed by arithmetic coding, which does not show where pixels are lost; save it as an ordinary JPEG");
  if (jpeg_.progressive_mode) return;  // has no tables but its own
  int needed = 0, missing = 0;
  bool has_any = false;
  for (int i = 0; i < NUM_HUFF_TBLS; i++) has_any = has_any || jpeg_.dc_huff_tbl_ptrs[i] || jpeg_.ac_huff_tbl_ptrs[i];
  for (int i = 0; i < jpeg_.comps_in_scan; i++) {
    const jpeg_component_info& part = *jpeg_.cur_comp_info[i];
    needed += 2;
    missing += !jpeg_.dc_huff_tbl_ptrs[part.dc_tbl_no & 3] + !jpeg_.ac_huff_tbl_ptrs[part.ac_tbl_no & 3];
  }
  if (has_any && missing > 0)
    refuse(std::to_string(missing) + " of the " + std::to_string(needed) + " Huffman tables of its pixels are lost");
}

/** Called before each piece of a picture in several scans. */
void JpegReader::note_scan() {
  if (jpeg_.input_scan_number == scan_) return;
  scan_ = jpeg_.input_scan_number;
  if (scan_ > MAX_SCANS) errors_.leave_for("it has more than 500 scans");
  for (int i = 0; i < jpeg_.comps_in_scan; i++) {
    const unsigned bit = 1u << jpeg_.cur_comp_info[i]->component_index;
    is_repeated_ = is_repeated_ || (scanned_ & bit) != 0;
    scanned_ |= bit;
  }
}

/** Of a picture in several scans: whether there were all that its pixels need. libjpeg does without those that are
 * missing. */
void JpegReader::check_scans() {
  if (!jpeg_has_multiple_scans(&jpeg_)) return;
  const unsigned all = (1u << jpeg_.num_components) - 1;
  if (scanned_ != all)
    refuse((scanned_ & 1) == 0 ? "the scan of its brightness is missing" : "the scan of a colour is missing");
  if (!jpeg_.progressive_mode) {
    if (is_repeated_) refuse("its scans contradict one another");
    return;
  }
  for (int i = 0; i < jpeg_.num_components; i++)
    for (int k = 0; k < DCTSIZE2; k++)
      if (jpeg_.coef_bits[i][k] != 0) refuse("a scan of its detail is missing");
}

int JpegReader::sampling() const {
  if (is_gray()) return TJSAMP_GRAY;
  JpegPlanes planes;
  if (!has_planes(planes)) return -1;
  static constexpr int NUMBERS[3][3] = {
      {TJSAMP_444, TJSAMP_440, -1}, {TJSAMP_422, TJSAMP_420, -1}, {TJSAMP_411, -1, -1}};
  return NUMBERS[planes.shift_x][planes.shift_y];
}

bool JpegReader::has_planes(JpegPlanes& planes) const {
  if (has_planes_) planes = planes_;
  return has_planes_;
}

bool JpegReader::find_planes(JpegPlanes& planes) const {
  if (jpeg_.num_components != 3) return false;
  const jpeg_component_info &luma = jpeg_.comp_info[0], &cb = jpeg_.comp_info[1], &cr = jpeg_.comp_info[2];
  const bool is_alike = cb.h_samp_factor == cr.h_samp_factor && cb.v_samp_factor == cr.v_samp_factor;
  const bool is_fine = luma.h_samp_factor == jpeg_.max_h_samp_factor && luma.v_samp_factor == jpeg_.max_v_samp_factor;
  const int shift_x = shift_of(luma.h_samp_factor, cb.h_samp_factor);
  const int shift_y = shift_of(luma.v_samp_factor, cb.v_samp_factor);
  if (!is_alike || !is_fine || shift_x < 0 || shift_y < 0) return false;
  planes.width = rounded_up(width(), 1 << shift_x);
  planes.height = rounded_up(height(), 1 << shift_y);
  planes.chroma_width = planes.width >> shift_x;
  planes.chroma_height = planes.height >> shift_y;
  planes.shift_x = shift_x;
  planes.shift_y = shift_y;
  return true;
}

void JpegReader::read_rows(J_COLOR_SPACE colours, uint8_t* to, size_t stride) {
  errors_.attempt([&] {
    jpeg_.out_color_space = colours;
    jpeg_start_decompress(&jpeg_);
  });
  check_scans();
  errors_.attempt([&] {
    while (jpeg_.output_scanline < jpeg_.output_height) {
      JSAMPROW rows[MAX_ROWS];
      const JDIMENSION count = std::min<JDIMENSION>(MAX_ROWS, jpeg_.output_height - jpeg_.output_scanline);
      for (JDIMENSION i = 0; i < count; i++) rows[i] = to + (jpeg_.output_scanline + i) * stride;
      jpeg_read_scanlines(&jpeg_, rows, count);
    }
    jpeg_finish_decompress(&jpeg_);
  });
}

/** libjpeg gives whole blocks: rows that have no room for them, at the right and at the bottom, go by way of others. */
void JpegReader::read_planes(const JpegPlanes& planes, uint8_t* luma, uint8_t* cb, uint8_t* cr) {
  struct Plane {
    uint8_t *to, *aside;
    size_t width, padded_width;
    int height, rows_at_once;
    bool goes_aside(int row) const { return padded_width > width || row >= height; }
    uint8_t* at(int row) const { return to + static_cast<size_t>(row) * width; }
    uint8_t* place(int row) const { return goes_aside(row) ? aside + row % rows_at_once * padded_width : at(row); }
  };
  Plane all[3];
  size_t room = 0;
  for (int i = 0; i < 3; i++) {
    const jpeg_component_info& part = jpeg_.comp_info[i];
    all[i].to = i == 0 ? luma : i == 1 ? cb : cr;
    all[i].width = static_cast<size_t>(i == 0 ? planes.width : planes.chroma_width);
    all[i].height = i == 0 ? planes.height : planes.chroma_height;
    all[i].padded_width = static_cast<size_t>(part.width_in_blocks) * DCTSIZE;
    all[i].rows_at_once = part.v_samp_factor * DCTSIZE;
    room += all[i].padded_width * all[i].rows_at_once;
  }
  std::vector<uint8_t> aside(room);
  uint8_t* next = aside.data();
  for (Plane& plane : all) {
    plane.aside = next;
    next += plane.padded_width * plane.rows_at_once;
  }
  errors_.attempt([&] {
    jpeg_.raw_data_out = TRUE;
    jpeg_.out_color_space = jpeg_.jpeg_color_space;
    jpeg_start_decompress(&jpeg_);
  });
  check_scans();
  errors_.attempt([&] {
    const auto rows_at_once = static_cast<JDIMENSION>(jpeg_.max_v_samp_factor * DCTSIZE);
    for (int group = 0; jpeg_.output_scanline < jpeg_.output_height; group++) {
      JSAMPROW rows[3][MAX_ROWS];
      JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
      for (int i = 0; i < 3; i++)
        for (int y = 0; y < all[i].rows_at_once; y++) rows[i][y] = all[i].place(group * all[i].rows_at_once + y);
      jpeg_read_raw_data(&jpeg_, arrays, rows_at_once);
      for (const Plane& plane : all) {
        const int first = group * plane.rows_at_once, end = std::min(first + plane.rows_at_once, plane.height);
        for (int row = first; row < end; row++)
          if (plane.goes_aside(row)) std::memcpy(plane.at(row), plane.place(row), plane.width);
      }
    }
    jpeg_finish_decompress(&jpeg_);
  });
}

jvirt_barray_ptr* JpegReader::read_coefficients() {
  jvirt_barray_ptr* arrays = nullptr;
  errors_.attempt([&] { arrays = jpeg_read_coefficients(&jpeg_); });
  check_scans();
  return arrays;
}

}  // namespace vedette
