// What goes wrong without ending anything, told without flooding the listener, and without losing count.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "mailbox.h"
#include "node.h"

namespace vedette {

/**
 * Tells the first mishap of each code at once, and from then on at most one a second, with how many there have been.
 * Any thread.
 */
class Warnings : public WarningSink {
 public:
  explicit Warnings(Mailbox& mailbox) : mailbox_(mailbox) {}
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;

  void add(const Fault& fault) override;
  /** Tells what has waited its second. To be called now and then. */
  void tell_due() { tell(false); }
  /** Tells all that has not been told: nothing follows. */
  void tell_rest() { tell(true); }

 private:
  struct Kind {
    Fault latest;
    int64_t untold = 0, told_us = 0;
  };
  void tell(bool all);

  Mailbox& mailbox_;
  std::mutex mutex_;
  std::map<std::string, Kind> kinds_;  // by code: there are a handful
};

}  // namespace vedette
