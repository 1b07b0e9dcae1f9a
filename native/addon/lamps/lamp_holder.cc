#include "lamp_holder.h"

#include <algorithm>
#include <stdexcept>

namespace vedette::lamps {
namespace {

constexpr int64_t RETRY_US = 1'000'000;
// What does not change is written now and then all the same: a strip may have misheard, or had no power.
constexpr int64_t REFRESH_US = 1'000'000;

}  // namespace

LampHolder::LampHolder(std::vector<OutputOrder> orders, Told told) : told_(std::move(told)) {
  for (OutputOrder& each : orders) {
    channels_ += each.bytes();
    all_.push_back({std::move(each), nullptr, {}, 0, 0, ""});
  }
}

size_t LampHolder::take(int64_t now_us) {
  for (size_t place = 0; place < all_.size(); place++) take_one(place, now_us);
  return static_cast<size_t>(
      std::count_if(all_.begin(), all_.end(), [](const Held& each) { return each.output != nullptr; }));
}

void LampHolder::take_one(size_t place, int64_t now_us) {
  Held& held = all_[place];
  try {
    held.output = take_output(held.order);
    held.shown.clear();
    if (!held.why.empty()) told_(place, "");
    held.why.clear();
  } catch (const std::exception& error) {
    lose(place, error.what(), now_us);
  }
}

void LampHolder::lose(size_t place, const std::string& why, int64_t now_us) {
  Held& held = all_[place];
  held.output.reset();
  held.shown.clear();
  held.retry_us = now_us + RETRY_US;
  if (held.why != why) told_(place, why);
  held.why = why;
}

void LampHolder::show(const uint8_t* frame, int64_t now_us) {
  std::vector<uint8_t> limited;
  for (size_t place = 0; place < all_.size(); frame += all_[place].order.bytes(), place++) {
    Held& held = all_[place];
    if (!held.output) continue;
    limited.assign(frame, frame + held.order.bytes());
    for (uint8_t& each : limited) each = std::min(each, held.order.max_level);
    if (limited == held.shown && now_us - held.shown_us < REFRESH_US) continue;
    try {
      held.output->show(limited.data());
      held.shown = limited;
      held.shown_us = now_us;
    } catch (const std::exception& error) {
      lose(place, error.what(), now_us);
    }
  }
}

bool LampHolder::put_off(int64_t now_us) {
  bool are_all_off = true;
  for (size_t place = 0; place < all_.size(); place++) {
    Held& held = all_[place];
    held.shown.clear();
    if (held.output) try {
        held.output->put_off();
        continue;
      } catch (const std::exception& error) {
        lose(place, error.what(), now_us);
      }
    take_one(place, now_us);  // it may be there again, and shine
    are_all_off = are_all_off && held.output != nullptr;
  }
  return are_all_off;
}

void LampHolder::retry(int64_t now_us) {
  for (size_t place = 0; place < all_.size(); place++)
    if (!all_[place].output && now_us >= all_[place].retry_us) take_one(place, now_us);
}

}  // namespace vedette::lamps
