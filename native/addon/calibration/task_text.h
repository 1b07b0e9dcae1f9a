// A calibration's task and its result as text, between the service and the program that computes it.
#pragma once

#include <istream>
#include <stdexcept>
#include <string>

#include "procedure.h"

namespace vedette {

/** A task that cannot be solved, in words. */
class BadTask : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/**
 * Words with blanks between them: WIDTH HEIGHT HALF_WIDTH HALF_HEIGHT COEFFICIENTS MAY_BEND PICTURES, then of each
 * picture CORNERS and u v x y of each. After them may stand a lens that is tried on the same pictures: LENS, the number
 * of its coefficients, fx fy cx cy and these. Throws BadTask.
 */
CalibrationTask read_task(std::istream& from);

/** One line of JSON. */
std::string written(const Calibration& calibration);

}  // namespace vedette
