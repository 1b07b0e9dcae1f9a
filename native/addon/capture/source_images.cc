// Pictures from files, played at a rate. Owns the list of files and a bounded cache of their bytes; decoding is the
// plan's business.
#include <algorithm>
#include <cstring>
#include <filesystem>

#include "huffman_tables.h"
#include "media_file.h"
#include "pace.h"
#include "picture.h"
#include "source.h"
#include "upright.h"

namespace vedette {
namespace {

constexpr size_t CACHE_BYTES = 64u << 20;       // a few hundred pictures; a longer list is read from the disk each time
constexpr size_t MAX_FILE_LENGTH = 256u << 20;  // no picture within the decoder's 64 megapixels is longer

[[noreturn]] void fail(const char* code, const std::string& detail) { throw Fault{code, detail}; }

/** The end marker is there. Cheap, unlike decoding; a file that was cut short is the common way to be corrupt. */
bool is_whole(const std::vector<uint8_t>& bytes, const std::string& format) {
  const auto number = [&](size_t at, int count) {
    size_t value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | bytes[at + i];
    return value;
  };
  if (format == "png") {
    for (size_t chunk = 8; chunk + 12 <= bytes.size(); chunk += 12 + number(chunk, 4))
      if (std::memcmp(&bytes[chunk + 4], "IEND", 4) == 0) return true;
    return false;
  }
  // Segments up to the first scan are skipped by their length: a preview inside them has an end marker of its own.
  for (size_t segment = 2; segment + 4 <= bytes.size(); segment += 2 + number(segment + 2, 2)) {
    while (segment + 4 < bytes.size() && bytes[segment + 1] == 0xff) segment++;
    if (bytes[segment + 1] == 0xda) return memmem(&bytes[segment], bytes.size() - segment, "\xff\xd9", 2) != nullptr;
  }
  return false;
}

bool has_picture_name(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension == ".jpg" || extension == ".jpeg" || extension == ".png";
}

/** The pictures of a folder, sorted by name byte by byte. */
std::vector<std::string> pictures_in(const std::string& folder, const MediaRoots& roots) {
  std::vector<std::string> files;
  for (const std::string& name : list_media_folder(folder, roots))
    if (has_picture_name(name)) files.push_back((std::filesystem::path(folder) / name).string());
  if (files.empty())
    fail("camera.missing", "the folder " + folder + " holds no picture; put .jpg, .jpeg or .png files there");
  std::sort(files.begin(), files.end());
  return files;
}

class ImagesSource : public Source {
 public:
  explicit ImagesSource(const ImagesOptions& options) : options_(options) {}

  SourceFormat open() override {
    list_files();
    cached_.resize(files_.size());
    SourceFormat format;
    format.fps = options_.fps;
    format.intrinsics = options_.intrinsics;
    format.timestamp_source = "file";
    Fault first;
    for (size_t index = 0; index < files_.size(); index++) {
      try {
        load(index, scratch_, format.width, format.height, format.pixel_format);
        return format;
      } catch (const Fault& fault) {
        if (index == 0) first = fault;
      }
    }
    if (first.code == "media.not_allowed") throw first;
    fail("camera.unreadable", files_.size() == 1 ? first.detail
                                                 : "none of the " + std::to_string(files_.size()) +
                                                       " pictures can be read; the first: " + first.detail);
  }

  Next next(Frame& frame, Fault& fault, const std::atomic<bool>& stopping) override {
    if (position_ == files_.size()) {
      if (bad_in_a_row_ >= files_.size())
        fail("camera.lost", "none of the " + std::to_string(files_.size()) +
                                " pictures can be read any more; the last: " + last_fault_);
      if (!options_.loop) return Next::ended;
      position_ = 0;
    }
    if (!wait_for_turn(stopping)) return Next::stopped;
    const size_t index = position_++;
    try {
      std::string format;
      load(index, frame.encoded, frame.width, frame.height, format);
    } catch (const Fault& found) {
      bad_in_a_row_++;
      last_fault_ = found.detail;
      fault = found;
      return Next::corrupt;
    }
    bad_in_a_row_ = 0;
    frame.seq = seq_++;
    frame.name = files_[index];
    frame.captured_us = due_us_;
    frame.exposure_us = 0;
    frame.has_truth = false;
    return Next::frame;
  }

