// What the program of lamps is told on its command line.
#pragma once

#include <string>
#include <vector>

#include "lamp_output.h"

namespace vedette::lamps {

struct LampOptions {
  /** hold: the outputs, for as long as it is told what to show. find: lines of chips. put_off: what a note names. */
  enum { hold, find, put_off } task = hold;
  std::vector<OutputOrder> outputs;
  /** Where it is noted what is held, so that another process can put it off; empty: nowhere. */
  std::string note;
  /** find: device files of GPIO chips. */
  std::vector<std::string> chips;
};

/** words: the command line without the program. Throws std::invalid_argument with a sentence. */
LampOptions read_options(const std::vector<std::string>& words);

}  // namespace vedette::lamps
