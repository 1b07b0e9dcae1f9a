// Files that are read and written whole, for programs of one picture.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

namespace vedette {

/** None where it cannot be opened. */
inline std::optional<std::vector<uint8_t>> read_whole_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::vector<uint8_t>{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/** False where not all of it could be written. What was there is replaced. */
inline bool write_whole_file(const char* path, const std::vector<uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  return file.good();
}

}  // namespace vedette
