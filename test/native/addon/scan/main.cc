// Runs all groups of tests of this folder. With the argument `large` also what takes seconds.
#include <cstring>

#include "pictures.h"
#include "suite.h"

int main(int count, char** arguments) {
  using namespace vedette::test;
  takes_its_time = count > 1 && std::strcmp(arguments[1], "large") == 0;
  for (void (*suite)() : Suite::all()) suite();
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
