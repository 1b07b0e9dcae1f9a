// Whether noise tears the outlines in a picture.
#pragma once

#include "grey_view.h"
#include "row_kernels.h"

namespace vedette {

/**
 * Whether even what is flat in a picture is not: a sensor's noise at a high gain, as against what is seen. Looks at
 * some rows of tiles, as many in any picture. Of a small part of a picture it cannot tell: there a tag may be all that
 * is seen.
 */
bool is_noisy(const GreyView& picture, const RowKernels& kernels);

}  // namespace vedette
