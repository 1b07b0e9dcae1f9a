#include "plugin_rows.h"

#include <algorithm>
#include <cmath>

#include "source.h"

namespace vedette {

namespace {

constexpr double MAX_NUMBER = 1e7;  // no picture is larger, and nothing is farther away
constexpr int MAX_ID = 1'000'000, MAX_LABEL = 9999, MAX_HAMMING = 16;
constexpr double SIGMA_PX = 0.5;  // of a corner of which nobody says how exact it is

[[noreturn]] void refuse(const std::string& why) { throw Fault{"step.failed", why}; }

/** The numbers of a row, one after the other. */
class Row {
 public:
  Row(const double* numbers, const ToSource& to_source) : at_(numbers), to_source_(to_source) {}

  double number(const char* of) {
    const double value = *at_++;
    if (!std::isfinite(value) || std::fabs(value) > MAX_NUMBER)
      refuse(std::string("it gives a row whose ") + of + " is no number that can be");
    return value;
  }
  double number(const char* of, double least, double most) {
    const double value = number(of);
    if (value < least || value > most) refuse(std::string("it gives a row whose ") + of + " is out of its range");
    return value;
  }
  int integer(const char* of, int most) {
    const double value = number(of, 0, most);
    if (value != std::floor(value)) refuse(std::string("it gives a row whose ") + of + " is no whole number");
    return static_cast<int>(value);
  }
  /** Where it lies in the source, if anywhere; scale: source pixels for one of the picture there. */
  bool place(double (&out)[2], double* scale = nullptr) {
    const double x = number("place"), y = number("place");
    out[0] = x, out[1] = y;
    const bool is_there = to_source_.apply(out[0], out[1]);
    if (is_there && scale) *scale = to_source_.scale_at(x, y);
    return is_there;
  }
  bool corners(double (&out)[4][2]) {
    bool are_there = true;
    for (auto& corner : out) are_there = place(corner) && are_there;
    return are_there;
  }

 private:
  const double* at_;
  const ToSource& to_source_;
};

int family_of(Row& row) { return row.integer("family", TAG_FAMILY_COUNT - 1); }

bool read(Row& row, Detection& out) {
  out.family = family_of(row);
  out.id = row.integer("id", MAX_ID);
  out.hamming = row.integer("hamming", MAX_HAMMING);
  out.margin = row.number("margin", 0, MAX_NUMBER);
  double scale = 1;
  const bool has_centre = row.place(out.center, &scale);
  out.sigma_px = SIGMA_PX * scale;
  return row.corners(out.corners) && has_centre;
}

/** On the ideal image plane, where there are no pixels. */
bool read(Row& row, TagPoints& out) {
  out.family = family_of(row);
  out.id = row.integer("id", MAX_ID);
  out.sigma_px = SIGMA_PX;
  for (auto& corner : out.corners)
    for (double& each : corner) each = row.number("corner", -100, 100);
  return true;
}

bool read(Row& row, Target& out) {
  double scale = 1;
  const bool has_centre = row.place(out.center, &scale);
  out.width_px = scale * row.number("width", 0, MAX_NUMBER);
  out.height_px = scale * row.number("height", 0, MAX_NUMBER);
  return row.corners(out.corners) && has_centre;
}

bool read(Row& row, Circle& out) {
  double scale = 1;
  const bool has_centre = row.place(out.center, &scale);
  out.radius_px = scale * row.number("radius", 0, MAX_NUMBER);
  return has_centre;
}

bool read(Row& row, Object& out) {
  out.label = row.integer("label", MAX_LABEL);
  out.confidence = row.number("confidence", 0, 1);
  double scale = 1;
  const bool has_centre = row.place(out.center, &scale);
  out.width_px = scale * row.number("width", 0, MAX_NUMBER);
  out.height_px = scale * row.number("height", 0, MAX_NUMBER);
  return has_centre;
}

bool read(Row& row, Class& out) {
  out.label = row.integer("label", MAX_LABEL);
  out.confidence = row.number("confidence", 0, 1);
  return true;
}

/** What cannot be given has no width, and does not get here. */
template <typename Other>
bool read(Row&, Other&) {
  return false;
}

template <typename T>
void read_all(const std::vector<double>& numbers, size_t width, const ToSource& to_source, std::vector<T>& out) {
  for (size_t at = 0; at + width <= numbers.size(); at += width) {
    Row row(numbers.data() + at, to_source);
    T read_row;
    if (read(row, read_row)) out.push_back(read_row);
  }
}

template <typename Other>
void read_all(const std::vector<double>&, size_t, const ToSource&, Other&) {}

}  // namespace

size_t plugin_row_width(Kind kind) {
  switch (kind) {
    case Kind::detections:
      return 14;
    case Kind::points:
      return 10;
    case Kind::targets:
      return 12;
    case Kind::circles:
      return 3;
    case Kind::objects:
      return 6;
    case Kind::classes:
      return 2;
    default:
      return 0;
  }
}

void read_plugin_rows(const std::vector<double>& numbers, const ToSource& to_source, Value& out) {
  const size_t width = plugin_row_width(kind_of(out));
  if (width == 0) return;
  std::visit([&](auto& rows) { read_all(numbers, width, to_source, rows); }, out);
}

}  // namespace vedette
