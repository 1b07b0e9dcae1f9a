// What cameras say of their exposure that is not so, by model. A line for each; where it comes from stands beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vedette {

/** The model of a USB camera. vendor 0: it is none, or not known. */
struct UsbModel {
  uint16_t vendor = 0, product = 0;
};

/**
 * Of the exposure time, in the camera's own units. allowed: the only values that do anything; empty: all from min to
 * max. toggles_auto: see the table.
 */
struct ExposureQuirk {
  int64_t min = 0, max = 0;
  std::vector<int64_t> allowed;
  bool toggles_auto = false;
};

/** Of the node at a path, out of sysfs (or the tree at VEDETTE_SYSFS_ROOT). */
UsbModel usb_model_of(const std::string& device_path);

/** name: the camera's own. nullptr: what it says is taken as it is. */
const ExposureQuirk* exposure_quirk_of(const UsbModel& model, const std::string& name);

/** The value nearest to one that was asked for. */
int64_t nearest_allowed(const ExposureQuirk& quirk, int64_t value);

}  // namespace vedette
