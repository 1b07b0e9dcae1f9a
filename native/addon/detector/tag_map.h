// Where places of a picture lie on a tag.
#pragma once

namespace vedette {

/**
 * A projective map from the picture to a tag's modules, which are counted from the rim of all that is printed on it. In
 * units of about half a tag from its middle, in which the numbers are of one size: (n[0] x + n[1] y + n[2], n[3] x +
 * n[4] y + n[5]) / (n[6] x + n[7] y + 1).
 */
class TagMap {
 public:
  using Corners = double[4][2];
  static constexpr double MIN_DEPTH = 0.1;  // of that of the middle

  /**
   * By the corners of the marked square, pixels, in the order of found tags. border: modules around that square;
   * across: of all that is printed. False where they are too near to each other, or no quadrilateral.
   */
  bool set(const Corners& corners, int border, int across);

  double unit_px() const { return unit_px_; }
  /** Of a coordinate in pixels. axis: 0 for x. */
  double units(double px, int axis) const { return (px - middle_[axis]) / unit_px_; }

  /** Where a place, in units, lies on the tag. False where that is beyond the horizon of its plane, or nearly so. */
  bool modules_at(double x, double y, double& u, double& v) const;
  /**
   * The other way, in pixels. by: how that moves with each of the numbers; none: nobody asks. False where it has none.
   */
  bool place_of(double u, double v, double (&place)[2], double (*by)[8] = nullptr) const;

  double numbers[8] = {};

 private:
  double middle_[2] = {}, unit_px_ = 1;
};

}  // namespace vedette
