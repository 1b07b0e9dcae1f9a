// Pictures that a plan has made, kept for those who encode them while the plan goes on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan.h"

namespace vedette {

/** The pixels of an output, row behind row. */
struct KeptPicture {
  std::string output;
  int width = 0, height = 0, channels = 1;
  std::vector<uint8_t> pixels;
};

/**
 * Copies pictures. Their memory is used again when nobody reads it any more: there are as many as are on their way at
 * once. One thread.
 */
class KeptPictures {
 public:
  /** max_bytes: of all that are kept. */
  explicit KeptPictures(size_t max_bytes = 300'000'000) : max_bytes_(max_bytes) {}

  /** nullptr: there is no room for it. */
  std::shared_ptr<const KeptPicture> keep(const PictureOutput& picture);
  /** Nobody watches: their memory is given back. */
  void forget() { pool_.clear(); }

 private:
  std::shared_ptr<KeptPicture> free_one(size_t bytes);

  const size_t max_bytes_;
  std::vector<std::shared_ptr<KeptPicture>> pool_;
};

}  // namespace vedette
