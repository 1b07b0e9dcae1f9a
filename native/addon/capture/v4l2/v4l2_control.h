// The controls of a camera as documents have them: by V4L2's number, with our name and our unit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct v4l2_query_ext_ctrl;

namespace vedette {

struct MenuEntry {
  int64_t value;
  std::string label;
};

/**
 * A control with its range and its present value, all in our unit. unit: `us`, or empty for the camera's own. flags:
 * V4L2's, such as `inactive` and `read-only`.
 */
struct Control {
  uint32_t id = 0;
  std::string name, type, unit;
  int64_t min = 0, max = 0, step = 0, default_value = 0, value = 0;
  std::vector<std::string> flags;
  std::vector<MenuEntry> menu;
};

/** A control that shall have a value, in our unit. */
struct ControlRequest {
  uint32_t id;
  int64_t value;
};

/**
 * What came of a request. code: `control.refused`, `control.adjusted` (the camera took another value) or empty. detail:
 * a sentence, when there is a code.
 */
struct ControlOutcome {
  uint32_t id = 0;
  int64_t requested = 0, applied = 0;
  std::string code, detail;
  bool ok() const { return code.empty(); }
};

/**
 * By number, never by the driver's title, which changes with the version of the kernel. What we have no name for gets
 * one from that title.
 */
std::string control_name(uint32_t id, const std::string& title);

/** V4L2's type; empty: one that we do not offer (headings, texts, arrays). */
std::string control_type(const v4l2_query_ext_ctrl& query);

std::vector<std::string> control_flags(uint32_t flags);

/** V4L2 counts exposure in units of 100 us, we in microseconds. */
constexpr int64_t EXPOSURE_UNIT_US = 100;
bool is_exposure_time(uint32_t id);

/**
 * The order in which requests are carried out: what turns automatic modes off comes first, then exposure, then gain,
 * then all else.
 */
int rank_of(uint32_t id);

}  // namespace vedette
