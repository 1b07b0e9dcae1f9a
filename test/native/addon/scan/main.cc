// Runs all groups of tests of this folder. With the argument `large` also what takes seconds; with `pictures FILE` it
// writes some instead, and with `fingerprints FILE` prints what it finds in those: the same on every processor.
#include <cstring>

#include "pictures.h"
#include "suite.h"
#include "tag_sheets.h"

int main(int count, char** arguments) {
  using namespace vedette::test;
  const auto is_asked = [&](const char* what, int more) {
    return count == 2 + more && std::strcmp(arguments[1], what) == 0;
  };
  if (is_asked("pictures", 1)) return write_pictures(arguments[2]), 0;
  if (is_asked("fingerprints", 1)) return print_fingerprints(arguments[2]), 0;
  takes_its_time = is_asked("large", 0);
  for (void (*suite)() : Suite::all()) suite();
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
