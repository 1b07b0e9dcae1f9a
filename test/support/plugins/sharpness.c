// A node of a plugin without anything that helps: how sharp a grey picture is, as our own focus-metric computes it. What
// goes over the socket and what stands in the memory is written down in docs/how-to/write-a-plugin-node.md.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SOCKET = 3, MEMORY = 4, PICTURES = 5 };
enum { START = 0, REQUEST = 1, PARAMS = 2, READY = 16, ANSWER = 17 };

struct head {
  uint32_t kind, bytes;
  uint64_t number;
};

static void take(void* to, size_t bytes) {
  if (bytes > 0 && recv(SOCKET, to, bytes, MSG_WAITALL) != (ssize_t)bytes) exit(0);  // the engine has no use for it
}

static void say(uint32_t kind, uint64_t number, const char* text) {
  struct head head = {kind, (uint32_t)strlen(text), number};
  char message[256];
  memcpy(message, &head, sizeof(head));
  memcpy(message + sizeof(head), text, head.bytes);
  if (send(SOCKET, message, sizeof(head) + head.bytes, MSG_NOSIGNAL) < 0) exit(0);
}

/** A number of the order, behind the name of its field; the first one from `from` on. */
static size_t number_of(const char* from, const char* field) {
  const char* at = strstr(from, field);
  if (!at) exit(1);
  return strtoull(at + strlen(field), NULL, 10);
}

static double sharpness(const uint8_t* pixels, uint32_t width, uint32_t height, uint32_t stride) {
  int64_t level = 0, laplacian = 0, squared = 0;
  if (width < 3 || height < 3) return 0;
  for (uint32_t y = 1; y < height - 1; y++) {
    const uint8_t *row = pixels + (size_t)y * stride, *above = row - stride, *below = row + stride;
    int32_t levels = 0, laplacians = 0;
    int64_t squares = 0;
    for (uint32_t x = 1; x < width - 1; x++) {
      const int32_t at = above[x] + below[x] + row[x - 1] + row[x + 1] - 4 * row[x];
      levels += row[x];
      laplacians += at;
      squares += at * at;
    }
    level += levels;
    laplacian += laplacians;
    squared += squares;
  }
  const double count = (double)(width - 2) * (height - 2);
  const double mean = level / count, tilt = laplacian / count;
  return mean == 0 ? 0 : (squared / count - tilt * tilt) / (mean * mean);
}

int main(void) {
  struct head head;
  take(&head, sizeof(head));
  char* order = calloc(1, head.bytes + 1);
  take(order, head.bytes);
  const size_t bytes = number_of(order, "\"memory_bytes\":"), answer_at = number_of(order, "\"answer_at\":");
  const size_t input_at = number_of(strstr(order, "\"inputs\":"), "\"at\":");
  const size_t output_at = number_of(strstr(order, "\"outputs\":"), "\"at\":");
  uint8_t* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY, 0);
  if (memory == MAP_FAILED) return 1;
  const size_t pictures_bytes = strstr(order, "\"pictures_bytes\":") ? number_of(order, "\"pictures_bytes\":") : 0;
  const uint8_t* pictures =
      pictures_bytes > 0 ? mmap(NULL, pictures_bytes, PROT_READ, MAP_SHARED, PICTURES, 0) : MAP_FAILED;
  say(READY, pictures != MAP_FAILED, "{}");
  for (;;) {
    take(&head, sizeof(head));
    char* text = malloc(head.bytes + 1);
    take(text, head.bytes);
    free(text);  // of its parameters, of which it has none
    if (head.kind != REQUEST) continue;
    uint32_t picture[3];  // width, height, stride
    memcpy(picture, memory + 64, sizeof(picture));
    uint64_t at;
    uint32_t is_there;
    memcpy(&at, memory + 64 + 104, sizeof(at));
    memcpy(&is_there, memory + 64 + 112, sizeof(is_there));
    const uint8_t* pixels = is_there ? pictures + at : memory + input_at;
    const double found = sharpness(pixels, picture[0], picture[1], picture[2]);
    const int length = sprintf((char*)memory + output_at, "{\"sharpness\":%.9g}", found);
    const uint32_t given[6] = {0, 0, 0, 0, 0, (uint32_t)length};
    memcpy(memory + answer_at, &head.number, sizeof(head.number));
    memcpy(memory + answer_at + 64, given, sizeof(given));
    say(ANSWER, head.number, "");
  }
}
