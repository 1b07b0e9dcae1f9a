// Four numbers at once, with sums and products alone: every processor has the same bits.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace vedette {

typedef float Floats __attribute__((vector_size(16)));
typedef int Ints __attribute__((vector_size(16)));
constexpr int LANES = 4;

inline Floats all_lanes(float value) { return Floats{value, value, value, value}; }
// What gcc 12 makes of the question is three steps instead of this one, which answers the same.
#if defined(__SSE__)
inline Floats min_of(Floats a, Floats b) { return _mm_min_ps(a, b); }
inline Floats max_of(Floats a, Floats b) { return _mm_max_ps(a, b); }
#else
inline Floats min_of(Floats a, Floats b) { return a < b ? a : b; }
inline Floats max_of(Floats a, Floats b) { return a > b ? a : b; }
#endif
inline Floats clamped(Floats value, float least, float most) {
  return min_of(max_of(value, all_lanes(least)), all_lanes(most));
}
inline float max_lane(Floats a) {
  const float left = a[0] > a[1] ? a[0] : a[1], right = a[2] > a[3] ? a[2] : a[3];
  return left > right ? left : right;
}
inline double sum_of(Floats a) { return static_cast<double>(a[0]) + a[1] + a[2] + a[3]; }

/** Where what lies begins at a multiple of 16 bytes. */
inline Floats& lanes_at(float* values) { return *reinterpret_cast<Floats*>(values); }
inline const Floats& lanes_at(const float* values) { return *reinterpret_cast<const Floats*>(values); }

}  // namespace vedette
