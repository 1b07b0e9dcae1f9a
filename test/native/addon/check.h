// What the tests of the engine's parts need besides the harness: faults, and folders of their own.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "frame.h"
#include "source.h"
#include "suite.h"

namespace vedette::test {

/** The fault that is being handled. */
inline std::string words_of_fault() {
  try {
    throw;
  } catch (const Fault& fault) {
    return "unexpected fault " + fault.code + ": " + fault.detail;
  }
}

inline const bool tells_faults = (words_of_thrown = words_of_fault, true);

/** The fault that `body` throws; one without a code when it throws none. */
inline Fault fault_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Fault& fault) {
    return fault;
  }
  return {};
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
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }

 private:
  std::string path_;
};

}  // namespace vedette::test
