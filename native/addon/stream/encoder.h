// Pictures for those who watch, on a thread of their own: detection never waits for them, and nobody watching costs nothing.
#pragma once

#include <memory>
#include <thread>

#include "jpeg_crop.h"
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

  /** The worker's call, after its result is out: hands the frame over when a kind is due. */
  void offer(const std::shared_ptr<const Frame>& frame, const Plan& plan);

 private:
  struct Work {
    std::shared_ptr<const Frame> frame;
    Detections tags;
  };
  void run();
  void make(const Work& work, const PictureKind& kind);
  EncodedPicture encode(const Work& work, const PictureKind& kind);

  Mailbox& mailbox_;
  Viewers& viewers_;
  Warnings& warnings_;
  PictureKinds kinds_;
  LatestSlot<Work> slot_;
  PictureEncoder jpeg_;
  JpegCropper cropper_;
  GrayImage drawn_;
  std::thread thread_;
};

}  // namespace vedette
