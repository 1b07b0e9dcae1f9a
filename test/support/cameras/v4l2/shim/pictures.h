// The pictures of an emulated camera: those that a test has laid into its folder, one after the other and as they are;
// or painted, each with a tag.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shim {

/** What is painted. left, top, whole_*: the part of a whole picture that it is; whole_width 0: it is whole. */
struct Painting {
  int64_t tag_id;
  uint32_t fourcc;
  int width, height;
  int left = 0, top = 0, whole_width = 0, whole_height = 0;

  bool operator==(const Painting& other) const {
    return tag_id == other.tag_id && fourcc == other.fourcc && width == other.width && height == other.height &&
           left == other.left && top == other.top && whole_width == other.whole_width &&
           whole_height == other.whole_height;
  }
};

class Pictures {
 public:
  explicit Pictures(std::string folder) : folder_(std::move(folder)) {}

  /** The bytes of a picture in the present format. version: of what lies in the folder. */
  const std::vector<uint8_t>& picture(int64_t number, int64_t version, const Painting& painting);

 private:
  void load();

  const std::string folder_;
  int64_t loaded_version_ = -1;
  std::vector<std::vector<uint8_t>> laid_;
  std::vector<uint8_t> painted_;
  Painting painting_{-1, 0, 0, 0};
};

/** A white picture with a tag of the family 36h11 in its middle, half as high as the picture, in grey. */
std::vector<uint8_t> paint_tag(int64_t tag_id, int width, int height);

/** That in the layout of a camera's format. Colours are neutral. */
std::vector<uint8_t> in_format(const std::vector<uint8_t>& gray, uint32_t fourcc, int width, int height);

}  // namespace shim
