// The changes that a fuzzer makes.
#include <algorithm>
#include <utility>

#include "corpus.h"

namespace vedette::test {

namespace {

struct Chances {
  const std::vector<Bytes>& corpus;
  Dice& dice;

  /** Both included. */
  int from_to(int least, int most) { return least + dice.below(most - least + 1); }
  bool once_in(int times) { return dice.below(times) == 0; }
  const Bytes& another() { return corpus[dice.below(static_cast<int>(corpus.size()))]; }
  uint8_t grey() { return static_cast<uint8_t>(dice.below(256)); }
};

// Of bytes, whatever they mean.

void change_head(Bytes& bytes, Chances& chances) {
  bytes[chances.dice.below(std::min<int>(sizeof(LooksHead), static_cast<int>(bytes.size())))] = chances.grey();
}

void change_bytes(Bytes& bytes, Chances& chances) {
  for (int i = chances.from_to(1, 30); i > 0; i--) {
    uint8_t& byte = bytes[chances.dice.below(static_cast<int>(bytes.size()))];
    const uint8_t values[] = {0,
                              255,
                              chances.grey(),
                              static_cast<uint8_t>(byte + 1),
                              static_cast<uint8_t>(byte - 1),
                              static_cast<uint8_t>(~byte)};
    byte = values[chances.dice.below(std::size(values))];
  }
}

void splice(Bytes& bytes, Chances& chances) {
  const Bytes& other = chances.another();
  const int at = chances.dice.below(static_cast<int>(bytes.size())),
            from = chances.dice.below(static_cast<int>(other.size()));
  bytes.resize(at);
  bytes.insert(bytes.end(), other.begin() + from, other.end());
}

void cut_out(Bytes& bytes, Chances& chances) {
  const int at = chances.dice.below(static_cast<int>(bytes.size())),
            many = std::min<int>(chances.from_to(1, 300), static_cast<int>(bytes.size()) - at);
  bytes.erase(bytes.begin() + at, bytes.begin() + at + many);
}

// Of a picture.

cv::Rect part_of(const cv::Mat& picture, Chances& chances) {
  const int x = chances.dice.below(picture.cols), y = chances.dice.below(picture.rows);
  return {x, y, chances.from_to(1, picture.cols - x), chances.from_to(1, picture.rows - y)};
}

void repeat_rows(cv::Mat& picture, Chances& chances) {
  const cv::Rect rows = part_of(picture, chances);
  for (int y = 1; y < rows.height; y++) picture.row(rows.y).copyTo(picture.row(rows.y + y));
}

void repeat_columns(cv::Mat& picture, Chances& chances) {
  const cv::Rect columns = part_of(picture, chances);
  for (int x = 1; x < columns.width; x++) picture.col(columns.x).copyTo(picture.col(columns.x + x));
}

void fill_block(cv::Mat& picture, Chances& chances) {
  cv::Mat block = picture(part_of(picture, chances));
  if (const int kind = chances.dice.below(4); kind < 3)
    block.setTo(cv::Scalar(kind == 0 ? 0 : kind == 1 ? 255 : chances.grey()));
  else
    for (int y = 0; y < block.rows; y++)
      for (int x = 0; x < block.cols; x++) block.at<uint8_t>(y, x) = chances.grey();
}

void draw_frame(cv::Mat& picture, Chances& chances) {
  const int wide = chances.from_to(1, 6);
  cv::rectangle(picture, part_of(picture, chances), cv::Scalar(chances.once_in(2) ? 0 : 255), wide);
}

void paste(cv::Mat& picture, Chances& chances) {
  const Bytes& bytes = chances.another();
  const cv::Mat other = looks_of(bytes.data(), bytes.size()).pictures[0];
  const cv::Rect here = part_of(picture, chances),
                 size(0, 0, std::min(here.width, other.cols), std::min(here.height, other.rows));
  other(size).copyTo(picture(cv::Rect(here.tl(), size.size())));
}

void turn_over(cv::Mat& picture, Chances& chances) {
  if (chances.once_in(3)) picture = picture.t();
  else cv::flip(picture.clone(), picture, chances.from_to(-1, 1));
}

void change_light(cv::Mat& picture, Chances& chances) {
  if (chances.once_in(3)) cv::bitwise_not(picture.clone(), picture);
  else picture = picture / chances.from_to(2, 40) + chances.grey();
}

int other_length(int length, Chances& chances) {
  const int lengths[] = {length, length + chances.from_to(-3, 3), chances.from_to(1, 20), chances.from_to(1, 260),
                         64 * chances.from_to(1, 4) + chances.from_to(-1, 1)};
  return std::clamp(lengths[chances.dice.below(std::size(lengths))], 1, 65536);
}

void change_size(cv::Mat& picture, Chances& chances) {
  const int width = other_length(picture.cols, chances),
            height = std::min(other_length(picture.rows, chances), MAX_AREA_PX / width);
  const cv::Mat before = picture.clone();
  if (chances.once_in(2)) {
    cv::resize(before, picture, {width, height}, 0, 0, chances.once_in(2) ? cv::INTER_NEAREST : cv::INTER_LINEAR);
    return;
  }
  const cv::Rect kept(0, 0, std::min(width, before.cols), std::min(height, before.rows));
  cv::copyMakeBorder(before(kept), picture, 0, height - kept.height, 0, width - kept.width,
                     chances.once_in(2) ? cv::BORDER_REPLICATE : cv::BORDER_WRAP);
}

/** One of the same size, or of another, before those that are there: what is kept of it must not matter. */
void add_picture(Bytes& bytes, Chances& chances) {
  Looks looks = looks_of(bytes.data(), bytes.size());
  if (looks.pictures.size() == MAX_PICTURES) return;
  const Bytes& other = chances.another();
  cv::Mat first = looks_of(other.data(), other.size()).pictures[0];
  if (chances.once_in(2)) cv::resize(first.clone(), first, looks.pictures[0].size(), 0, 0, cv::INTER_NEAREST);
  looks.pictures.insert(looks.pictures.begin(), first);
  bytes = bytes_of(looks);
}

constexpr void (*BYTE_CHANGES[])(Bytes&, Chances&) = {change_head, change_bytes, splice, cut_out};
constexpr void (*PICTURE_CHANGES[])(cv::Mat&, Chances&) = {repeat_rows, repeat_columns, fill_block,   draw_frame,
                                                           paste,       turn_over,      change_light, change_size};

}  // namespace

Bytes changed(const std::vector<Bytes>& corpus, Dice& dice) {
  Chances chances{corpus, dice};
  Bytes bytes = chances.another();
  for (int i = chances.from_to(1, 4); i > 0 && !bytes.empty(); i--) {
    const int which = dice.below(std::size(BYTE_CHANGES) + std::size(PICTURE_CHANGES));
    if (which < static_cast<int>(std::size(BYTE_CHANGES))) {
      BYTE_CHANGES[which](bytes, chances);
      continue;
    }
    Looks looks = looks_of(bytes.data(), bytes.size());
    PICTURE_CHANGES[which - std::size(BYTE_CHANGES)](
        looks.pictures[dice.below(static_cast<int>(looks.pictures.size()))], chances);
    bytes = bytes_of(looks);
  }
  if (chances.once_in(4)) add_picture(bytes, chances);
  return bytes;
}

}  // namespace vedette::test
