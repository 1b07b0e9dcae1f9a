// Channels of a PWM chip: /sys/class/pwm/pwmchipN. A channel that is disabled leaves its pin as it likes, so it stays
// enabled when it is off.
#include <unistd.h>

#include <stdexcept>

#include "lamp_file.h"
#include "lamp_output.h"

namespace vedette::lamps {
namespace {

// Fast enough that no picture of a millisecond has stripes; slow enough for the inputs of drivers of LEDs.
constexpr long PERIOD_NS = 200'000;
// The files of a channel appear with the rights of root, and udev changes them.
constexpr int RIGHTS_TRIES = 50, RIGHTS_PAUSE_US = 20'000;

/** Its folder, made when it is not there; only then its rights are waited for. */
std::string channel_folder(const OutputOrder& order) {
  const std::string number = std::to_string(order.number), folder = order.path + "/pwm" + number;
  if (access(folder.c_str(), F_OK) == 0) return folder;
  write_text(order.path + "/export", number + "\n");
  for (int i = 0; i < RIGHTS_TRIES && access((folder + "/duty_cycle").c_str(), W_OK) != 0; i++) usleep(RIGHTS_PAUSE_US);
  return folder;
}

class Pwm : public LampOutput {
 public:
  explicit Pwm(const OutputOrder& order)
      : folder_(channel_folder(order)), duty_(folder_ + "/duty_cycle"), is_low_(order.is_active_low) {
    if (read_number(folder_ + "/period") != PERIOD_NS) {
      if (read_number(folder_ + "/duty_cycle") > PERIOD_NS) duty_.write("0\n");  // never longer than the period
      write_text(folder_ + "/period", std::to_string(PERIOD_NS) + "\n");
    }
    put_off();
    if (read_number(folder_ + "/enable") != 1) write_text(folder_ + "/enable", "1\n");
  }
  void show(const uint8_t* bytes) override { set(level_of(bytes[0], PERIOD_NS)); }
  void put_off() override { set(0); }

 private:
  void set(long lit_ns) { duty_.write(std::to_string(is_low_ ? PERIOD_NS - lit_ns : lit_ns) + "\n"); }

  std::string folder_;
  LampFile duty_;
  bool is_low_;
};

}  // namespace

std::unique_ptr<LampOutput> take_pwm(const OutputOrder& order) { return std::make_unique<Pwm>(order); }

}  // namespace vedette::lamps
