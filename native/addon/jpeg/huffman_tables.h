// The Huffman tables that most USB cameras leave out of their pictures, since everybody knows them (ITU T.81, annex
// K.3): not everybody who is shown a picture does, so it is given them where it enters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vedette {

/** Replaces what is in `out` by a JPEG; by one with the standard tables where it has none. */
void copy_jpeg_with_tables(const uint8_t* jpeg, size_t length, std::vector<uint8_t>& out);

/** The same in its place. */
void add_huffman_tables(std::vector<uint8_t>& jpeg);

}  // namespace vedette
