// Places by the robot's heading, of corners that are where a pinhole camera has them.
#include "heading_solver.h"
#include "one_node.h"

namespace vedette::test {
namespace {

constexpr double SIDE_M = 0.165;

/** A tag squarely in front of a camera that looks along the field's x axis from its origin. */
Sightings squarely_at(double distance_m, double sigma_px) {
  Sightings out;
  const double half = SIDE_M / 2;
  for (const auto& [y, z] :
       std::vector<std::pair<double, double>>{{half, -half}, {-half, -half}, {-half, half}, {half, half}}) {
    out.points.push_back({distance_m, y, z});
    out.seen.push_back({-y / distance_m, -z / distance_m});
    out.sigma_px.push_back(sigma_px);
  }
  return out;
}

Intrinsics lens() {
  Intrinsics out;
  out.width = 640;
  out.height = 480;
  out.fx = out.fy = 600;
  out.cx = 320;
  out.cy = 240;
  return out;
}

const Suite suite([] {
  test("a place by the heading that nothing fixes is none, and one that is fixed is where it is", [] {
    HeadingSolver solver;
    const auto place = [&](double distance_m) {
      return solver.solve(squarely_at(distance_m, 0.2), Pose{}, RobotYaw{0, 0.009}, lens());
    };
    const auto near = place(4);
    expect(near && std::abs(near->field_robot.x) < 1e-3 && near->deviations[0] > 0.005 && near->deviations[0] < 0.2,
           "it is not found from near");
    const auto far = place(200);
    expect(!far, text("it is found to within %.0f m", far ? far->deviations[0] : 0));
    return text("%.3f m", near->deviations[0]);
  });
});

}  // namespace
}  // namespace vedette::test
