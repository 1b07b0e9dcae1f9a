// Something here that takes pictures, as the engine's other addon sees it, which may hold it longer than JavaScript
// does.
#pragma once

#include <napi.h>

#include <atomic>
#include <memory>

#include "picture_sink.h"

namespace vedette {

/** takes_gray: whether grey pixels are taken as they are. */
template <typename Taker>
class Sink : public VedettePictureSink {
 public:
  static Napi::Value make(Napi::Env env, std::shared_ptr<Taker> taker, bool takes_gray) {
    const auto drop = [](Napi::Env, VedettePictureSink* held) { held->release(held->self); };
    return Napi::External<VedettePictureSink>::New(env, new Sink(std::move(taker), takes_gray), drop);
  }

 private:
  Sink(std::shared_ptr<Taker> taker, bool takes_gray)
      : VedettePictureSink{VEDETTE_PICTURE_SINK, this,         add_holder,
                           drop_holder,          take_picture, takes_gray ? take_pixels : nullptr},
        taker_(std::move(taker)) {}

  static Sink& of(void* self) { return *static_cast<Sink*>(self); }
  static void add_holder(void* self) { of(self).holders_++; }
  static void drop_holder(void* self) {
    if (--of(self).holders_ == 0) delete &of(self);
  }
  static void take_picture(void* self, const uint8_t* bytes, size_t length, int64_t captured_us) {
    of(self).taker_->take(bytes, length, captured_us);
  }
  static void take_pixels(void* self, const uint8_t* pixels, int width, int height, int stride, int64_t captured_us) {
    of(self).taker_->take_gray(pixels, width, height, stride, captured_us);
  }

  const std::shared_ptr<Taker> taker_;
  std::atomic<int> holders_{1};
};

}  // namespace vedette
