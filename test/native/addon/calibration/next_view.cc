// Which view is proposed next, and what a picture is worth, against sets of a camera that is known.
#include "next_view.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "drawn_board.h"
#include "edge_width.h"
#include "guide_session.h"
#include "procedure.h"
#include "simulated.h"
#include "suite.h"

namespace vedette::test {

namespace {

constexpr BoardGrid GRID{SQUARES, SQUARES, SIDE_M / SQUARES, SIDE_M / SQUARES};

BoardViews no_views() { return {1280, 800, SIDE_M / 2, SIDE_M / 2, {}}; }

/** The board held at a place, by the true camera. A corner needs both markers that touch it: the squares around it. */
BoardView seen_at(const Pose& pose, std::mt19937& random, const LensUnknowns& lens = true_lens()) {
  std::normal_distribution<double> noise(0, 0.2);
  const LensAt at(lens);
  const Mat3 rotation = rotation_matrix(pose);
  const auto see = [&](double column, double row, BoardCorner& corner) {
    corner = {0, 0, column * GRID.width - SIDE_M / 2, row * GRID.height - SIDE_M / 2};
    return at.see_place(rotation, {pose.x, pose.y, pose.z}, corner, {0, 0}, corner.u, corner.v) && corner.u >= 0 &&
           corner.v >= 0 && corner.u <= 1279 && corner.v <= 799;
  };
  BoardView to;
  for (int row = 1; row < SQUARES; row++)
    for (int column = 1; column < SQUARES; column++) {
      BoardCorner corner, beside;
      bool is_seen = see(column, row, corner);
      for (const int across : {-1, 1})
        for (const int down : {-1, 1}) is_seen = is_seen && see(column + across, row + down, beside);
      corner.u += noise(random), corner.v += noise(random);
      if (is_seen) to.push_back(corner);
    }
  return to;
}

/** As many pictures as that, each where it is proposed. */
BoardViews guided(int pictures, unsigned seed) {
  std::mt19937 random(seed);
  BoardViews board = no_views();
  for (int i = 0; i < pictures; i++)
    board.views.push_back(seen_at(next_view(board, GRID, known_lens(board)).pose, random));
  return board;
}

/** As many by chance: well tilted, from near and far, everywhere in the picture. */
BoardViews by_chance(int pictures, unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  BoardViews board = no_views();
  const LensUnknowns lens = true_lens();
  while (static_cast<int>(board.views.size()) < pictures) {
    const double half = between(20, 45) * DEG / 2, direction = between(0, 2 * M_PI), turn = between(-10, 10) * DEG;
    const Pose tilted{
        0, 0, 0, std::cos(half), -std::sin(half) * std::sin(direction), std::sin(half) * std::cos(direction), 0};
    Pose pose = compose(tilted, {0, 0, 0, std::cos(turn), 0, 0, std::sin(turn)});
    pose.z = lens[FY] * SIDE_M / (between(0.35, 0.9) * board.height);
    pose.x = (between(0.15, 0.85) * board.width - lens[CX]) / lens[FX] * pose.z;
    pose.y = (between(0.15, 0.85) * board.height - lens[CY]) / lens[FY] * pose.z;
    const BoardView view = seen_at(pose, random);
    if (view.size() >= 12) board.views.push_back(view);
  }
  return board;
}

double true_error(const BoardViews& board) {
  const auto found = calibrate({board, 5, true}, {});
  const ErrorMap error = difference_of(true_lens(), found->adjusted.state.lens, 1280, 800);
  return std::accumulate(error.begin(), error.end(), 0.0) / error.size();
}

double width_of(double blur, double motion_px) {
  const BoardPattern pattern(DrawnBoard{});
  BoardPlace place;
  cv::Mat drawn = draw_board(pattern, picture_from_board(pattern.board(), place), blur, 2, 5);
  if (motion_px > 0) {
    const int length = static_cast<int>(motion_px);
    cv::filter2D(drawn, drawn, -1, cv::Mat(1, length, CV_32F, cv::Scalar(1.0 / length)));
  }
  GuideSession session(0.024, 0.024);
  return session.look(view_of(drawn)).edge_px;
}

}  // namespace

void test_next_view() {
  test("the first three views are tilted, large, away from the middle and whole in the picture", [] {
    BoardViews board = no_views();
    std::mt19937 random(1);
    std::set<NearerSide> sides;
    for (int i = 0; i < 3; i++) {
      const ProposedView view = next_view(board, GRID, known_lens(board));
      double left = 1280, right = 0, top = 800, bottom = 0;
      for (const auto& [u, v] : view.outline) {
        left = std::min(left, u), right = std::max(right, u), top = std::min(top, v), bottom = std::max(bottom, v);
      }
      expect(left >= 0 && right <= 1279 && top >= 0 && bottom <= 799,
             text("%g to %g, %g to %g", left, right, top, bottom));
      expect(std::max((right - left) / 1280, (bottom - top) / 800) > 0.7, "it is small");
      expect(std::hypot((left + right) / 2 - 640, (top + bottom) / 2 - 400) > 60, "it is in the middle");
      expect(view.nearer != NearerSide::NONE, "it is frontal");
      sides.insert(view.nearer);
      board.views.push_back(seen_at(view.pose, random));
    }
    expect(sides.size() == 3, "two are tilted alike");
    return std::string();
  });

  test("each view is whole in the picture, also of a lens that bends much", [] {
    LensUnknowns wide = true_lens();
    wide[FX] = wide[FY] = 620, wide[K1] = -0.25, wide[K2] = 0.07, wide[K3] = 0;
    for (unsigned seed = 1; seed <= 5; seed++) {
      std::mt19937 random(seed);
      BoardViews board = no_views();
      for (int i = 0; i < 12; i++) {
        const ProposedView view = next_view(board, GRID, known_lens(board));
        for (const auto& [u, v] : view.outline)
          expect(u >= 0 && u <= 1279 && v >= 0 && v <= 799, text("picture %d: a corner at %g, %g", i, u, v));
        const BoardView seen = seen_at(view.pose, random, wide);
        if (seen.size() >= 12) board.views.push_back(seen);
      }
      expect(board.views.size() > 8, text("only %zu pictures", board.views.size()));
    }
    return std::string();
  });

  test("what a picture will be worth is foretold", [] {
    std::mt19937 random(2);
    std::string figures;
    for (const int pictures : {3, 6, 10}) {
      BoardViews board = guided(pictures, 7);
      const KnownLens before = known_lens(board);
      const ProposedView view = next_view(board, GRID, before);
      board.views.push_back(seen_at(view.pose, random));
      const KnownLens after = known_lens(board);
      figures += text("%d: %.2f, foretold %.2f, then %.2f px; ", pictures, before.mean_px, view.mean_px, after.mean_px);
      expect(view.mean_px < before.mean_px && std::fabs(after.mean_px / view.mean_px - 1) < 0.25, figures);
    }
    return figures;
  });

  test("it is the best of all candidates that is proposed, and worth more than any picture by chance", [] {
    const BoardViews board = guided(5, 3);
    const KnownLens known = known_lens(board);
    const double proposed = 1 - next_view(board, GRID, known).mean_px / known.mean_px;
    double best = 0;
    int better = 0;
    for (const BoardView& view : by_chance(30, 17).views) {
      const double lowers = lowers_by(board, known, view);
      best = std::max(best, lowers), better += lowers > proposed;
    }
    expect(better <= 1, text("%d of 30 by chance are better than %.3f", better, proposed));
    return text("lowers by %.3f, the best of 30 by chance by %.3f", proposed, best);
  });

  test("eight guided pictures say as much as twenty by chance, and err less than eight of those", [] {
    double said[3] = {}, errors[2] = {};
    for (unsigned seed = 1; seed <= 12; seed++) {
      const BoardViews sets[3] = {guided(8, seed), by_chance(8, seed), by_chance(20, seed)};
      for (int i = 0; i < 3; i++) said[i] += known_lens(sets[i]).mean_px / 12;
      for (int i = 0; i < 2; i++) errors[i] += true_error(sets[i]) / 12;
    }
    const std::string figures = text("%.2f px, by chance 8: %.2f, 20: %.2f; true errors %.2f and %.2f", said[0],
                                     said[1], said[2], errors[0], errors[1]);
    expect(said[0] < 1.1 * said[2] && errors[0] < errors[1], figures);
    return figures;
  });

  test("pictures that are there, and frontal ones, are worth little", [] {
    const BoardViews board = guided(6, 4);
    const KnownLens known = known_lens(board);
    SimulatedSet frontal;
    frontal.min_tilt = 0, frontal.max_tilt = 3, frontal.min_size = frontal.max_size = 0.4, frontal.pictures = 3;
    double again = 0;
    for (const BoardView& view : board.views) again += lowers_by(board, known, view) / board.views.size();
    const double proposed = 1 - next_view(board, GRID, known).mean_px / known.mean_px;
    double of_frontal = 0;
    for (const BoardView& view : simulate(frontal, 5).views)
      of_frontal = std::max(of_frontal, lowers_by(board, known, view));
    const std::string figures = text("again %.3f, frontal %.3f, as proposed %.3f", again, of_frontal, proposed);
    expect(again < 0.6 * proposed && of_frontal < 0.5 * proposed, figures);
    return figures;
  });

  test("what is known grows with each picture, and is what the solver says in the end", [] {
    double last = 1e9;
    for (int pictures = 0; pictures <= 12; pictures++) {
      const double mean = known_lens(guided(pictures, 6)).mean_px;
      expect(mean < last, text("%d pictures: %g after %g", pictures, mean, last));
      last = mean;
    }
    const auto solved = calibrate({guided(12, 6), 5, true}, {});
    expect(std::fabs(last / solved->prediction.mean_px - 1) < 0.1, text("%g, %g", last, solved->prediction.mean_px));
    return text("%.3f px, the solver %.3f", last, solved->prediction.mean_px);
  });

  test("an edge's width grows with blur and with motion, whichever its direction", [] {
    const double sharp = width_of(0.5, 0), soft = width_of(1.2, 0), blurred = width_of(2, 0), moved = width_of(0.5, 10);
    const std::string figures =
        text("sharp %.1f, blur 1.2 %.1f, blur 2 %.1f, moved by 10 px %.1f px", sharp, soft, blurred, moved);
    expect(sharp < 2 && soft > 1.3 * sharp && blurred > 1.3 * soft && moved > 2 * sharp, figures);
    return figures;
  });

  test("a session finds the board by itself, and its outline", [] {
    const DrawnBoard drawn;
    const BoardPattern pattern(drawn);
    const cv::Matx33d from = picture_from_board(drawn, {});
    GuideSession session(0.024, 0.024);
    const GuideLook look = session.look(view_of(draw_board(pattern, from, 0.7, 2, 6)));
    expect(session.can_propose() && session.layout()->columns == 11 && session.layout()->rows == 7, "no board");
    expect(look.corners.size() == 60 && look.outline.has_value(), std::to_string(look.corners.size()));
    const double corners[4][2] = {{0, 0}, {11, 0}, {11, 7}, {0, 7}};
    for (int i = 0; i < 4; i++) {
      const cv::Point2d at = apply(from, corners[i][0], corners[i][1]);
      const auto& [u, v] = (*look.outline)[i];
      expect(std::hypot(u - at.x + 0.5, v - at.y + 0.5) < 1, "the outline is off");
    }
    const int version = session.version();
    session.add(look.width, look.height, look.corners);
    expect(session.version() > version && session.known().mean_px > 0, "nothing was learned");
    session.add(640, 480, look.corners);
    expect(session.pictures() == 1, "a picture of another size counts");
    return text("%zu corners, lowers by %.2f", look.corners.size(), look.lowers);
  });
}

}  // namespace vedette::test
