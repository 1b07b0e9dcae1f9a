#include "bad_pictures.h"

#include <string>

namespace vedette {

namespace {

/** Of a source none of whose pictures can be used, last of all one with this fault. */
Fault fault_of_all(size_t pictures, const Fault& last) {
  if (pictures <= 1) return {"camera.unreadable", last.detail};
  return {"camera.unreadable",
          "none of the " + std::to_string(pictures) + " pictures can be used; the last: " + last.detail};
}

}  // namespace

void BadPictures::warn(const Fault& fault) {
  warnings_.add(fault);
  const std::lock_guard<std::mutex> lock(mutex_);
  last_ = fault;
}

std::optional<Fault> BadPictures::had_none(const Frame& frame, const Fault& fault) {
  const Fault named{fault.code, frame.name.empty() ? fault.detail : frame.name + ": " + fault.detail};
  warn(named);
  if (fault.code == "picture.too_slow") return std::nullopt;  // the next one may take less, or the machine be less busy
  // the camera's pictures are sound, and another pipeline will do
  if (fault.code == "step.failed") return std::nullopt;
  const size_t all = source_.pictures();
  if (++in_a_row_ < all || all == 0) return std::nullopt;
  return fault_of_all(all, named);
}

std::optional<Fault> BadPictures::fault_of_end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_.code.empty()) return std::nullopt;
  return fault_of_all(source_.pictures(), last_);
}

}  // namespace vedette
