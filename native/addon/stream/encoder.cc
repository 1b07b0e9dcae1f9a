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

bool Encoder::is_due(const Frame& frame, bool is_left_out) {
  bool is_any = false;
  kinds_.look(frame.captured_us, [&](const PictureKind& kind, bool is_due) {
    is_any = is_any || (is_due && kind.output.empty() && is_shown(frame, kind, is_left_out));
  });
  return is_any;
}

/** Of the camera's pictures: whether viewers see it by this. What was found in another frame is drawn onto none. */
bool Encoder::is_shown(const Frame& frame, const PictureKind& kind, bool is_left_out) {
  if (kind.overlay && is_left_out) return false;
  return kind.is_delivered || !PassThrough::takes(frame, kind);
}

bool Encoder::wants_results() {
  bool is_any = false;
  kinds_.look(0, [&](const PictureKind& kind, bool) { is_any = is_any || (kind.has_results && kind.is_delivered); });
  return is_any;
}

void Encoder::offer(const std::shared_ptr<const Frame>& frame, const Plan* plan, PictureSet made,
                    const SharedResult& result) {
  const auto is_there = [&](const PictureKind& kind) {
    // Asked for since the result left: seen from the next frame on.
    if (kind.has_results && kind.is_delivered && plan != nullptr && !result) return false;
    if (!kind.output.empty()) return plan != nullptr && (made & plan->picture(kind.output)) != 0;
    return is_shown(*frame, kind, plan == nullptr);
  };
  std::vector<PictureKind> kinds = kinds_.take_due(frame->captured_us, is_there);
  if (kinds.empty()) return;
  Work work;
  if (std::optional<Work> left = slot_.take_back()) {
    for (Piece& piece : *left) {
      if (std::any_of(kinds.begin(), kinds.end(), [&](const PictureKind& kind) { return kind.key == piece.kind.key; }))
        continue;
      if (is_there(piece.kind)) kinds.push_back(piece.kind);
      else work.push_back(std::move(piece));  // there is no newer one
    }
  }
  std::shared_ptr<Detections> tags;
  if (plan != nullptr &&
      std::any_of(kinds.begin(), kinds.end(), [](const PictureKind& kind) { return kind.overlay; })) {
    tags = std::make_shared<Detections>();
    plan->collect_detections(*tags);
  }
  std::vector<std::shared_ptr<const KeptPicture>> pictures;
  for (size_t i = 0; plan != nullptr && i < plan->pictures().size(); i++)
    if (made & (PictureSet{1} << i)) pictures.push_back(keep(plan->pictures()[i]));
  for (PictureKind& kind : kinds) {
    const auto picture = std::find_if(pictures.begin(), pictures.end(),
                                      [&](const auto& each) { return each && each->output == kind.output; });
    work.push_back({frame, std::move(kind), tags, picture == pictures.end() ? nullptr : *picture, result});
  }
  slot_.put(std::move(work));
}

std::shared_ptr<const KeptPicture> Encoder::keep(const PictureOutput& picture) {
  auto kept = kept_.keep(picture);
  if (!kept)
    warnings_.add(
        {"picture.unencodable", "the pictures that are watched take too much memory together: " + picture.port +
                                    " of the pipeline is not shown; watch fewer outputs, or make them smaller"});
  return kept;
}

void Encoder::run() {
  while (const std::optional<Work> work = slot_.take()) {
    for (const Piece& piece : *work) {
      try {
        make(piece);
      } catch (const Fault& fault) {
        warnings_.add(fault);
      } catch (const std::exception& error) {
        warnings_.add({"picture.unencodable", std::string("a picture could not be encoded: ") + error.what()});
      }
    }
  }
}

/** For those viewers of this process who have not seen it yet, and for JavaScript when it is wanted there. */
void Encoder::make(const Piece& piece) {
  const PictureKind& kind = piece.kind;
  if (!kind.output.empty() && !piece.picture) return;  // there was no room for it
  const Frame& frame = *piece.frame;
  const bool is_shown = viewers_.want(kind.key) && !PassThrough::takes(frame, kind);
  if (!is_shown && !kind.is_delivered) return;
  const auto show = [&](Jpeg jpeg) {
    viewers_.offer({kind.key, kind.output, std::move(jpeg), frame.seq, frame.captured_us});
  };
  if (is_passed_through(frame, kind)) {
    if (is_shown) show(Jpeg(piece.frame, &frame.encoded));  // where it lies
    if (kind.is_delivered)
      mailbox_.post_picture({kind.key, frame.seq, frame.captured_us, frame.gray.width, frame.gray.height, true,
                             frame.encoded, kind.has_results, piece.result});
    return;
  }
  EncodedPicture picture = encode(piece);
  if (is_shown)
    show(std::make_shared<const std::vector<uint8_t>>(kind.is_delivered ? picture.jpeg : std::move(picture.jpeg)));
  if (kind.is_delivered) mailbox_.post_picture(std::move(picture));
}

EncodedPicture Encoder::encode(const Piece& piece) {
  const PictureKind& kind = piece.kind;
  const Frame& frame = *piece.frame;
  EncodedPicture picture{kind.key, frame.seq, frame.captured_us, frame.gray.width, frame.gray.height, false, {}};
  picture.has_results = kind.has_results;
  picture.result = piece.result;
  if (piece.picture) {
    encode_output(*piece.picture, kind, picture);
    return picture;
  }
  if (is_as_captured(frame, kind)) {
    picture.jpeg = cropper_.crop(frame.encoded, frame.crop);
    return picture;
  }
  const GrayImage* image = &frame.gray;
  if (kind.overlay) {
    drawn_ = frame.gray;
    draw_tags(drawn_, *piece.tags, shrinks(frame, kind) ? static_cast<double>(frame.gray.width) / kind.max_width : 1);
    image = &drawn_;
  }
  picture.jpeg = jpeg_.encode_gray(*image, quality_of(kind), kind.max_width, picture.width, picture.height);
  return picture;
}

/** Grey, in colour, or a mask, which is grey of two levels. */
void Encoder::encode_output(const KeptPicture& kept, const PictureKind& kind, EncodedPicture& out) {
  if (kept.pixels.empty())
    throw Fault{"picture.unencodable",
                "the output " + kept.output + " of the pipeline has a picture without pixels, which cannot be shown"};
  const Pixels pixels{kept.pixels.data(), kept.width, kept.height, kept.width * kept.channels, kept.channels};
  out.jpeg = jpeg_.encode(pixels, quality_of(kind), kind.max_width, out.width, out.height);
}

}  // namespace vedette
