// Tags drawn onto a picture, for people.
#pragma once

#include "value.h"

namespace vedette {

/** Draws outlines and ids. scale: how many of these pixels make one pixel of what will be shown. */
void draw_tags(GrayImage& image, const Detections& tags, double scale);

}  // namespace vedette
