#include "synthetic_background.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vedette {
namespace {

// Heights of the wall, metres.
constexpr float WALL_TOP = 2.0f, RAIL_FROM = 0.92f, RAIL_TO = 0.98f, KICK_TO = 0.08f, CAP_FROM = 1.94f;
constexpr float POST_EVERY = 1.6f, POST_HALF = 0.03f;
constexpr float CEILING = 7.5f, LAMP_EVERY_X = 4, LAMP_HALF_X = 0.3f, LAMP_EVERY_Y = 3, LAMP_HALF_Y = 0.9f;
constexpr float TAPE_HALF = 0.05f;

// Reflectances. Posts and rails are darker than the panels between them: a dark panel in a light frame is what a
// detector takes for a tag's border, and in noise it would read a tag there every few thousand frames.
constexpr float CARPET = 0.26f, TAPE = 0.62f, KICK = 0.12f, LOWER_PANEL = 0.36f, UPPER_PANEL = 0.48f, RAIL = 0.22f,
                HALL = 0.10f, LAMP = 0.9f;

/** Four neighbouring pixels at a time, by the compiler's vectors; written for one pixel, this is three times slower. */
using Four = float __attribute__((vector_size(16)));
using Mask = int __attribute__((vector_size(16)));

inline Four all(float value) { return Four{value, value, value, value}; }

inline Four clamp01(Four value) {
  value = value < 0.0f ? all(0) : value;
  return value > 1.0f ? all(1) : value;
}

/**
 * Share of a pixel about `at` that lies above `edge`. sharpness: 1 / the pixel's width there, since dividing is the
 * dear part.
 */
inline Four above(Four at, float edge, Four sharpness) { return clamp01((at - edge) * sharpness + 0.5f); }

inline Four between(Four at, float from, float to, Four sharpness) {
  return above(at, from, sharpness) - above(at, to, sharpness);
}

inline Four mix(Four a, Four b, Four share) { return a + (b - a) * share; }

/** Distance to the nearest multiple of `every`, signed. */
inline Four off_grid(Four at, float every) {
  const Four turns = at * (1 / every) + 4096.5f;  // positive, so that truncation is towards minus infinity
  return (turns - __builtin_convertvector(__builtin_convertvector(turns, Mask), Four) - 0.5f) * every;
}

constexpr float FAR = 60;  // metres: where a ray ends that meets nothing

/** A distance along a ray, off zero so that it can be divided by. */
inline Four within_reach(Four way) {
  way = way > 1e-3f ? way : all(FAR);
  return way < FAR ? way : all(FAR);
}

/** Keeps a divisor from zero. */
inline Four off_zero(Four value) { return value < 0.0f ? value - 1e-6f : value + 1e-6f; }

}  // namespace

Arena arena_of(const FieldMap& map) {
  if (map.length_m > 0 && map.width_m > 0) return {0, 0, map.length_m, map.width_m};
  Arena arena{0, 0, 0, 0};
  for (const MapTag& tag : map.tags) {
    arena.from_x = std::min(arena.from_x, tag.field_tag.x);
    arena.from_y = std::min(arena.from_y, tag.field_tag.y);
    arena.to_x = std::max(arena.to_x, tag.field_tag.x);
    arena.to_y = std::max(arena.to_y, tag.field_tag.y);
  }
  return {arena.from_x - 1, arena.from_y - 1, arena.to_x + 1, arena.to_y + 1};
}

/**
 * One camera pose in the arena, in single precision; `turn` takes a ray from the optical frame to the field. pixel:
 * width of a half pixel at 1 m.
 */
struct Background::Scene {
  float turn[9], eye_x, eye_y, eye_z, west, south, east, north, pixel;
};

