// H.264 as a stream of bytes (ITU-T H.264, Annex B): units behind start codes, of which two kinds say how all others
// are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vedette {

/** Whether there is a sequence parameter set among the units: a decoder can begin there. */
bool has_parameter_sets(const uint8_t* bytes, size_t length);

/** The parameter sets among the units, each behind a start code; empty: there are none. */
std::vector<uint8_t> parameter_sets_of(const uint8_t* bytes, size_t length);

}  // namespace vedette
