// One guided capture, from its first picture on: which board is in front of the camera, where its corners are, what the
// pictures that were taken say of the lens, and which view would say most next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chess_corners.h"
#include "marker_search.h"
#include "next_view.h"

namespace vedette {

/** What a picture shows. */
struct GuideLook {
  int width = 0, height = 0;
  size_t markers = 0;
  std::vector<ChessCorner> corners;
  /** Pixels; 0: not known. */
  double edge_px = 0;
  /** As lowers_by() says. */
  double lowers = 0;
  /** Where the board is; none: too few corners say so. */
  std::optional<std::array<std::array<double, 2>, 4>> outline;
};

/** Of one camera and one board, whose squares were measured. */
class GuideSession {
 public:
  /** square_width, square_height: metres. */
  GuideSession(double square_width, double square_height);

  /** What a picture shows; nothing where no board is recognised. */
  GuideLook look(const GreyView& picture);

  /** The same of corners that were found before; edges are not measured. */
  GuideLook look_at(int width, int height, const std::vector<ChessCorner>& corners);

  /** One more picture was taken. Of another size than the first it is not counted. */
  void add(int width, int height, const std::vector<ChessCorner>& corners);

  /** The board is known already, as that of pictures of that size which were taken earlier. */
  void set_board(const BoardLayout& layout, int width, int height);

  const std::optional<BoardLayout>& layout() const { return layout_; }

  /** Whether the board is known and a picture was seen, so that a view of it can be proposed. */
  bool can_propose() const { return layout_ && board_.width > 0; }
  size_t pictures() const { return taken_.size(); }
  const KnownLens& known() const { return known_; }
  const BoardViews& board() const { return board_; }
  const ProposedView& proposed() const { return proposed_; }

  /** Rises with each change of what is known or proposed. */
  int version() const { return version_; }

 private:
  void set_size(int width, int height);
  void recognise(const SeenMarkers& markers);
  void compute();
  BoardView view_of(const std::vector<ChessCorner>& corners) const;
  BoardGrid grid() const;

  double square_width_, square_height_;
  MarkerSearch search_;
  std::vector<SeenMarkers> shown_;
  std::optional<BoardLayout> layout_;
  int misfits_ = 0, version_ = 0;
  std::vector<std::vector<ChessCorner>> taken_;
  BoardViews board_;
  KnownLens known_;
  ProposedView proposed_;
};

}  // namespace vedette
