// The synthetic camera on the clock.
#include <memory>

#include "pace.h"
#include "source.h"
#include "synthetic_camera.h"

namespace vedette {
namespace {

class SyntheticSource : public Source {
 public:
  explicit SyntheticSource(const SyntheticOptions& options) : options_(options) {}

  SourceFormat open() override {
    camera_ = std::make_unique<SyntheticCamera>(options_);
    return {options_.width, options_.height, options_.fps, "gray8", camera_->intrinsics(), "computed", {}, {}};
  }

  /** A frame whose successor is due already is skipped, like a camera's when nobody fetches it; `seq` shows the gap. */
  Next next(Frame& frame, Fault&, const std::atomic<bool>& stopping) override {
    const double period_us = 1e6 / options_.fps;
    const int64_t now_us = monotonic_us();
    if (!begun_) begin(now_us, period_us);
    const auto newest = static_cast<int64_t>(static_cast<double>(now_us - start_us_) / period_us);
    if (newest > index_) index_ = newest;
    const int64_t due_us = start_us_ + static_cast<int64_t>(static_cast<double>(index_) * period_us);
    if (!wait_until(due_us, stopping)) return Next::stopped;
    camera_->render(index_, frame);
    frame.seq = index_++ - first_;
    frame.captured_us = due_us;
    return Next::frame;
  }

 private:
  void begin(int64_t now_us, double period_us) {
    begun_ = true;
    start_us_ = now_us;
    if (!camera_->is_by_clock()) return;
    start_us_ = static_cast<int64_t>(camera_->seconds_of(0) * 1e6);
    first_ = index_ = static_cast<int64_t>(static_cast<double>(now_us - start_us_) / period_us) + 1;
  }

  const SyntheticOptions options_;
  std::unique_ptr<SyntheticCamera> camera_;
  bool begun_ = false;
  int64_t start_us_ = 0, index_ = 0, first_ = 0;
};

}  // namespace

std::unique_ptr<Source> make_synthetic_source(const SyntheticOptions& options) {
  return std::make_unique<SyntheticSource>(options);
}

}  // namespace vedette
