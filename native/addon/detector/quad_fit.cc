#include "quad_fit.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vedette {

namespace {

constexpr uint32_t MIN_POINTS = 20;    // of a border: those of a square of 5 pixels
constexpr int POINTS_PER_WINDOW = 12;  // half a window is so small a part of the outline,
constexpr int MIN_WINDOW = 2, MAX_WINDOW = 10;
constexpr double MAX_MEAN_SQUARE = 10;  // square pixels
// Where a stretch is left out, edges are asked to be straighter, since there are more choices. It has at most that
// share of the points (a corner that is cut off at one module and a half: 0.09), and each of its points counts as if it
// were off by so many square pixels: of five straight sides the shortest is left out. Half or twice of each number
// finds the same of 2,000 drawn tags with a covered corner.
constexpr double MAX_MEAN_SQUARE_AROUND = 1, MAX_LEFT_OUT = 0.15, ERROR_OF_LEFT_OUT = 0.5;

// Four lines of which one is bent more, in square pixels, cut across what is covered: others are tried before. Of 800
// drawn tags of 50 and 80 px with a covered corner the error of the corners (rms) is 0.23 px, without it 1.27, and 0.44
// with 3; with 1 it is 0.22, but that of small tags in noise is a fortieth more.
constexpr double MAX_BENT = 2;

constexpr double MAX_COSINE = 0.984807753012208;  // of 10 degrees: two edges in a line are none
constexpr double MIN_AREA = 0.95;                 // of the square of the smallest tag
constexpr double MIN_BOX = 0.9;                   // of the same; a tag lies in its box
constexpr double MIN_SINE = 0.001;

// What no tag looks like is left before its points are made: points, of those that an outline has that winds nowhere,
// and what it goes around, of its box. Of 268 tags of 74 real pictures, 1,600 that were drawn small, blurred, in noise
// and covered, and 28,000 of the tests the outline has 0.72 to 2.41 of the points (more in noise) and goes around 0.30
// of the box at least; a square that lies aslant has 0.15 where it is looked at from 85 degrees aside. Of all outlines
// of those real pictures 0.15 are left so, with 0.23 of the points.
constexpr double MIN_WINDING = 0.6, MAX_WINDING = 3, MIN_FILLED = 0.15;

// Errors are smoothed by exp(-x^2 / 2) at -3 to 3, written out so that they are the same everywhere.
constexpr double SMOOTH[] = {0.011108996538242306, 0.1353352832366127, 0.6065306597126334,  1,
                             0.6065306597126334,   0.1353352832366127, 0.011108996538242306};
constexpr int SMOOTH_REACH = 3;

/** Half pixels. */
int middle(int first, int last) { return (first + last) / 2; }

/** The square of how much the grey changes around a place. */
int steepness_at(const GreyView& picture, BorderPoint point) {
  const int x = (point.x + 1) / 2, y = (point.y + 1) / 2;
  if (x < 1 || y < 1 || x + 1 >= picture.width || y + 1 >= picture.height) return 0;
  const uint8_t* row = picture.row(y);
  const int across = row[x + 1] - row[x - 1], down = row[x + picture.stride] - row[x - picture.stride];
  return across * across + down * down;
}

/** Large enough for a tag, clockwise, and bent at each corner. */
bool is_quad(const double (&c)[4][2], double min_area) {
  double twice_area = 0;
  for (int i = 0; i < 4; i++) {
    const double *a = c[i], *b = c[(i + 1) % 4], *d = c[(i + 2) % 4];
    twice_area += a[0] * b[1] - a[1] * b[0];
    const double ux = b[0] - a[0], uy = b[1] - a[1], vx = d[0] - b[0], vy = d[1] - b[1];
    const double cosine = (ux * vx + uy * vy) / std::sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy));
    if (!(std::fabs(cosine) <= MAX_COSINE) || !(ux * vy - uy * vx >= 0)) return false;
  }
  return twice_area / 2 >= min_area;
}

/** errors: as many more at either end as are smoothed over. */
void set_smooth(const double* errors, int count, double* __restrict smooth) {
  for (int i = 0; i < count; i++) {
    double sum = 0;
    for (int j = -SMOOTH_REACH; j <= SMOOTH_REACH; j++) sum += SMOOTH[j + SMOOTH_REACH] * errors[i + j];
    smooth[i] = sum;
  }
}

