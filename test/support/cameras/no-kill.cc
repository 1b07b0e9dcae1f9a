// Stands before kill in a program of a test: what it ends goes on, as a process does that waits in its driver. Which it
// was stands in the file that UNKILLED names.
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

extern "C" int kill(pid_t process, int) {
  FILE* const file = fopen(getenv("UNKILLED"), "a");
  fprintf(file, "%d\n", process);
  fclose(file);
  return 0;
}
