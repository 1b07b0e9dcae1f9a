#include "prediction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "positive_definite.h"
#include "symmetric_eigen.h"

namespace vedette {

namespace {

constexpr double SMALLEST = 1e-13;  // of the largest eigenvalue: below that it is noise of the arithmetic
constexpr int PLACES = MAP_COLUMNS * MAP_ROWS;

using Matrix = std::vector<std::vector<double>>;

Matrix square(size_t size) { return Matrix(size, std::vector<double>(size)); }

std::vector<int> places_of(const SoughtUnknowns& sought) {
  std::vector<int> to;
  for (int i = 0; i < LENS_UNKNOWNS; i++)
    if (sought[i]) to.push_back(i);
  return to;
}

/** The inverse of what is sought, and the condition, each unknown in its own unit. */
Matrix inverse_of(const LensEquations& equations, const std::vector<int>& sought, double& condition) {
  const size_t size = sought.size();
  Matrix scaled = square(size), to = square(size);
  std::vector<double> unit(size);
  for (size_t i = 0; i < size; i++) {
    const double on = equations[sought[i]][sought[i]];
    unit[i] = on > 0 ? 1 / std::sqrt(on) : 1;
  }
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) scaled[i][j] = equations[sought[i]][sought[j]] * unit[i] * unit[j];
  const SymmetricEigen eigen = symmetric_eigen(scaled);
  const double largest = *std::max_element(eigen.values.begin(), eigen.values.end());
  condition = largest / std::max(*std::min_element(eigen.values.begin(), eigen.values.end()), SMALLEST * largest);
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++)
      for (size_t k = 0; k < size; k++)
        to[i][j] += eigen.vectors[i][k] * eigen.vectors[j][k] / std::max(eigen.values[k], SMALLEST * largest) *
                    unit[i] * unit[j];
  return to;
}

/** Where the places of the map are seen: from edge to edge, where a lens is known worst. */
void place_of(int place, int width, int height, double& u, double& v) {
  u = (place % MAP_COLUMNS) * (width - 1.0) / (MAP_COLUMNS - 1);
  v = (place / MAP_COLUMNS) * (height - 1.0) / (MAP_ROWS - 1);
}

/** How the places of the map move with the unknowns, and with a turn of the camera. */
struct PlaceDerivatives {
  std::vector<std::array<double, LENS_UNKNOWNS>> by_lens;  // two rows for each place
  std::vector<std::array<double, 3>> by_turn;
};

void ray_at(const LensAt& at, const LensUnknowns& lens, int place, int width, int height, double& x, double& y) {
  double u, v;
  place_of(place, width, height, u, v);
  at.model().undistort((u - lens[CX]) / lens[FX], (v - lens[CY]) / lens[FY], x, y);
}

PlaceDerivatives derivatives_of(const LensUnknowns& lens, int width, int height) {
  const LensAt at(lens);
  PlaceDerivatives to;
  for (int place = 0; place < PLACES; place++) {
    double x, y, u, v, by_ray[2][2], by_lens[2][LENS_UNKNOWNS];
    ray_at(at, lens, place, width, height, x, y);
    at.see_ray(x, y, u, v, by_ray, by_lens);
    for (int i = 0; i < 2; i++) {
      std::array<double, LENS_UNKNOWNS> row{};
      std::copy_n(by_lens[i], OF_LENS, row.begin());
      to.by_lens.push_back(row);
      // the ray (x, y, 1) turned about the axes: (-xy, -1 - y^2), (1 + x^2, xy), (-y, x)
      to.by_turn.push_back({-by_ray[i][0] * x * y - by_ray[i][1] * (1 + y * y),
                            by_ray[i][0] * (1 + x * x) + by_ray[i][1] * x * y, -by_ray[i][0] * y + by_ray[i][1] * x});
    }
  }
  return to;
}

/** Least squares of a turn out of a column: the turn that explains most of it. */
std::array<double, 3> turn_in(const std::vector<std::array<double, 3>>& by_turn, const std::vector<double>& column) {
  double a[3][3] = {}, side[3] = {};
  for (size_t row = 0; row < by_turn.size(); row++)
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) a[i][j] += by_turn[row][i] * by_turn[row][j];
      side[i] += by_turn[row][i] * column[row];
    }
  PositiveDefinite<3> factor;
  if (factor.factor(a)) factor.solve(side);
  return {side[0], side[1], side[2]};
}

/** A turn of the camera is no error of its lens. */
void take_turn_out(PlaceDerivatives& all) {
  const std::vector<std::array<double, LENS_UNKNOWNS>> before = all.by_lens;
  for (int i = 0; i < OF_LENS; i++) {
    std::vector<double> column;
    for (const auto& row : before) column.push_back(row[i]);
    const std::array<double, 3> turn = turn_in(all.by_turn, column);
    for (size_t row = 0; row < before.size(); row++)
      for (int k = 0; k < 3; k++) all.by_lens[row][i] -= all.by_turn[row][k] * turn[k];
  }
}

double larger_root(double a, double b, double c) {
  return std::sqrt(std::max(0.0, (a + c) / 2 + std::sqrt((a - c) * (a - c) / 4 + b * b)));
}