  size_t pictures() const override { return files_.size(); }

 private:
  struct Cached {
    std::vector<uint8_t> bytes;
    int width = 0, height = 0;
    std::string format;
  };

  void list_files() {
    if (options_.paths.empty()) fail("camera.missing", "no picture is named; give a folder, a file or a list of files");
    for (const std::string& path : options_.paths) {
      const MediaKind kind = kind_of_media(path, options_.media_roots);
      if (kind == MediaKind::missing)
        fail("camera.missing", "there is no file or folder " + path + "; check the path of the source");
      if (kind == MediaKind::folder) {
        const std::vector<std::string> found = pictures_in(path, options_.media_roots);
        files_.insert(files_.end(), found.begin(), found.end());
      } else {
        files_.push_back(path);
      }
    }
  }

  /**
   * Absolute deadlines, so that the rate does not drift; after a stall of more than a period the count starts again
   * instead of rushing.
   */
  bool wait_for_turn(const std::atomic<bool>& stopping) {
    const int64_t now_us = monotonic_us();
    const double period_us = 1e6 / options_.fps;
    if (periods_ == 0 || now_us > count_start_us_ + static_cast<int64_t>((periods_ + 1) * period_us)) {
      count_start_us_ = now_us;
      periods_ = 0;
    }
    due_us_ = count_start_us_ + static_cast<int64_t>(periods_++ * period_us);
    return wait_until(due_us_, stopping);
  }

  /**
   * Fills `bytes` from the cache or the disk, and checks its header and its end. Throws Fault `picture.corrupt` naming
   * the file.
   */
  void load(size_t index, std::vector<uint8_t>& bytes, int& width, int& height, std::string& format) {
    Cached& cached = cached_[index];
    if (cached.bytes.empty()) {
      read_media_file(files_[index], options_.media_roots, MAX_FILE_LENGTH, bytes);
      try {
        read_picture_size(bytes.data(), bytes.size(), cached.width, cached.height, cached.format);
      } catch (const Fault& fault) {
        throw Fault{fault.code, files_[index] + ": " + fault.detail};
      }
      if (!is_whole(bytes, cached.format)) fail("picture.corrupt", files_[index] + " is cut short: its end is missing");
      if (cached.format == "jpeg") add_huffman_tables(bytes);
      set_upright(index, bytes, cached);
      if (cache_used_ + bytes.size() <= CACHE_BYTES) {
        cached.bytes = bytes;
        cache_used_ += bytes.size();
      }
    } else {
      bytes.assign(cached.bytes.begin(), cached.bytes.end());
    }
    width = cached.width;
    height = cached.height;
    format = cached.format;
  }

  /** Once: from here on nothing knows how its camera was held. */
  void set_upright(size_t index, std::vector<uint8_t>& bytes, Cached& cached) const {
    const int orientation = noted_orientation(bytes.data(), bytes.size());
    if (orientation == UPRIGHT) return;
    try {
      bytes = upright_jpeg(bytes, orientation);
    } catch (const Fault& fault) {
      throw Fault{fault.code, files_[index] + ": " + fault.detail};
    }
    read_picture_size(bytes.data(), bytes.size(), cached.width, cached.height, cached.format);
  }

  const ImagesOptions options_;
  std::vector<std::string> files_;
  std::vector<Cached> cached_;
  size_t cache_used_ = 0;
  std::vector<uint8_t> scratch_;
  size_t position_ = 0;      // the next file
  size_t bad_in_a_row_ = 0;  // never a good picture since the last one
  std::string last_fault_;
  int64_t seq_ = 0;
  int64_t periods_ = 0, count_start_us_ = 0, due_us_ = 0;
};

}  // namespace

std::unique_ptr<Source> make_images_source(const ImagesOptions& options) {
  return std::make_unique<ImagesSource>(options);
}

}  // namespace vedette
