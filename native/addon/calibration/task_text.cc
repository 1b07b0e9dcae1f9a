#include "task_text.h"

#include <cmath>

#include "json.h"

namespace vedette {

namespace {

constexpr int MAX_SIDE_PX = 16'384;

template <typename Value>
Value next(std::istream& from, const char* what) {
  Value value;
  if (!(from >> value)) throw BadTask(std::string("the task ends before ") + what);
  return value;
}

BadTask wrong_count(int views) {
  return BadTask("the number of pictures must be " + std::to_string(MIN_VIEWS) + " to " + std::to_string(MAX_VIEWS) +
                 ", not " + std::to_string(views));
}

double next_number(std::istream& from, const char* what) {
  const double value = next<double>(from, what);
  if (!std::isfinite(value) || std::fabs(value) > 1e6) throw BadTask(std::string(what) + " is no such number");
  return value;
}

int next_count(std::istream& from, const char* what, int least, int most) {
  const int value = next<int>(from, what);
  if (value < least || value > most)
    throw BadTask(std::string(what) + " must be " + std::to_string(least) + " to " + std::to_string(most) + ", not " +
                  std::to_string(value));
  return value;
}

/** The lens that is to be tried, if there is one. */
std::optional<LensUnknowns> next_lens(std::istream& from) {
  std::string word;
  if (!(from >> word)) return std::nullopt;
  if (word != "LENS") throw BadTask("after the pictures stands something that is no lens");
  const int count = next_count(from, "the number of coefficients of the lens", 0, 8);
  LensUnknowns lens{};
  for (int i = 0; i < K1 + count; i++) lens[i] = next_number(from, "the lens");
  if (!(lens[FX] > 0 && lens[FY] > 0)) throw BadTask("the lens has no focal length");
  return lens;
}

/** What is not finite, which JSON has no word for, is null. */
std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

template <typename Numbers>
std::string numbers(const Numbers& values) {
  return json_list(values, [](double value) { return json_number(value); });
}

std::string optional_number(const std::optional<double>& value) { return value ? json_number(*value) : "null"; }

std::string described(const ViewReport& view) {
  const Pose& pose = view.pose;
  return JsonPieces()
      .boolean("is_used", view.is_used)
      .field("rms_px", json_number(view.rms_px))
      .field("worst_px", json_number(view.worst_px))
      .field("adds", json_number(view.adds))
      .field("tilt_x_deg", json_number(view.tilt_x * 180 / M_PI))
      .field("tilt_y_deg", json_number(view.tilt_y * 180 / M_PI))
      .field("width_share", json_number(view.width_share))
      .field("height_share", json_number(view.height_share))
      .field("pose", numbers(std::array<double, 7>{pose.x, pose.y, pose.z, pose.qw, pose.qx, pose.qy, pose.qz}))
      .object();
}

std::string described(const TriedModel& model) {
  return JsonPieces()
      .number("coefficients", model.coefficients)
      .field("rms_px", json_number(model.rms_px))
      .field("held_out_px", optional_number(model.held_out_px))
      .object();
}

}  // namespace

CalibrationTask read_task(std::istream& from) {
  CalibrationTask task;
  BoardViews& board = task.board;
  board.width = next_count(from, "the width of the pictures", 16, MAX_SIDE_PX);
  board.height = next_count(from, "the height of the pictures", 16, MAX_SIDE_PX);
  board.half_width = next_number(from, "half the width of the board");
  board.half_height = next_number(from, "half the height of the board");
  if (!(board.half_width > 0 && board.half_height > 0)) throw BadTask("the board has no size");
  task.coefficients = next_count(from, "the number of coefficients", 0, 8);
  if (task.coefficients != 0 && task.coefficients != 4 && task.coefficients != 5 && task.coefficients != 8)
    throw BadTask("there are models of 4, 5 and 8 coefficients, not of " + std::to_string(task.coefficients));
  task.may_bend = next_count(from, "whether the board may be bent", 0, 1) == 1;
  const int views = next<int>(from, "the number of pictures");
  if (views < MIN_VIEWS_TO_TRY || views > MAX_VIEWS) throw wrong_count(views);
  int all = 0;
  for (int i = 0; i < views; i++) {
    const int count = next_count(from, "the number of corners in a picture", MIN_CORNERS_OF_VIEW, MAX_CORNERS);
    if ((all += count) > MAX_CORNERS) throw BadTask("there are more than " + std::to_string(MAX_CORNERS) + " corners");
    board.views.emplace_back();
    for (int n = 0; n < count; n++) {
      BoardCorner corner{};
      for (double* each : {&corner.u, &corner.v, &corner.x, &corner.y}) *each = next_number(from, "a corner");
      board.views.back().push_back(corner);
    }
  }
  task.given = next_lens(from);
  if (!task.given && views < MIN_VIEWS) throw wrong_count(views);
  return task;
}

std::string written(const Calibration& found) {
  const LensUnknowns& lens = found.adjusted.state.lens;
  const LensUnknowns& deviation = found.prediction.deviation;
  const auto of_lens = [&](const LensUnknowns& values) {
    return numbers(std::vector<double>(values.begin(), values.begin() + K1 + found.coefficients));
  };
  const size_t count = K1 + found.coefficients;
  std::vector<double> covariance;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) covariance.push_back(found.prediction.covariance[i * OF_LENS + j]);
  JsonPieces to;
  to.boolean("ok", true)
      .number("coefficients", found.coefficients)
      .field("lens", of_lens(lens))
      .field("deviations", of_lens(deviation))
      .field("covariance", numbers(covariance))
      .boolean("has_bend", found.has_bend)
      .field("bend_m", numbers(std::array<double, 2>{lens[BEND_X], lens[BEND_Y]}))
      .field("bend_deviations_m", numbers(std::array<double, 2>{deviation[BEND_X], deviation[BEND_Y]}))
      .field("rms_px", json_number(found.adjusted.rms))
      .field("sigma_px", json_number(found.prediction.sigma_px))
      .field("condition", json_number(found.prediction.condition))
      .number("map_columns", MAP_COLUMNS)
      .number("map_rows", MAP_ROWS)
      .field("map_px", numbers(found.prediction.map_px))
      .field("mean_px", json_number(found.prediction.mean_px))
      .field("max_px", json_number(found.prediction.max_px))
      .field("halves_px", optional_number(found.halves_px))
      .boolean("is_one_to_one", found.is_one_to_one)
      .field("given_rms_px", optional_number(found.given_rms_px))
      .field("tried", json_list(found.tried, [](const TriedModel& each) { return described(each); }))
      .field("views", json_list(found.views, [](const ViewReport& each) { return described(each); }));
  return to.object();
}

}  // namespace vedette
