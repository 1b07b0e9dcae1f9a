// The process that holds the lamps: vedette-lamps [--note FILE] OUTPUT..., each output with what it is driven by:
//   [--max-level 0..255] [--active-low] and one of
//   --led FOLDER, --multicolour FOLDER CHANNELS, --line CHIP OFFSET, --pwm FOLDER CHANNEL, --strip DEVICE PIXELS ORDER
// It takes them, puts them off, and plays the frames that come on standard input (their form: lamp_orders.h) by
// CLOCK_MONOTONIC. All is off when standard input ends, on SIGTERM, SIGINT and SIGHUP, after two seconds without an
// order while something shines or waits, when a frame has stayed for as long as it was to, and after anything that is
// no order, which ends the process with 2. A process of its own: however the service ends, this one sees the end of its
// standard input, and nothing that the service does makes a frame late.
//
// On standard output it tells lines of JSON: {"output":PLACE,"detail":"why it cannot be written"}, which is tried again
// each second; {"output":PLACE,"detail":null}: it can again; {"ready":COUNT}: so many of the outputs are held and off;
// {"silence":true}: it has put all off since nobody said anything; {"alive":true}: it has heard a sign of life.
//
// --note FILE: what is held is noted there until all is off, where that can be written. vedette-lamps --put-off FILE
// puts off what such a note names, for when this process was killed; so does the next one that is started with the
// note, before anything else. vedette-lamps --find CHIP... tells of the lines of GPIO chips, one JSON object a line.
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "clock.h"
#include "json.h"
#include "lamp_file.h"
#include "lamp_holder.h"
#include "lamp_note.h"
#include "lamp_options.h"
#include "lamp_orders.h"
#include "lamp_plan.h"
#include "line_chips.h"

namespace vedette::lamps {
namespace {

constexpr int NO_ORDER = 2, NOT_TAKEN = 3;
constexpr int64_t SILENCE_US = 2'000'000;  // four times the pause between the signs of life of the service
constexpr int64_t MAX_AHEAD_US = 10'000'000;

/** What nobody reads is dropped: a reader that is stuck shall not keep a lamp lit. */
void tell(const std::string& line) {
  const std::string whole = line + "\n";
  [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, whole.data(), whole.size());
}

/** Blocks the signals that end the process, and gives a descriptor that tells of them. */
int ending_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int each : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ending, each);
  sigprocmask(SIG_BLOCK, &ending, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
}

void set_timer(int timer, int64_t at_us) {
  itimerspec when{};
  if (at_us != LampPlan::NEVER) {
    const int64_t later = std::max<int64_t>(at_us, 1);  // 0 would disarm it
    when.it_value = {static_cast<time_t>(later / 1'000'000), static_cast<long>(later % 1'000'000 * 1000)};
  }
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, nullptr);
}

class Player {
 public:
  explicit Player(LampHolder& holder) : holder_(holder), orders_(holder.channels()) {}

  /** Does what is due. */
  void step() {
    const int64_t now = monotonic_us();
    const Step due = plan_.step(now);
    if (due.what == Step::show) holder_.show(due.frame->bytes.data(), now);
    if (due.what == Step::off) holder_.put_off(now);
    if (!plan_.is_active() || now < heard_us_ + SILENCE_US) return;
    plan_.clear();
    holder_.put_off(now);
    tell("{\"silence\":true}");
  }

  int64_t next_us() const {
    return plan_.is_active() ? std::min(plan_.next_us(), heard_us_ + SILENCE_US) : LampPlan::NEVER;
  }

  /** Throws std::runtime_error when it is no order. */
  void take(const uint8_t* bytes, size_t count) {
    for (LampOrder& order : orders_.read(bytes, count)) {
      heard_us_ = monotonic_us();
      if (order.kind == OrderKind::play) {
        play(order);
      } else {
        holder_.retry(heard_us_);
        tell("{\"alive\":true}");
      }
    }
  }

 private:
  void play(LampOrder& order) {
    if (order.frames.back().at_us > heard_us_ + MAX_AHEAD_US)
      throw std::runtime_error("a frame is more than ten seconds ahead");
    plan_.play(std::move(order.frames), order.hold_ms * int64_t{1000}, heard_us_);
    step();
    if (plan_.waiting() > MAX_FRAMES) throw std::runtime_error("more frames wait than there is room for");
  }

  LampHolder& holder_;
  LampOrders orders_;
  LampPlan plan_;
  int64_t heard_us_ = 0;
};

/** Returns when all shall be off: the exit code. */
int play_orders(LampHolder& holder, int signals) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) throw std::runtime_error(system_reason("timerfd"));
  Player player(holder);
  static uint8_t bytes[65'536];
  for (;;) {
    set_timer(timer, player.next_us());
    pollfd watched[] = {{timer, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}};
    if (poll(watched, 3, -1) < 0 && errno != EINTR) throw std::runtime_error(system_reason("poll"));
    player.step();
    if (watched[2].revents != 0) return 0;
    if (watched[1].revents == 0) continue;
    const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return 0;
    if (count < 0) continue;
    try {
      player.take(bytes, static_cast<size_t>(count));
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "this is no order for lamps: %s\n", error.what());
      return NO_ORDER;
    }
  }
}

int hold(const LampOptions& options, const std::vector<std::string>& words) {
  const int signals = ending_signals();
  fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
  LampHolder holder(options.outputs, [](size_t place, const std::string& why) {
    tell(JsonPieces()
             .number("output", static_cast<int64_t>(place))
             .field("detail", why.empty() ? "null" : json_text(why))
             .object());
  });
  if (!options.note.empty()) {
    put_off_noted(options.note);
    try {
      write_note(options.note, words);
    } catch (const std::runtime_error&) {
      // a disk that takes nothing is told of by others, and no reason to leave a robot without light
    }
  }
  const size_t held = holder.take(monotonic_us());
  tell(JsonPieces().number("ready", static_cast<int64_t>(held)).object());
  int code = NOT_TAKEN;
  try {
    if (held > 0) code = play_orders(holder, signals);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = 1;
  }
  // what is gone does not shine here; when it is back, it is as its driver makes it
  holder.put_off(monotonic_us());
  if (!options.note.empty()) remove_note(options.note);
  return code;
}

}  // namespace
}  // namespace vedette::lamps

int main(int argc, char** argv) {
  using namespace vedette::lamps;
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const LampOptions options = read_options(words);
    if (options.task == LampOptions::hold) return hold(options, words);
    if (options.task == LampOptions::put_off) put_off_noted(options.note);
    for (const std::string& chip : options.chips) std::puts(chip_json(chip).c_str());
    return 0;
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "vedette-lamps: %s\n", error.what()), 1;
  }
}
