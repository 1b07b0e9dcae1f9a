// The orders that come on standard input, read out of its bytes. Knows no clock and no file.
//
// All numbers are little endian. An order is
//   uint32 length of what follows, at least 1
//   uint8  what it is
// 1, play:
//   uint32 for how many milliseconds the last frame stays, at most 60000
//   uint16 how many frames follow, 1 to 256
//   and of each
//     int64  its moment, microseconds of CLOCK_MONOTONIC, not before the previous one
//     uint8  of each channel: outputs in the order of the command line, their pixels, and red, green, blue, white
// 2, a sign of life: nothing follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lamp_plan.h"

namespace vedette::lamps {

constexpr uint32_t MAX_HOLD_MS = 60'000;
constexpr size_t MAX_FRAMES = 256;

enum class OrderKind : uint8_t { play = 1, alive = 2 };

struct LampOrder {
  OrderKind kind;
  uint32_t hold_ms = 0;
  std::vector<Frame> frames;
};

class LampOrders {
 public:
  /** channels: bytes of a frame. */
  explicit LampOrders(size_t channels) : channels_(channels) {}

  /** Takes what was read; returns the orders that are whole now. Throws std::runtime_error when it is no order. */
  std::vector<LampOrder> read(const uint8_t* bytes, size_t count);

 private:
  LampOrder order_of(const uint8_t* bytes, size_t length) const;

  size_t channels_;
  std::vector<uint8_t> unread_;
};

}  // namespace vedette::lamps
