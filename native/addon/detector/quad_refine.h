// The edges of a quadrilateral where the picture changes most.
#pragma once

#include "grey_view.h"
#include "quad_fit.h"

namespace vedette {

/**
 * Moves the corners to where lines through the strongest changes across the edges meet. A corner stays where two edges
 * are almost one line, or where nothing was seen. decimate: by which the picture was smaller in which the corners were
 * found: so much farther they are looked for.
 */
void refine_quad(const GreyView& picture, Quad& quad, double decimate);

}  // namespace vedette
