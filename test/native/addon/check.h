// The smallest test harness: a test is a sentence and a function that throws when the sentence is wrong.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "frame.h"
#include "source.h"

namespace vedette::test {

inline int failures = 0;

/** Runs one test and prints its line; figures that the function returns stand behind the sentence. */
inline void test(const char* sentence, const std::function<std::string()>& body) {
  try {
    const std::string figures = body();
    std::printf("ok     %s%s%s\n", sentence, figures.empty() ? "" : ": ", figures.c_str());
  } catch (const std::exception& error) {
    failures++;
    std::printf("FAILED %s: %s\n", sentence, error.what());
  } catch (const Fault& fault) {
    failures++;
    std::printf("FAILED %s: unexpected fault %s: %s\n", sentence, fault.code.c_str(), fault.detail.c_str());
  }
  std::fflush(stdout);
}

inline void expect(bool holds, const std::string& otherwise) {
  if (!holds) throw std::runtime_error(otherwise);
}

/** The fault that `body` throws; one without a code when it throws none. */
inline Fault fault_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Fault& fault) {
    return fault;
  }
  return {};
}

template <typename... Values>
std::string text(const char* format, Values... values) {
  char line[400];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

/** A folder of its own, gone with the object. */
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vedette-capture-XXXXXX").string();
    expect(mkdtemp(pattern.data()) != nullptr, "no temporary folder can be made");
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name = "") const { return name.empty() ? path_ : path_ + "/" + name; }

  std::string write(const std::string& name, const std::vector<uint8_t>& bytes) const {
    std::ofstream(path(name), std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }

 private:
  std::string path_;
};

}  // namespace vedette::test
