// What takes a Stream a while: another camera, and another plan.
#pragma once

#include <memory>
#include <optional>

#include "outlet.h"
#include "promised_work.h"
#include "runner.h"

namespace vedette {

class Stream;

/** Ends the previous runner and, when there is a task, opens the next. */
class CameraChange : public PromisedWork {
 public:
  CameraChange(Stream& stream, std::optional<Task> task);

 private:
  void work() override;
  Napi::Value given() override;

  Stream& stream_;
  const Napi::ObjectReference keeps_alive_;
  const std::shared_ptr<Outlet> outlet_;
  std::optional<Task> task_;
  const int64_t plan_number_;
  std::unique_ptr<Runner> before_, after_;
};

/** Makes a plan for an open camera, and has it run from the next picture on, or keeps it for later. */
class PlanChange : public PromisedWork {
 public:
  /** number: of a plan that is to be run; 0: it is tried. */
  PlanChange(Stream& stream, PlanDocument document, int64_t number);

 private:
  void work() override;
  Napi::Value given() override;

  Stream& stream_;
  const Napi::ObjectReference keeps_alive_;
  const int64_t opening_;
  const Scene scene_;
  const PlanDocument document_;
  NextPlan next_;
};

}  // namespace vedette
