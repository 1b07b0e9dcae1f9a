#include "encoder.h"

#include <pthread.h>

#include <algorithm>

#include "draw_tags.h"

namespace vedette {

namespace {

constexpr int DEFAULT_QUALITY = 75;

bool is_jpeg(const std::vector<uint8_t>& bytes) { return bytes.size() > 2 && bytes[0] == 0xff && bytes[1] == 0xd8; }

double period_us(const PictureWish& wish) { return wish.fps > 0 ? 1e6 / wish.fps : 0; }

}  // namespace

/** A quarter of a period early still counts: a camera's jitter must not halve the rate of a wish that equals its own. */
bool Encoder::Rhythm::is_due(int64_t at_us) const { return static_cast<double>(at_us) >= static_cast<double>(due_us) - period_us(wish) / 4; }

void Encoder::Rhythm::advance(int64_t at_us) {
  const auto period = static_cast<int64_t>(period_us(wish));
  due_us = at_us - due_us > period ? at_us + period : due_us + period;
}

Encoder::Encoder(Mailbox& mailbox, Warnings& warnings) : mailbox_(mailbox), warnings_(warnings), thread_([this] { run(); }) { pthread_setname_np(thread_.native_handle(), "encoder"); }

Encoder::~Encoder() {
  slot_.close();
  thread_.join();
}

void Encoder::set_wishes(const std::vector<PictureWish>& wishes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Rhythm> rhythms;
  for (const PictureWish& wish : wishes) {
    const auto same = std::find_if(rhythms_.begin(), rhythms_.end(), [&](const Rhythm& old) { return old.wish.key == wish.key; });
    rhythms.push_back({wish, same == rhythms_.end() ? 0 : same->due_us});
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

std::vector<PictureWish> Encoder::due_wishes(int64_t at_us) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<PictureWish> due;
  for (Rhythm& rhythm : rhythms_) {
    if (!rhythm.is_due(at_us)) continue;
    rhythm.advance(at_us);
    due.push_back(rhythm.wish);
  }
  return due;
}

void Encoder::run() {
  while (const std::optional<Work> work = slot_.take()) {
    for (const PictureWish& wish : due_wishes(work->frame->captured_us)) {
      try {
        mailbox_.post_picture(encode(*work, wish));
      } catch (const Fault& fault) {
        warnings_.add(fault);
      } catch (const std::exception& error) {
        warnings_.add({"picture.unencodable", std::string("a picture could not be encoded: ") + error.what()});
      }
    }
  }
}

EncodedPicture Encoder::encode(const Work& work, const PictureWish& wish) {
  const Frame& frame = *work.frame;
  EncodedPicture picture{wish.key, frame.seq, frame.captured_us, frame.gray.width, frame.gray.height, false, {}};
  const bool shrinks = wish.max_width > 0 && wish.max_width < frame.gray.width;
  if (wish.quality == 0 && !wish.overlay && !shrinks && is_jpeg(frame.encoded)) {
    picture.passthrough = true;
    picture.jpeg = frame.encoded;
    return picture;
  }
  const GrayImage* image = &frame.gray;
  if (wish.overlay) {
    drawn_ = frame.gray;
    draw_tags(drawn_, work.tags, shrinks ? static_cast<double>(frame.gray.width) / wish.max_width : 1);
    image = &drawn_;
  }
  picture.jpeg = jpeg_.encode_gray(*image, wish.quality == 0 ? DEFAULT_QUALITY : wish.quality, wish.max_width, picture.width, picture.height);
  return picture;
}

}  // namespace vedette
