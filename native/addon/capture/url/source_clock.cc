#include "source_clock.h"

#include <algorithm>

namespace vedette {

namespace {

constexpr int64_t OLDEST_US = 5'000'000;  // a link on which nothing comes for longer is being given up

}  // namespace

std::optional<int64_t> captured_here_us(const std::optional<ClockOffset>& clock, int64_t taken_us, int64_t began_us) {
  if (!clock || taken_us == 0) return std::nullopt;
  const int64_t here_us = taken_us - clock->offset_us;
  if (here_us > began_us + clock->within_us || here_us < began_us - OLDEST_US) return std::nullopt;
  return std::min(here_us, began_us);
}

}  // namespace vedette
