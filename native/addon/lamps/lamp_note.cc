#include "lamp_note.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "lamp_file.h"
#include "lamp_holder.h"
#include "lamp_options.h"

namespace vedette::lamps {

void write_note(const std::string& path, const std::vector<std::string>& words) {
  const std::string next = path + ".new";
  std::ofstream file(next, std::ios::binary | std::ios::trunc);
  for (const std::string& each : words) file << each << '\0';
  file.close();
  if (!file || std::rename(next.c_str(), path.c_str()) != 0) throw std::runtime_error(system_reason(path));
}

void put_off_noted(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
    words.push_back(text.substr(at, end - at));
  try {
    const LampOptions noted = read_options(words);
    LampHolder(noted.outputs, [](size_t, const std::string& why) {
      if (!why.empty()) std::fprintf(stderr, "not put off: %s\n", why.c_str());
    }).take(0);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s is no note of lamps: %s\n", path.c_str(), error.what());
  }
  remove_note(path);
}

void remove_note(const std::string& path) { unlink(path.c_str()); }

}  // namespace vedette::lamps
