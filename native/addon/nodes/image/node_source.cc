// The captured picture in grey, and in colour for those who want it. A compressed one is decoded here, on the worker's
// time, so that skipped frames cost nothing.
#include "image_nodes.h"
#include "picture.h"
#include "to_bgr.h"

namespace vedette {

namespace {

class SourceNode : public Node {
 public:
  void process(const Moment& moment, const Ports& ports) override {
    Frame& frame = moment.frame;
    Image* colour = ports.optional_out<Image>(1);
    if (!frame.encoded.empty()) decode(frame, colour != nullptr);
    // Written only where it is another: who shows a camera's own JPEG reads it meanwhile.
    if (frame.width != frame.gray.width) frame.width = frame.gray.width;
    if (frame.height != frame.gray.height) frame.height = frame.gray.height;
    ports.out<Image>() = {frame.gray.data(), frame.gray.width, frame.gray.height, frame.gray.stride};
    if (!colour) return;
    *colour = {bgr_.convert(frame.gray, frame.chroma), frame.gray.width, frame.gray.height, 3 * frame.gray.width,
               ImageFormat::colour};
  }

 private:
  void decode(Frame& frame, bool in_colour) {
    GrayImage& gray = frame.gray;
    if (in_colour) decoder_.decode_colour(frame.encoded.data(), frame.encoded.size(), gray, frame.chroma);
    else decoder_.decode_gray(frame.encoded.data(), frame.encoded.size(), gray);
    if (frame.crop.is_whole()) return;
    if (!frame.crop.fits(gray.width, gray.height))
      throw Fault{"picture.other_size", "a picture has " + size_text(gray.width, gray.height) +
                                            " pixels, and the crop of the stream does not lie in it"};
    gray.keep(frame.crop);
    if (in_colour) frame.chroma.keep(frame.crop);
  }

  PictureDecoder decoder_;
  BgrConverter bgr_;
};

}  // namespace

std::unique_ptr<Node> make_source_node(const Params&, const Scene&) { return std::make_unique<SourceNode>(); }

}  // namespace vedette
