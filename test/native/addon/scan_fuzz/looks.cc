#include "looks.h"

#include <algorithm>
#include <cstring>

namespace vedette::test {

std::vector<SoughtFamily> Looks::sought() const {
  std::vector<SoughtFamily> out;
  for (size_t i = 0; i < std::size(FUZZED_FAMILIES); i++)
    if (head.families >> i & 1) out.push_back({&family_named(FUZZED_FAMILIES[i]), head.max_wrong % (MAX_WRONG + 1)});
  if (out.empty()) out.push_back({&family_named(FUZZED_FAMILIES[0]), head.max_wrong % (MAX_WRONG + 1)});
  return out;
}

Looks looks_of(const uint8_t* bytes, size_t count) {
  Looks out;
  if (count > 0) std::memcpy(&out.head, bytes, std::min(count, sizeof out.head));
  const uint8_t* pixels = bytes + sizeof out.head;
  const size_t have = count > sizeof out.head ? count - sizeof out.head : 0;
  size_t next = 0;
  for (int i = 0; i <= out.head.pictures_less_1 % MAX_PICTURES; i++) {
    const int width = out.head.each[i].width_less_1 + 1,
              height = std::min(out.head.each[i].height_less_1 + 1, std::max(1, MAX_AREA_PX / width));
    cv::Mat& picture = out.pictures.emplace_back(height, width, CV_8U, cv::Scalar(0));
    if (have == 0) continue;
    for (size_t filled = 0, area = picture.total(); filled < area;) {
      const size_t some = std::min(area - filled, have - next);
      std::memcpy(picture.data + filled, pixels + next, some);
      filled += some;
      next = (next + some) % have;
    }
  }
  return out;
}

Bytes bytes_of(const Looks& looks) {
  LooksHead head = looks.head;
  head.pictures_less_1 = static_cast<uint8_t>(looks.pictures.size() - 1);
  for (size_t i = 0; i < looks.pictures.size(); i++) {
    head.each[i].width_less_1 = static_cast<uint16_t>(looks.pictures[i].cols - 1);
    head.each[i].height_less_1 = static_cast<uint16_t>(looks.pictures[i].rows - 1);
  }
  Bytes out(sizeof head);
  std::memcpy(out.data(), &head, sizeof head);
  for (const cv::Mat& picture : looks.pictures)
    for (int y = 0; y < picture.rows; y++) out.insert(out.end(), picture.ptr(y), picture.ptr(y) + picture.cols);
  return out;
}

}  // namespace vedette::test