namespace {

/** Carpet with tape across the middle and the quarters. */
Four carpet(const Background::Scene& scene, Four way, Four to_x) {
  const Four from_middle = scene.eye_x + way * to_x - (scene.west + scene.east) / 2,
             side = from_middle < 0.0f ? -from_middle : from_middle;
  const Four sharpness = 1 / (scene.pixel * way * (1 + way * (1 / std::max(scene.eye_z, 0.05f))));
  const float quarter = (scene.east - scene.west) / 4;
  const Four tape = between(side, -TAPE_HALF, TAPE_HALF, sharpness) +
                    between(side, quarter - TAPE_HALF, quarter + TAPE_HALF, sharpness);
  return mix(all(CARPET), all(TAPE), tape) * (1.05f - 0.01f * way);
}

/** Two rows of panels between posts and rails. */
Four panels(Four height, Four along, Four sharpness) {
  Four level = mix(all(LOWER_PANEL), UPPER_PANEL + 0.05f * (height - 1), above(height, RAIL_FROM, sharpness));
  level = mix(level, all(RAIL), between(off_grid(along, POST_EVERY), -POST_HALF, POST_HALF, sharpness));
  level = mix(level, all(RAIL), between(height, RAIL_FROM, RAIL_TO, sharpness) + above(height, CAP_FROM, sharpness));
  return mix(all(KICK), level, above(height, KICK_TO, sharpness));
}

/** The dim hall behind the walls, with lamps under its ceiling that fade with distance. */
Four hall(const Background::Scene& scene, Four way, Four to_x, Four to_y, Four to_z) {
  const Four sharpness = 1 / (scene.pixel * way * way / CEILING + 0.05f);
  const Four across = between(off_grid(scene.eye_x + way * to_x, LAMP_EVERY_X), -LAMP_HALF_X, LAMP_HALF_X, sharpness);
  const Four lamps = across *
                     between(off_grid(scene.eye_y + way * to_y, LAMP_EVERY_Y), -LAMP_HALF_Y, LAMP_HALF_Y, sharpness) *
                     clamp01(1.5f - way / 30);
  return HALL + 0.10f * clamp01(0.6f - to_z) + (LAMP - HALL) * (way < FAR ? lamps : all(0));
}

/**
 * What the rays (x, y, 1) of the optical frame meet. From outside the field a wall is behind the eye, so it is not met.
 */
Four reflectance(const Background::Scene& scene, Four x, Four y) {
  const float* m = scene.turn;
  const Four to_x = m[0] * x + m[1] * y + m[2], to_y = m[3] * x + m[4] * y + m[5], to_z = m[6] * x + m[7] * y + m[8];
  const Four way_x = within_reach(((to_x > 0.0f ? all(scene.east) : all(scene.west)) - scene.eye_x) / off_zero(to_x));
  const Four way_y = within_reach(((to_y > 0.0f ? all(scene.north) : all(scene.south)) - scene.eye_y) / off_zero(to_y));
  const Mask at_end = way_x < way_y;
  const Four way = at_end ? way_x : way_y, height = scene.eye_z + way * to_z;

  // Nearly all rays meet only one of the three; the outer two of four neighbours tell which.
  const float lowest = std::min(height[0], height[3]), highest = std::max(height[0], height[3]), margin = 0.2f;
  const Four up = 1 / off_zero(to_z), sharpness = 1 / (way * scene.pixel);
  Four seen = all(0);
  if (highest > -margin && lowest < WALL_TOP + margin) {
    const Four along = at_end ? scene.eye_y + way * to_y - scene.south : scene.eye_x + way * to_x - scene.west;
    seen = panels(height, along, sharpness) * (at_end ? all(0.94f) : all(1));
  }
  if (lowest < margin)
    seen = mix(carpet(scene, within_reach(-scene.eye_z * up), to_x), seen, above(height, 0, sharpness));
  if (highest > WALL_TOP - margin)
    seen = mix(seen, hall(scene, within_reach((CEILING - scene.eye_z) * up), to_x, to_y, to_z),
               above(height, WALL_TOP, sharpness));
  return seen;
}

}  // namespace

Background::Background(const Lens& lens, const Arena& arena, const Lighting& exposure)
    : lens_(lens), arena_(arena), exposure_(exposure) {
  half_.resize((lens.intrinsics().width + 1) / 2, (lens.intrinsics().height + 1) / 2);
  x_.resize(half_.width + 4);
  y_.resize(half_.width + 4);
  blended_.resize(half_.width + 2);
}

void Background::draw(const Pose& field_camera, GrayImage& picture) {
  if (!cast_once_ || std::memcmp(&last_, &field_camera, sizeof last_) != 0) cast(field_camera);
  cast_once_ = true;
  last_ = field_camera;
  enlarge(picture);
}

