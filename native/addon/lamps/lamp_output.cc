#include "lamp_output.h"

namespace vedette::lamps {

std::unique_ptr<LampOutput> take_output(const OutputOrder& order) {
  switch (order.kind) {
    case OutputKind::led:
      return take_led(order);
    case OutputKind::multicolour:
      return take_multicolour_led(order);
    case OutputKind::line:
      return take_line(order);
    case OutputKind::pwm:
      return take_pwm(order);
    default:
      return take_strip(order);
  }
}

}  // namespace vedette::lamps
