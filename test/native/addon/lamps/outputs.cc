// Outputs that are files in a folder, as those of a copied tree.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "bus.h"
#include "lamp_holder.h"
#include "lamp_note.h"
#include "lamp_options.h"

namespace vedette::test {
namespace {

using lamps::LampHolder;
using lamps::OutputOrder;

/** A folder of its own, gone with the object. */
class Tree {
 public:
  Tree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vedette-lamps-XXXXXX").string();
    expect(mkdtemp(pattern.data()) != nullptr, "no temporary folder can be made");
    path_ = pattern;
  }
  ~Tree() { std::filesystem::remove_all(path_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string led(const std::string& name, const std::string& max, const std::string& brightness) const {
    write(name + "/max_brightness", max + "\n");
    write(name + "/brightness", brightness + "\n");
    return path(name);
  }
  void expect_text(const std::string& name, const std::string& wanted) const {
    expect(read(name) == wanted + "\n", name + " holds " + read(name));
  }

 private:
  std::string path_;
};

std::vector<OutputOrder> orders(const std::vector<std::string>& words) { return lamps::read_options(words).outputs; }

bool are_refused(const std::vector<std::string>& words) {
  try {
    lamps::read_options(words);
    return false;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

const Suite suite([] {
  test("an LED is off from when it is taken, and shows its share of its own brightness", [] {
    const Tree tree;
    LampHolder holder(orders({"--led", tree.led("ACT", "1000", "700")}), [](size_t, const std::string&) {});

    expect(holder.take(0) == 1, "it was not taken");
    tree.expect_text("ACT/brightness", "0");
    const uint8_t half = 128, full = 255;
    holder.show(&half, 1);
    tree.expect_text("ACT/brightness", "502");
    holder.show(&full, 2);
    tree.expect_text("ACT/brightness", "1000");
    expect(holder.put_off(3), "not all is off");
    tree.expect_text("ACT/brightness", "0");
    return "";
  });

  test("no byte is shown that is larger than the limit of its output", [] {
    const Tree tree;
    LampHolder holder(
        orders({"--max-level", "51", "--led", tree.led("one", "255", "0"), "--led", tree.led("two", "255", "0")}),
        [](size_t, const std::string&) {});
    holder.take(0);

    const uint8_t full[] = {255, 255};
    holder.show(full, 1);

    tree.expect_text("one/brightness", "51");
    tree.expect_text("two/brightness", "255");
    return "";
  });

  test("an LED of several colours has them in its own order", [] {
    const Tree tree;
    tree.led("rgb", "100", "40");
    tree.write("rgb/multi_index", "green amber red blue\n");
    tree.write("rgb/multi_intensity", "1 1 1 1\n");
    LampHolder holder(orders({"--multicolour", tree.path("rgb"), "3"}), [](size_t, const std::string&) {});
    holder.take(0);
    tree.expect_text("rgb/brightness", "0");

    const uint8_t colour[] = {255, 0, 51};
    holder.show(colour, 1);

    tree.expect_text("rgb/multi_intensity", "0 0 100 20");
    tree.expect_text("rgb/brightness", "100");
    holder.put_off(2);
    tree.expect_text("rgb/brightness", "0");
    return "";
  });

  test("a channel of PWM has its period before its duty, and is inverted where a low line shines", [] {
    const Tree tree;
    for (const char* name : {"chip/pwm0", "chip/pwm3"}) {
      tree.write(std::string(name) + "/period", "1000000\n");
      tree.write(std::string(name) + "/duty_cycle", "900000\n");
      tree.write(std::string(name) + "/enable", "0\n");
    }
    LampHolder holder(orders({"--pwm", tree.path("chip"), "0", "--active-low", "--pwm", tree.path("chip"), "3"}),
                      [](size_t, const std::string&) {});

    expect(holder.take(0) == 2, "they were not taken");
    tree.expect_text("chip/pwm0/period", "200000");
    tree.expect_text("chip/pwm0/duty_cycle", "0");
    tree.expect_text("chip/pwm3/duty_cycle", "200000");
    tree.expect_text("chip/pwm0/enable", "1");
    const uint8_t levels[] = {51, 51};
    holder.show(levels, 1);
    tree.expect_text("chip/pwm0/duty_cycle", "40000");
    tree.expect_text("chip/pwm3/duty_cycle", "160000");
    holder.put_off(2);
    tree.expect_text("chip/pwm3/duty_cycle", "200000");
    tree.expect_text("chip/pwm3/enable", "1");  // a line that is let go of may shine
    return "";
  });

  test("a strip is dark when it is taken and when it is put off, and hears its colours between", [] {
    const Tree tree;
    tree.write("spidev", "");
    LampHolder holder(orders({"--strip", tree.path("spidev"), "2", "GRB"}), [](size_t, const std::string&) {});
    holder.take(0);
    const uint8_t colours[] = {1, 2, 3, 4, 5, 6};
    holder.show(colours, 1);
    holder.put_off(2);

    const std::string sent = tree.read("spidev");
    const size_t frame = sent.size() / 3;
    const auto heard = [&](size_t place) {
      const char* from = sent.data() + place * frame;
      return hear(std::vector<uint8_t>(from, from + frame)).bytes;
    };
    expect(heard(0) == std::vector<uint8_t>(6, 0) && heard(2) == std::vector<uint8_t>(6, 0), "it is not dark");
    expect(heard(1) == std::vector<uint8_t>({2, 1, 3, 5, 4, 6}), "it heard something else");
    return "";
  });

  test("what does not change is written once, and again after a second", [] {
    const Tree tree;
    tree.write("spidev", "");
    LampHolder holder(orders({"--strip", tree.path("spidev"), "1", "GRB"}), [](size_t, const std::string&) {});
    holder.take(0);
    const size_t one = tree.read("spidev").size();
    const uint8_t colour[] = {1, 2, 3};
    for (int64_t now_us = 0; now_us <= 1'000'000; now_us += 10'000) holder.show(colour, now_us);

    expect(tree.read("spidev").size() == 3 * one, text("%zu of %zu", tree.read("spidev").size(), one));
    return "";
  });

  test("an output that is pulled out is told once, costs the others nothing, and is off when it is back", [] {
    const Tree tree;
    std::vector<std::string> told;
    LampHolder holder(orders({"--led", tree.led("one", "255", "0"), "--led", tree.led("two", "255", "0")}),
                      [&](size_t place, const std::string& why) { told.push_back(std::to_string(place) + why); });
    std::filesystem::remove_all(tree.path("one"));

    expect(holder.take(0) == 1, "not the other one");
    const uint8_t full[] = {255, 255};
    for (int64_t now_us = 1; now_us < 3'000'000; now_us += 500'000) {
      holder.retry(now_us);
      holder.show(full, now_us);
    }
    tree.expect_text("two/brightness", "255");
    expect(told.size() == 1 && told[0].find("No such file") != std::string::npos, text("%zu told", told.size()));
    tree.led("one", "255", "99");
    holder.retry(9'000'000);
    tree.expect_text("one/brightness", "0");
    expect(told.size() == 2 && told[1] == "0", "it is not told that it is back");
    holder.show(full, 9'000'001);
    tree.expect_text("one/brightness", "255");
    return "";
  });

  test("a note puts off what it names, and is gone then", [] {
    const Tree tree;
    const std::vector<std::string> words = {"--led", tree.led("one", "255", "200"), "--led", tree.path("gone"),
                                            "--led", tree.led("two", "255", "7")};
    lamps::write_note(tree.path("note"), words);
    lamps::put_off_noted(tree.path("note"));

    tree.expect_text("one/brightness", "0");
    tree.expect_text("two/brightness", "0");
    expect(access(tree.path("note").c_str(), F_OK) != 0, "the note is still there");
    lamps::put_off_noted(tree.path("note"));
    tree.write("note", std::string("--led\0what else", 15));
    lamps::put_off_noted(tree.path("note"));
    return "";
  });

  test("a command line that names no output in the right way is refused", [] {
    const std::vector<std::vector<std::string>> wrong = {
        {},
        {"--led"},
        {"--led", "relative"},
        {"--lamp", "/x"},
        {"--max-level", "256", "--led", "/x"},
        {"--max-level", "-1", "--led", "/x"},
        {"--strip", "/x", "0", "GRB"},
        {"--strip", "/x", "5000", "GRB"},
        {"--strip", "/x", "5", "GRR"},
        {"--line", "/x", "1x"},
        {"--multicolour", "/x", "1"},
        {"--strip", "/x", "4096", "GRB", "--strip", "/y", "4096", "GRB"},
    };
    for (const auto& words : wrong) expect(are_refused(words), "taken: " + (words.empty() ? "" : words.back()));
    expect(!are_refused({"--max-level", "255", "--active-low", "--line", "/dev/gpiochip0", "7"}), "refused: a line");
    return "";
  });
});

}  // namespace
}  // namespace vedette::test
