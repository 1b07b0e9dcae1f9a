// How well a calibration is known: deviations of its numbers, and by how many pixels it may be wrong over the picture.
#pragma once

#include <array>
#include <vector>

#include "adjustment.h"

namespace vedette {

constexpr int MAP_COLUMNS = 12, MAP_ROWS = 8;

/** Pixels at a grid of places, row by row, from edge to edge of the picture. */
using ErrorMap = std::array<double, MAP_COLUMNS * MAP_ROWS>;

/**
 * What the equations say beyond the numbers themselves. It is right where the model is: a bent board that is taken for
 * flat is not seen by it.
 */
struct Prediction {
  /** Pixels, of one coordinate of a corner. */
  double sigma_px = 0;
  /** Standard deviations, in the unknowns' own units; 0 of what was not sought. */
  LensUnknowns deviation{};
  /** Row by row: of the unknowns of the lens with each other. */
  std::array<double, OF_LENS * OF_LENS> covariance{};
  /** Of the equations, each unknown in its own unit: from a few hundred (good) to a hundred thousand (hopeless). */
  double condition = 0;
  /** Standard deviation of where a ray is seen, the worst direction of it, apart from a turn of the whole camera. */
  ErrorMap map_px{};
  double mean_px = 0, max_px = 0;
  /** By how much larger mean_px were without each picture, as a share: 0.1 is a tenth. */
  std::vector<double> adds;
};

/** Foretells the error over the picture from equations, as often as one likes: of one lens. */
class ErrorForecast {
 public:
  ErrorForecast(const LensUnknowns& lens, int width, int height, const SoughtUnknowns& sought);

  /** Pixels: the mean over the picture. equations: of all pictures. */
  double mean_px(const LensEquations& equations, double sigma_px) const;
  /** The same. condition: as in Prediction. */
  double mean_px(const LensEquations& equations, double sigma_px, double& condition) const;

  /** Standard deviations of what is sought, in the unknowns' own units. condition: as in Prediction. */
  LensUnknowns deviations(const LensEquations& equations, double sigma_px, double& condition) const;

 private:
  std::vector<int> sought_;
  std::vector<std::array<double, LENS_UNKNOWNS>> by_lens_;  // two rows for each place of the map
};

/** Of what was sought, at the result of adjust() with the same options. */
Prediction predict(const BoardViews& board, const Adjusted& adjusted, const AdjustmentOptions& options);

/**
 * What a turn of the whole camera cannot explain of the difference between two lenses: pixels at the same places as
 * ErrorMap, by which the second sees the rays elsewhere that the first sees there.
 */
ErrorMap difference_of(const LensUnknowns& one, const LensUnknowns& other, int width, int height);

}  // namespace vedette
