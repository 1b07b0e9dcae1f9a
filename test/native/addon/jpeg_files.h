// The pictures of the folder jpegs: what real cameras and programs write, each drawn for this project. Those of one
// scene have the same pixels: 01, 02, 03c, 05c, 06b, 08e (in grey), 12, 13, and restarts-2-stray, which has two stray
// bytes before each of its 1199 restart markers and 30 before its end.
#pragma once

#include <fstream>
#include <iterator>

#include "check.h"

namespace vedette::test {

/** The bytes of one. Tests run in native/addon. */
inline std::vector<uint8_t> jpeg_file(const std::string& name) {
  std::ifstream file("../../test/native/addon/jpegs/" + name, std::ios::binary);
  expect(static_cast<bool>(file), "there is no picture " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace vedette::test
