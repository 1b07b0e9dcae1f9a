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
  int64_t n = 0, now_us = 0;
  std::optional<int64_t> wanted_us;
  for (; n < 100 && !wanted_us; n++) {  // each 10 ms later than the last
    now_us = BEGAN_US + n * (PERIOD_US + 10'000);
    clock.captured_us(n * PERIOD_US, now_us);
    wanted_us = clock.skip_to_us(n * PERIOD_US, now_us, false);
  }
  expect(n >= 30 && n <= 33, text("30 pictures make 0.3 s, it took %d", static_cast<int>(n)));
  expect(*wanted_us > now_us - BEGAN_US - 200'000 && *wanted_us < now_us - BEGAN_US,
         "what is wanted is not what the camera takes now");
  return "";
}

/** Pictures as they come one after the other: each lateness of its own, and whether it was waited for. */
class Arrivals {
 public:
  /** True: what waits is to be skipped. */
  bool is_behind(int64_t late_us, bool was_waited_for) {
    const int64_t pts_us = n_++ * PERIOD_US, now_us = BEGAN_US + pts_us + late_us;
    age_us_ = now_us - clock_.captured_us(pts_us, now_us);
    expect(age_us_ >= 0, "a picture was taken after it came");
    return clock_.skip_to_us(pts_us, now_us, was_waited_for).has_value();
  }
  /** Of the last picture, as far as the clock knows. */
  int64_t age_us() const { return age_us_; }
  /** The pictures of before the next key picture. */
  void skip(int64_t pictures) { n_ += pictures; }
  int skips(int pictures, int64_t late_us, bool was_waited_for) {
    int count = 0;
    for (int n = 0; n < pictures; n++) count += is_behind(late_us, was_waited_for);
    return count;
  }

 private:
  ArrivalClock clock_;
  int64_t n_ = 0, age_us_ = 0;
};

std::string clock_takes_a_longer_way() {
  Arrivals waited, bursts;
  waited.skips(100, 5'000, true);
  expect(waited.skips(300, 505'000, true) == 0, "pictures are skipped though none lies ready");
  expect(waited.skips(300, 1'005'000, true) == 0, "pictures are skipped when the way becomes longer once more");
  bursts.skips(100, 5'000, true);
  expect(bursts.is_behind(505'000, true) || bursts.is_behind(505'000, false),
         "what lies ready behind a late picture is not skipped");
  bursts.skip(30);
  expect(bursts.skips(300, 505'000, false) == 0, "pictures are skipped again and again, though that does not help");
  return "";
}

std::string clock_takes_slow_times() {
  Arrivals arrivals;
  int64_t skips = 0;
  for (int64_t n = 0; n < 3'000; n++) {
    skips += arrivals.is_behind(n * 6'667, true);  // 25 a second that count themselves as 30
    expect(arrivals.age_us() < 400'000, text("a picture that has just come is taken for one of %d ms ago",
                                             static_cast<int>(arrivals.age_us() / 1000)));
  }
  expect(skips == 0, text("%d times pictures were skipped", static_cast<int>(skips)));
  return "";
}

std::string clock_empties_a_jam() {
  Arrivals arrivals;
  arrivals.skips(100, 5'000, true);
  expect(!arrivals.is_behind(2'000'000, true), "what comes first after a pause says whether more lies behind it");
  expect(arrivals.is_behind(1'970'000, false), "a jam is played out to its end");
  arrivals.skip(60);
  expect(arrivals.skips(100, 15'000, true) == 0, "what comes in time is skipped");
  for (int jams = 0; jams < 3; jams++) {  // and decoding that stays too slow is found out each time
    int64_t n = 0;
    while (n < 100 && !arrivals.is_behind(15'000 + n * 10'000, false)) n++;
    expect(n < 40, "decoding that is too slow is not noticed any more");
    arrivals.skip(20);
  }
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
  expect(host_of("rtsp://10.0.0.7:554/a?b") == "10.0.0.7" && host_of("rtsp://[fe80::1]:554/a") == "fe80::1" &&
             host_of("rtsps://cam") == "cam",
         "the host is not found in an address");
  for (const auto& [url, host] : {std::pair{"http://[::1]:8/a:b", "::1"}, std::pair{"http://cam?x:1", "cam"},
                                  std::pair{"http://cam:8#[1]", "cam"}})
    expect(host_of(url) == host, url);
  expect(port_of("http://cam/a:1") == "80" && port_of("https://cam") == "443" &&
             port_of("https://[::1]:8443/a") == "8443" && port_of("http://cam:/") == "80",
         "the port is not found in an address");
  expect(with_host("rtsp://cam:554/a", "10.0.0.7") == "rtsp://10.0.0.7:554/a" &&
             with_host("rtsp://[::1]", "::2") == "rtsp://[::2]" &&
             with_host("rtsp://cam/a", "fe80::1%eth0") == "rtsp://[fe80::1%eth0]/a",
         "another host changes more than the host");
  expect(with_credentials("rtsp://cam/a", "team", "p@:/% ") == "rtsp://team:p%40%3A%2F%25%20@cam/a",
         "a password changes the address");
  expect(with_credentials("rtsp://cam/a", "", "") == "rtsp://cam/a", "nobody is in the address");
  return "";
}

}  // namespace

void test_video() {
  test("pictures of a live video keep their rate, however they come", clock_smooths);
  test("a live video that is decoded too slowly is seen to be late", clock_tells_lateness);
  test("a live video with a longer delay stays whole, and one in bursts loses pictures once", clock_takes_a_longer_way);
  test("a live video that counts more pictures a second than it has stays whole", clock_takes_slow_times);
  test("what has jammed is skipped, as often as that happens", clock_empties_a_jam);
  test("a camera that sets its clock is followed", clock_takes_a_jump);
  test("name and password go into an address without changing it", addresses);
}

}  // namespace vedette::test
