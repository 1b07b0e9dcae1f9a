// A node that makes another picture of the one that it is given, and needs nothing else for it.
#pragma once

#include <opencv2/core.hpp>

#include "node.h"
#include "views.h"

namespace vedette {

class PictureNode : public Node {
 public:
  /** An empty picture stays one. */
  void process(const Moment&, const Ports& ports) final {
    const Image& image = ports.in<Image>(0);
    ports.out<Image>() = image.is_empty() ? image : changed(image);
  }

 protected:
  /** The picture has pixels. Those of what is given lie in pixels_, until the next one comes. */
  virtual Image changed(const Image& image) = 0;

  cv::Mat pixels_;
};

}  // namespace vedette
