// The test of the program that holds lamps, without that program: what it reads, plans, encodes and writes. Each file
// in this folder but this one is a group of tests.
#include <cstdio>

#include "suite.h"

int main() {
  for (const auto& suite : vedette::test::Suite::all()) suite();
  std::printf("%d failed\n", vedette::test::failures);
  return vedette::test::failures == 0 ? 0 : 1;
}
