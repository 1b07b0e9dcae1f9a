// What is asked of the detector for any bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vedette::test {

/** Tags that were seen so far: a fuzzer that sees none looks at nothing. */
inline size_t tags_seen = 0;

}  // namespace vedette::test

/**
 * The detector looks at the pictures that the bytes are, one after the other. It comes to an end in time, what it says
 * can be, and a new detector says the same of each picture, on every vector path, wherever the rows lie. Ends the
 * program where it is not so. The name is the one by which fuzzers call it; always 0.
 */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count);
