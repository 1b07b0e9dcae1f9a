// Whole calibrations of simulated sets: which model, which pictures, and when they end.
#include "procedure.h"

#include <algorithm>
#include <numeric>

#include "simulated.h"
#include "suite.h"

namespace vedette::test {

namespace {

Calibration calibrated(const BoardViews& board, int coefficients = 0) {
  const auto found = calibrate({board, coefficients, true}, {});
  expect(found.has_value(), "it ended by itself");
  return *found;
}

double mean_error(const Calibration& found, const LensUnknowns& truth = true_lens()) {
  const ErrorMap error = difference_of(truth, found.adjusted.state.lens, 1280, 800);
  return std::accumulate(error.begin(), error.end(), 0.0) / error.size();
}

std::string summary(const Calibration& found) {
  char line[200];
  std::snprintf(line, sizeof line, "%d coefficients, rms %.3f, true error %.2f, predicted %.2f", found.coefficients,
                found.adjusted.rms, mean_error(found), found.prediction.mean_px);
  return line;
}

SimulatedSet of_pictures(int count) {
  SimulatedSet set;
  set.pictures = count;
  return set;
}

}  // namespace

void test_procedure() {
  test("few pictures are solved with four coefficients and a flat board, more with five and its bend", [] {
    const Calibration seven = calibrated(simulate(of_pictures(7), 11)), nine = calibrated(simulate(of_pictures(9), 11)),
                      fifteen = calibrated(simulate({}, 11));
    expect(seven.coefficients == 4 && !seven.has_bend, summary(seven));
    expect(nine.coefficients == 4 && nine.has_bend, summary(nine));
    expect(fifteen.coefficients == 5 && fifteen.has_bend && fifteen.tried.size() == 2, summary(fifteen));
    expect(mean_error(fifteen) < 0.7, summary(fifteen));
    return summary(seven) + "; " + summary(nine) + "; " + summary(fifteen);
  });

  test("a lens that five coefficients cannot follow gets eight", [] {
    LensUnknowns wide = true_lens();
    wide[FX] = wide[FY] = 420;
    wide[K1] = 0.9, wide[K2] = 0.3, wide[K3] = 0.02, wide[P1] = wide[P2] = 0;
    wide[K4] = 1.2, wide[K5] = 0.5, wide[K6] = 0.06;
    const Calibration found = calibrated(simulate(of_pictures(20), 12, wide));
    const double error = mean_error(found, wide);
    expect(found.coefficients == 8 && error < 1.25 * found.prediction.mean_px && found.is_one_to_one,
           summary(found) + std::to_string(error));
    return std::to_string(error) + " px true error, " + std::to_string(found.prediction.mean_px) + " predicted";
  });

  test("a picture that was read a column off is left out, and the result is as good as without it", [] {
    std::string figures;
    for (unsigned seed = 21; seed < 26; seed++) {
      BoardViews board = simulate({}, seed);
      for (size_t i = 0; i < board.views[6].size(); i += 2) board.views[6][i].x -= SIDE_M / SQUARES;
      const Calibration found = calibrated(board);
      expect(!found.views[6].is_used && found.views[6].adds == 0, summary(found));
      const auto used = std::count_if(found.views.begin(), found.views.end(), [](auto& view) { return view.is_used; });
      expect(used == 14 && mean_error(found) < 1, summary(found) + ", " + std::to_string(used) + " used");
      figures += summary(found) + "; ";
    }
    return figures;
  });

  test("what each picture adds is said, and the halves agree as predicted", [] {
    const Calibration found = calibrated(simulate(of_pictures(20), 31));
    for (const ViewReport& view : found.views) expect(view.adds > 0 && view.adds < 1, std::to_string(view.adds));
    expect(found.halves_px.has_value(), "there are enough pictures");
    const double share = *found.halves_px / (2 * found.prediction.mean_px);
    expect(share > 0.2 && share < 2, std::to_string(share) + " times what is predicted");
    return std::to_string(share) + " times what is predicted";
  });

  test("tilts are those out of the plane of the picture, wherever the board is seen", [] {
    SimulatedSet set;
    set.min_tilt = set.max_tilt = 30;
    double worst = 0;
    for (const ViewReport& view : calibrated(simulate(set, 41)).views) {
      const double tilt = std::atan(std::hypot(std::tan(view.tilt_x), std::tan(view.tilt_y))) / DEG;
      worst = std::max(worst, std::fabs(tilt - 30));
      expect(view.height_share > 0.2 && view.height_share <= 1, std::to_string(view.height_share));
    }
    expect(worst < 1, std::to_string(worst) + " degrees off");
    return std::to_string(worst) + " degrees off at most";
  });

  test("it ends when it is told to, at any step", [] {
    const BoardViews board = simulate({}, 1);
    int asked = 0;
    const auto count = [&](const char*, double) { return ++asked > 0; };
    expect(calibrate({board, 0, true}, count).has_value(), "it ended by itself");
    const int all = asked;
    for (int limit = 0; limit < all; limit += 7) {
      asked = 0;
      expect(!calibrate({board, 0, true}, [&](const char*, double) { return asked++ < limit; }), "it went on");
      expect(asked == limit + 1, "asked again after it was told to end");
    }
    return std::to_string(all) + " times asked";
  });

  test("the smallest and the largest set are solved, and hopeless ones end too", [] {
    calibrated(simulate(of_pictures(MIN_VIEWS), 51));
    calibrated(simulate(of_pictures(MAX_VIEWS), 52));
    BoardViews same = simulate(of_pictures(1), 53);
    for (int i = 0; i < 11; i++) same.views.push_back(same.views[0]);
    calibrated(same);
    BoardViews nonsense = simulate({}, 54);
    std::mt19937 random(55);
    for (BoardView& view : nonsense.views)
      for (BoardCorner& corner : view) corner.u = random() % 1280, corner.v = random() % 800;
    calibrate({nonsense, 0, true}, {});
    BoardViews line = simulate({}, 56);
    for (BoardView& view : line.views)
      for (BoardCorner& corner : view) corner.v = 400;
    calibrate({line, 0, true}, {});
    return std::string();
  });
}

}  // namespace vedette::test
