// LEDs of the kernel: /sys/class/leds/NAME. Zero in `brightness` takes the LED from its trigger too.
#include <sstream>
#include <stdexcept>
#include <vector>

#include "lamp_file.h"
#include "lamp_output.h"

namespace vedette::lamps {
namespace {

long max_brightness(const OutputOrder& order) {
  const long max = read_number(order.path + "/max_brightness");
  if (max < 1 || max > 0x7fffffff) throw std::runtime_error(order.path + "/max_brightness holds no brightness");
  return max;
}

class Led : public LampOutput {
 public:
  explicit Led(const OutputOrder& order) : max_(max_brightness(order)), brightness_(order.path + "/brightness") {
    put_off();
  }
  void show(const uint8_t* bytes) override { brightness_.write(std::to_string(level_of(bytes[0], max_)) + "\n"); }
  void put_off() override { brightness_.write("0\n"); }

 private:
  long max_;
  LampFile brightness_;
};

/** The part of each colour is in `multi_intensity`; `brightness` is that of all of them. */
class MulticolourLed : public LampOutput {
 public:
  explicit MulticolourLed(const OutputOrder& order)
      : max_(max_brightness(order)),
        brightness_(order.path + "/brightness"),
        intensity_(order.path + "/multi_intensity") {
    std::istringstream names(read_text(order.path + "/multi_index"));
    for (std::string name; names >> name;) {
      const size_t channel = name == "red" ? 0 : name == "green" ? 1 : name == "blue" ? 2 : name == "white" ? 3 : 4;
      channels_.push_back(channel < order.channels ? static_cast<int>(channel) : -1);
    }
    if (channels_.empty()) throw std::runtime_error(order.path + "/multi_index names no colour");
    put_off();
  }

  void show(const uint8_t* bytes) override {
    std::string text;
    for (const int channel : channels_)
      text += (text.empty() ? "" : " ") + std::to_string(channel < 0 ? 0 : level_of(bytes[channel], max_));
    intensity_.write(text + "\n");
    if (!is_on_) brightness_.write(std::to_string(max_) + "\n");
    is_on_ = true;
  }

  void put_off() override {
    is_on_ = false;
    brightness_.write("0\n");
  }

 private:
  long max_;
  LampFile brightness_, intensity_;
  std::vector<int> channels_;  // of each of its colours, which byte it is; -1: none
  bool is_on_ = false;
};

}  // namespace

std::unique_ptr<LampOutput> take_led(const OutputOrder& order) { return std::make_unique<Led>(order); }

std::unique_ptr<LampOutput> take_multicolour_led(const OutputOrder& order) {
  return std::make_unique<MulticolourLed>(order);
}

}  // namespace vedette::lamps
