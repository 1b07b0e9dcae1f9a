// What waits to be handed to JavaScript: never more than the newest result (or, when none may be skipped, the newest
// two), the newest picture of each kind, and a few notices.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "source.h"

namespace vedette {

/** The packed result of a frame, which goes with its pictures. */
using SharedResult = std::shared_ptr<const std::vector<double>>;

/**
 * A JPEG for those who asked for `key`. passthrough: the camera's own bytes. has_results: `result` says what was found
 * in its frame; nullptr: it was left out.
 */
struct EncodedPicture {
  std::string key;
  int64_t seq = 0, captured_us = 0;
  int width = 0, height = 0;
  bool passthrough = false;
  std::vector<uint8_t> jpeg;
  bool has_results = false;
  SharedResult result = nullptr;
};

/**
 * An edge: `first-frame`, `ended`, `lost`, `warned` or `stamped`; `lost` and `warned` carry a fault. count: how many
 * warnings it stands for. timestamp_source: what times of capture rest on from now on.
 */
struct Notice {
  std::string type;
  Fault fault;
  int64_t count = 1;
  std::string timestamp_source = {};
};

/** A viewer that this process no longer writes to. */
struct ViewerLeft {
  int64_t id = 0;
  std::string why;
};

class Mailbox {
 public:
  struct Contents {
    std::vector<double> result;                // empty: none
    std::vector<std::vector<double>> in_turn;  // those of which none may be skipped, in order
    std::vector<EncodedPicture> pictures;
    std::vector<Notice> notices;
    std::vector<ViewerLeft> left;
  };

  /** wake: called from any thread when the mailbox is no longer empty; must neither wait nor come back here. */
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  /** Nobody reads any more: nothing is woken from now on. */
  void disconnect();

  /** Takes the packed result and leaves an old buffer in its place, to be filled again. */
  void post_result(std::vector<double>& packed);
  /**
   * For results of which none may be skipped: waits until all but one of them have left the process. False when that
   * was ended by interrupt().
   */
  bool post_result_in_turn(std::vector<double>& packed);
  /** One more of those has left the process. */
  void result_left();
  /** Ends the waiting, until the next clear(). */
  void interrupt();
  void post_picture(EncodedPicture picture);
  void post_notice(Notice notice);
  void post_left(ViewerLeft left);

  /** Moves everything to `out`, whose buffers are used again. */
  void take(Contents& out);
  /** Drops what a closed camera left behind: it is not for its successor. Viewers outlive both. */
  void clear();

 private:
  void announce();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;
  Contents waiting_;
  bool announced_ = false, interrupted_ = false;
  size_t on_their_way_ = 0;  // results posted in turn that have not left the process
};

}  // namespace vedette
