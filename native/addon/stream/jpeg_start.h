// Whether bytes are a JPEG, by how they begin.
#pragma once

#include <cstdint>
#include <vector>

namespace vedette {

inline bool is_jpeg(const std::vector<uint8_t>& bytes) {
  return bytes.size() > 2 && bytes[0] == 0xff && bytes[1] == 0xd8;
}

}  // namespace vedette
