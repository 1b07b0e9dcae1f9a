// The rows that a program gives: numbers that are checked, and taken to the source picture.
#pragma once

#include <vector>

#include "image.h"
#include "value.h"

namespace vedette {

/** So many numbers has a row of that kind as programs give it; 0: they cannot give any. */
size_t plugin_row_width(Kind kind);

/** More are a mistake, and would hold up all that reads them. */
constexpr size_t MAX_PLUGIN_ROWS = 300;

/**
 * Fills `out` of numbers, row by row. to_source: from the pixels in which they are given; places that it leads nowhere
 * are left out. Throws Fault `step.failed` with a sentence about what is no row of that kind. Directions are not told.
 */
void read_plugin_rows(const std::vector<double>& numbers, const ToSource& to_source, Value& out);

}  // namespace vedette
