#include "description.h"

#include <linux/videodev2.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace shim {
namespace {

/** The rest of a line, without the blank in front. */
std::string rest_of(std::istringstream& line) {
  std::string rest;
  std::getline(line >> std::ws, rest);
  return rest;
}

uint32_t fourcc_of(const std::string& letters) {
  std::string code = letters;
  code.resize(4, ' ');
  return v4l2_fourcc(code[0], code[1], code[2], code[3]);
}

void read_line(const std::string& text, Description& out) {
  std::istringstream line(text);
  std::string word;
  line >> word;
  if (word == "driver") {
    out.driver = rest_of(line);
  } else if (word == "card") {
    out.card = rest_of(line);
  } else if (word == "bus_info") {
    out.bus_info = rest_of(line);
  } else if (word == "caps") {
    line >> out.caps;
  } else if (word == "sensor") {
    line >> out.sensor_width >> out.sensor_height;
  } else if (word == "format") {
    std::string letters;
    line >> letters;
    out.formats.push_back({});
    out.formats.back().fourcc = fourcc_of(letters);
  } else if (word == "size") {
    Size size{};
    line >> size.width >> size.height;
    for (uint32_t fps; line >> fps;) size.fps_milli.push_back(fps);
    out.formats.back().sizes.push_back(size);
  } else if (word == "steps") {
    Format& format = out.formats.back();
    format.is_stepwise = true;
    line >> format.min_width >> format.max_width >> format.step_width >> format.min_height >> format.max_height >>
        format.step_height >> format.min_fps_milli >> format.max_fps_milli;
  } else if (word == "control") {
    ControlEntry control{};
    line >> control.id >> control.type >> control.flags >> control.min >> control.max >> control.step >>
        control.initial;
    control.title = rest_of(line);
    out.controls.push_back(control);
  } else if (word == "menu") {
    uint32_t value = 0;
    line >> value;
    out.controls.back().menu.push_back({value, rest_of(line)});
  } else if (!word.empty()) {
    std::fprintf(stderr, "the emulated camera has a line that means nothing: %s\n", text.c_str());
    std::abort();
  }
}

}  // namespace

Description read_description(const std::string& path) {
  Description out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) read_line(line, out);
  return out;
}

}  // namespace shim
