// Files and folders that lie inside the media roots, and nothing else: what was checked is what is read, whatever
// becomes of its name meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vedette {

/** Real paths of folders and files. What does not lie in one of them, links followed, is not read. */
using MediaRoots = std::vector<std::string>;

/** What a path is. missing: nothing is there. other: a device, a pipe or a socket. */
enum class MediaKind { missing, file, folder, other };

/**
 * Throws Fault `media.not_allowed` for what lies outside of the roots, be it there or not. Opens nothing, so no device
 * notices and no pipe blocks.
 */
MediaKind kind_of_media(const std::string& path, const MediaRoots& roots);

/**
 * Reads a whole file, reusing `bytes`. Throws Fault `media.not_allowed`, or `picture.corrupt` with a sentence that
 * names the file.
 */
void read_media_file(const std::string& path, const MediaRoots& roots, size_t max_bytes, std::vector<uint8_t>& bytes);

/**
 * A file that is read in parts, of any length. What was opened is what is read, also when it gets another name or is
 * deleted meanwhile.
 */
class MediaFile {
 public:
  /**
   * Throws Fault: `media.not_allowed`, `camera.missing` when it is not there, `camera.unreadable` when it is no file,
   * or an empty one.
   */
  MediaFile(const std::string& path, const MediaRoots& roots);
  ~MediaFile();
  MediaFile(const MediaFile&) = delete;
  MediaFile& operator=(const MediaFile&) = delete;

  /** How many bytes were read from `place` on; 0 at the end, -1 when it cannot be read. */
  int64_t read(int64_t place, uint8_t* to, size_t most) const;
  /** What there is of it now. */
  int64_t size() const;

 private:
  int fd_ = -1;
};

/** The names in a folder, in no order. Throws Fault `media.not_allowed` or `camera.unreadable`. */
std::vector<std::string> list_media_folder(const std::string& path, const MediaRoots& roots);

}  // namespace vedette
