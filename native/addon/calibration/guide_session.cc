#include "guide_session.h"

#include <algorithm>

#include "edge_width.h"
#include "procedure.h"

namespace vedette {

namespace {

constexpr size_t MIN_MARKERS = 4, MAX_SHOWN = 12;
constexpr double MIN_FITTING = 0.8;
constexpr int MAX_MISFITS = 5;  // pictures in a row that show another board

int largest_id(const SeenMarkers& markers, int family) {
  int to = -1;
  for (const SeenMarker& marker : markers)
    if (marker.family == family) to = std::max(to, marker.id);
  return to;
}

}  // namespace

GuideSession::GuideSession(double square_width, double square_height)
    : square_width_(square_width), square_height_(square_height) {}

GuideLook GuideSession::look(const GreyView& picture) {
  set_size(picture.width, picture.height);
  const SeenMarkers markers = search_.find(picture);
  recognise(markers);
  if (!layout_) return {picture.width, picture.height, 0, {}, 0, 0, std::nullopt};
  const SeenMarkers fitting = fitting_markers(markers, *layout_);
  GuideLook to = look_at(picture.width, picture.height, chess_corners(picture, fitting, *layout_));
  to.markers = fitting.size();
  to.edge_px = edge_width(picture, to.corners, (1 - layout_->marker) / 2);
  return to;
}

GuideLook GuideSession::look_at(int width, int height, const std::vector<ChessCorner>& corners) {
  set_size(width, height);
  GuideLook to{width, height, 0, corners, 0, 0, std::nullopt};
  if (!layout_) return to;
  const BoardView view = view_of(corners);
  std::array<std::array<double, 2>, 4> outline;
  if (outline_of(board_, known_, view, outline)) to.outline = outline;
  if (width == board_.width && height == board_.height) to.lowers = lowers_by(board_, known_, view);
  return to;
}

void GuideSession::set_size(int width, int height) {
  if (!taken_.empty() || (board_.width == width && board_.height == height)) return;
  board_.width = width, board_.height = height;
  if (layout_) compute();
}

/** Pictures of which several boards could be the cause say it together with others; later ones may show more rows. */
void GuideSession::recognise(const SeenMarkers& markers) {
  if (markers.size() < MIN_MARKERS) return;
  if (layout_) {
    const auto of_family = std::count_if(markers.begin(), markers.end(),
                                         [&](const SeenMarker& each) { return each.family == layout_->family; });
    const int id = largest_id(markers, layout_->family);
    const bool has_more_rows =
        id >= 0 && square_of_marker(id, layout_->columns, layout_->starts_white).row >= layout_->rows;
    const bool fits =
        static_cast<double>(fitting_markers(markers, *layout_).size()) >= MIN_FITTING * static_cast<double>(of_family);
    if (fits && of_family > 0 && !has_more_rows) {
      misfits_ = 0;
      return;
    }
    if (!has_more_rows) {
      if (!taken_.empty() || ++misfits_ < MAX_MISFITS) return;
      layout_.reset();
      shown_.clear();
    }
  }
  shown_.push_back(markers);
  if (shown_.size() > MAX_SHOWN) shown_.erase(shown_.begin());
  const auto found = recognise_layout(shown_);
  if (!found) return;
  const bool is_same = layout_ && found->family == layout_->family && found->columns == layout_->columns &&
                       found->starts_white == layout_->starts_white;
  if (layout_ && !taken_.empty() && !is_same) return;
  if (is_same && found->rows <= layout_->rows) return;
  misfits_ = 0;
  layout_ = found;
  compute();
}

void GuideSession::set_board(const BoardLayout& layout, int width, int height) {
  layout_ = layout;
  board_.width = width, board_.height = height;
  compute();
}

void GuideSession::add(int width, int height, const std::vector<ChessCorner>& corners) {
  if (taken_.empty()) board_.width = width, board_.height = height;
  if (width != board_.width || height != board_.height || corners.size() < MIN_CORNERS_OF_VIEW) return;
  taken_.push_back(corners);
  compute();
}

BoardGrid GuideSession::grid() const { return {layout_->columns, layout_->rows, square_width_, square_height_}; }

BoardView GuideSession::view_of(const std::vector<ChessCorner>& corners) const {
  BoardView to;
  for (const ChessCorner& each : corners)
    to.push_back({each.u, each.v, each.column * square_width_ - board_.half_width,
                  each.row * square_height_ - board_.half_height});
  return to;
}

/** All of it again, since the middle of the board moves when it turns out to have more rows. */
void GuideSession::compute() {
  if (!can_propose()) return;
  board_.half_width = grid().half_width(), board_.half_height = grid().half_height();
  board_.views.clear();
  for (const auto& corners : taken_) board_.views.push_back(view_of(corners));
  known_ = known_lens(board_);
  proposed_ = next_view(board_, grid(), known_);
  version_++;
}

}  // namespace vedette
