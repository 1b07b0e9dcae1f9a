// A file in /sys, which takes a text and does something by that. A plain file with such a name, as in a copied tree,
// holds the latest text.
#pragma once

#include <string>

namespace vedette::lamps {

/** The text of a file without the line end; throws a sentence. */
std::string read_text(const std::string& path);

/** A number in a file; throws a sentence. */
long read_number(const std::string& path);

/** Writes a text into a file that exists; throws a sentence. */
void write_text(const std::string& path, const std::string& text);

/** What the system said of the latest call that failed, after what it was about. */
std::string system_reason(const std::string& what);

/** A file that is written often, and stays open. */
class LampFile {
 public:
  /** Throws a sentence. */
  explicit LampFile(std::string path);
  ~LampFile();
  LampFile(const LampFile&) = delete;
  LampFile& operator=(const LampFile&) = delete;

  /** Throws a sentence. */
  void write(const std::string& text);

 private:
  std::string path_;
  int fd_;
  bool is_plain_;
};

}  // namespace vedette::lamps
