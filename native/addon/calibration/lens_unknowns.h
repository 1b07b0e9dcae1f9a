// What is unknown of a camera and of the board in front of it, and how a corner moves in the picture with each of them.
#pragma once

#include <array>

#include "board_view.h"
#include "lens_model.h"
#include "pose_math.h"

namespace vedette {

/** Places in LensUnknowns. Distortion as OpenCV numbers it; the bends in metres. */
enum LensUnknown { FX, FY, CX, CY, K1, K2, P1, P2, K3, K4, K5, K6, BEND_X, BEND_Y, LENS_UNKNOWNS };

/** Those of the lens alone: without the bends of the board. */
constexpr int OF_LENS = BEND_X;

/** Values by LensUnknown. */
using LensUnknowns = std::array<double, LENS_UNKNOWNS>;

/** Which of them are sought; the others stay as they are. */
using SoughtUnknowns = std::array<bool, LENS_UNKNOWNS>;

/** As the engine has them. */
Intrinsics intrinsics_of(const LensUnknowns& lens, int width, int height);

/** Where a corner is seen, and the derivatives of that: by what is unknown of lens and board, and by the pose. */
struct SeenCorner {
  double u, v;
  double by_lens[2][LENS_UNKNOWNS];
  double by_pose[2][6];  // turned about the camera's axes (radians), moved along them (metres)
};

/** How far the board stands out of its plane at a corner, for a bend of 1 m along either side. */
struct BendShape {
  double x, y;
};
BendShape bend_at(const BoardViews& board, const BoardCorner& corner);

/** Of one set of values: what is needed for each corner is computed once. */
class LensAt {
 public:
  explicit LensAt(const LensUnknowns& lens) : lens_(lens), model_(intrinsics_of(lens, 0, 0)) {}

  /** A ray (x, y, 1) of the camera. by_ray: derivatives by x and y. by_lens: those of the lens alone. */
  void see_ray(double x, double y, double& u, double& v, double (&by_ray)[2][2],
               double (&by_lens)[2][LENS_UNKNOWNS]) const;

  /** False where the corner is not in front of the camera. rotation, place: of the board in the camera's frame. */
  bool see(const Mat3& rotation, const Vec3& place, const BoardCorner& corner, const BendShape& bend,
           SeenCorner& seen) const;

  /** The same without derivatives. */
  bool see_place(const Mat3& rotation, const Vec3& place, const BoardCorner& corner, const BendShape& bend, double& u,
                 double& v) const;

  const LensModel& model() const { return model_; }

 private:
  Vec3 in_camera(const Mat3& rotation, const Vec3& place, const BoardCorner& corner, const BendShape& bend,
                 Vec3& turned) const;

  LensUnknowns lens_;
  LensModel model_;
};

}  // namespace vedette
