#include "synthetic_board.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "pose_math.h"
#include "synthetic_draw.h"
#include "synthetic_random.h"
#include "tag_family.h"

namespace vedette {
namespace {

constexpr double RAD = M_PI / 180;
constexpr double MAX_TURN_RAD = 15 * RAD;
constexpr int CELLS_OF_PLAIN = 2;  // of a square without a marker

/** What a program of views holds a board like. Sizes: of the picture, that the board would fill were it not tilted. */
struct Manner {
  double min_tilt_rad, max_tilt_rad, min_size, max_size;
};

Manner manner_of(const std::string& views) {
  if (views == "frontal") return {0, 2 * RAD, 0.4, 0.8};
  if (views == "small") return {20 * RAD, 45 * RAD, 0.15, 0.22};
  return {20 * RAD, 45 * RAD, 0.5, 0.9};
}

/** All places in the picture in turn: left to right, top to bottom, from -1 to 1. */
constexpr int PLACES[][2] = {{0, 0}, {-1, -1}, {1, 1}, {1, -1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
constexpr uint64_t PLACE_COUNT = sizeof PLACES / sizeof PLACES[0];

/** What is drawn of the seed for a view. */
enum Draw : uint64_t { TILT, DIRECTION, TURN, SIZE, ACROSS, DOWN, DRAWS };

Pose view_at(const SyntheticBoard& board, const Lens& lens, const Manner& manner, uint32_t seed, int64_t number) {
  const auto at = static_cast<uint64_t>(number);
  const auto between = [&](Draw what, double from, double to) {
    return from + (to - from) * mixed_share(mixed(seed, 17), at * DRAWS + what);
  };
  const Intrinsics& camera = lens.intrinsics();
  const double tilt = between(TILT, manner.min_tilt_rad, manner.max_tilt_rad);
  // one after the other to each side, so that few views have all of them
  const double direction = (static_cast<double>(at % 4) + between(DIRECTION, -0.3, 0.3)) * M_PI / 2;
  const double turn = between(TURN, -MAX_TURN_RAD, MAX_TURN_RAD);
  const double size = between(SIZE, manner.min_size, manner.max_size);
  const double width_m = board.columns * board.square_width_m, height_m = board.rows * board.square_height_m;
  const double depth =
      std::max(width_m * camera.fx / (size * camera.width), height_m * camera.fy / (size * camera.height));
  const auto& [across, down] = PLACES[at % PLACE_COUNT];
  const double room_u = (camera.width - width_m * camera.fx / depth) / 2;
  const double room_v = (camera.height - height_m * camera.fy / depth) / 2;
  const double u = camera.width / 2.0 + (across + between(ACROSS, -0.1, 0.1)) * room_u * 0.9;
  const double v = camera.height / 2.0 + (down + between(DOWN, -0.1, 0.1)) * room_v * 0.9;

  // in the optical frame: turned in its own plane, then tilted about an axis across `direction`
  const Pose turned{0, 0, 0, std::cos(turn / 2), 0, 0, std::sin(turn / 2)};
  const double s = std::sin(tilt / 2);
  const Pose tilted{0, 0, 0, std::cos(tilt / 2), -s * std::sin(direction), s * std::cos(direction), 0};
  Pose held = compose(tilted, turned);
  held.x = (u - camera.cx) / camera.fx * depth, held.y = (v - camera.cy) / camera.fy * depth, held.z = depth;
  return compose(body_optical(), compose(held, invert(body_optical())));
}

/** Begins and ends slowly. */
Pose between_poses(const Pose& from, const Pose& to, double share) {
  const double eased = share * share * (3 - 2 * share);
  const Pose turn = normalized(compose(invert(from), to));
  const double angle = rotation_angle(turn), half = angle * eased / 2;
  const double scale = angle > 1e-9 ? std::sin(half) / std::sin(angle / 2) : 0;
  Pose at = compose(from, {0, 0, 0, std::cos(half), turn.qx * scale, turn.qy * scale, turn.qz * scale});
  at.x = from.x + (to.x - from.x) * eased;
  at.y = from.y + (to.y - from.y) * eased;
  at.z = from.z + (to.z - from.z) * eased;
  return at;
}

/** Prints square by square onto a white sheet. */
class Press {
 public:
  Press(const SyntheticBoard& board, int cells_of_square, int border) : cells_(cells_of_square), border_(border) {
    sheet_.columns = board.columns * cells_ + 2 * border;
    sheet_.rows = board.rows * cells_ + 2 * border;
    sheet_.border_cells = border;
    sheet_.cell_width_m = board.square_width_m / cells_;
    sheet_.cell_height_m = board.square_height_m / cells_;
    sheet_.bend = {board.bend_width_m, board.bend_height_m};
    sheet_.ink.assign(static_cast<size_t>(sheet_.columns) * sheet_.rows, PAPER);
  }

  void black(int column, int row) {
    print(column, row, std::vector<float>(static_cast<size_t>(cells_) * cells_, BLACK_INK));
  }

  void print(int column, int row, const std::vector<float>& ink) {
    for (int i = 0; i < cells_ * cells_; i++) {
      const int s = border_ + column * cells_ + i % cells_, t = border_ + row * cells_ + i / cells_;
      sheet_.ink[static_cast<size_t>(t) * sheet_.columns + s] = ink[static_cast<size_t>(i)];
    }
  }

  Sheet finish() { return std::move(sheet_); }

 private:
  const int cells_, border_;
  Sheet sheet_;
};

FamilyOwner family_of(const SyntheticBoard& board, int markers) {
  FamilyOwner family = make_family(board.family);
  if (!family)
    throw Fault{"camera.unreadable", "no board can be printed with markers of the family '" + board.family + "'"};
  if (static_cast<uint32_t>(markers) > family->ncodes)
    throw Fault{"camera.unreadable", "the board takes " + std::to_string(markers) + " markers, and " + board.family +
                                         " has " + std::to_string(family->ncodes) + "; take fewer squares"};
  return family;
}

Sheet print_grid(const SyntheticBoard& board) {
  const FamilyOwner family = family_of(board, board.columns * board.rows);
  Press press(board, family->total_width, 1);
  for (int row = 0; row < board.rows; row++)
    for (int column = 0; column < board.columns; column++)
      press.print(column, row, print_tag(family.get(), (board.rows - 1 - row) * board.columns + column));
  return press.finish();
}

Sheet print_squares(const SyntheticBoard& board) {
  const bool has_markers = board.kind == "charuco";
  const FamilyOwner family =
      has_markers ? family_of(board, (board.columns * board.rows + 1) / 2) : FamilyOwner(nullptr, nullptr);
  const int cells = has_markers ? family->total_width : CELLS_OF_PLAIN;
  const int white = board.is_old_layout && board.rows % 2 == 0 ? 0 : 1;
  Press press(board, cells, cells / 2);
  int id = 0;
  for (int row = 0; row < board.rows; row++)
    for (int column = 0; column < board.columns; column++) {
      if ((row + column) % 2 != white) press.black(column, row);
      else if (has_markers) press.print(column, row, print_tag(family.get(), id++));
    }
  return press.finish();
}

}  // namespace

Sheet print_board(const SyntheticBoard& board) {
  return board.kind == "tag_grid" ? print_grid(board) : print_squares(board);
}

HandMotion make_hand(const SyntheticBoard& board, const Lens& lens, uint32_t seed) {
  if (board.has_pose) return [pose = board.pose](double) { return pose; };
  const Manner manner = manner_of(board.views);
  return [board, camera = Lens(lens.intrinsics()), manner, seed](double seconds) {
    const double period = std::max(1e-3, board.hold_s + board.move_s), round = std::max(0.0, seconds / period);
    const auto number = static_cast<int64_t>(round);
    const double moving_s = (round - static_cast<double>(number)) * period - board.hold_s;
    const Pose held = view_at(board, camera, manner, seed, number);
    if (moving_s <= 0 || board.move_s <= 0) return held;
    return between_poses(held, view_at(board, camera, manner, seed, number + 1), moving_s / board.move_s);
  };
}

Pose sheet_from_hand(const Pose& camera_board) {
  const Pose facing{0, 0, 0, 0, 0, 0, 1};  // the board's axes look as the camera does, a sheet's the other way
  return invert(compose(camera_board, facing));
}

bool project_corner(const Lens& lens, const Sheet& sheet, const SyntheticBoard& board, const Pose& camera_board,
                    double column, double row, double& u, double& v) {
  const int cells = (sheet.columns - 2 * sheet.border_cells) / board.columns;
  const Pose optical_sheet = invert(compose(sheet_from_hand(camera_board), body_optical()));
  return lens.project(
      optical_from_sheet(sheet, optical_sheet, sheet.border_cells + column * cells, sheet.border_cells + row * cells),
      u, v);
}

}  // namespace vedette
