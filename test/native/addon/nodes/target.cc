// What robots aim at, against a pinhole with a lens before it.
#include <opencv2/calib3d.hpp>

#include "drawn.h"
#include "pose_math.h"

namespace vedette::test {
namespace {

constexpr double DEG = 180 / CV_PI;

Scene scene(std::vector<double> distortion = {}) {
  Scene out;
  out.intrinsics = {true, 640, 480, 600, 602, 322.5, 236.25, std::move(distortion)};
  return out;
}

Targets targets(const Contours& contours, const Scene& scene, const std::vector<double>& model = {},
                const std::string& point = "centre", Frame frame = frame_of(640, 480)) {
  OneNode node("target", {{"point", point}, {"model_points_m", model}, {"tolerance_share", 0.03}}, scene);
  const Value value = contours;
  node.run({&value}, frame);
  return node.out<Targets>();
}

/** Where the lens puts a point of the optical frame, continuous pixels. */
cv::Point2d seen(const cv::Point3d& point, const Intrinsics& camera) {
  std::vector<cv::Point2d> out;
  const cv::Matx33d matrix(camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1);
  cv::projectPoints(std::vector<cv::Point3d>{point}, cv::Vec3d(), cv::Vec3d(), matrix, camera.distortion, out);
  return out[0] + cv::Point2d(0.5, 0.5);
}

/** A model as the camera sees it: its edges are as bent as the lens bends them. */
Polygon seen(const std::vector<double>& model, const Pose& pose, const Intrinsics& camera) {
  Polygon out;
  const size_t count = model.size() / 3;
  for (size_t i = 0; i < count; i++)
    for (int part = 0; part < 40; part++) {
      Vec3 at;
      for (int axis = 0; axis < 3; axis++)
        at[axis] = model[3 * i + axis] + (model[3 * ((i + 1) % count) + axis] - model[3 * i + axis]) * part / 40;
      const Vec3 point = transform(pose, at);
      out.push_back(seen(cv::Point3d(point[0], point[1], point[2]), camera));
    }
  return out;
}

struct Misses {
  double distance_share = 0, angle_deg = 0, error_px = 0;
};

/** How far poses are off at worst, over poses near and far, aslant and rolled. */
Misses misses_of(const std::vector<double>& model, const Scene& scene, double near_m, double far_m) {
  Misses worst;
  for (double z = near_m; z <= far_m; z *= 1.3)
    for (const double yaw : {-35.0, 20.0})
      for (const double roll : {-12.0, 0.0, 17.0}) {
        const Pose truth = pose_from_euler(-0.2 * z, 0.12 * z, z, 0.25, yaw / DEG, roll / DEG);
        const Targets found = targets(contours_of({seen(model, truth, scene.intrinsics)}), scene, model);
        expect(found.size() == 1 && found[0].has_pose, text("no pose at %.1f m, yaw %.0f, roll %.0f", z, yaw, roll));
        const Pose& pose = found[0].camera_target;
        const double off =
            std::sqrt(std::pow(pose.x - truth.x, 2) + std::pow(pose.y - truth.y, 2) + std::pow(pose.z - truth.z, 2));
        worst.distance_share =
            std::max(worst.distance_share, off / std::sqrt(truth.x * truth.x + truth.y * truth.y + truth.z * truth.z));
        worst.angle_deg = std::max(worst.angle_deg, rotation_angle(compose(invert(truth), pose)) * DEG);
        worst.error_px = std::max(worst.error_px, found[0].error_px);
      }
  return worst;
}

std::string told(const Misses& misses) {
  return text("%.2f %%, %.2f degrees off at worst, corners %.2f px from where the pose puts them",
              100 * misses.distance_share, misses.angle_deg, misses.error_px);
}

const std::vector<double> FLAT{-0.3, -0.15, 0, 0.3, -0.15, 0, 0.3, 0.15, 0, -0.3, 0.15, 0};
/** With parts that stand out: no flat thing. */
const std::vector<double> HOUSE{0, -0.35, 0.1, 0.3, -0.1, 0, 0.3, 0.25, -0.05, -0.3, 0.25, 0, -0.3, -0.1, 0};

const Suite suite([] {
  test("what lies where the model of the lens does not hold is no target", [] {
    const Contours outlines = contours_of({rectangle({320, 240}, 40, 40), rectangle({620, 20}, 30, 30)});
    expect(targets(outlines, scene()).size() == 2, "without a lens both are");
    const Targets found = targets(outlines, scene({-0.6, 0, 0, 0, 0}));
    expect(found.size() == 1 && std::fabs(found[0].center[0] - 320) < 1, text("%zu targets", found.size()));
    return "";
  });

  test("the direction of a target is that of the pinhole within 0.05 degrees, also through the lens", [] {
    double worst = 0;
    for (const Scene& camera : {scene(), scene({-0.28, 0.07, 0.001, -0.0007, 0.02})})
      for (double right = -22; right <= 22; right += 5.5)
        for (double up = -16; up <= 16; up += 4) {
          const cv::Point2d at = seen({std::tan(right / DEG), -std::tan(up / DEG), 1}, camera.intrinsics);
          const Targets found = targets(contours_of({disk(at, 9)}), camera);
          expect(found.size() == 1, "no target");
          worst = std::max({worst, std::abs(found[0].tx_deg - right), std::abs(found[0].ty_deg - up)});
        }
    expect(worst < 0.05, text("%.3f degrees off", worst));
    return text("%.3f degrees off at worst", worst);
  });

  test("a target has its share of the picture, its box, its corners and its skew", [] {
    const Target upright = targets(contours_of({rectangle({300, 200}, 120, 80)}), {}).at(0),
                 turned = targets(contours_of({rectangle({300, 200}, 120, 80, 30)}), {}).at(0);
    expect(std::abs(upright.area_share - 9600 / 307200.0) < 1e-9 && upright.width_px == 120 && upright.height_px == 80,
           "another size");
    expect(upright.skew_deg == 0, text("upright, skew %g", upright.skew_deg));
    expect(std::abs(turned.area_share * 307200 / 9600 - 1) < 0.01 && std::abs(turned.skew_deg + 60) < 0.7,
           text("turned: %g, skew %g", turned.area_share, turned.skew_deg));
    const auto is_at = [&upright](int corner, double x, double y) {
      return std::hypot(upright.corners[corner][0] - x, upright.corners[corner][1] - y) < 1e-3;
    };
    expect(is_at(0, 240, 160) && is_at(1, 360, 160) && is_at(2, 360, 240) && is_at(3, 240, 240), "other corners");
    return "";
  });

  test("what is aimed at is the centre, or the middle of a side", [] {
    const Contours box = contours_of({rectangle({300, 200}, 120, 80)});
    const auto at = [&](const char* point) {
      const Target target = targets(box, scene(), {}, point).at(0);
      return text("%.1f %.1f", target.center[0], target.center[1]);
    };
    expect(at("centre") == "300.0 200.0" && at("top") == "300.0 160.0" && at("bottom") == "300.0 240.0",
           "elsewhere: " + at("top") + ", " + at("bottom"));
    expect(at("left") == "240.0 200.0" && at("right") == "360.0 200.0",
           "elsewhere: " + at("left") + ", " + at("right"));
    expect(targets(box, scene(), {}, "top").at(0).ty_deg > targets(box, scene()).at(0).ty_deg,
           "the top is not above the centre");
    return "";
  });

  test("without a calibration of the picture's size there are no directions and no poses", [] {
    const Contours box = contours_of({rectangle({500, 100}, 120, 80)});
    const Target uncalibrated = targets(box, {}, FLAT).at(0),
                 of_another_size = targets(box, scene(), FLAT, "centre", frame_of(1280, 960)).at(0);
    for (const Target& target : {uncalibrated, of_another_size})
      expect(target.tx_deg == 0 && target.ty_deg == 0 && !target.has_pose, "there are");
    return "";
  });

  test("the pose of a flat thing is right within one percent", [] {
    const Misses plain = misses_of(FLAT, scene(), 1.3, 3);
    expect(plain.distance_share < 0.01 && plain.angle_deg < 3, told(plain));
    return told(plain);
  });

  test("the pose of a thing that is not flat is right within one percent, through a lens that bends", [] {
    const Misses bent = misses_of(HOUSE, scene({-0.1, 0.03, 0.0005, -0.0003, 0}), 1.4, 3);
    expect(bent.distance_share < 0.01 && bent.angle_deg < 3, told(bent));
    return told(bent);
  });

  test("a thing that looks alike when it is turned is taken to stand upright", [] {
    const std::vector<double> square{-0.2, -0.2, 0, 0.2, -0.2, 0, 0.2, 0.2, 0, -0.2, 0.2, 0};
    for (const double roll : {-40.0, -10.0, 5.0, 38.0}) {
      const Pose truth = pose_from_euler(0.1, 0, 1.2, 0.3, 0.2, roll / DEG);
      const Target found = targets(contours_of({seen(square, truth, scene().intrinsics)}), scene(), square).at(0);
      const double off_deg = rotation_angle(compose(invert(truth), found.camera_target)) * DEG;
      expect(found.has_pose && off_deg < 4, text("%.1f degrees off, rolled by %.0f", off_deg, roll));
    }
    return "";
  });

  test("a model goes round either way, and an outline with other corners has no pose", [] {
    std::vector<double> backwards;
    for (int corner = 3; corner >= 0; corner--)
      backwards.insert(backwards.end(), FLAT.begin() + 3 * corner, FLAT.begin() + 3 * corner + 3);
    const Contours box = contours_of(
        {seen(FLAT, pose_from_euler(0, 0, 1.5, 0.3, 0.2, 0), scene().intrinsics), regular({100, 100}, 60, 3)});
    const Targets forth = targets(box, scene(), FLAT), back = targets(box, scene(), backwards);
    expect(forth[0].has_pose && back[0].has_pose && std::abs(forth[0].camera_target.z - back[0].camera_target.z) < 1e-6,
           "another pose");
    expect(!forth[1].has_pose, "a triangle has a pose");
    return "";
  });

  test("a model that is none is refused with what is wrong", [] {
    const auto detail = [](const std::vector<double>& model) {
      return fault_of([&] { targets({}, scene(), model); }).detail;
    };
    expect(detail({1, 2, 3, 4}).find("each corner has three") != std::string::npos, detail({1, 2, 3, 4}));
    expect(detail({0, 0, 0, 1, 0, 0, 1, 1, 0}).find("from 4 to 12") != std::string::npos, "three corners");
    expect(detail({0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0}).find("no extent") != std::string::npos, "a line");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
