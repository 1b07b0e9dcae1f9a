// All that runs in the guest: loads the modules, and tries our capture code on the kernel's test camera. Tier 2: a real
// driver, an emulated machine.
#include <fcntl.h>
#include <linux/reboot.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "../native/addon/capture/check.h"
#include "v4l2_controls.h"
#include "v4l2_describe.h"

namespace vedette::test {
namespace {

const char* const CAMERA = "/dev/video0";
constexpr int WIDTH = 640, HEIGHT = 480;
constexpr int64_t MAX_US = 60'000'000;  // the emulated processor draws some of vivid's pictures for seconds
// vivid stamps its pictures up to a fifth of a second ahead, on this slow processor and by the beat of the picture.
constexpr int64_t MAX_AHEAD_US = 500'000, MAX_BEHIND_US = 5'000'000;

V4l2Options mode(const std::string& format, double fps = 30) {
  V4l2Options options;
  options.device = CAMERA;
  options.pixel_format = format;
  options.width = WIDTH;
  options.height = HEIGHT;
  options.fps = fps;
  return options;
}

const std::atomic<bool> STOPPING{false};

/** The next picture. Throws when none comes, or one that cannot be used. */
void take(Source& source, Frame& frame) {
  Fault fault;
  const Next next = source.next(frame, fault, STOPPING);
  expect(next == Next::frame, "no picture: " + fault.detail);
}

double mean(const GrayImage& image) {
  double sum = 0;
  for (const uint8_t pixel : image.pixels) sum += pixel;
  return sum / static_cast<double>(image.pixels.size());
}

/** The mean grey of each of the eight bars of vivid's picture, over rows without text. */
std::vector<double> bars(const GrayImage& image) {
  std::vector<double> means;
  for (int bar = 0; bar < 8; bar++) {
    double sum = 0;
    int count = 0;
    for (int y = HEIGHT / 2 + 20; y < HEIGHT / 2 + 60; y++)
      for (int x = bar * WIDTH / 8 + 20; x < (bar + 1) * WIDTH / 8 - 20; x++, count++)
        sum += image.pixels[static_cast<size_t>(y) * image.stride + x];
    means.push_back(sum / count);
  }
  return means;
}

/** Formats with colour have their brightness in 16 to 235, as television has. We take it as it is. */
double limited_range(double grey) { return 16 + grey * 219 / 255; }

uint32_t control_named(CameraControls& controls, const std::string& name) {
  std::string all;
  for (const Control& control : controls.list()) {
    if (control.name == name) return control.id;
    all += control.name + " ";
  }
  throw std::runtime_error("there is no control " + name + " among " + all);
}

/** What the camera's picture is without what vivid writes over it. */
std::unique_ptr<Source> open_plain(const std::string& format, SourceFormat& opened) {
  auto source = make_v4l2_source(mode(format));
  opened = source->open();
  source->controls()->set(control_named(*source->controls(), "osd_text_mode"), 2);
  return source;
}

void run_tests() {
  test("the driver's modes are listed, and what we cannot read beside them", [] {
    const std::string json = camera_json(CAMERA);
    for (const char* wanted : {"\"ok\":true", "\"driver\":\"vivid\"", "\"is_capture\":true", "\"yuyv\"", "\"uyvy\"",
                               "\"nv12\"", "\"grey\"", "\"y10\"", "\"other_formats\":[\""})
      expect(json.find(wanted) != std::string::npos, std::string("no ") + wanted + " in " + json.substr(0, 600));
    return text("%zu bytes of JSON", json.size());
  });

  std::vector<double> grey, colour;  // of the first format of each kind
  for (const std::string format : {"grey", "yuyv", "uyvy", "nv12", "y10"})
    test(("pictures come in " + format + ", numbered and stamped, and show what other formats show").c_str(), [&] {
      SourceFormat opened;
      const auto source = open_plain(format, opened);
      expect(opened.width == WIDTH && opened.height == HEIGHT && opened.pixel_format == format, "another mode was set");
      Frame frame;
      int64_t seq = -1, captured_us = 0, worst_us = 0;
      const int64_t began_us = monotonic_us();
      for (int n = 0; n < 5; n++) {
        take(*source, frame);
        const int64_t age_us = monotonic_us() - frame.captured_us;
        expect(frame.seq > seq && frame.captured_us > captured_us, "a picture is older than the one before");
        expect(age_us > -MAX_AHEAD_US && age_us < MAX_BEHIND_US,
               text("a picture is %lld us old", static_cast<long long>(age_us)));
        worst_us = std::max(worst_us, age_us < 0 ? -age_us : age_us);
        seq = frame.seq;
        captured_us = frame.captured_us;
        expect(monotonic_us() - began_us < MAX_US, "it takes too long");
      }
      const std::vector<double> seen = bars(frame.gray);
      const bool has_colour = format != "grey" && format != "y10";
      std::vector<double>& others = has_colour ? colour : grey;
      if (others.empty()) others = seen;
      for (size_t bar = 0; bar < seen.size(); bar++)
        expect(std::fabs(seen[bar] - others[bar]) < 2,
               text("bar %zu has grey %.1f, in a format like this it had %.1f", bar, seen[bar], others[bar]));
      // Colours become grey by another matrix in the driver; white and black do not.
      for (const size_t bar : {size_t{0}, size_t{7}})
        if (has_colour)
          expect(std::fabs(seen[bar] - limited_range(grey[bar])) < 2,
                 text("bar %zu has grey %.1f instead of %.1f", bar, seen[bar], limited_range(grey[bar])));
      expect(std::fabs(seen[0] - seen[7]) > 50, "white and black look alike");
      return text("bars %.0f to %.0f, time stamps (%s) within %.0f ms", seen[7], seen[0],
                  opened.timestamp_source.c_str(), static_cast<double>(worst_us) / 1000);
    });

  test("a control is written, read back, and changes the picture", [] {
    SourceFormat opened;
    const auto source = open_plain("yuyv", opened);
    const auto controls = source->controls();
    const uint32_t brightness = control_named(*controls, "brightness");
    const auto seen_with = [&](int64_t value) {
      const ControlOutcome outcome = controls->set(brightness, value);
      expect(outcome.ok() && outcome.applied == value,
             "it is " + std::to_string(outcome.applied) + ": " + outcome.detail);
      Frame frame;
      for (int n = 0; n < 6; n++) take(*source, frame);  // those that were drawn before
      return mean(frame.gray);
    };
    const double dark = seen_with(60), bright = seen_with(190);
    expect(bright - dark > 60, text("grey %.0f and %.0f", dark, bright));
    return text("grey %.0f with 60, %.0f with 190", dark, bright);
  });

  test("what a control does not take is told, and changes nothing", [] {
    SourceFormat opened;
    const auto source = open_plain("grey", opened);
    const ControlOutcome outcome = source->controls()->set(control_named(*source->controls(), "brightness"), 100'000);
    expect(!outcome.ok() && !outcome.detail.empty(), "it was taken");
    expect(fault_of([&] { source->controls()->set(0x00980999, 1); }).code == "control.unknown",
           "there is such a control");
    return outcome.code;
  });

  test("a mode that the camera has not is refused with those that it has", [] {
    V4l2Options options = mode("mjpeg");
    const Fault fault = fault_of([&] { make_v4l2_source(options)->open(); });
    expect(fault.code == "camera.mode" && fault.detail.find("yuyv") != std::string::npos,
           fault.code + ": " + fault.detail.substr(0, 200));
    return "";
  });

  test("a camera from which another program streams is busy", [] {
    SourceFormat opened;
    const auto first = open_plain("grey", opened);
    const Fault fault = fault_of([&] { make_v4l2_source(mode("grey"))->open(); });
    expect(fault.code == "camera.busy", fault.code + ": " + fault.detail);
    return "";
  });

  test("pictures that the driver drops are counted as missed", [] {
    SourceFormat opened;
    const auto source = open_plain("grey", opened);
    source->controls()->set(control_named(*source->controls(), "percentage_of_dropped_buffers"), 50);
    Frame frame;
    int64_t missed = 0;
    for (int n = 0; n < 12; n++) {
      take(*source, frame);
      missed += frame.missed;
    }
    expect(missed > 0, "none is missed");
    return text("%lld of %lld", static_cast<long long>(missed), static_cast<long long>(missed + 12));
  });

  // Last of all: the driver has no control that plugs it in again.
  test("a camera that is unplugged is lost", [] {
    SourceFormat opened;
    const auto source = open_plain("grey", opened);
    const uint32_t unplug = control_named(*source->controls(), "disconnect");
    Frame frame;
    take(*source, frame);
    fault_of([&] { source->controls()->set(unplug, 1); });
    Fault last;
    const Fault fault = fault_of([&] {
      for (int n = 0; n < 50; n++) source->next(frame, last, STOPPING);
    });
    expect(fault.code == "camera.lost", fault.code.empty() ? "pictures go on" : fault.code + ": " + fault.detail);
    return fault.detail;
  });
}

/** In the order of the list beside them, those before others that need them. */
void load_modules() {
  std::ifstream order("/modules/order");
  for (std::string name; std::getline(order, name);) {
    const int file = open(("/modules/" + name).c_str(), O_RDONLY | O_CLOEXEC);
    const char* parameters = name == "vivid.ko" ? "n_devs=1 node_types=0x1" : "";
    if (syscall(SYS_finit_module, file, parameters, 0) != 0)
      std::printf("the module %s: %s\n", name.c_str(), std::strerror(errno));
    close(file);
  }
}

void open_console() {
  const int console = open("/dev/ttyS0", O_RDWR);
  for (int descriptor = 0; descriptor < 3; descriptor++) dup2(console, descriptor);
}

}  // namespace
}  // namespace vedette::test

int main() {
  using namespace vedette::test;
  mount("dev", "/dev", "devtmpfs", 0, nullptr);
  mount("proc", "/proc", "proc", 0, nullptr);
  mount("sys", "/sys", "sysfs", 0, nullptr);
  open_console();
  load_modules();
  run_tests();
  std::printf("%d failed\n", failures);
  std::fflush(stdout);
  sync();
  reboot(LINUX_REBOOT_CMD_POWER_OFF);
}
