#include "warnings.h"

#include <utility>

namespace vedette {

namespace {
// a folder of corrupt pictures at 240 a second is one line of the log a second
constexpr int64_t INTERVAL_US = 1'000'000;
}  // namespace

void Warnings::add(const Fault& fault) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Kind& kind = kinds_[fault.code];
    kind.latest = fault;
    kind.untold++;
  }
  tell_due();
}

void Warnings::tell(bool all) {
  const int64_t now_us = monotonic_us();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto& [code, kind] : kinds_) {
    if (kind.untold == 0 || (!all && kind.told_us != 0 && now_us - kind.told_us < INTERVAL_US)) continue;
    kind.told_us = now_us;
    mailbox_.post_notice({"warned", kind.latest, std::exchange(kind.untold, 0)});
  }
}

}  // namespace vedette
