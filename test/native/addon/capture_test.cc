// The golden test of the capture half of the addon, without Node. Usage: capture_test [frames for the accuracy figures]
#include <cstdlib>

#include "capture/suites.h"
#include "check.h"

int main(int count, char** arguments) {
  using namespace vedette::test;
  test_pictures();
  test_pngs();
  test_upright();
  test_jpeg_parts();
  test_odd_jpegs();
  test_images();
  test_synthetic();
  test_network();
  test_video();
  test_fair_mutex();
  test_v4l2();
  test_accuracy(count > 1 ? std::atoi(arguments[1]) : 40);
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
