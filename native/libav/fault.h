// What goes wrong here, as the engine's other addon says it.
#pragma once

#include <string>

namespace vedette {

/** A stable code and a sentence. Thrown by value inside the addon, never through a JavaScript frame. */
struct Fault {
  std::string code, detail;
};

/** FFmpeg's words for one of its error numbers. */
std::string av_text(int error);

/**
 * The fault of a file that could not be written, by its errno: `storage.full`, else `recording.failed`. what: "the
 * recording x.mp4 cannot be written".
 */
Fault fault_of_file(int error_number, const std::string& what);

}  // namespace vedette
