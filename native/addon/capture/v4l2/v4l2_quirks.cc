#include "v4l2_quirks.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace vedette {
namespace {

struct Entry {
  UsbModel model;
  const char* name;  // part of the camera's own: many models share the numbers of their bridge chip
  ExposureQuirk exposure;
};

// The boards with the bridge 0c45:6366 and these sensors say 1 to 5000, but above these values their pictures do not
// get brighter. The LifeCam HD-3000 (045e:0779 and 045e:0810) knows but a dozen exposures, and takes whatever lies
// between for something far off.
const Entry TABLE[] = {
    {{0x0c45, 0x6366}, "OV9281", {1, 75, {}, true}},
    {{0x0c45, 0x6366}, "OV2311", {1, 140, {}, true}},
    {{0x0c45, 0x6366}, "OV9782", {1, 60, {}, true}},
    {{0x045e, 0x0779},
     "HD-3000",
     {5, 20000, {5, 10, 20, 39, 78, 156, 312, 625, 1250, 2500, 5000, 10000, 20000}, false}},
    {{0x045e, 0x0810},
     "HD-3000",
     {5, 20000, {5, 10, 20, 39, 78, 156, 312, 625, 1250, 2500, 5000, 10000, 20000}, false}},
};

std::string sysfs_root() {
  const char* root = std::getenv("VEDETTE_SYSFS_ROOT");
  return root && *root ? root : "/sys";
}

/** Four hexadecimal digits of a file; 0: there are none. */
uint16_t read_hex(const std::string& path) {
  std::ifstream file(path);
  unsigned value = 0;
  return file >> std::hex >> value ? static_cast<uint16_t>(value) : 0;
}

}  // namespace

UsbModel usb_model_of(const std::string& device_path) {
  const std::string node = device_path.substr(device_path.find_last_of('/') + 1);
  // `device` leads to an interface of the unit
  const std::string unit = sysfs_root() + "/class/video4linux/" + node + "/device/../";
  return {read_hex(unit + "idVendor"), read_hex(unit + "idProduct")};
}

const ExposureQuirk* exposure_quirk_of(const UsbModel& model, const std::string& name) {
  for (const Entry& entry : TABLE)
    if (entry.model.vendor == model.vendor && entry.model.product == model.product &&
        name.find(entry.name) != std::string::npos)
      return &entry.exposure;
  return nullptr;
}

int64_t nearest_allowed(const ExposureQuirk& quirk, int64_t value) {
  if (quirk.allowed.empty()) return std::clamp(value, quirk.min, quirk.max);
  return *std::min_element(quirk.allowed.begin(), quirk.allowed.end(), [value](int64_t one, int64_t other) {
    return std::abs(one - value) < std::abs(other - value);
  });
}

}  // namespace vedette
