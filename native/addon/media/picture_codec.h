// Pictures in colour, from their files and back.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "edit_steps.h"

namespace vedette::media {

/** The picture is not one that can be changed. */
struct BadPicture : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** Decodes a JPEG or a PNG: 8 bits per channel, or 16 where a PNG has them. Throws BadPicture. */
Picture decode(const std::vector<uint8_t>& file);

/** The file again, of the kind that the picture came from. */
std::vector<uint8_t> encode(const Picture& picture);

/**
 * Turns and mirrors a JPEG without decoding its pixels; false: it is no JPEG, other edits are wanted, or its blocks
 * would not fit.
 */
bool turn_without_loss(const std::vector<uint8_t>& file, const std::vector<Edit>& edits, std::vector<uint8_t>& out,
                       Size& size);

}  // namespace vedette::media
