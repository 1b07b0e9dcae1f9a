#include "lamp_plan.h"
#include "suite.h"

namespace vedette::test {
namespace {

using lamps::Frame;
using lamps::LampPlan;
using lamps::Step;

Frame frame(int64_t at_us, uint8_t byte) { return {at_us, {byte}}; }

/** What is shown at a moment: a byte, 0 when it is put off, -1 when nothing changes. */
int shown(LampPlan& plan, int64_t now_us) {
  const Step step = plan.step(now_us);
  return step.what == Step::show ? step.frame->bytes[0] : step.what == Step::off ? 0 : -1;
}

const Suite suite([] {
  test("each frame is shown at its moment, and the last one until its time is over", [] {
    LampPlan plan;
    plan.play({frame(100, 1), frame(200, 2)}, 50, 0);

    expect(plan.next_us() == 100, "not due at the first frame");
    expect(shown(plan, 99) == -1 && shown(plan, 100) == 1, "the first frame is not at its moment");
    expect(shown(plan, 150) == -1 && shown(plan, 200) == 2, "the second frame is not at its moment");
    expect(plan.next_us() == 250 && shown(plan, 249) == -1, "off too early");
    expect(shown(plan, 250) == 0 && shown(plan, 251) == -1, "not off once");
    expect(plan.next_us() == LampPlan::NEVER && !plan.is_active(), "something is left");
    return "";
  });

  test("of frames that are late, the last one is shown", [] {
    LampPlan plan;
    plan.play({frame(1, 1), frame(2, 2), frame(900, 9)}, 50, 10);

    expect(shown(plan, 10) == 2, "not the last one whose moment has come");
    return "";
  });

  test("frames that come later replace those that are planned from the first of them on", [] {
    LampPlan plan;
    plan.play({frame(100, 1), frame(200, 2), frame(300, 3)}, 1000, 0);
    plan.play({frame(200, 7)}, 1000, 50);

    expect(shown(plan, 100) == 1 && shown(plan, 200) == 7 && shown(plan, 300) == -1, "an old frame is shown");
    expect(plan.next_us() == 1200, text("off at %lld", static_cast<long long>(plan.next_us())));
    return "";
  });

  test("a frame of the past stays from now on for as long as it is to", [] {
    LampPlan plan;
    plan.play({frame(-5'000'000, 4)}, 100, 1000);

    expect(shown(plan, 1000) == 4 && plan.next_us() == 1100, "its time began in the past");
    return "";
  });

  test("what was forgotten is not shown", [] {
    LampPlan plan;
    plan.play({frame(100, 1)}, 1000, 0);
    plan.clear();

    expect(shown(plan, 100) == -1 && plan.next_us() == LampPlan::NEVER && plan.waiting() == 0, "it was not forgotten");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
