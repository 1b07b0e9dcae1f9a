// The solver against the truth of simulated sets, and against OpenCV's own calibration of the same corners.
#include "adjustment.h"

#include <algorithm>
#include <numeric>
#include <opencv2/calib3d.hpp>

#include "prediction.h"
#include "simulated.h"
#include "suite.h"

namespace vedette::test {

namespace {

constexpr unsigned FIRST_SEED = 101, SEEDS = 10;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double mean(const ErrorMap& map) { return std::accumulate(map.begin(), map.end(), 0.0) / map.size(); }

/** Medians over the seeds. Pixels; the bend in metres. */
struct Figures {
  double rms, fx_error, fx_deviation, true_mean, true_worst, predicted_mean, predicted_worst, condition, aspect, bend;
  int steps = 0;

  std::string text() const {
    char line[300];
    std::snprintf(
        line, sizeof line,
        "rms %.3f, fx off by %.1f (said %.1f), true error %.2f / %.2f, predicted %.2f / %.2f, condition %.0f, "
        "fx/fy %.4f, bend %.2f mm, %d steps, seeds %u to %u",
        rms, fx_error, fx_deviation, true_mean, true_worst, predicted_mean, predicted_worst, condition, aspect,
        bend * 1e3, steps, FIRST_SEED, FIRST_SEED + SEEDS - 1);
    return line;
  }
};

Figures figures_of(const SimulatedSet& set, int coefficients = 5, bool bend = false) {
  std::vector<double> rms, fx_error, fx_deviation, true_mean, true_worst, predicted, worst, condition, aspect, bends;
  int steps = 0;
  const LensUnknowns truth = true_lens();
  for (unsigned seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const BoardViews board = simulate(set, seed);
    AdjustmentOptions options;
    options.sought = sought_of(coefficients, bend);
    const Adjusted adjusted = adjust(board, first_guess(board), options);
    const Prediction prediction = predict(board, adjusted, options);
    const LensUnknowns& lens = adjusted.state.lens;
    const ErrorMap error = difference_of(truth, lens, board.width, board.height);
    rms.push_back(adjusted.rms);
    fx_error.push_back(std::fabs(lens[FX] - truth[FX]));
    fx_deviation.push_back(prediction.deviation[FX]);
    true_mean.push_back(mean(error));
    true_worst.push_back(*std::max_element(error.begin(), error.end()));
    predicted.push_back(prediction.mean_px);
    worst.push_back(prediction.max_px);
    condition.push_back(prediction.condition);
    aspect.push_back(lens[FX] / lens[FY]);
    bends.push_back(lens[BEND_X]);
    steps = std::max(steps, adjusted.steps);
  }
  return {median(rms),
          median(fx_error),
          median(fx_deviation),
          median(true_mean),
          median(true_worst),
          median(predicted),
          median(worst),
          median(condition),
          median(aspect),
          median(bends),
          steps};
}

SimulatedSet tilted(double from, double to) {
  SimulatedSet set;
  set.min_tilt = from, set.max_tilt = to;
  return set;
}

SimulatedSet sized(double from, double to) {
  SimulatedSet set;
  set.min_size = from, set.max_size = to;
  return set;
}

SimulatedSet of_pictures(int count) {
  SimulatedSet set;
  set.pictures = count;
  return set;
}

SimulatedSet bowed(double metres) {
  SimulatedSet set;
  set.bow_x_m = metres;
  return set;
}

SimulatedSet stretched(double x, double y = 1) {
  SimulatedSet set;
  set.stretch_x = x, set.stretch_y = y;
  return set;
}

void expect_near(double found, double expected, double within, const std::string& what) {
  expect(std::fabs(found - expected) <= within,
         what + " is " + std::to_string(found) + ", not " + std::to_string(expected));
}

/** OpenCV's own calibration with five coefficients; k3 as it numbers it. */
struct OpenCvAnswer {
  double rms;
  cv::Mat matrix, distortion;
};

OpenCvAnswer ask_opencv(const BoardViews& board, int flags) {
  std::vector<std::vector<cv::Point3f>> on_board;
  std::vector<std::vector<cv::Point2f>> in_picture;
  for (const BoardView& view : board.views) {
    on_board.emplace_back();
    in_picture.emplace_back();
    for (const BoardCorner& corner : view) {
      on_board.back().emplace_back(corner.x, corner.y, 0);
      in_picture.back().emplace_back(corner.u, corner.v);
    }
  }
  OpenCvAnswer to;
  std::vector<cv::Mat> turns, places;
  to.rms = cv::calibrateCamera(on_board, in_picture, {board.width, board.height}, to.matrix, to.distortion, turns,
                               places, flags);
  return to;
}

/** Each derivative against what happens when the unknown is moved. */
void check_derivatives() {
  const BoardViews board = simulate({}, 5);
  LensUnknowns lens = true_lens();
  lens[K4] = 0.02, lens[K5] = -0.03, lens[K6] = 0.01, lens[BEND_X] = 0.002, lens[BEND_Y] = -0.001;
  const Pose pose = pose_of_view(board, board.views[0], lens);
  const BoardCorner& corner = board.views[0][3];
  const BendShape bend = bend_at(board, corner);
  const auto seen_at = [&](const LensUnknowns& values, const Pose& where, SeenCorner& seen) {
    expect(LensAt(values).see(rotation_matrix(where), {where.x, where.y, where.z}, corner, bend, seen), "it is seen");
  };
  SeenCorner at;
  seen_at(lens, pose, at);
  for (int i = 0; i < LENS_UNKNOWNS; i++) {
    const double step = i < K1 ? 1e-3 : 1e-6;
    LensUnknowns more = lens, less = lens;
    more[i] += step, less[i] -= step;
    SeenCorner above, below;
    seen_at(more, pose, above);
    seen_at(less, pose, below);
    expect_near(at.by_lens[0][i], (above.u - below.u) / (2 * step), 1e-3, "u by unknown " + std::to_string(i));
    expect_near(at.by_lens[1][i], (above.v - below.v) / (2 * step), 1e-3, "v by unknown " + std::to_string(i));
  }
  for (int i = 0; i < 6; i++) {
    const double step = 1e-6;
    const auto moved_by = [&](double by) {
      const double half = i < 3 ? by / 2 : 0;
      Pose turn{0, 0, 0, std::cos(half), 0, 0, 0};
      (i == 0 ? turn.qx : i == 1 ? turn.qy : turn.qz) = std::sin(half);
      Pose to = compose(turn, {0, 0, 0, pose.qw, pose.qx, pose.qy, pose.qz});
      to.x = pose.x + (i == 3 ? by : 0), to.y = pose.y + (i == 4 ? by : 0), to.z = pose.z + (i == 5 ? by : 0);
      return to;
    };
    SeenCorner above, below;
    seen_at(lens, moved_by(step), above);
    seen_at(lens, moved_by(-step), below);
    expect_near(at.by_pose[0][i], (above.u - below.u) / (2 * step), 1e-2, "u by pose " + std::to_string(i));
    expect_near(at.by_pose[1][i], (above.v - below.v) / (2 * step), 1e-2, "v by pose " + std::to_string(i));
  }
}

}  // namespace

void test_adjustment() {
  test("each derivative is what moving its unknown does", [] {
    check_derivatives();
    return std::string();
  });

  test("of the same corners OpenCV finds the same: rms within 1 %, fx within 0.1 %", [] {
    std::string figures;
    for (const int coefficients : {4, 5, 8}) {
      for (unsigned seed = 1; seed <= 2; seed++) {
        const BoardViews board = simulate({}, seed);
        AdjustmentOptions options;
        options.sought = sought_of(coefficients, false);
        const Adjusted ours = adjust(board, first_guess(board), options);
        const int flags = coefficients == 4 ? cv::CALIB_FIX_K3 : coefficients == 8 ? cv::CALIB_RATIONAL_MODEL : 0;
        const OpenCvAnswer theirs = ask_opencv(board, flags);
        const double fx = theirs.matrix.at<double>(0, 0);
        expect_near(ours.rms / theirs.rms, 1, 0.01, "rms against OpenCV's");
        expect_near(ours.state.lens[FX] / fx, 1, 0.001, "fx against OpenCV's");
        char line[120];
        std::snprintf(line, sizeof line, "%d coefficients, seed %u: rms %.5f %.5f, fx %.2f %.2f; ", coefficients, seed,
                      ours.rms, theirs.rms, ours.state.lens[FX], fx);
        figures += line;
      }
    }
    return figures;
  });

  test("good pictures: the error is what is predicted, and small", [] {
    const Figures found = figures_of({});
    expect(found.true_mean < 0.5 && found.true_worst < 1.6, found.text());
    expect(found.predicted_mean < 0.001 * 1280 && found.condition < 1e3, found.text());
    expect_near(found.rms, 0.2 * M_SQRT2, 0.015, "rms");
    return found.text();
  });

  test("frontal pictures: the rms is as good, and the focal length is unknown", [] {
    std::string figures;
    for (const double largest : {0.5, 0.9}) {
      SimulatedSet set = tilted(0, 0.5);
      set.min_size = largest == 0.5 ? 0.5 : 0.3, set.max_size = largest;
      const Figures found = figures_of(set);
      expect(found.rms < 0.29 && found.fx_deviation > 0.012 * 905, found.text());
      expect(found.predicted_mean > 0.004 * 1280 && found.condition > 3e4, found.text());
      figures += found.text() + "; ";
    }
    return figures;
  });

  test("pictures that are little tilted are worth little", [] {
    const Figures little = figures_of(tilted(5, 10)), more = figures_of(tilted(10, 20));
    expect(little.predicted_mean > 0.0013 * 1280 && little.condition > 5e3, little.text());
    expect(more.predicted_mean < little.predicted_mean / 2 && more.true_mean < little.true_mean, more.text());
    return little.text() + "; " + more.text();
  });

  test("a board that is small in the pictures says little, a large one much", [] {
    const Figures small = figures_of(sized(0.2, 0.3)), large = figures_of(sized(0.8, 1.1)), usual = figures_of({});
    expect(small.predicted_mean > 3 * usual.predicted_mean && small.true_mean > 3 * usual.true_mean, small.text());
    expect(large.predicted_mean < usual.predicted_mean, large.text());
    return small.text() + "; " + large.text();
  });

  test("the same view fifteen times, and one axis alone, are seen through", [] {
    SimulatedSet repeated, one_axis;
    repeated.is_repeated = true;
    one_axis.is_one_axis = true;
    const Figures same = figures_of(repeated), axis = figures_of(one_axis);
    expect(same.predicted_mean > 0.004 * 1280 && same.condition > 3e4, same.text());
    expect(axis.predicted_mean > 0.001 * 1280, axis.text());
    return same.text() + "; " + axis.text();
  });

  test("more pictures are worth more, down to what noise allows", [] {
    std::string figures;
    double before = INFINITY;
    for (const int count : {3, 5, 8, 10, 20, 30}) {
      const Figures found = figures_of(of_pictures(count));
      expect(found.predicted_mean < before, found.text());
      before = found.predicted_mean;
      figures += std::to_string(count) + " pictures: " + found.text() + "; ";
    }
    return figures;
  });

  test("a bowed board spoils the lens and hardly the rms; solved with its bend it does neither", [] {
    std::string figures;
    for (const double bow : {0.0005, 0.001, 0.002}) {
      const Figures flat = figures_of(bowed(bow)), bent = figures_of(bowed(bow), 5, true);
      expect(flat.true_worst > 2 * flat.predicted_worst,
             "taken for flat, the error is beyond what is predicted: " + flat.text());
      expect(bent.true_worst < 1.6 && bent.rms < 0.285, bent.text());
      expect_near(bent.bend, bow, 0.00005, "the bend");
      figures += flat.text() + " with the bend: " + bent.text() + "; ";
    }
    const Figures flat_board = figures_of({}, 5, true);
    expect(flat_board.true_worst < 1.4, "a flat board that might be bent: " + flat_board.text());
    return figures;
  });

  test("a print that is larger in both directions does no harm, in one direction it shows in fx/fy", [] {
    const Figures larger = figures_of(stretched(1.05, 1.05));
    expect(larger.true_mean < 0.5, larger.text());
    std::string figures = larger.text();
    for (const double stretch : {1.003, 1.01, 1.02, 1.035}) {
      SimulatedSet set = stretched(stretch);
      set.max_turn = 3;
      const Figures found = figures_of(set);
      // tilted views exaggerate it a little
      expect_near((found.aspect / (905.0 / 904) - 1) / (stretch - 1), 1, 0.3, "what fx/fy shows of a stretch");
      figures += "; " + found.text();
    }
    return figures;
  });

  test("a corner that is wrong counts less", [] {
    std::vector<double> plain, robust;
    for (unsigned seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      BoardViews board = simulate({}, seed);
      for (const int view : {1, 4, 9}) board.views[view][5].u += 5;
      AdjustmentOptions options;
      options.sought = sought_of(5, false);
      const Adjusted first = adjust(board, first_guess(board), options);
      options.huber_px = 0.6;
      const Adjusted second = adjust(board, first.state, options);
      plain.push_back(mean(difference_of(true_lens(), first.state.lens, board.width, board.height)));
      robust.push_back(mean(difference_of(true_lens(), second.state.lens, board.width, board.height)));
    }
    expect(median(robust) < 0.75 * median(plain) && median(robust) < 0.5,
           std::to_string(median(robust)) + " against " + std::to_string(median(plain)));
    return "true error " + std::to_string(median(plain)) + ", robust " + std::to_string(median(robust));
  });

  test("a picture that was read a column off stands out by far", [] {
    BoardViews board = simulate({}, 3);
    for (BoardCorner& corner : board.views[6]) corner.x += SIDE_M / SQUARES;
    // moved as a whole it would only be elsewhere: its rows are read, its columns are wrong in part
    for (size_t i = 0; i < board.views[6].size(); i += 2) board.views[6][i].x -= SIDE_M / SQUARES;
    AdjustmentOptions options;
    options.sought = sought_of(5, false);
    options.huber_px = 0.6;
    const Adjusted adjusted = adjust(board, first_guess(board), options);
    std::vector<double> of_views;
    for (size_t i = 0; i < board.views.size(); i++) {
      double sum = 0;
      const auto all = residuals_of(board, board.views[i], adjusted.state.lens, adjusted.state.poses[i]);
      for (const auto& [u, v] : all) sum += u * u + v * v;
      of_views.push_back(std::sqrt(sum / all.size()));
    }
    expect(of_views[6] > 10 * median(of_views), std::to_string(of_views[6] / median(of_views)) + " times the median");
    return std::to_string(of_views[6] / median(of_views)) + " times the median";
  });

  test("over many good sets the error is predicted within 25 %, and nineteen of twenty places are inside two sigma",
       [] {
         constexpr unsigned SETS = 60;
         double predicted = 0, found = 0;
         int inside = 0, all = 0, fx_inside = 0;
         for (unsigned seed = 1000; seed < 1000 + SETS; seed++) {
           const BoardViews board = simulate({}, seed);
           AdjustmentOptions options;
           options.sought = sought_of(5, false);
           const Adjusted adjusted = adjust(board, first_guess(board), options);
           const Prediction prediction = predict(board, adjusted, options);
           const ErrorMap error = difference_of(true_lens(), adjusted.state.lens, board.width, board.height);
           for (size_t i = 0; i < error.size(); i++) {
             predicted += prediction.map_px[i];
             found += error[i];
             // two sigma of a line; in a plane, where both directions are as uncertain, as many lie within 2.45
             inside += error[i] <= 2.45 * prediction.map_px[i];
             all++;
           }
           fx_inside += std::fabs(adjusted.state.lens[FX] - true_lens()[FX]) <= prediction.deviation[FX];
         }
         char line[160];
         std::snprintf(line, sizeof line, "true %.3f px, predicted %.3f px, inside two sigma %.3f; fx inside one %.2f",
                       found / all, predicted / all, static_cast<double>(inside) / all,
                       static_cast<double>(fx_inside) / SETS);
         expect_near(found / predicted, 1, 0.25, "true against predicted error");
         expect(inside >= 0.95 * all, line);
         expect(fx_inside >= 0.55 * SETS && fx_inside <= 0.82 * SETS, line);
         return std::string(line);
       });

  test("it ends when it is told to", [] {
    const BoardViews board = simulate({}, 1);
    AdjustmentOptions options;
    options.sought = sought_of(5, false);
    options.go_on = [](int step, double) { return step < 2; };
    const Adjusted adjusted = adjust(board, first_guess(board), options);
    expect(adjusted.is_cancelled && adjusted.steps == 2, "it went on");
    return std::string();
  });
}

}  // namespace vedette::test
