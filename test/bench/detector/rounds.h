// The rounds of programs that have several look at the same pictures.
#pragma once

#include <cstdio>
#include <vector>

#include "json.h"
#include "sized_picture.h"

namespace vedette {

/**
 * Prints a line for each round: a list of what measured(view, is_first) says of each picture. is_first: whose turn it
 * is; it changes from picture to picture, and of a picture from round to round.
 */
template <typename Measured>
void print_rounds(int rounds, const std::vector<GrayImage>& pictures, Measured measured) {
  for (int round = 0; round < rounds; round++) {
    std::puts(json_list(pictures, [&, turn = round](const GrayImage& picture) mutable {
                return measured(view_of(picture), turn++ % 2 == 0);
              }).c_str());
    std::fflush(stdout);
  }
}

}  // namespace vedette
