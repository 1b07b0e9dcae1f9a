#include "line_chips.h"

#include <fcntl.h>
#include <linux/gpio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "json.h"
#include "lamp_file.h"

namespace vedette::lamps {
namespace {

/** A field of the kernel, which may be full. */
template <size_t SIZE>
std::string text_of(const char (&field)[SIZE]) {
  size_t length = 0;
  while (length < SIZE && field[length] != '\0') length++;
  return {field, length};
}

std::string failure(const std::string& path) {
  return JsonPieces().text("path", path).text("detail", system_reason(path)).object();
}

}  // namespace

std::string chip_json(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return failure(path);
  gpiochip_info chip{};
  if (ioctl(fd, GPIO_GET_CHIPINFO_IOCTL, &chip) < 0) {
    const std::string failed = failure(path);
    close(fd);
    return failed;
  }
  JsonPieces lines;
  for (unsigned offset = 0; offset < chip.lines; offset++) {
    gpio_v2_line_info line{};
    line.offset = offset;
    if (ioctl(fd, GPIO_V2_GET_LINEINFO_IOCTL, &line) < 0) continue;
    lines.add(JsonPieces()
                  .number("offset", offset)
                  .text("name", text_of(line.name))
                  .text("user", text_of(line.consumer))
                  .boolean("is_used", line.flags & GPIO_V2_LINE_FLAG_USED)
                  .object());
  }
  close(fd);
  return JsonPieces()
      .text("path", path)
      .text("name", text_of(chip.name))
      .text("label", text_of(chip.label))
      .field("lines", lines.list())
      .object();
}

}  // namespace vedette::lamps
