// Reading and writing the controls of an open camera.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "v4l2_control.h"
#include "v4l2_device.h"
#include "v4l2_quirks.h"

namespace vedette {

/**
 * The controls of one open camera. Any thread; one call at a time, which may take seconds. All throw Fault
 * `camera.unreadable` at the first question that the camera does not answer.
 */
class V4l2Controls : public CameraControls {
 public:
  /** name: the camera's own, by which quirks are found. */
  V4l2Controls(std::shared_ptr<const V4l2Device> device, const std::string& name);

  /** All that we offer, read again. */
  std::vector<Control> list() override;

  /** Writes, reads back and compares. Throws Fault `camera.lost`, or `control.unknown`. */
  ControlOutcome set(uint32_t id, int64_t value) override;

  /**
   * Carries out requests in the order that works: automatic modes off, then exposure, then gain. A control that is not
   * there counts as refused.
   */
  std::vector<ControlOutcome> apply(std::vector<ControlRequest> requests);

  /**
   * How long a picture is exposed, in microseconds; 0: nobody knows, since the camera decides. Does not ask the camera.
   */
  int64_t exposure_us() const { return exposure_us_; }

 private:
  ControlOutcome set_locked(uint32_t id, int64_t value);
  bool is_inactive(uint32_t id) const;
  int64_t present_value(const v4l2_query_ext_ctrl& about) const;
  bool read_value(uint32_t id, bool is_wide, int64_t& value) const;
  int write_value(uint32_t id, bool is_wide, int64_t value) const;
  void wake_exposure();
  void note_exposure();

  const std::shared_ptr<const V4l2Device> device_;
  const ExposureQuirk* const quirk_;
  std::mutex mutex_;
  std::atomic<int64_t> exposure_us_{0};
};

}  // namespace vedette
