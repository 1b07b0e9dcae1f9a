// Which way a robot looked at some moment, by what it said before and after.
#include <cmath>

#include "check.h"
#include "heading_log.h"

namespace vedette::test {

namespace {

constexpr double DEG = 57.295779513082320877;

/** In degrees; none: NaN. */
double yaw_at(const HeadingLog& log, int64_t at_us) {
  const auto yaw = log.at(at_us);
  return yaw ? yaw->yaw_rad * DEG : NAN;
}

void expect_yaw(const HeadingLog& log, int64_t at_us, double yaw_deg) {
  const double is = yaw_at(log, at_us);
  expect(std::isnan(yaw_deg) ? std::isnan(is) : std::fabs(is - yaw_deg) < 1e-6,
         text("at %lld it is %g instead of %g degrees", static_cast<long long>(at_us), is, yaw_deg));
}

}  // namespace

void test_headings() {
  test("between two samples a heading lies on the line between them, however it is wrapped", [] {
    HeadingLog log;
    expect_yaw(log, 0, NAN);
    log.add({1'000'000, 350, 0});
    log.add({1'020'000, 370, 0});
    log.add({1'040'000, 30 - 360, 0});  // from a robot that wraps it now and then
    expect_yaw(log, 1'000'000, -10);
    expect_yaw(log, 1'010'000, 0);
    expect_yaw(log, 1'015'000, 5);
    expect_yaw(log, 1'030'000, 20);
    log.add({1'060'000, 3600 + 179, 0});
    log.add({1'080'000, 3600 + 183, 0});
    expect_yaw(log, 1'075'000, -178);
    return "";
  });

  test("beyond all samples a heading goes on by its rate for a tenth of a second, and ends then", [] {
    HeadingLog log;
    log.add({1'000'000, 90, 100});
    expect_yaw(log, 1'050'000, 95);
    expect_yaw(log, 1'100'000, 100);
    expect_yaw(log, 1'100'001, NAN);
    expect_yaw(log, 950'000, 85);
    expect_yaw(log, 899'999, NAN);
    log.add({1'500'000, 0, -10});
    expect_yaw(log, 1'090'000, 99);
    expect_yaw(log, 1'300'000, NAN);
    expect_yaw(log, 1'450'000, 0.5);
    return "";
  });

  test("a repeated heading gives way to an earlier sample, and samples with a gap are not joined", [] {
    HeadingLog log;
    for (const int64_t ms : {1000, 1050, 1100}) log.add({ms * 1000, 90, 0});
    expect_yaw(log, 1'075'000, 90);
    log.add({1'090'000, 94, 0});  // on its way while the last was repeated
    expect_yaw(log, 1'070'000, 92);
    expect_yaw(log, 1'090'000, 94);
    expect_yaw(log, 1'100'000, 95);  // it has begun to turn: 4 degrees in 40 ms
    log.add({1'290'001, 0, 0});
    expect_yaw(log, 1'150'000, 100);
    expect_yaw(log, 1'190'001, 0);
    log.add({1'700'000, 30, 0});
    expect_yaw(log, 1'500'000, NAN);
    return "";
  });

  test("a heading is less sure the faster the robot turns", [] {
    HeadingLog log;
    log.add({1'000'000, 0, 0});
    const double still_deg = log.at(1'000'000)->sigma_rad * DEG;
    log.add({1'020'000, 7.2, 0});
    const double turning_deg = log.at(1'010'000)->sigma_rad * DEG;
    expect(std::fabs(still_deg - 0.5) < 1e-9 && std::fabs(turning_deg - std::hypot(0.5, 1.8)) < 1e-9,
           text("%g and %g degrees", still_deg, turning_deg));
    return "";
  });

  test("without a rate a robot turns on as between its last samples, less surely the older they are", [] {
    HeadingLog log;
    const auto sigma_deg = [&log](int64_t at_us) { return log.at(at_us)->sigma_rad * DEG; };
    log.add({1'000'000, 170, 0});
    expect_yaw(log, 1'040'000, 170);
    expect(std::fabs(sigma_deg(1'040'000) - 0.5) < 1e-9,
           text("%g degrees for a robot that stands", sigma_deg(1'040'000)));
    log.add({1'020'000, 176 - 360, 0});
    expect_yaw(log, 1'040'000, -178);
    expect_yaw(log, 1'120'000, 176 + 30 - 360);
    expect(std::fabs(sigma_deg(1'040'000) - std::hypot(0.5, 300 * 0.025)) < 1e-9,
           text("%g degrees after 20 ms", sigma_deg(1'040'000)));
    log.add({1'021'000, 176 - 360 + 5, 0});          // in a bunch with the one before
    expect_yaw(log, 1'042'000, 176 - 360 + 5 + 11);  // by the one before both
    log.add({1'071'000, 176 - 360 + 5, 0});          // it stands, and goes on saying so
    expect_yaw(log, 1'100'000, 176 - 360 + 5);

    log.add({1'271'001, 0, 0});  // too long ago to tell a rate
    expect_yaw(log, 1'300'000, 0);
    log.add({1'291'001, 2, 0});
    expect_yaw(log, 1'301'001, 3);
    log.add({1'311'001, 4, 10});
    expect_yaw(log, 1'321'001, 4.1);
    expect(std::fabs(sigma_deg(1'321'001) - std::hypot(0.5, 10 * 0.015)) < 1e-9,
           text("%g degrees with a rate", sigma_deg(1'321'001)));

    HeadingLog begun;
    begun.add({5'000'000, 40, 0});
    begun.add({5'020'000, 42, 0});
    expect_yaw(begun, 4'990'000, 39);
    return "";
  });

  test("one who says what was long ago, beside the robot, is not heard", [] {
    HeadingLog log;
    for (int64_t at_us = 5'000'000; at_us <= 5'400'000; at_us += 20'000) {
      log.add({at_us, 10, 0});
      log.add({at_us - 1'000'000, 99, 0});
    }
    expect_yaw(log, 5'110'000, 10);
    expect_yaw(log, 5'400'000, 10);
    expect_yaw(log, 4'110'000, NAN);
    log.add({5'300'000, 20, 0});  // by so little a clock is set right all the time
    expect_yaw(log, 5'300'000, 20);
    log.add({5'000'000, 30, 0});
    log.add({5'020'000, 31, 0});
    expect_yaw(log, 5'020'000, 31);
    return "";
  });

  test("of clocks that were set the last sample counts, and any number of them takes the same memory", [] {
    HeadingLog log;
    log.add({9'000'000'000, 10, 0});
    log.add({980'000, 20, 0});
    log.add({1'000'000, 20, 0});
    expect_yaw(log, 9'000'000'000, NAN);
    expect_yaw(log, 1'000'000, 20);
    log.add({1'000'000, 30, 0});
    expect_yaw(log, 1'000'000, 30);
    for (int64_t n = 0; n < 10'000; n++) log.add({2'000'000 + n * 4000, static_cast<double>(n % 360), 0});
    expect_yaw(log, 2'000'000 + 9999 * 4000, std::remainder(9999 % 360, 360));
    expect_yaw(log, 2'000'000 + 9500 * 4000 + 2000, std::remainder(9500 % 360 + 0.5, 360));
    expect_yaw(log, 2'000'000, NAN);
    return "";
  });
}

}  // namespace vedette::test
