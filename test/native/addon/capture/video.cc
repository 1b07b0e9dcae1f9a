// Videos over the network, without a network: when their pictures were taken, and what of an address is told to whom.
#include "arrival_clock.h"
#include "check.h"
#include "name_lookup.h"
#include "suites.h"

namespace vedette::test {
namespace {

constexpr int64_t PERIOD_US = 33'333;
constexpr int64_t BEGAN_US = 50'000'000;  // of our clock, when the camera's is at 0

std::string clock_smooths() {
  ArrivalClock clock;
  int64_t last_us = 0, worst_us = 0;
  for (int64_t n = 0; n < 300; n++) {
    const int64_t way_us = n == 0 ? 4'000 : 1'000 + (n * 7'919) % 9'000;  // 1 to 10 ms, in no order
    const int64_t now_us = BEGAN_US + n * PERIOD_US + way_us;
    const int64_t taken_us = clock.captured_us(n * PERIOD_US, now_us);
    expect(taken_us <= now_us, "a picture was taken after it came");
    expect(taken_us > last_us, "a picture was taken before the one that came before it");
    if (n > 100) worst_us = std::max(worst_us, std::abs(taken_us - last_us - PERIOD_US));
    last_us = taken_us;
  }
  expect(worst_us < 500, text("pictures are up to %lld us off their rate", static_cast<long long>(worst_us)));
  return text("at most %lld us off the rate, where they came 9 ms apart", static_cast<long long>(worst_us));
}

std::string clock_tells_lateness() {
  ArrivalClock clock;
  int64_t n = 0, late_us = 0;
  for (; n < 100 && late_us < 300'000; n++) {  // each 10 ms later than the last
    const int64_t now_us = BEGAN_US + n * (PERIOD_US + 10'000);
    clock.captured_us(n * PERIOD_US, now_us);
    late_us = clock.late_us(n * PERIOD_US, now_us);
  }
  expect(n >= 30 && n <= 33, text("30 pictures make 0.3 s, it took %d", static_cast<int>(n)));
  return "";
}

std::string clock_takes_a_jump() {
  ArrivalClock clock;
  clock.captured_us(7'000'000'000, BEGAN_US);
  const int64_t taken_us = clock.captured_us(0, BEGAN_US + PERIOD_US);  // the camera has set its clock back
  expect(taken_us == BEGAN_US + PERIOD_US, "a picture of another time is taken for an old one");
  return "";
}

std::string addresses() {
  expect(host_of("rtsp://10.0.0.7:554/a?b") == "10.0.0.7" && host_of("rtsp://[fe80::1]:554/a") == "fe80::1" && host_of("rtsps://cam") == "cam", "the host is not found in an address");
  for (const auto& [url, host] : {std::pair{"http://[::1]:8/a:b", "::1"}, std::pair{"http://cam?x:1", "cam"}, std::pair{"http://cam:8#[1]", "cam"}}) expect(host_of(url) == host, url);
  expect(port_of("http://cam/a:1") == "80" && port_of("https://cam") == "443" && port_of("https://[::1]:8443/a") == "8443" && port_of("http://cam:/") == "80", "the port is not found in an address");
  expect(with_host("rtsp://cam:554/a", "10.0.0.7") == "rtsp://10.0.0.7:554/a" && with_host("rtsp://[::1]", "::2") == "rtsp://[::2]" && with_host("rtsp://cam/a", "fe80::1%eth0") == "rtsp://[fe80::1%eth0]/a", "another host changes more than the host");
  expect(with_credentials("rtsp://cam/a", "team", "p@:/% ") == "rtsp://team:p%40%3A%2F%25%20@cam/a", "a password changes the address");
  expect(with_credentials("rtsp://cam/a", "", "") == "rtsp://cam/a", "nobody is in the address");
  return "";
}

}  // namespace

void test_video() {
  test("pictures of a live video keep their rate, however they come", clock_smooths);
  test("a live video that is decoded too slowly is seen to be late", clock_tells_lateness);
  test("a camera that sets its clock is followed", clock_takes_a_jump);
  test("name and password go into an address without changing it", addresses);
}

}  // namespace vedette::test
