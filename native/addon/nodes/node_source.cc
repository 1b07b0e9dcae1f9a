// The captured picture in grey. A compressed one is decoded here, on the worker's time, so that skipped frames cost nothing.
#include "node.h"
#include "picture.h"

namespace vedette {

namespace {

class SourceNode : public Node {
 public:
  void process(const Moment& moment, const Ports& ports) override {
    Frame& frame = moment.frame;
    if (!frame.encoded.empty()) decoder_.decode_gray(frame.encoded.data(), frame.encoded.size(), frame.gray);
    // Written only where it is another: who shows a camera's own JPEG reads it meanwhile.
    if (frame.width != frame.gray.width) frame.width = frame.gray.width;
    if (frame.height != frame.gray.height) frame.height = frame.gray.height;
    ports.out<Image>() = {frame.gray.pixels.data(), frame.gray.width, frame.gray.height, frame.gray.stride};
  }

 private:
  PictureDecoder decoder_;
};

}  // namespace

std::unique_ptr<Node> make_source_node(const Params&, const Scene&) { return std::make_unique<SourceNode>(); }

}  // namespace vedette
