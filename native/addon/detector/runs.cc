#include "runs.h"

#include <algorithm>
#include <utility>

#include "row_kernels.h"

namespace vedette {

namespace {

constexpr uint32_t NONE = UINT32_MAX;

}  // namespace

void Runs::clear() {
  count_ = 0;
  rows_.assign(1, 0);
}

void Runs::add_row(const uint64_t* bits, int words) {
  const size_t most = count_ + static_cast<size_t>(words) * WORD_PX / 2;
  if (runs_.size() < most) runs_.resize(most + most / 4);
  Run* run = &runs_[count_];
  bool is_within = false;
  uint64_t before = 0;  // whether the pixel before the word is in a run
  for (int word = 0; word < words; word++) {
    const uint64_t pixels = bits[word];
    uint64_t changes = pixels ^ (pixels << 1 | before);
    before = pixels >> (WORD_PX - 1);
    for (; changes != 0; changes &= changes - 1) {
      const auto at = static_cast<uint16_t>(word * WORD_PX + __builtin_ctzll(changes));
      if (is_within) (run++)->end = at;
      else run->begin = at, run->component = static_cast<uint32_t>(run - runs_.data());
      is_within = !is_within;
    }
  }
  if (is_within) (run++)->end = static_cast<uint16_t>(words * WORD_PX);
  const uint32_t above = rows_.size() > 1 ? rows_[rows_.size() - 2] : 0,
                 here = std::exchange(count_, static_cast<uint32_t>(run - runs_.data()));
  join(above, here, count_);
  rows_.push_back(count_);
}

void Runs::append(const Runs& below) {
  const uint32_t above = rows_.size() > 1 ? rows_[rows_.size() - 2] : 0, here = count_;
  count_ += below.count_;
  if (runs_.size() < count_) runs_.resize(count_);
  for (uint32_t i = 0; i < below.count_; i++)
    runs_[here + i] = {below.runs_[i].begin, below.runs_[i].end, here + below.runs_[i].component};
  for (size_t y = 1; y < below.rows_.size(); y++) rows_.push_back(here + below.rows_[y]);
  join(above, here, below.rows_.size() > 1 ? here + below.rows_[1] : here);
}

void Runs::join(uint32_t above, uint32_t here, uint32_t end) {
  uint32_t a = above;
  for (uint32_t b = here; b < end; b++) {
    const int first = runs_[b].begin - reach_, last = runs_[b].end + reach_;
    while (a < here && runs_[a].end <= first) a++;
    // The last one that touches may touch the next run, too.
    for (uint32_t next = a; next < here && runs_[next].begin < last; next++) {
      a = next;
      if (runs_[b].component == runs_[next].component) continue;  // mostly: the last one that touched hangs there, too
      const uint32_t one = root(next), other = root(b);
      runs_[std::max(one, other)].component = std::min(one, other);
    }
  }
}

uint32_t Runs::root(uint32_t run) {
  while (runs_[run].component != run) run = runs_[run].component = runs_[runs_[run].component].component;
  return run;
}

void Runs::number_components(uint32_t min_pixels) {
  pixels_.assign(count_, 0);
  for (uint32_t i = 0; i < count_; i++) {
    Run& run = runs_[i];
    run.component = runs_[run.component].component;
    pixels_[run.component] += run.end - run.begin;
  }
  // From here on pixels_ has the number of a component in the place of its first run.
  components_.clear();
  uint32_t kept = 0;
  for (size_t y = 0; y + 1 < rows_.size(); y++)
    for (uint32_t i = std::exchange(rows_[y], kept); i < rows_[y + 1]; i++) {
      const Run run = runs_[i];
      uint32_t& number = pixels_[run.component];
      if (run.component == i) {
        number = number < min_pixels ? NONE : static_cast<uint32_t>(components_.size());
        if (number != NONE)
          components_.push_back({run.begin, static_cast<uint16_t>(y), run.end, static_cast<uint16_t>(y + 1)});
      }
      if (number == NONE) continue;
      ComponentBox& box = components_[number];
      box.left = std::min(box.left, run.begin);
      box.right = std::max(box.right, run.end);
      box.bottom = static_cast<uint16_t>(y + 1);
      runs_[kept++] = {run.begin, run.end, number};
    }
  rows_.back() = count_ = kept;
}

}  // namespace vedette
