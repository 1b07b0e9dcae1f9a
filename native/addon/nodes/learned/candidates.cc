#include "candidates.h"

#include <algorithm>
#include <cmath>

namespace vedette {

namespace {

/**
 * A picture full of things gives some dozens for each of them; a model that says yes everywhere must not take the time
 * of all its pairs.
 */
constexpr size_t MAX = 2000;

bool goes_before(const Candidate& a, const Candidate& b) {
  return a.confidence != b.confidence ? a.confidence > b.confidence : a.at < b.at;
}

double area_of(const Candidate& box) { return (box.x1 - box.x0) * (box.y1 - box.y0); }

/** The common part of two boxes as a share of both together. */
double overlap_of(const Candidate& a, const Candidate& b) {
  const double width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0),
               height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  if (width <= 0 || height <= 0) return 0;
  const double common = width * height;
  return common / (area_of(a) + area_of(b) - common);
}

bool is_box(const Candidate& box) {
  const double sum = box.x0 + box.y0 + box.x1 + box.y1 + box.confidence;
  return std::isfinite(sum) && box.x1 > box.x0 && box.y1 > box.y0;
}

}  // namespace

void Candidates::begin(double least, const std::vector<int>& labels) {
  least_ = least;
  labels_ = &labels;
  rows_.clear();
  rows_.reserve(MAX);
  kept_.reserve(MAX);
}

void Candidates::put(const Candidate& candidate) {
  if (!wants(candidate.confidence) || !is_box(candidate)) return;
  if (!labels_->empty() && std::find(labels_->begin(), labels_->end(), candidate.label) == labels_->end()) return;
  if (rows_.size() == MAX) {
    if (!goes_before(candidate, rows_.front())) return;
    std::pop_heap(rows_.begin(), rows_.end(), goes_before);
    rows_.pop_back();
  }
  rows_.push_back(candidate);
  std::push_heap(rows_.begin(), rows_.end(), goes_before);
}

const std::vector<Candidate>& Candidates::distinct(double max_overlap, size_t most) {
  kept_.clear();
  std::sort(rows_.begin(), rows_.end(), goes_before);
  for (const Candidate& row : rows_) {
    if (kept_.size() >= most) break;
    const bool is_known = std::any_of(kept_.begin(), kept_.end(), [&](const Candidate& kept) {
      return kept.label == row.label && overlap_of(kept, row) > max_overlap;
    });
    if (!is_known) kept_.push_back(row);
  }
  return kept_;
}

}  // namespace vedette
