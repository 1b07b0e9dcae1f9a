// Pictures for those who watch, on a thread of their own: detection never waits for them, and nobody watching costs nothing.
#pragma once

#include <memory>
#include <thread>

#include "latest_slot.h"
#include "mailbox.h"
#include "picture.h"
#include "plan.h"
#include "viewers.h"
#include "warnings.h"

namespace vedette {

/** See PictureKind in machines/stream/picture.ts. */
struct PictureKind {
  std::string key;
  int max_width = 0, quality = 0;
  bool overlay = false;
  double fps = 0;
  bool is_delivered = true;
};

class Encoder {
 public:
  Encoder(Mailbox& mailbox, Viewers& viewers, Warnings& warnings);
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /** Any thread. Wishes that stay keep their rhythm. */
  void set_kinds(const std::vector<PictureKind>& kinds);

  /** The worker's call, after its result is out: hands the frame over when a kind is due. */
  void offer(const std::shared_ptr<const Frame>& frame, const Plan& plan);

 private:
  struct Rhythm {
    PictureKind kind;
    int64_t due_us = 0;
    bool is_due(int64_t at_us) const;
    void advance(int64_t at_us);
  };
  struct Work {
    std::shared_ptr<const Frame> frame;
    Detections tags;
  };
  void run();
  std::vector<PictureKind> due_kinds(int64_t at_us);
  void make(const Work& work, const PictureKind& kind);
  EncodedPicture encode(const Work& work, const PictureKind& kind);

  Mailbox& mailbox_;
  Viewers& viewers_;
  Warnings& warnings_;
  std::mutex mutex_;
  std::vector<Rhythm> rhythms_;
  LatestSlot<Work> slot_;
  PictureEncoder jpeg_;
  GrayImage drawn_;
  std::thread thread_;
};

}  // namespace vedette
