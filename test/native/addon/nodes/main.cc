// Runs all groups of tests of this folder.
#include "one_node.h"

int main() {
  using namespace vedette::test;
  for (void (*suite)() : Suite::all()) suite();
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
