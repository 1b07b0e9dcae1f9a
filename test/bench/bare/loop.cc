// The bare minimum that the engine is measured against: decode a picture, detect its tags, nothing else; one thread,
// each buffer used again.
//
//   loop [--fps F] [--rounds N] [--family NAME] [--decimate D] [--hamming H] [--list] [--only-decode] FILE...
//
// A round is once through all files. Prints a line of JSON after each: { frames, tags, cpu_us, seen }, with --list what
// was seen in each file. --fps 0 (the default): as fast as it goes. The files are read before the clock starts, cpu_us
// is that of the whole process.
#include <apriltag/apriltag.h>
#include <apriltag/tag16h5.h>
#include <apriltag/tag36h11.h>
#include <png.h>
#include <time.h>
#include <turbojpeg.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

struct Settings {
  int rounds = 1, hamming = 1;
  double fps = 0;
  float decimate = 1;
  std::string family = "tag36h11";
  bool list = false, only_decode = false;
  std::vector<std::string> files;
};

struct Gray {
  int width = 0, height = 0;
  std::vector<uint8_t> pixels;
};

double now_us(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "loop: %s\n", why.c_str());
  std::exit(1);
}

Settings read_settings(int count, char** words) {
  Settings out;
  for (int i = 1; i < count; i++) {
    const std::string word = words[i];
    const auto value = [&] { return i + 1 < count ? words[++i] : (fail(word + " needs a value"), nullptr); };
    if (word == "--fps") out.fps = std::atof(value());
    else if (word == "--rounds") out.rounds = std::atoi(value());
    else if (word == "--family") out.family = value();
    else if (word == "--decimate") out.decimate = static_cast<float>(std::atof(value()));
    else if (word == "--hamming") out.hamming = std::atoi(value());
    else if (word == "--list") out.list = true;
    else if (word == "--only-decode") out.only_decode = true;
    else out.files.push_back(word);
  }
  if (out.files.empty()) fail("name at least one JPEG or PNG file");
  return out;
}

std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.empty()) fail("cannot read " + path);
  return bytes;
}

void decode(tjhandle turbo, const std::vector<uint8_t>& bytes, Gray& out) {
  if (bytes[0] == 0xff) {
    int sampling = 0, colours = 0;
    if (tjDecompressHeader3(turbo, bytes.data(), bytes.size(), &out.width, &out.height, &sampling, &colours) != 0)
      fail(tjGetErrorStr2(turbo));
    out.pixels.resize(static_cast<size_t>(out.width) * out.height);
    if (tjDecompress2(turbo, bytes.data(), bytes.size(), out.pixels.data(), out.width, out.width, out.height, TJPF_GRAY,
                      0) != 0)
      fail(tjGetErrorStr2(turbo));
    return;
  }
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) fail(image.message);
  image.format = PNG_FORMAT_GRAY;
  out.width = static_cast<int>(image.width);
  out.height = static_cast<int>(image.height);
  out.pixels.resize(PNG_IMAGE_SIZE(image));
  const png_color paper{255, 255, 255};
  if (!png_image_finish_read(&image, &paper, out.pixels.data(), 0, nullptr)) fail(image.message);
}

void wait_until(double at_us) {
  const auto whole = static_cast<int64_t>(at_us);
  const timespec due{whole / 1'000'000, whole % 1'000'000 * 1000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
}

std::string describe(const zarray_t* found) {
  std::string out = "[";
  for (int i = 0; i < zarray_size(found); i++) {
    apriltag_detection_t* tag;
    zarray_get(found, i, &tag);
    out += (i == 0 ? "{\"id\":" : ",{\"id\":") + std::to_string(tag->id) + ",\"cx_px\":" + std::to_string(tag->c[0]) +
           ",\"cy_px\":" + std::to_string(tag->c[1]) + "}";
  }
  return out + "]";
}

}  // namespace

int main(int count, char** words) {
  const Settings settings = read_settings(count, words);
  std::vector<std::vector<uint8_t>> files;
  for (const std::string& path : settings.files) files.push_back(read_file(path));

  const bool small = settings.family == "tag16h5";
  apriltag_family_t* family = small ? tag16h5_create() : tag36h11_create();
  apriltag_detector_t* detector = apriltag_detector_create();
  apriltag_detector_add_family_bits(detector, family, settings.hamming);
  detector->quad_decimate = settings.decimate;
  const tjhandle turbo = tjInitDecompress();

  Gray gray;
  const double start_us = now_us(CLOCK_MONOTONIC);
  double cpu_before_us = now_us(CLOCK_PROCESS_CPUTIME_ID);
  long frame = 0;
  for (int round = 0; round < settings.rounds; round++) {
    long tags = 0;
    std::string seen;
    for (const auto& bytes : files) {
      if (settings.fps > 0) wait_until(start_us + static_cast<double>(frame++) * 1e6 / settings.fps);
      decode(turbo, bytes, gray);
      if (settings.only_decode) continue;
      image_u8_t image = {gray.width, gray.height, gray.width, gray.pixels.data()};
      zarray_t* found = apriltag_detector_detect(detector, &image);
      tags += zarray_size(found);
      if (settings.list) seen += (seen.empty() ? "" : ",") + describe(found);
      apriltag_detections_destroy(found);
    }
    const double cpu_us = now_us(CLOCK_PROCESS_CPUTIME_ID);
    std::printf("{\"frames\":%zu,\"tags\":%ld,\"cpu_us\":%.1f,\"seen\":[%s]}\n", files.size(), tags,
                cpu_us - cpu_before_us, seen.c_str());
    std::fflush(stdout);
    cpu_before_us = cpu_us;
  }

  tjDestroy(turbo);
  apriltag_detector_destroy(detector);
  if (small) tag16h5_destroy(family);
  else tag36h11_destroy(family);
}
