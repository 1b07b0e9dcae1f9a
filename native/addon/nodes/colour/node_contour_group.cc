// Outlines that belong together as one: two strips of tape, or a row of them. What belongs together lies near each
// other, and where that is asked for, the lines along both meet on a given side of both.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <tuple>

#include "colour_nodes.h"
#include "outline.h"

namespace vedette {

namespace {

/** Every two of them are looked at. */
constexpr size_t MAX_GROUPED = 200;

enum class Count { single, dual, two_or_more };
enum class Meeting { any, up, down, left, right };

template <typename T>
T named(const std::string& name, std::initializer_list<std::pair<const char*, T>> names) {
  for (const auto& [each, value] : names)
    if (name == each) return value;
  throw Fault{"engine.bad_task", "contours cannot be grouped by " + name};
}

struct Rules {
  Count count;
  Meeting meeting;
  double gap_max;

  explicit Rules(const Params& params)
      : count(named<Count>(params.string("count"),
                           {{"single", Count::single}, {"dual", Count::dual}, {"two_or_more", Count::two_or_more}})),
        meeting(named<Meeting>(params.string("intersection"), {{"any", Meeting::any},
                                                               {"up", Meeting::up},
                                                               {"down", Meeting::down},
                                                               {"left", Meeting::left},
                                                               {"right", Meeting::right}})),
        gap_max(params.number("gap_max")) {}
};

/** Half of the longer side of its rectangle, with its direction. */
cv::Point2d long_half(const Contour& row) {
  const auto side = [&row](int from, int to) {
    return cv::Point2d(row.rect[to][0] - row.rect[from][0], row.rect[to][1] - row.rect[from][1]);
  };
  const cv::Point2d a = side(0, 1), b = side(1, 2);
  return (cv::norm(a) >= cv::norm(b) ? a : b) / 2;
}

/** Between the upright boxes; 0 where they overlap. */
double distance(const Contour& a, const Contour& b) {
  const auto between = [](double from_a, double length_a, double from_b, double length_b) {
    return std::max({0.0, from_b - from_a - length_a, from_a - from_b - length_b});
  };
  return std::hypot(between(a.x_px, a.width_px, b.x_px, b.width_px), between(a.y_px, a.height_px, b.y_px, b.height_px));
}

bool meet(const Contour& a, const Contour& b, Meeting where) {
  if (where == Meeting::any) return true;
  const cv::Point2d from(a.center[0], a.center[1]), to(b.center[0], b.center[1]), along_a = long_half(a),
                                                                                  along_b = long_half(b);
  const double sine = along_a.cross(along_b);
  // as good as parallel: they meet anywhere or nowhere
  if (std::abs(sine) < 1e-3 * cv::norm(along_a) * cv::norm(along_b)) return false;
  const cv::Point2d at = from + along_a * ((to - from).cross(along_b) / sine);
  switch (where) {
    case Meeting::up:
      return at.y < std::min(from.y, to.y);
    case Meeting::down:
      return at.y > std::max(from.y, to.y);
    case Meeting::left:
      return at.x < std::min(from.x, to.x);
    default:
      return at.x > std::max(from.x, to.x);
  }
}

class ContourGroupNode : public Node {
 public:
  explicit ContourGroupNode(const Params& params) : rules_(params) {}

  void set_params(const Params& params) override { rules_ = Rules(params); }

  void process(const Moment&, const Ports& ports) override {
    const Contours& contours = ports.in<Contours>(0);
    Contours& out = ports.out<Contours>();
    out.clear();
    if (rules_.count == Count::single) {
      for (const Contour& row : contours.rows) add_copy(contours, row, out);
      return;
    }
    const size_t count = std::min(contours.rows.size(), MAX_GROUPED);
    group_.resize(count);
    std::iota(group_.begin(), group_.end(), 0);
    find_pairs(contours, count);
    if (rules_.count == Count::dual) couple();
    else chain();
    for (size_t first = 0; first < count; first++) add_group(contours, first, out);
  }

 private:
  struct Pair {
    double gap;
    size_t a, b;
  };

  /** Those that belong together; the nearest first. */
  void find_pairs(const Contours& contours, size_t count) {
    pairs_.clear();
    for (size_t a = 0; a < count; a++)
      for (size_t b = a + 1; b < count; b++) {
        const Contour &one = contours.rows[a], &other = contours.rows[b];
        const double longest = 2 * std::max(cv::norm(long_half(one)), cv::norm(long_half(other))),
                     gap = distance(one, other) / longest;
        if (gap <= rules_.gap_max && meet(one, other, rules_.meeting)) pairs_.push_back({gap, a, b});
      }
    std::sort(pairs_.begin(), pairs_.end(),
              [](const Pair& x, const Pair& y) { return std::tie(x.gap, x.a, x.b) < std::tie(y.gap, y.a, y.b); });
  }

  /** Each in one pair at most. */
  void couple() {
    for (const Pair& pair : pairs_)
      if (is_alone(pair.a) && is_alone(pair.b)) group_[pair.b] = pair.a;
  }

  bool is_alone(size_t row) const { return group_[row] == row && std::count(group_.begin(), group_.end(), row) == 1; }

  /** All that hang together, each by its smallest index. */
  void chain() {
    for (const Pair& pair : pairs_) {
      const size_t a = group_[pair.a], b = group_[pair.b];
      if (a != b) std::replace(group_.begin(), group_.end(), std::max(a, b), std::min(a, b));
    }
  }

  /** Its outline is the hull around all of them, and its centre the middle of its rectangle. */
  void add_group(const Contours& contours, size_t first, Contours& out) {
    points_.clear();
    Contour row;
    size_t members = 0;
    for (size_t i = first; i < group_.size(); i++) {
      if (group_[i] != first) continue;
      const Contour& member = contours.rows[i];
      members++;
      row.area_px += member.area_px;
      row.inset_px = std::max(row.inset_px, member.inset_px);
      for (size_t k = 0; k < member.count; k++)
        points_.emplace_back(contours.points[member.first + k].x, contours.points[member.first + k].y);
    }
    if (members < 2) return;
    cv::convexHull(points_, hull_);
    if (out.points.size() + hull_.size() > MAX_CONTOUR_POINTS) return;
    row.first = out.points.size();
    row.count = hull_.size();
    for (const cv::Point2f& point : hull_) out.points.push_back({point.x, point.y});
    measure_extent(out, row);
    for (int axis = 0; axis < 2; axis++) row.center[axis] = (row.rect[0][axis] + row.rect[2][axis]) / 2;
    out.rows.push_back(row);
  }

  Rules rules_;
  std::vector<size_t> group_;
  std::vector<Pair> pairs_;
  std::vector<cv::Point2f> points_, hull_;
};

}  // namespace

std::unique_ptr<Node> make_contour_group_node(const Params& params, const Scene&) {
  return std::make_unique<ContourGroupNode>(params);
}

}  // namespace vedette
