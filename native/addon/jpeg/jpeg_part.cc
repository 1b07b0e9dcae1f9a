#include "jpeg_part.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace vedette {
namespace {

constexpr size_t FIRST_ROOM = 256 * 1024;

/** Where libjpeg writes to: memory that grows. */
struct Output : jpeg_destination_mgr {
  uint8_t* bytes = nullptr;
  size_t room = 0;

  Output() : jpeg_destination_mgr{} {
    init_destination = [](j_compress_ptr jpeg) { of(jpeg).grow(jpeg); };
    empty_output_buffer = [](j_compress_ptr jpeg) -> boolean {
      of(jpeg).grow(jpeg);
      return TRUE;
    };
    term_destination = [](j_compress_ptr) {};
  }
  ~Output() { std::free(bytes); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  static Output& of(j_compress_ptr jpeg) { return *static_cast<Output*>(jpeg->dest); }

  /** It is full, or nothing yet. */
  void grow(j_compress_ptr jpeg) {
    const size_t larger = std::max(2 * room, FIRST_ROOM);
    auto* const moved = static_cast<uint8_t*>(std::realloc(bytes, larger));
    if (!moved) reinterpret_cast<JpegErrors*>(jpeg->err)->leave_for("there is no memory for it");
    bytes = moved;
    next_output_byte = bytes + room;
    free_in_buffer = larger - room;
    room = larger;
  }
};

/** libjpeg's struct, whatever became of what was begun with it. */
struct Compressor : jpeg_compress_struct {
  Compressor() : jpeg_compress_struct{} {}
  ~Compressor() { jpeg_destroy_compress(this); }
};

JDIMENSION blocks_of(int pixels, int factor, int max_factor) {
  const int block = max_factor * DCTSIZE;
  return static_cast<JDIMENSION>((pixels * factor + block - 1) / block);
}

JDIMENSION rounded_up(JDIMENSION value, int to) {
  const auto unit = static_cast<JDIMENSION>(to);
  return (value + unit - 1) / unit * unit;
}

j_common_ptr common(jpeg_decompress_struct& jpeg) { return reinterpret_cast<j_common_ptr>(&jpeg); }
j_common_ptr common(jpeg_compress_struct& jpeg) { return reinterpret_cast<j_common_ptr>(&jpeg); }

/** Room for the blocks of one component of a part. */
jvirt_barray_ptr room_for(jpeg_compress_struct& to, const jpeg_component_info& of, const Crop& part, int max_h,
                          int max_v) {
  const JDIMENSION width = rounded_up(blocks_of(part.width, of.h_samp_factor, max_h), of.h_samp_factor);
  const JDIMENSION height = rounded_up(blocks_of(part.height, of.v_samp_factor, max_v), of.v_samp_factor);
  const auto rows_at_once = static_cast<JDIMENSION>(of.v_samp_factor);
  return to.mem->request_virt_barray(common(to), JPOOL_IMAGE, TRUE, width, height, rows_at_once);
}

/** Larger ones than JPEGs have come of damage that nothing else shows, and would be written as others. */
bool can_be_written(const JBLOCK* blocks, JDIMENSION count) {
  unsigned too_large = 0;
  for (JDIMENSION i = 0; i < count; i++) {
    too_large |= static_cast<unsigned>(blocks[i][0] + 1024) > 2047;
    for (int k = 1; k < DCTSIZE2; k++) too_large |= static_cast<unsigned>(blocks[i][k] + 1023) > 2046;
  }
  return too_large == 0;
}

}  // namespace

int block_width(JpegReader& reader) { return reader.jpeg().max_h_samp_factor * DCTSIZE; }

int block_height(JpegReader& reader) { return reader.jpeg().max_v_samp_factor * DCTSIZE; }

std::vector<uint8_t> copy_jpeg_part(JpegReader& reader, const Crop& part) {
  jvirt_barray_ptr* const whole = reader.read_coefficients();
  jpeg_decompress_struct& from = reader.jpeg();
  JpegErrors errors;
  Output output;
  Compressor to;
  to.err = errors.manager();
  // Either of the two may fail, and comes back to its own.
  reader.attempt([&] {
    errors.attempt([&] {
      const int max_h = from.max_h_samp_factor, max_v = from.max_v_samp_factor;
      jpeg_create_compress(&to);
      to.dest = &output;
      jpeg_copy_critical_parameters(&from, &to);
      to.image_width = static_cast<JDIMENSION>(part.width);
      to.image_height = static_cast<JDIMENSION>(part.height);
      jvirt_barray_ptr arrays[MAX_COMPONENTS];
      for (int i = 0; i < from.num_components; i++) arrays[i] = room_for(to, from.comp_info[i], part, max_h, max_v);
      jpeg_write_coefficients(&to, arrays);
      for (int i = 0; i < from.num_components; i++) {
        const jpeg_component_info& of = from.comp_info[i];
        const JDIMENSION left = blocks_of(part.x, of.h_samp_factor, max_h),
                         top = blocks_of(part.y, of.v_samp_factor, max_v);
        const JDIMENSION width = blocks_of(part.width, of.h_samp_factor, max_h);
        const JDIMENSION height = blocks_of(part.height, of.v_samp_factor, max_v);
        for (JDIMENSION y = 0; y < height; y++) {
          JBLOCKROW const source = *from.mem->access_virt_barray(common(from), whole[i], top + y, 1, FALSE) + left;
          if (!can_be_written(source, width)) errors.leave_for("its pixels are damaged: they are brighter than white");
          std::memcpy(*to.mem->access_virt_barray(common(to), arrays[i], y, 1, TRUE), source, width * sizeof(JBLOCK));
        }
      }
      jpeg_finish_compress(&to);
    });
  });
  return {output.bytes, output.bytes + (output.room - output.free_in_buffer)};
}

}  // namespace vedette
