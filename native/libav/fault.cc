#include "fault.h"

#include <cerrno>
#include <cstring>

extern "C" {
#include <libavutil/error.h>
}

namespace vedette {

std::string av_text(int error) {
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(error, text, sizeof text);
  return text;
}

Fault fault_of_file(int error_number, const std::string& what) {
  if (error_number == ENOSPC || error_number == EDQUOT)
    return {"storage.full", what + ": the storage is full; delete recordings or pictures that are not needed any more"};
  return {"recording.failed", what + ": " + std::strerror(error_number)};
}

}  // namespace vedette