/** covariance: of what is sought, in its order. */
ErrorMap map_of(const std::vector<std::array<double, LENS_UNKNOWNS>>& by_lens, const Matrix& covariance,
                const std::vector<int>& sought) {
  ErrorMap to{};
  const size_t size = sought.size();
  for (int place = 0; place < PLACES; place++) {
    const auto& u = by_lens[2 * place];
    const auto& v = by_lens[2 * place + 1];
    double uu = 0, uv = 0, vv = 0;
    for (size_t i = 0; i < size; i++)
      for (size_t j = 0; j < size; j++) {
        uu += u[sought[i]] * covariance[i][j] * u[sought[j]];
        uv += u[sought[i]] * covariance[i][j] * v[sought[j]];
        vv += v[sought[i]] * covariance[i][j] * v[sought[j]];
      }
    to[place] = larger_root(uu, uv, vv);
  }
  return to;
}

double mean_of(const ErrorMap& map) { return std::accumulate(map.begin(), map.end(), 0.0) / PLACES; }

void scale(Matrix& matrix, double factor) {
  for (auto& row : matrix)
    for (double& each : row) each *= factor;
}

}  // namespace

ErrorForecast::ErrorForecast(const LensUnknowns& lens, int width, int height, const SoughtUnknowns& sought)
    : sought_(places_of(sought)) {
  PlaceDerivatives places = derivatives_of(lens, width, height);
  take_turn_out(places);
  by_lens_ = std::move(places.by_lens);
}

double ErrorForecast::mean_px(const LensEquations& equations, double sigma_px) const {
  double condition;
  return mean_px(equations, sigma_px, condition);
}

double ErrorForecast::mean_px(const LensEquations& equations, double sigma_px, double& condition) const {
  return sigma_px * mean_of(map_of(by_lens_, inverse_of(equations, sought_, condition), sought_));
}

LensUnknowns ErrorForecast::deviations(const LensEquations& equations, double sigma_px, double& condition) const {
  const Matrix inverse = inverse_of(equations, sought_, condition);
  LensUnknowns to{};
  for (size_t i = 0; i < sought_.size(); i++) to[sought_[i]] = sigma_px * std::sqrt(inverse[i][i]);
  return to;
}

Prediction predict(const BoardViews& board, const Adjusted& adjusted, const AdjustmentOptions& options) {
  Prediction to;
  const std::vector<int> sought = places_of(options.sought);
  const LensUnknowns& lens = adjusted.state.lens;
  std::vector<std::array<std::array<double, LENS_UNKNOWNS>, LENS_UNKNOWNS>> of_views(board.views.size());
  LensEquations all = {};
  double measured = 0;
  for (size_t n = 0; n < board.views.size(); n++) {
    LensEquations of_view;
    equations_of_view(board, board.views[n], lens, adjusted.state.poses[n], options.sought, options.huber_px, of_view);
    for (int i = 0; i < LENS_UNKNOWNS; i++)
      for (int j = 0; j < LENS_UNKNOWNS; j++) all[i][j] += of_views[n][i][j] = of_view[i][j];
    measured += 2.0 * board.views[n].size() - 6;
  }
  add_weak_bounds(options.sought, all);
  const double free = std::max(1.0, measured - static_cast<double>(sought.size()));
  to.sigma_px = std::sqrt(adjusted.cost / free);
  const double variance = to.sigma_px * to.sigma_px;

  Matrix covariance = inverse_of(all, sought, to.condition);
  scale(covariance, variance);
  for (size_t i = 0; i < sought.size(); i++) {
    to.deviation[sought[i]] = std::sqrt(covariance[i][i]);
    for (size_t j = 0; j < sought.size(); j++)
      if (sought[i] < OF_LENS && sought[j] < OF_LENS) to.covariance[sought[i] * OF_LENS + sought[j]] = covariance[i][j];
  }
  PlaceDerivatives places = derivatives_of(lens, board.width, board.height);
  take_turn_out(places);
  to.map_px = map_of(places.by_lens, covariance, sought);
  to.mean_px = mean_of(to.map_px);
  to.max_px = *std::max_element(to.map_px.begin(), to.map_px.end());

  for (const auto& of_view : of_views) {
    LensEquations others;
    for (int i = 0; i < LENS_UNKNOWNS; i++)
      for (int j = 0; j < LENS_UNKNOWNS; j++) others[i][j] = all[i][j] - of_view[i][j];
    double condition;
    Matrix without = inverse_of(others, sought, condition);
    scale(without, variance);
    to.adds.push_back(to.mean_px > 0 ? mean_of(map_of(places.by_lens, without, sought)) / to.mean_px - 1 : 0);
  }
  return to;
}

ErrorMap difference_of(const LensUnknowns& one, const LensUnknowns& other, int width, int height) {
  const LensAt at(one), other_at(other);
  const PlaceDerivatives places = derivatives_of(one, width, height);
  std::vector<double> off;
  for (int place = 0; place < PLACES; place++) {
    double x, y, u, v, other_u, other_v, by_ray[2][2], by_lens[2][LENS_UNKNOWNS];
    ray_at(at, one, place, width, height, x, y);
    at.see_ray(x, y, u, v, by_ray, by_lens);
    other_at.see_ray(x, y, other_u, other_v, by_ray, by_lens);
    off.push_back(other_u - u);
    off.push_back(other_v - v);
  }
  const std::array<double, 3> turn = turn_in(places.by_turn, off);
  ErrorMap to{};
  for (int place = 0; place < PLACES; place++) {
    double left[2] = {off[2 * place], off[2 * place + 1]};
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < 3; k++) left[i] -= places.by_turn[2 * place + i][k] * turn[k];
    to[place] = std::hypot(left[0], left[1]);
  }
  return to;
}

}  // namespace vedette
