// Stands in front of the C library in a program that is started with it (LD_PRELOAD): /dev/i2c-7 is a bus that the
// environment describes. I2C_BUS: words such as `68:75=68,0=ea` (a chip with two registers), `6a!16` (asking it fails
// with that number), `1d@16` (so does its choice), `held` (all seem to answer), `hangs` (it never answers),
// `closed` (nobody may open it), `bare` (it cannot read a single byte). I2C_SEEN: a
// file that gets a line for all that is sent: `probe 68`, `read 68 75`.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace {

int bus = -1;
long chosen = 0;

std::string words() {
  const char* text = std::getenv("I2C_BUS");
  return text == nullptr ? "" : text;
}

bool says(const std::string& word) { return (" " + words() + " ").find(" " + word + " ") != std::string::npos; }

/** What follows an address and a sign; empty: nothing does. */
std::string after(long address, const char* sign) {
  char head[8];
  std::snprintf(head, sizeof head, "%02lx%s", address, sign);
  std::istringstream each(words());
  for (std::string word; each >> word;)
    if (word.rfind(head, 0) == 0) return word.substr(std::strlen(head)) + " ";
  return "";
}

void note(const char* what, int command) {
  FILE* seen = std::fopen(std::getenv("I2C_SEEN"), "a");
  if (seen == nullptr) return;
  if (command < 0) std::fprintf(seen, "%s %02lx\n", what, chosen);
  else std::fprintf(seen, "%s %02lx %02x\n", what, chosen, command);
  std::fclose(seen);
}

int refuse(int error) {
  errno = error;
  return -1;
}

int transfer(const i2c_smbus_ioctl_data& order) {
  if (order.read_write != I2C_SMBUS_READ) {
    note("write", order.command);
    return 0;
  }
  const bool is_probe = order.size == I2C_SMBUS_BYTE;
  note(is_probe ? "probe" : "read", is_probe ? -1 : order.command);
  if (says("hangs")) pause();
  const std::string error = after(chosen, "!");
  if (!error.empty()) return refuse(std::atoi(error.c_str()));
  order.data->word = 0;
  if (says("held")) return 0;
  const std::string registers = after(chosen, ":");
  if (registers.empty()) return refuse(EREMOTEIO);
  std::istringstream each(registers);
  for (std::string one; std::getline(each, one, ',');) {
    const long number = std::strtol(one.c_str(), nullptr, 16);
    const size_t equals = one.find('=');
    if (is_probe || equals == std::string::npos || number != order.command) continue;
    const long value = std::strtol(one.c_str() + equals + 1, nullptr, 16);
    if (order.size == I2C_SMBUS_WORD_DATA) order.data->word = static_cast<__u16>((value & 0xff) << 8 | value >> 8);
    else order.data->byte = static_cast<__u8>(value);
  }
  return 0;
}

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
  const auto real = reinterpret_cast<int (*)(const char*, int, ...)>(dlsym(RTLD_NEXT, "open"));
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  if (std::strcmp(path, "/dev/i2c-7") != 0) return real(path, flags, mode);
  if (says("closed")) return refuse(EACCES);
  return bus = real("/dev/null", O_RDWR | O_CLOEXEC);
}

extern "C" int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list more;
  va_start(more, request);
  void* argument = va_arg(more, void*);
  va_end(more);
  if (fd != bus || bus < 0) {
    const auto real = reinterpret_cast<int (*)(int, unsigned long, ...)>(dlsym(RTLD_NEXT, "ioctl"));
    return real(fd, request, argument);
  }
  if (request == I2C_FUNCS) {
    *static_cast<unsigned long*>(argument) = says("bare") ? I2C_FUNC_I2C : I2C_FUNC_SMBUS_EMUL;
    return 0;
  }
  if (request == I2C_SLAVE) {
    chosen = reinterpret_cast<long>(argument);
    const std::string error = after(chosen, "@");
    return error.empty() ? 0 : refuse(std::atoi(error.c_str()));
  }
  if (request == I2C_SMBUS) return transfer(*static_cast<i2c_smbus_ioctl_data*>(argument));
  note("other order to", static_cast<int>(request & 0xff));
  return refuse(ENOTTY);
}
