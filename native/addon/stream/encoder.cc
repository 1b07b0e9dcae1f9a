#include "encoder.h"

#include <pthread.h>

#include "draw_tags.h"
#include "pass_through.h"

namespace vedette {

namespace {

constexpr int DEFAULT_QUALITY = 75;

}  // namespace

Encoder::Encoder(Mailbox& mailbox, Viewers& viewers, Warnings& warnings)
    : mailbox_(mailbox), viewers_(viewers), warnings_(warnings), thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "encoder");
}

Encoder::~Encoder() {
  slot_.close();
  thread_.join();
}

void Encoder::offer(const std::shared_ptr<const Frame>& frame, const Plan& plan) {
  const auto is_left = [&](const PictureKind& kind) { return kind.is_delivered || !PassThrough::takes(*frame, kind); };
  if (!kinds_.is_any_due(frame->captured_us, is_left)) return;
  Work work;
  work.frame = frame;
  plan.collect_detections(work.tags);
  slot_.put(std::move(work));
}

void Encoder::run() {
  while (const std::optional<Work> work = slot_.take()) {
    for (const PictureKind& kind : kinds_.take_due(work->frame->captured_us)) {
      try {
        make(*work, kind);
      } catch (const Fault& fault) {
        warnings_.add(fault);
      } catch (const std::exception& error) {
        warnings_.add({"picture.unencodable", std::string("a picture could not be encoded: ") + error.what()});
      }
    }
  }
}

/** For those viewers of this process who have not seen it yet, and for JavaScript when somebody there wants it. */
void Encoder::make(const Work& work, const PictureKind& kind) {
  const Frame& frame = *work.frame;
  const bool is_shown = viewers_.want(kind.key) && !PassThrough::takes(frame, kind);
  if (!is_shown && !kind.is_delivered) return;
  const auto show = [&](Jpeg jpeg) { viewers_.offer({kind.key, std::move(jpeg), frame.seq, frame.captured_us}); };
  if (is_passed_through(frame, kind)) {
    if (is_shown) show(Jpeg(work.frame, &frame.encoded));  // where it lies
    if (kind.is_delivered) mailbox_.post_picture({kind.key, frame.seq, frame.captured_us, frame.gray.width, frame.gray.height, true, frame.encoded});
    return;
  }
  EncodedPicture picture = encode(work, kind);
  if (is_shown) show(std::make_shared<const std::vector<uint8_t>>(kind.is_delivered ? picture.jpeg : std::move(picture.jpeg)));
  if (kind.is_delivered) mailbox_.post_picture(std::move(picture));
}

EncodedPicture Encoder::encode(const Work& work, const PictureKind& kind) {
  const Frame& frame = *work.frame;
  EncodedPicture picture{kind.key, frame.seq, frame.captured_us, frame.gray.width, frame.gray.height, false, {}};
  if (is_as_captured(frame, kind)) {
    picture.jpeg = cropper_.crop(frame.encoded, frame.crop);
    return picture;
  }
  const GrayImage* image = &frame.gray;
  if (kind.overlay) {
    drawn_ = frame.gray;
    draw_tags(drawn_, work.tags, shrinks(frame, kind) ? static_cast<double>(frame.gray.width) / kind.max_width : 1);
    image = &drawn_;
  }
  picture.jpeg = jpeg_.encode_gray(*image, kind.quality == 0 ? DEFAULT_QUALITY : kind.quality, kind.max_width, picture.width, picture.height);
  return picture;
}

}  // namespace vedette
