// Pictures for those who watch, on a thread of their own: detection never waits for them, and nobody watching costs
// nothing.
#pragma once

#include <memory>
#include <thread>

#include "jpeg_crop.h"
#include "kept_pictures.h"
#include "latest_slot.h"
#include "mailbox.h"
#include "picture.h"
#include "picture_kinds.h"
#include "plan.h"
#include "viewers.h"
#include "warnings.h"

namespace vedette {

class Encoder {
 public:
  Encoder(Mailbox& mailbox, Viewers& viewers, Warnings& warnings);
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /** Any thread. */
  void set_kinds(const std::vector<PictureKind>& kinds) { kinds_.set(kinds); }

  /** Of the pictures that a plan gives: the ones with viewers, and the ones that are due for a frame. */
  struct Wanted {
    PictureSet watched = 0, due = 0;
  };
  /** Any thread. */
  Wanted wanted(const Plan& plan, int64_t at_us);

  /**
   * The worker's call, after its result is out: hands the frame over for the kinds that are due, with the pictures that
   * were made of it. They are due again a period later, however long the encoder takes; what it has not begun by the
   * next frame is made of that one, where it can be. result: of the frame, where wants_results() says so.
   */
  void offer(const std::shared_ptr<const Frame>& frame, const Plan& plan, PictureSet made, const SharedResult& result) {
    offer(frame, &plan, made, result);
  }
  /** The same of a frame in which nothing was looked for: nobody sees it with something drawn onto it. */
  void offer_left_out(const std::shared_ptr<const Frame>& frame) { offer(frame, nullptr, 0, nullptr); }
  /** Any thread. Whether somebody sees pictures together with what was found in them. */
  bool wants_results();
  /** Any thread. Whether offer(), or offer_left_out(), would make something of the camera's picture. */
  bool is_due(const Frame& frame, bool is_left_out);
  /** The worker's call: nobody watches what a plan makes. */
  void forget_pictures() { kept_.forget(); }

 private:
  /**
   * A picture to be made, with all that takes. tags: to be drawn. picture: of the plan; nullptr: the frame's, or there
   * was no room for it. result: for kinds that have results.
   */
  struct Piece {
    std::shared_ptr<const Frame> frame;
    PictureKind kind;
    std::shared_ptr<const Detections> tags;
    std::shared_ptr<const KeptPicture> picture;
    SharedResult result;
  };
  using Work = std::vector<Piece>;

  /** plan: nullptr: nothing was looked for. */
  void offer(const std::shared_ptr<const Frame>& frame, const Plan* plan, PictureSet made, const SharedResult& result);
  static bool is_shown(const Frame& frame, const PictureKind& kind, bool is_left_out);
  std::shared_ptr<const KeptPicture> keep(const PictureOutput& picture);
  void run();
  void make(const Piece& piece);
  EncodedPicture encode(const Piece& piece);
  void encode_output(const KeptPicture& kept, const PictureKind& kind, EncodedPicture& out);

  Mailbox& mailbox_;
  Viewers& viewers_;
  Warnings& warnings_;
  PictureKinds kinds_;
  LatestSlot<Work> slot_;
  PictureEncoder jpeg_;
  JpegCropper cropper_;
  GrayImage drawn_;
  KeptPictures kept_;  // the worker's
  std::thread thread_;
};

}  // namespace vedette