/** To where the lines meet one after the other. False where that is no quadrilateral. */
bool set_corners(const StraightLine (&lines)[4], const BorderBox& box, double min_area, Quad& quad) {
  // Sums are taken from the middle of the box on.
  const double middle_x = middle(box.left, box.right) / 2.0 + 0.5, middle_y = middle(box.top, box.bottom) / 2.0 + 0.5;
  for (int i = 0; i < 4; i++) {
    const Meeting corner = meeting_of(lines[i], lines[(i + 1) % 4]);
    if (!(std::fabs(corner.sine) >= MIN_SINE)) return false;
    quad.corners[i][0] = corner.x + middle_x;
    quad.corners[i][1] = corner.y + middle_y;
  }
  return is_quad(quad.corners, min_area);
}

}  // namespace

bool may_be_quad(const Border& border, double min_side_px) {
  const double width = border.box.width_px(), height = border.box.height_px(), around = border.box.around_px();
  if (border.points < MIN_POINTS || width * height < MIN_BOX * min_side_px * min_side_px) return false;
  return border.points >= MIN_WINDING * around && border.points <= MAX_WINDING * around &&
         std::fabs(area_px2(border)) >= MIN_FILLED * width * height;
}

void QuadFit::fit(const GreyView& picture, const Border& border, Borders::Points points, double min_side_px,
                  std::vector<Quad>& quads) {
  const BorderPoint* sorted = order_.sorted(points.points, points.count, border.box);
  const double min_area = MIN_AREA * min_side_px * min_side_px;
  const size_t before = quads.size();
  const auto add = [&](const StraightLine(&lines)[4], bool is_part) {
    Quad quad{{}, is_black_inside(border), is_part, quads.size() > before};
    const bool is = set_corners(lines, border.box, min_area, quad);
    if (is) quads.push_back(quad);
    return is;
  };
  StraightLine four[4], around[4];
  if (look_at(picture, border.box, sorted, points.count)) {
    const double bent = best_lines(four);
    if (bent > MAX_BENT && best_lines_around(around)) add(around, true);
    if (bent < INFINITY) add(four, false);
  }
  const std::vector<BorderPoint>& outermost = outermost_.of(border, sorted, points.count);
  if (outermost.size() < MIN_POINTS || !look_at(picture, border.box, outermost.data(), outermost.size())) return;
  const double bent = best_lines(four);
  if (bent > MAX_BENT && best_lines_around(around) && add(around, true)) return;
  if (bent < INFINITY) add(four, true);
}

bool QuadFit::look_at(const GreyView& picture, const BorderBox& box, const BorderPoint* sorted, size_t count) {
  weights_.resize(count);
  for (size_t i = 0; i < count; i++) weights_[i] = steepness_at(picture, sorted[i]);
  for (int& weight : weights_) weight = static_cast<int>(std::sqrt(static_cast<float>(weight))) + 1;
  const int x = middle(box.left, box.right), y = middle(box.top, box.bottom);
  sums_.set(count, [&](size_t i) { return LineSums::Point{sorted[i].x - x, sorted[i].y - y, weights_[i]}; });
  find_corners();
  if (corners_.size() < 4) return false;
  lines_.set(sums_, corners_);
  return true;
}

void QuadFit::find_corners() {
  corners_.clear();
  const int count = sums_.count(), window = std::clamp(count / POINTS_PER_WINDOW, MIN_WINDOW, MAX_WINDOW);
  // As many more at either end as are smoothed over, and at first all of them as far back as half a window.
  errors_.resize(count + window + 2 * SMOOTH_REACH);
  double* errors = errors_.data() + SMOOTH_REACH;
  sums_.errors_onward(2 * window + 1, errors + window);
  std::copy_n(errors + count, window, errors);
  for (int i = 1; i <= SMOOTH_REACH; i++) errors[-i] = errors[count - i], errors[count + i - 1] = errors[i - 1];
  smooth_.resize(count + 2);
  double* smooth = smooth_.data() + 1;
  set_smooth(errors, count, smooth);
  smooth[-1] = smooth[count - 1];
  smooth[count] = smooth[0];
  const auto height = [&](int at) { return smooth[at < count ? at : at - count]; };
  for (int i = 0; i < count; i++) {
    if (!(smooth[i] > smooth[i - 1])) continue;
    // Where a corner lies just between two points, these are alike to the last bit.
    int after = i + 1;
    while (after < i + count && height(after) == smooth[i]) after++;
    if (height(after) < smooth[i]) corners_.push_back(i);
  }
  if (corners_.size() <= MAX_CORNERS) return;
  std::vector<double>& heights = errors_;
  heights.clear();
  for (const int corner : corners_) heights.push_back(smooth[corner]);
  std::nth_element(heights.begin(), heights.begin() + MAX_CORNERS, heights.end(), std::greater<>());
  const double too_low = heights[MAX_CORNERS];
  corners_.erase(
      std::remove_if(corners_.begin(), corners_.end(), [&](int corner) { return !(smooth[corner] > too_low); }),
      corners_.end());
}

