// Pictures that are others than was said when the camera was opened, or calibrated.
#pragma once

#include <optional>

#include "source.h"

namespace vedette {

/** A calibration for pictures of another size: it does not hold. */
std::optional<Fault> other_calibration(const SourceFormat& format);

/** Pictures from files may differ. Where they do, the calibration does not hold. */
std::optional<Fault> other_size(const Frame& frame, const SourceFormat& format);

}  // namespace vedette