void Background::cast(const Pose& field_camera) {
  const Mat3 rotation = rotation_matrix(compose(field_camera, body_optical()));
  Scene scene;
  std::copy(rotation.begin(), rotation.end(), scene.turn);
  scene.eye_x = static_cast<float>(field_camera.x);
  scene.eye_y = static_cast<float>(field_camera.y);
  scene.eye_z = static_cast<float>(field_camera.z);
  scene.west = static_cast<float>(arena_.from_x);
  scene.south = static_cast<float>(arena_.from_y);
  scene.east = static_cast<float>(arena_.to_x);
  scene.north = static_cast<float>(arena_.to_y);
  scene.pixel = static_cast<float>(2 / lens_.intrinsics().fx);
  for (int row = 0; row < half_.height; row++) {
    find_rays(row);
    shade_row(scene, row);
  }
}

/**
 * The half picture's pixel (i, row) is around the corner (2 i + 1, 2 row + 1) of the full one; a lattice cell holds two
 * of them each way.
 */
void Background::find_rays(int row) {
  static_assert(Lens::LATTICE_STEP == 4);
  const int upper = row / 2;
  const float down = row % 2 == 0 ? 0.25f : 0.75f;
  for (const bool is_x : {true, false}) {
    const float* above_row = is_x ? lens_.lattice_x(upper) : lens_.lattice_y(upper);
    const float* below_row = is_x ? lens_.lattice_x(upper + 1) : lens_.lattice_y(upper + 1);
    float* __restrict rays = (is_x ? x_ : y_).data();
    for (int i = 0; i < (half_.width + 1) / 2; i++) {
      const float left = above_row[i] + (below_row[i] - above_row[i]) * down,
                  right = above_row[i + 1] + (below_row[i + 1] - above_row[i + 1]) * down;
      rays[2 * i] = left + (right - left) * 0.25f;
      rays[2 * i + 1] = left + (right - left) * 0.75f;
    }
  }
}

void Background::shade_row(const Scene& scene, int row) {
  const double centre_u = lens_.intrinsics().cx + 0.5, centre_v = lens_.intrinsics().cy + 0.5, v = 2 * row + 1;
  const float level = static_cast<float>(exposure_.gain(lens_, centre_u, v));
  const float loss =
      static_cast<float>(exposure_.gain(lens_, centre_u, centre_v) - exposure_.gain(lens_, centre_u + 1, centre_v));
  const float centre = static_cast<float>(centre_u - 1);
  uint8_t* out = &half_.pixels[static_cast<size_t>(row) * half_.stride];
  for (int i = 0; i < half_.width; i += 4) {
    Four x, y;
    std::memcpy(&x, &x_[i], sizeof x);
    std::memcpy(&y, &y_[i], sizeof y);
    const Four aside = 2 * (Four{0, 1, 2, 3} + static_cast<float>(i)) - centre;
    const Four grey = reflectance(scene, x, y) * (level - loss * aside * aside) + 0.5f;
    const Mask levels = __builtin_convertvector(grey < 255.0f ? grey : all(255), Mask);
    for (int k = 0; k < std::min(4, half_.width - i); k++) out[i + k] = static_cast<uint8_t>(levels[k]);
  }
}

void Background::enlarge(GrayImage& picture) {
  uint16_t* const blended = blended_.data() + 1;
  for (int v = 0; v < picture.height; v++) {
    const int near_row = v / 2, far_row = std::clamp(v % 2 == 0 ? near_row - 1 : near_row + 1, 0, half_.height - 1);
    const uint8_t* near = &half_.pixels[static_cast<size_t>(near_row) * half_.stride];
    const uint8_t* far = &half_.pixels[static_cast<size_t>(far_row) * half_.stride];
    for (int i = 0; i < half_.width; i++) blended[i] = static_cast<uint16_t>(3 * near[i] + far[i]);
    blended[-1] = blended[0];
    blended[half_.width] = blended[half_.width - 1];
    uint8_t* __restrict out = &picture.pixels[static_cast<size_t>(v) * picture.stride];
    const int pairs = picture.width / 2;
    for (int i = 0; i < pairs; i++) {
      out[2 * i] = static_cast<uint8_t>((3 * blended[i] + blended[i - 1] + 8) >> 4);
      out[2 * i + 1] = static_cast<uint8_t>((3 * blended[i] + blended[i + 1] + 8) >> 4);
    }
    if (picture.width % 2 != 0) out[picture.width - 1] = static_cast<uint8_t>((blended[half_.width - 1] + 2) >> 2);
  }
}

}  // namespace vedette
