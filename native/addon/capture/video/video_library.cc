#include "video_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include "source.h"

namespace vedette {

namespace {

[[noreturn]] void unavailable(const std::string& why) {
  throw Fault{"video.unavailable",
              "this device cannot read videos: " + why +
                  "; install the packages libavformat-dev and libavcodec-dev, and start the service anew"};
}

std::string load_error() {
  const char* why = dlerror();
  return why ? why : "it cannot be loaded";
}

}  // namespace

VedetteOpenVideo* video_library(const std::string& library) {
  if (library.empty() || access(library.c_str(), R_OK) != 0)
    unavailable("FFmpeg's libraries were not there when it was set up");
  // Never closed: Node may have loaded it as well, and FFmpeg keeps tables.
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) unavailable(load_error());
  void* const open = dlsym(handle, VEDETTE_OPEN_VIDEO);
  if (!open) unavailable(load_error());
  return reinterpret_cast<VedetteOpenVideo*>(open);
}

}  // namespace vedette
