// What outlines measure, and rows of them from one list to another.
#pragma once

#include "value.h"

namespace vedette {

/** Bounds of what a node gives, whatever the picture. */
constexpr size_t MAX_CONTOURS = 1000, MAX_CONTOUR_POINTS = 100'000;

/**
 * Width and height of a rectangle that lies aslant: width is the side that is nearer to the horizontal. skew_deg: how
 * far it is turned, above -90 to 0.
 */
struct Sides {
  double width = 0, height = 0, skew_deg = 0;
};
Sides sides_of(const double (&rect)[4][2]);

/**
 * The upright bounding box and the smallest bounding rectangle of a row, from its points. They are widened by its
 * inset.
 */
void measure_extent(const Contours& contours, Contour& row);

/** Area and its centre of a row whose points are corners of a polygon. */
void measure_polygon(const Contours& contours, Contour& row);

/** Adds a copy of a row with its points. false, and nothing is added, where there is no more room. */
bool add_copy(const Contours& from, const Contour& row, Contours& to);

}  // namespace vedette
