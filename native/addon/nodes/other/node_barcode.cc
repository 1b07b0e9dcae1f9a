// Codes with a text, by zxing-cpp.
#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

#include <algorithm>

#include "finder_patterns.h"
#include "other_nodes.h"

namespace vedette {

namespace {

/** Of all codes of a picture together; a QR code has 7 kB at most. */
constexpr size_t MAX_TEXT_BYTES = 65'536;
constexpr int MAX_CODES = 100;

/**
 * Every three of them may be those of a QR code, and zxing-cpp looks at all: 400 take 0.3 s, 800 take 2.5 s, and a
 * picture has room for 10,000. A hundred codes have 300.
 */
constexpr size_t MAX_FINDERS = 400;

// In the order of machines/engine/symbologies.ts. Not all that the library has: Aztec it finds in the middle of a
// picture alone.
constexpr std::pair<const char*, ZXing::BarcodeFormat> SYMBOLOGIES[] = {
    {"qr", ZXing::BarcodeFormat::QRCode},      {"data-matrix", ZXing::BarcodeFormat::DataMatrix},
    {"pdf417", ZXing::BarcodeFormat::PDF417},  {"code-128", ZXing::BarcodeFormat::Code128},
    {"code-39", ZXing::BarcodeFormat::Code39}, {"ean-13", ZXing::BarcodeFormat::EAN13},
};

// Their corners are the indices of pixels, those of the others places between pixels.
constexpr ZXing::BarcodeFormats HAS_WHOLE_PIXELS =
    ZXing::BarcodeFormats(ZXing::BarcodeFormat::LinearCodes) | ZXing::BarcodeFormat::PDF417;

ZXing::BarcodeFormat symbology_named(const std::string& name) {
  for (const auto& [known, format] : SYMBOLOGIES)
    if (name == known) return format;
  throw Fault{"engine.bad_task", "there are no codes called " + name};
}

/** Of a code that was found, so of one that was asked for. */
size_t place_of(ZXing::BarcodeFormat format) {
  return static_cast<size_t>(std::find_if(std::begin(SYMBOLOGIES), std::end(SYMBOLOGIES),
                                          [format](const auto& each) { return each.second == format; }) -
                             std::begin(SYMBOLOGIES));
}

class BarcodeNode : public Node {
 public:
  explicit BarcodeNode(const Params& params) : owner_(params.owner()) { set_params(params); }

  void set_params(const Params& params) override {
    ZXing::BarcodeFormats formats;
    for (const std::string& name : params.strings("symbologies")) formats |= symbology_named(name);
    if (formats.empty()) throw Fault{"engine.bad_task", "no kind of codes is named"};
    const bool is_thorough = params.flag("thorough");
    const int limit = std::clamp(params.integer("limit"), 1, MAX_CODES);
    is_thorough_ = is_thorough;
    limit_ = static_cast<size_t>(limit);
    square_ = formats & ZXing::BarcodeFormat::MatrixCodes;
    lines_ = formats & ZXing::BarcodeFormat::LinearCodes;
  }

  void process(const Moment& moment, const Ports& ports) override {
    const Image& image = ports.in<Image>(0);
    Barcodes& out = ports.out<Barcodes>();
    out.clear();
    if (image.is_empty()) return;
    read(image, moment);
    for (const ZXing::Result& found : found_) {
      const std::string text = found.text();
      if (out.text.size() + text.size() > MAX_TEXT_BYTES) continue;
      Barcode code;
      code.at = out.text.size();
      code.bytes = text.size();
      code.symbology = place_of(found.format());
      bool is_somewhere = true;
      for (int i = 0; i < 4; i++) {
        const ZXing::PointI& corner = found.position()[i];
        const double inset_px = HAS_WHOLE_PIXELS.testFlag(found.format()) ? 0.5 : 0,
                     at[2] = {corner.x + inset_px, corner.y + inset_px};
        is_somewhere = image.to_source.apply(at, code.corners[i]) && is_somewhere;
      }
      if (!is_somewhere) continue;
      out.rows.push_back(code);
      out.text += text;
    }
  }

 private:
  /**
   * The library throws at some damaged codes. They cost the codes of that picture, not the tags that others find in it.
   */
  void read(const Image& image, const Moment& moment) {
    found_.clear();
    ZXing::BarcodeFormats square = square_;
    if (square.testFlag(ZXing::BarcodeFormat::QRCode) && finders_.are_more_than(MAX_FINDERS, image)) {
      square.setFlag(ZXing::BarcodeFormat::QRCode, false);
      tell_too_full(moment);
    }
    try {
      read(image, square, is_thorough_, limit_);
      // Debian's zxing-cpp 1.4 ends the process, by an assertion, where it meets a code of lines twice: another copy of
      // it, or itself in the picture made smaller.
      read(image, lines_, false, std::min<size_t>(1, limit_ - found_.size()));
    } catch (const std::exception& error) {
      found_.clear();
      moment.warn({"step.failed", "step " + owner_ + " read no codes in a picture: " + error.what()});
    }
  }

  void tell_too_full(const Moment& moment) const {
    moment.tell_too_full(
        "a picture has more than " + std::to_string(MAX_FINDERS) +
        " places that may be the corners of QR codes, so that step " + owner_ +
        " has read none of these in it; crop the picture, or let the camera see less of what is there");
  }

  void read(const Image& image, ZXing::BarcodeFormats formats, bool also_smaller, size_t most) {
    if (formats.empty() || most == 0) return;
    ZXing::DecodeHints hints;
    hints.setFormats(formats);
    hints.setTryHarder(is_thorough_).setTryRotate(is_thorough_).setTryDownscale(also_smaller);
    hints.setMaxNumberOfSymbols(static_cast<uint8_t>(most));
    for (ZXing::Result& each :
         ZXing::ReadBarcodes({image.pixels, image.width, image.height, ZXing::ImageFormat::Lum, image.stride}, hints))
      found_.push_back(std::move(each));
  }

  const std::string owner_;
  ZXing::BarcodeFormats square_, lines_;
  FinderPatterns finders_;
  bool is_thorough_ = false;
  size_t limit_ = 1;
  ZXing::Results found_;
};

}  // namespace

std::unique_ptr<Node> make_barcode_node(const Params& params, const Scene&) {
  return std::make_unique<BarcodeNode>(params);
}

}  // namespace vedette
