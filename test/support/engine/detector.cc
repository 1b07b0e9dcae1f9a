// Stands before libapriltag's detector in an engine of a test. The width of a picture decides what becomes of it; all
// others go through.
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include <apriltag/apriltag.h>

namespace {

constexpr int STANDS_STILL = 1001, COMPUTES_FOR_EVER = 1002, COMPUTES_FOR_1500_MS = 1003, COMPUTES_FOR_4_S = 1004;

double thread_cpu_s() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void compute(double seconds) {
  for (const double end = thread_cpu_s() + seconds; thread_cpu_s() < end;) {
  }
}

}  // namespace

extern "C" zarray_t* apriltag_detector_detect(apriltag_detector_t* detector, image_u8_t* image) {
  static const auto real = reinterpret_cast<decltype(&apriltag_detector_detect)>(
      dlsym(dlopen("libapriltag.so.3", RTLD_LAZY), "apriltag_detector_detect"));
  if (image->width == STANDS_STILL)
    for (;;) pause();
  if (image->width == COMPUTES_FOR_EVER)
    for (;;) compute(1);
  if (image->width == COMPUTES_FOR_1500_MS) compute(1.5);
  if (image->width == COMPUTES_FOR_4_S) compute(4);
  return real(detector, image);
}