double QuadFit::best_lines(StraightLine (&lines)[4]) const {
  const int count = static_cast<int>(corners_.size());
  const auto is_straight = [&](int corner, int onward) {
    return lines_.mean_square(corner, onward) <= MAX_MEAN_SQUARE;
  };
  double least = MAX_MEAN_SQUARE * sums_.count();
  int best[4] = {-1, -1, -1, -1};
  for (int a = 0; a < count - 3; a++)
    for (int b = a + 1; b < count - 2; b++) {
      if (!is_straight(a, b - a)) continue;
      for (int c = b + 1; c < count - 1; c++) {
        const double two = lines_.total(a, b - a) + lines_.total(b, c - b);
        if (!is_straight(b, c - b) || !(two < least) || lines_.are_along(a, b - a, b, c - b, MAX_COSINE)) continue;
        for (int d = c + 1; d < count; d++) {
          const int onward = count - d + a;
          const double error = two + lines_.total(c, d - c) + lines_.total(d, onward);
          if (!(error < least) || !is_straight(c, d - c) || !is_straight(d, onward)) continue;
          least = error;
          best[0] = a, best[1] = b, best[2] = c, best[3] = d;
        }
      }
    }
  if (best[0] < 0) return INFINITY;
  double most = 0;
  for (int i = 0; i < 4; i++) {
    const int from = best[i], to = best[(i + 1) % 4];
    lines[i] = sums_.line(corners_[from], corners_[to]);
    most = std::max(most, lines_.mean_square(from, from < to ? to - from : count - from + to));
  }
  return most;
}

bool QuadFit::best_lines_around(StraightLine (&lines)[4]) const {
  const int count = static_cast<int>(corners_.size()), points = sums_.count();
  double least = MAX_MEAN_SQUARE_AROUND * points;
  int best[5] = {-1, -1, -1, -1, -1};
  for (int first = 0; first < count; first++) {
    // Corners are counted from the first on: the lines go from it over three others to the last; what lies between that
    // and the first is left out.
    const auto corner = [&](int onward) { return first + onward < count ? first + onward : first + onward - count; };
    const auto error_of = [&](int from, int to) {
      const int at = corner(from);
      return lines_.mean_square(at, to - from) <= MAX_MEAN_SQUARE_AROUND ? lines_.total(at, to - from) : INFINITY;
    };
    for (int last = count - 1; last >= 4; last--) {
      const int onward = corners_[first] - corners_[corner(last)], left_out = onward < 0 ? onward + points : onward;
      if (left_out > MAX_LEFT_OUT * points) break;  // those before it leave out more
      for (int a = 1; a < last - 2; a++) {
        const double one = ERROR_OF_LEFT_OUT * left_out + error_of(0, a);
        if (!(one < least)) continue;
        for (int b = a + 1; b < last - 1; b++) {
          const double two = one + error_of(a, b);
          if (!(two < least)) continue;
          for (int c = b + 1; c < last; c++) {
            const double four = two + error_of(b, c) + error_of(c, last);
            if (!(four < least)) continue;
            least = four;
            best[0] = first, best[1] = corner(a), best[2] = corner(b), best[3] = corner(c), best[4] = corner(last);
          }
        }
      }
    }
  }
  if (best[0] < 0) return false;
  for (int i = 0; i < 4; i++) lines[i] = sums_.line(corners_[best[i]], corners_[best[i + 1]]);
  return true;
}

}  // namespace vedette
