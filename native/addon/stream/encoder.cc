#include "encoder.h"

#include <pthread.h>

#include <algorithm>

#include "draw_tags.h"
#include "pass_through.h"

namespace vedette {

namespace {

constexpr int DEFAULT_QUALITY = 75;

int quality_of(const PictureKind& kind) { return kind.quality == 0 ? DEFAULT_QUALITY : kind.quality; }

}  // namespace

Encoder::Encoder(Mailbox& mailbox, Viewers& viewers, Warnings& warnings)
    : mailbox_(mailbox), viewers_(viewers), warnings_(warnings), thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "encoder");
}

Encoder::~Encoder() {
  slot_.close();
  thread_.join();
}

Encoder::Wanted Encoder::wanted(const Plan& plan, int64_t at_us) {
  Wanted wanted;
  kinds_.look(at_us, [&](const PictureKind& kind, bool is_due) {
    if (kind.output.empty()) return;
    const PictureSet picture = plan.picture(kind.output);
    wanted.watched |= picture;
    if (is_due) wanted.due |= picture;
  });
  return wanted;
}

bool Encoder::is_due(const Frame& frame) {
  bool is_any = false;
  kinds_.look(frame.captured_us, [&](const PictureKind& kind, bool is_due) { is_any = is_any || (is_due && kind.output.empty() && (kind.is_delivered || !PassThrough::takes(frame, kind))); });
  return is_any;
}

void Encoder::offer(const std::shared_ptr<const Frame>& frame, const Plan& plan, PictureSet made) {
  const auto is_there = [&](const PictureKind& kind) {
    if (!kind.output.empty()) return (made & plan.picture(kind.output)) != 0;
    return kind.is_delivered || !PassThrough::takes(*frame, kind);
  };
  Work work;
  work.kinds = kinds_.take_due(frame->captured_us, is_there);
  if (work.kinds.empty()) return;
  work.frame = frame;
  plan.collect_detections(work.tags);
  for (size_t i = 0; i < plan.pictures().size(); i++)
    if (made & (PictureSet{1} << i)) keep(plan.pictures()[i], work);
  if (const std::optional<Work> left = slot_.take_back()) {
    for (const PictureKind& kind : left->kinds) {
      if (work.makes(kind)) continue;
      if (is_there(kind)) work.kinds.push_back(kind);
      else kinds_.put_back(kind.key, frame->captured_us);
    }
  }
  slot_.put(std::move(work));
}

void Encoder::keep(const PictureOutput& picture, Work& work) {
  if (auto kept = kept_.keep(picture)) return work.pictures.push_back(std::move(kept));
  warnings_.add({"picture.unencodable", "the pictures that are watched take too much memory together: " + picture.port + " of the pipeline is not shown; watch fewer outputs, or make them smaller"});
}

const KeptPicture* Encoder::Work::picture(const std::string& output) const {
  for (const auto& each : pictures)
    if (each->output == output) return each.get();
  return nullptr;
}

bool Encoder::Work::makes(const PictureKind& kind) const {
  return std::any_of(kinds.begin(), kinds.end(), [&](const PictureKind& each) { return each.key == kind.key; });
}

void Encoder::run() {
  while (const std::optional<Work> work = slot_.take()) {
    for (const PictureKind& kind : work->kinds) {
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
  if (!kind.output.empty() && !work.picture(kind.output)) return;  // there was no room for it
  const Frame& frame = *work.frame;
  const bool is_shown = viewers_.want(kind.key) && !PassThrough::takes(frame, kind);
  if (!is_shown && !kind.is_delivered) return;
  const auto show = [&](Jpeg jpeg) { viewers_.offer({kind.key, kind.output, std::move(jpeg), frame.seq, frame.captured_us}); };
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
  if (const KeptPicture* kept = kind.output.empty() ? nullptr : work.picture(kind.output)) {
    encode_output(*kept, kind, picture);
    return picture;
  }
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
  picture.jpeg = jpeg_.encode_gray(*image, quality_of(kind), kind.max_width, picture.width, picture.height);
  return picture;
}

/** Grey, in colour, or a mask, which is grey of two levels. */
void Encoder::encode_output(const KeptPicture& kept, const PictureKind& kind, EncodedPicture& out) {
  if (kept.pixels.empty()) throw Fault{"picture.unencodable", "the output " + kept.output + " of the pipeline has a picture without pixels, which cannot be shown"};
  const Pixels pixels{kept.pixels.data(), kept.width, kept.height, kept.width * kept.channels, kept.channels};
  out.jpeg = jpeg_.encode(pixels, quality_of(kind), kind.max_width, out.width, out.height);
}

}  // namespace vedette
