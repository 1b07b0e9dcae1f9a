#include "encoder.h"

#include <pthread.h>

#include <algorithm>

#include "draw_tags.h"

namespace vedette {

namespace {

constexpr int DEFAULT_QUALITY = 75;

bool is_jpeg(const std::vector<uint8_t>& bytes) { return bytes.size() > 2 && bytes[0] == 0xff && bytes[1] == 0xd8; }

bool shrinks(const Frame& frame, const PictureKind& kind) { return kind.max_width > 0 && kind.max_width < frame.gray.width; }

/** Whether the camera's own bytes will do. */
bool is_passed_through(const Frame& frame, const PictureKind& kind) {
  return kind.quality == 0 && !kind.overlay && !shrinks(frame, kind) && is_jpeg(frame.encoded);
}

double period_us(const PictureKind& kind) { return kind.fps > 0 ? 1e6 / kind.fps : 0; }

}  // namespace

/** A quarter of a period early still counts: a camera's jitter must not halve the rate of a kind that equals its own. */
bool Encoder::Rhythm::is_due(int64_t at_us) const { return static_cast<double>(at_us) >= static_cast<double>(due_us) - period_us(kind) / 4; }

void Encoder::Rhythm::advance(int64_t at_us) {
  const auto period = static_cast<int64_t>(period_us(kind));
  due_us = at_us - due_us > period ? at_us + period : due_us + period;
}

Encoder::Encoder(Mailbox& mailbox, Viewers& viewers, Warnings& warnings)
    : mailbox_(mailbox), viewers_(viewers), warnings_(warnings), thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "encoder");
}

Encoder::~Encoder() {
  slot_.close();
  thread_.join();
}

void Encoder::set_kinds(const std::vector<PictureKind>& kinds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Rhythm> rhythms;
  for (const PictureKind& kind : kinds) {
    const auto same = std::find_if(rhythms_.begin(), rhythms_.end(), [&](const Rhythm& old) { return old.kind.key == kind.key; });
    rhythms.push_back({kind, same == rhythms_.end() ? 0 : same->due_us});
  }
  rhythms_ = std::move(rhythms);
}

void Encoder::offer(const std::shared_ptr<const Frame>& frame, const Plan& plan) {
  Work work;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto is_due = [&](const Rhythm& rhythm) { return rhythm.is_due(frame->captured_us); };
    if (std::none_of(rhythms_.begin(), rhythms_.end(), is_due)) return;
  }
  work.frame = frame;
  plan.collect_detections(work.tags);
  slot_.put(std::move(work));
}

std::vector<PictureKind> Encoder::due_kinds(int64_t at_us) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<PictureKind> due;
  for (Rhythm& rhythm : rhythms_) {
    if (!rhythm.is_due(at_us)) continue;
    rhythm.advance(at_us);
    due.push_back(rhythm.kind);
  }
  return due;
}

void Encoder::run() {
  while (const std::optional<Work> work = slot_.take()) {
    for (const PictureKind& kind : due_kinds(work->frame->captured_us)) {
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

/** For the viewers of this process, and for JavaScript when somebody there wants it. */
void Encoder::make(const Work& work, const PictureKind& kind) {
  const Frame& frame = *work.frame;
  const bool is_shown = viewers_.want(kind.key);
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
