// Lines of a GPIO chip: /dev/gpiochipN, version 2 of its interface. A line is ours while its descriptor is open; when
// this process ends, however it ends, the kernel lets go of it, and most chips then make it an input.
#include <fcntl.h>
#include <linux/gpio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "lamp_file.h"
#include "lamp_output.h"

namespace vedette::lamps {
namespace {

class Line : public LampOutput {
 public:
  explicit Line(const OutputOrder& order) : name_(order.path + " line " + std::to_string(order.number)) {
    const int chip = open(order.path.c_str(), O_RDWR | O_CLOEXEC);
    if (chip < 0) throw std::runtime_error(system_reason(order.path));
    gpio_v2_line_request request{};
    request.offsets[0] = order.number;
    request.num_lines = 1;
    std::strcpy(request.consumer, "vedette");
    request.config.flags = GPIO_V2_LINE_FLAG_OUTPUT | (order.is_active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
    request.config.num_attrs = 1;  // from the first moment on it is off
    request.config.attrs[0].mask = 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
    const int answer = ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request);
    const std::string reason = answer < 0 ? system_reason(name_) : "";
    close(chip);
    if (answer < 0) throw std::runtime_error(reason);
    fd_ = request.fd;
  }
  ~Line() override { close(fd_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void show(const uint8_t* bytes) override { set(level_of(bytes[0], 1) != 0); }
  void put_off() override { set(false); }

 private:
  void set(bool is_on) {
    gpio_v2_line_values values{is_on ? 1ULL : 0ULL, 1};
    if (ioctl(fd_, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) < 0) throw std::runtime_error(system_reason(name_));
  }

  std::string name_;
  int fd_ = -1;
};

}  // namespace

std::unique_ptr<LampOutput> take_line(const OutputOrder& order) { return std::make_unique<Line>(order); }

}  // namespace vedette::lamps
