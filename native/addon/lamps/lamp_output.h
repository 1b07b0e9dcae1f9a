// An output that can shine. Each is off from when it is taken until it is told to show something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace vedette::lamps {

enum class OutputKind { led, multicolour, line, pwm, strip };

/** As it is told on the command line. */
struct OutputOrder {
  OutputKind kind;
  /** A folder in /sys (led, multicolour, pwm) or a device file (line, strip). */
  std::string path;
  /** line: its offset in the chip. pwm: the channel of the chip. */
  unsigned number = 0;
  unsigned pixels = 1;
  unsigned channels = 1;
  /** strip: which of R, G, B, W comes first. */
  std::string order;
  /** No byte is shown that is larger. */
  uint8_t max_level = 255;
  bool is_active_low = false;

  size_t bytes() const { return static_cast<size_t>(pixels) * channels; }
};

/** All functions throw std::runtime_error with a sentence when the output is gone or refuses. */
class LampOutput {
 public:
  virtual ~LampOutput() = default;
  /** bytes: one for each channel, 0 to 255. */
  virtual void show(const uint8_t* bytes) = 0;
  virtual void put_off() = 0;
};

/** Takes an output and puts it off; throws std::runtime_error with a sentence. */
std::unique_ptr<LampOutput> take_output(const OutputOrder& order);

std::unique_ptr<LampOutput> take_led(const OutputOrder& order);
std::unique_ptr<LampOutput> take_multicolour_led(const OutputOrder& order);
std::unique_ptr<LampOutput> take_line(const OutputOrder& order);
std::unique_ptr<LampOutput> take_pwm(const OutputOrder& order);
std::unique_ptr<LampOutput> take_strip(const OutputOrder& order);

/** A byte as one of so many levels above 0, rounded. */
inline long level_of(uint8_t byte, long max) { return (static_cast<long>(byte) * max * 2 + 255) / 510; }

}  // namespace vedette::lamps
