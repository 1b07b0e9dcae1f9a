#include "v4l2_control.h"

#include <linux/videodev2.h>

#include <algorithm>
#include <cctype>

namespace vedette {
namespace {

struct Known {
  uint32_t id;
  const char* name;
};

// Where the kernel's title says something else, or has changed in the course of time.
constexpr Known KNOWN[] = {
    {V4L2_CID_BRIGHTNESS, "brightness"},
    {V4L2_CID_CONTRAST, "contrast"},
    {V4L2_CID_SATURATION, "saturation"},
    {V4L2_CID_HUE, "hue"},
    {V4L2_CID_AUTO_WHITE_BALANCE, "white_balance_auto"},
    {V4L2_CID_GAMMA, "gamma"},
    {V4L2_CID_EXPOSURE, "exposure_lines"},
    {V4L2_CID_AUTOGAIN, "gain_auto"},
    {V4L2_CID_GAIN, "gain"},
    {V4L2_CID_HFLIP, "hflip"},
    {V4L2_CID_VFLIP, "vflip"},
    {V4L2_CID_POWER_LINE_FREQUENCY, "power_line_frequency"},
    {V4L2_CID_WHITE_BALANCE_TEMPERATURE, "white_balance_temperature"},
    {V4L2_CID_SHARPNESS, "sharpness"},
    {V4L2_CID_BACKLIGHT_COMPENSATION, "backlight_compensation"},
    {V4L2_CID_EXPOSURE_AUTO, "exposure_auto"},
    {V4L2_CID_EXPOSURE_ABSOLUTE, "exposure_time_us"},
    {V4L2_CID_EXPOSURE_AUTO_PRIORITY, "exposure_dynamic_framerate"},
    {V4L2_CID_PAN_ABSOLUTE, "pan_absolute"},
    {V4L2_CID_TILT_ABSOLUTE, "tilt_absolute"},
    {V4L2_CID_FOCUS_ABSOLUTE, "focus_absolute"},
    {V4L2_CID_FOCUS_AUTO, "focus_auto"},
    {V4L2_CID_ZOOM_ABSOLUTE, "zoom_absolute"},
    {V4L2_CID_ANALOGUE_GAIN, "analogue_gain"},
};

struct Flag {
  uint32_t bit;
  const char* name;
};

constexpr Flag FLAGS[] = {{V4L2_CTRL_FLAG_GRABBED, "grabbed"},   {V4L2_CTRL_FLAG_READ_ONLY, "read-only"},
                          {V4L2_CTRL_FLAG_INACTIVE, "inactive"}, {V4L2_CTRL_FLAG_WRITE_ONLY, "write-only"},
                          {V4L2_CTRL_FLAG_VOLATILE, "volatile"}, {V4L2_CTRL_FLAG_EXECUTE_ON_WRITE, "execute-on-write"}};

/** Words in lower case, `_` between them. */
std::string snake_case(const std::string& title) {
  std::string name;
  for (const char letter : title) {
    if (std::isalnum(static_cast<unsigned char>(letter)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    else if (!name.empty() && name.back() != '_') name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

}  // namespace

std::string control_name(uint32_t id, const std::string& title) {
  const auto* known =
      std::find_if(std::begin(KNOWN), std::end(KNOWN), [id](const Known& entry) { return entry.id == id; });
  if (known != std::end(KNOWN)) return known->name;
  const std::string name = snake_case(title);
  return name.empty() ? "control_" + std::to_string(id) : name;
}

std::string control_type(const v4l2_query_ext_ctrl& query) {
  if (query.nr_of_dims > 0 || (query.flags & V4L2_CTRL_FLAG_HAS_PAYLOAD)) return "";
  switch (query.type) {
    case V4L2_CTRL_TYPE_INTEGER:
      return "integer";
    case V4L2_CTRL_TYPE_BOOLEAN:
      return "boolean";
    case V4L2_CTRL_TYPE_MENU:
      return "menu";
    case V4L2_CTRL_TYPE_INTEGER_MENU:
      return "integer-menu";
    case V4L2_CTRL_TYPE_BUTTON:
      return "button";
    case V4L2_CTRL_TYPE_INTEGER64:
      return "integer64";
    case V4L2_CTRL_TYPE_BITMASK:
      return "bitmask";
    default:
      return "";
  }
}

std::vector<std::string> control_flags(uint32_t flags) {
  std::vector<std::string> names;
  for (const Flag& flag : FLAGS)
    if (flags & flag.bit) names.push_back(flag.name);
  return names;
}

bool is_exposure_time(uint32_t id) { return id == V4L2_CID_EXPOSURE_ABSOLUTE; }

int rank_of(uint32_t id) {
  switch (id) {
    case V4L2_CID_EXPOSURE_AUTO:
    case V4L2_CID_EXPOSURE_AUTO_PRIORITY:
    case V4L2_CID_AUTOGAIN:
    case V4L2_CID_AUTO_WHITE_BALANCE:
    case V4L2_CID_FOCUS_AUTO:
      return 0;
    case V4L2_CID_EXPOSURE_ABSOLUTE:
    case V4L2_CID_EXPOSURE:
      return 1;
    case V4L2_CID_GAIN:
    case V4L2_CID_ANALOGUE_GAIN:
      return 2;
    default:
      return 3;
  }
}

}  // namespace vedette
