// A note of what is held: the words of the command line. While it is there, something may shine that nobody holds: who
// finds it puts that off.
#pragma once

#include <string>
#include <vector>

namespace vedette::lamps {

/** Throws a sentence. */
void write_note(const std::string& path, const std::vector<std::string>& words);

/** Puts off what a note names, as far as it is there, and removes the note. Without one there is nothing to do. */
void put_off_noted(const std::string& path);

void remove_note(const std::string& path);

}  // namespace vedette::lamps
