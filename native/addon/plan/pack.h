// Results as numbers, laid out as machines/engine/result.ts says.
#pragma once

#include <vector>

#include "value.h"

namespace vedette {

/** Appends a row count and the rows of an output; of a kind with texts also the texts. */
void pack_rows(const Value& value, std::vector<double>& out);

/** Appends the outputs `truth` and `visible` of a synthetic source; empty ones for a frame that has none. */
void pack_truth(const Frame& frame, std::vector<double>& out);

}  // namespace vedette
