// Strips of WS281x at an SPI bus: /dev/spidevX.Y. Into anything else (a file, a pipe) the same bytes are written, for
// who wants to see them.
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "lamp_file.h"
#include "lamp_output.h"
#include "strip_bits.h"

namespace vedette::lamps {
namespace {

class Strip : public LampOutput {
 public:
  explicit Strip(const OutputOrder& order)
      : path_(order.path),
        pixels_(order.pixels),
        order_(order_of(order.order)),
        fd_(open(path_.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error(system_reason(path_));
    try {
      set_bus();
      put_off();
    } catch (...) {
      close(fd_);
      throw;
    }
  }
  ~Strip() override { close(fd_); }
  Strip(const Strip&) = delete;
  Strip& operator=(const Strip&) = delete;

  void show(const uint8_t* bytes) override {
    encode_strip(bytes, pixels_, order_, out_);
    if (write(fd_, out_.data(), out_.size()) == static_cast<ssize_t>(out_.size())) return;
    if (errno == EMSGSIZE)
      throw std::runtime_error(path_ + " takes fewer bytes at once than the " + std::to_string(out_.size()) +
                               " of this strip; set bufsiz of the module spidev");
    throw std::runtime_error(system_reason(path_));
  }

  void put_off() override {
    const std::vector<uint8_t> dark(pixels_ * order_.size(), 0);
    show(dark.data());
  }

 private:
  void set_bus() {
    struct stat what {};
    if (fstat(fd_, &what) != 0) throw std::runtime_error(system_reason(path_));
    if (!S_ISCHR(what.st_mode)) return;
    const uint8_t mode = SPI_MODE_0, bits = 8;
    const uint32_t hz = STRIP_HZ;
    if (ioctl(fd_, SPI_IOC_WR_MODE, &mode) < 0 || ioctl(fd_, SPI_IOC_WR_BITS_PER_WORD, &bits) < 0 ||
        ioctl(fd_, SPI_IOC_WR_MAX_SPEED_HZ, &hz) < 0)
      throw std::runtime_error(system_reason(path_));
  }

  std::string path_;
  size_t pixels_;
  std::vector<uint8_t> order_;
  int fd_;
  std::vector<uint8_t> out_;
};

}  // namespace

std::unique_ptr<LampOutput> take_strip(const OutputOrder& order) { return std::make_unique<Strip>(order); }

}  // namespace vedette::lamps
