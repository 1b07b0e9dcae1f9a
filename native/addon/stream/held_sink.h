// A sink of pictures for as long as it is held.
#pragma once

#include <memory>

#include "picture_sink.h"

namespace vedette {

/** A share of a sink, given back with its last copy; nullptr for none. */
inline std::shared_ptr<VedettePictureSink> held(VedettePictureSink* sink) {
  if (!sink) return nullptr;
  sink->retain(sink->self);
  return {sink, [](VedettePictureSink* each) { each->release(each->self); }};
}

}  // namespace vedette
