// Stands before ioctl in the process that holds lamps, as a kernel with a GPIO chip and an SPI bus would answer it.
//
// A chip is a file: its label, then a line of text for each of its lines, `NAME USER`, of which either may be `-`. The
// level of a line that is asked for is in the file CHIP.OFFSET. What an SPI bus is set to goes to the file SPI_LOG.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/spi/spidev.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

struct ChipLine {
  std::string name, user;
};

struct Chip {
  std::string path, label;
  std::vector<ChipLine> lines;
};

std::map<int, bool>& lows() {
  static std::map<int, bool> all;  // of lines that are asked for, by their descriptor
  return all;
}

Chip chip_of(int fd) {
  char link[40], path[500];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  std::ifstream file(path);
  Chip chip{path, "", {}};
  std::getline(file, chip.label);
  for (ChipLine line; file >> line.name >> line.user;) chip.lines.push_back(line);
  return chip;
}

template <size_t SIZE>
void put(char (&field)[SIZE], const std::string& text) {
  if (text != "-") strncpy(field, text.c_str(), SIZE - 1);
}

int fail(int reason) {
  errno = reason;
  return -1;
}

void set_level(int fd, bool is_active) {
  const char level = is_active != lows()[fd] ? '1' : '0';
  [[maybe_unused]] const ssize_t written = pwrite(fd, &level, 1, 0);
}

int ask_for_line(const Chip& chip, gpio_v2_line_request& request) {
  const unsigned offset = request.offsets[0];
  if (request.num_lines != 1 || offset >= chip.lines.size()) return fail(EINVAL);
  if (!(request.config.flags & GPIO_V2_LINE_FLAG_OUTPUT)) return fail(EINVAL);
  if (chip.lines[offset].user != "-") return fail(EBUSY);
  const int fd = open((chip.path + "." + std::to_string(offset)).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  request.fd = fd;
  lows()[fd] = request.config.flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW;
  bool is_active = false;
  for (unsigned i = 0; i < request.config.num_attrs; i++)
    if (request.config.attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES && request.config.attrs[i].mask & 1)
      is_active = request.config.attrs[i].attr.values & 1;
  set_level(fd, is_active);
  return 0;
}

int describe_line(const Chip& chip, gpio_v2_line_info& line) {
  if (line.offset >= chip.lines.size()) return fail(EINVAL);
  const ChipLine& found = chip.lines[line.offset];
  put(line.name, found.name);
  put(line.consumer, found.user);
  line.flags = found.user == "-" ? 0 : GPIO_V2_LINE_FLAG_USED;
  return 0;
}

int note_bus(unsigned long what, const void* value) {
  std::ofstream log(getenv("SPI_LOG"), std::ios::app);
  if (what == SPI_IOC_WR_MODE) log << "mode " << int{*static_cast<const uint8_t*>(value)} << "\n";
  else if (what == SPI_IOC_WR_BITS_PER_WORD) log << "bits " << int{*static_cast<const uint8_t*>(value)} << "\n";
  else log << "hz " << *static_cast<const uint32_t*>(value) << "\n";
  return 0;
}

}  // namespace

extern "C" int ioctl(int fd, unsigned long what, ...) {
  static const auto real = reinterpret_cast<int (*)(int, unsigned long, void*)>(dlsym(RTLD_NEXT, "ioctl"));
  va_list rest;
  va_start(rest, what);
  void* value = va_arg(rest, void*);
  va_end(rest);
  switch (what) {
    case GPIO_GET_CHIPINFO_IOCTL: {
      const Chip chip = chip_of(fd);
      auto& info = *static_cast<gpiochip_info*>(value);
      put(info.name, chip.path.substr(chip.path.rfind('/') + 1));
      put(info.label, chip.label);
      info.lines = static_cast<uint32_t>(chip.lines.size());
      return 0;
    }
    case GPIO_V2_GET_LINEINFO_IOCTL:
      return describe_line(chip_of(fd), *static_cast<gpio_v2_line_info*>(value));
    case GPIO_V2_GET_LINE_IOCTL:
      return ask_for_line(chip_of(fd), *static_cast<gpio_v2_line_request*>(value));
    case GPIO_V2_LINE_SET_VALUES_IOCTL: {
      const auto& values = *static_cast<gpio_v2_line_values*>(value);
      if (values.mask & 1) set_level(fd, values.bits & 1);
      return 0;
    }
    case SPI_IOC_WR_MODE:
    case SPI_IOC_WR_BITS_PER_WORD:
    case SPI_IOC_WR_MAX_SPEED_HZ:
      return note_bus(what, value);
    default:
      return real(fd, what, value);
  }
}
