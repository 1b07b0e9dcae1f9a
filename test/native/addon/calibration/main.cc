// The test of the calibration, without Node. Each file in this folder but this one is a group of tests.
#include <cstdio>

#include "suite.h"

namespace vedette::test {
void test_adjustment();
void test_corners();
void test_other_boards();
void test_held_board();
void test_next_view();
void test_procedure();
}  // namespace vedette::test

int main() {
  vedette::test::test_adjustment();
  vedette::test::test_procedure();
  vedette::test::test_next_view();
  vedette::test::test_corners();
  vedette::test::test_other_boards();
  vedette::test::test_held_board();
  std::printf("%d failed\n", vedette::test::failures);
  return vedette::test::failures == 0 ? 0 : 1;
}
