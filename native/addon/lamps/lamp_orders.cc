#include "lamp_orders.h"

#include <stdexcept>
#include <string>

namespace vedette::lamps {
namespace {

constexpr size_t LENGTH_BYTES = 4, PLAY_HEAD = 7, MOMENT_BYTES = 8;

template <typename Number>
Number number_at(const uint8_t* bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(Number); i++) value |= static_cast<uint64_t>(bytes[i]) << 8 * i;
  return static_cast<Number>(value);
}

}  // namespace

std::vector<LampOrder> LampOrders::read(const uint8_t* bytes, size_t count) {
  unread_.insert(unread_.end(), bytes, bytes + count);
  const size_t max_length = PLAY_HEAD + MAX_FRAMES * (MOMENT_BYTES + channels_);
  std::vector<LampOrder> orders;
  size_t at = 0;
  while (unread_.size() - at >= LENGTH_BYTES) {
    const size_t length = number_at<uint32_t>(unread_.data() + at);
    if (length < 1 || length > max_length)
      throw std::runtime_error("an order has 1 to " + std::to_string(max_length) + " bytes, not " +
                               std::to_string(length));
    if (unread_.size() - at - LENGTH_BYTES < length) break;
    orders.push_back(order_of(unread_.data() + at + LENGTH_BYTES, length));
    at += LENGTH_BYTES + length;
  }
  unread_.erase(unread_.begin(), unread_.begin() + static_cast<std::ptrdiff_t>(at));
  return orders;
}

LampOrder LampOrders::order_of(const uint8_t* bytes, size_t length) const {
  if (bytes[0] == static_cast<uint8_t>(OrderKind::alive)) {
    if (length != 1) throw std::runtime_error("a sign of life has something behind it");
    return {OrderKind::alive, 0, {}};
  }
  if (bytes[0] != static_cast<uint8_t>(OrderKind::play))
    throw std::runtime_error("there is no order " + std::to_string(bytes[0]));
  if (length < PLAY_HEAD) throw std::runtime_error("an order to play is cut");
  LampOrder order{OrderKind::play, number_at<uint32_t>(bytes + 1), {}};
  const size_t frames = number_at<uint16_t>(bytes + 5), frame_bytes = MOMENT_BYTES + channels_;
  if (order.hold_ms > MAX_HOLD_MS) throw std::runtime_error("a frame stays for at most 60000 ms");
  if (frames < 1 || frames > MAX_FRAMES) throw std::runtime_error("an order has 1 to 256 frames");
  if (length != PLAY_HEAD + frames * frame_bytes)
    throw std::runtime_error(std::to_string(frames) + " frames of " + std::to_string(channels_) + " channels are not " +
                             std::to_string(length - PLAY_HEAD) + " bytes");
  for (const uint8_t* at = bytes + PLAY_HEAD; at < bytes + length; at += frame_bytes) {
    Frame frame{number_at<int64_t>(at), {at + MOMENT_BYTES, at + frame_bytes}};
    if (!order.frames.empty() && frame.at_us < order.frames.back().at_us)
      throw std::runtime_error("frames come in the order of their moments");
    order.frames.push_back(std::move(frame));
  }
  return order;
}

}  // namespace vedette::lamps
