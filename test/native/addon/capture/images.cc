// Files as a camera: order, repetition, pace, and what happens with bad ones.
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "check.h"
#include "picture.h"
#include "suites.h"

namespace vedette::test {
namespace {

/** A picture that is told apart by its width. */
std::vector<uint8_t> jpeg_of_width(int width) {
  GrayImage image;
  image.resize(width, 32);
  PictureEncoder encoder;
  int out_width = 0, out_height = 0;
  return encoder.encode_gray(image, 80, 0, out_width, out_height);
}

/** What `count` calls of next gave: widths of pictures, -1 for a corrupt one, 0 for the end. */
std::vector<int> play(Source& source, int count) {
  std::atomic<bool> stopping{false};
  Frame frame;
  Fault fault;
  std::vector<int> seen;
  for (int i = 0; i < count; i++) {
    const Next next = source.next(frame, fault, stopping);
    seen.push_back(next == Next::frame ? frame.width : next == Next::corrupt ? -1 : 0);
  }
  return seen;
}

void expect_equal(const std::vector<int>& got, const std::vector<int>& wanted) {
  std::string line;
  for (const int value : got) line += std::to_string(value) + " ";
  expect(got == wanted, "played " + line);
}

/** Pictures from anywhere. */
std::unique_ptr<Source> images(const std::vector<std::string>& paths, double fps, bool loop) {
  return make_images_source({paths, fps, loop, {}, {"/"}});
}

/** The fault of opening a path when only `root` may be read. */
Fault fault_within(const std::string& root, const std::string& path) {
  return fault_of([&] { make_images_source({{path}, 30, true, {}, {root}})->open(); });
}

/** A PNG of that size, if one believes its header; it holds no pixel. */
std::vector<uint8_t> png_header(uint32_t width, uint32_t height) {
  std::vector<uint8_t> bytes{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
  for (const uint32_t side : {width, height})
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<uint8_t>(side >> shift));
  bytes.insert(bytes.end(), {8, 0, 0, 0, 0});
  uint32_t crc = 0xffffffff;
  for (size_t i = 12; i < bytes.size(); i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<uint8_t>(~crc >> shift));
  bytes.insert(bytes.end(), {0, 0, 0, 0, 'I', 'D', 'A', 'T', 0x35, 0xaf, 0x06, 0x1e,
                             0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82});
  return bytes;
}

Fault fault_when_opened(const std::string& path) {
  return fault_of([&] { images({path}, 30, true)->open(); });
}

}  // namespace

void test_images() {
  test("a folder is played by name, once or again and again", [] {
    const TemporaryFolder folder;
    folder.write("b.JPEG", jpeg_of_width(48));
    folder.write("a.jpg", jpeg_of_width(32));
    folder.write("c.jPg", jpeg_of_width(64));
    folder.write("notes.txt", {1, 2, 3});
    const auto once = images({folder.path()}, 240, false), loop = images({folder.path()}, 240, true);
    const SourceFormat format = once->open();
    loop->open();
    expect(format.width == 32 && format.height == 32 && format.pixel_format == "jpeg",
           text("%dx%d %s", format.width, format.height, format.pixel_format.c_str()));
    expect_equal(play(*once, 5), {32, 48, 64, 0, 0});
    expect_equal(play(*loop, 7), {32, 48, 64, 32, 48, 64, 32});
    return std::string();
  });

  test("a list is played in its own order", [] {
    const TemporaryFolder folder;
    const std::string first = folder.write("z.jpg", jpeg_of_width(32)),
                      second = folder.write("a.jpg", jpeg_of_width(48));
    const auto source = images({first, second, first}, 240, false);
    source->open();
    expect_equal(play(*source, 4), {32, 48, 32, 0});
    return std::string();
  });

  test("where a part is wanted, pictures of another size are left out, and named, also those in which it lies", [] {
    const TemporaryFolder folder;
    for (const int width : {48, 64, 32}) folder.write(std::to_string(width) + ".jpg", jpeg_of_width(width));
    const auto path = [&](const char* name) { return folder.path(name); };
    const auto source = cropped(images({path("48.jpg"), path("64.jpg"), path("48.jpg"), path("32.jpg")}, 240, true),
                                Crop{16, 0, 16, 16});
    source->open();
    expect_equal(play(*source, 5), {16, -1, 16, -1, 16});

    std::atomic<bool> stopping{false};
    Frame frame;
    Fault fault;
    expect(source->next(frame, fault, stopping) == Next::corrupt && fault.code == "picture.other_size" &&
               fault.detail.find("64.jpg has 64x32 pixels, the first picture 48x32") != std::string::npos,
           fault.detail);
    return fault.detail;
  });

  test("a missing or empty place is refused with a sentence", [] {
    const TemporaryFolder folder;
    const Fault missing = fault_when_opened(folder.path("nowhere")), empty = fault_when_opened(folder.path());
    expect(missing.code == "camera.missing" && missing.detail.find("nowhere") != std::string::npos,
           missing.code + ": " + missing.detail);
    expect(empty.code == "camera.missing", empty.code + ": " + empty.detail);
    expect(fault_when_opened("/dev/null").code == "camera.unreadable", "a device was taken for a picture");
    folder.write("bad.png", {1, 2, 3, 4});
    const Fault bad = fault_when_opened(folder.path());
    expect(bad.code == "camera.unreadable" && bad.detail.find("bad.png") != std::string::npos,
           bad.code + ": " + bad.detail);
    return missing.detail;
  });

  test("bad files are named and skipped, and do not end the play", [] {
    const TemporaryFolder folder;
    const std::vector<uint8_t> good = jpeg_of_width(32);
    folder.write("a-empty.jpg", {});
    folder.write("b-good.jpg", good);
    folder.write("c-cut.jpg", std::vector<uint8_t>(good.begin(), good.end() - 3));
    folder.write("d-other.png", {'t', 'e', 'x', 't'});
    const auto source = images({folder.path()}, 240, true);
    source->open();
    expect_equal(play(*source, 8), {-1, 32, -1, -1, -1, 32, -1, -1});

    std::atomic<bool> stopping{false};
    Frame frame;
    Fault fault;
    expect(source->next(frame, fault, stopping) == Next::corrupt && fault.code == "picture.corrupt" &&
               fault.detail.find("a-empty.jpg") != std::string::npos,
           fault.detail);
    return fault.detail;
  });

  test("what lies outside of the roots is not read, and nobody learns whether it is there", [] {
    const TemporaryFolder root, elsewhere;
    const std::string secret = elsewhere.write("secret.jpg", jpeg_of_width(32));
    std::filesystem::create_directory(root.path("folder"));
    std::filesystem::create_symlink(secret, root.path("folder/link.jpg"));
    std::filesystem::create_symlink(elsewhere.path("nothing.jpg"), root.path("folder/dangling.jpg"));
    std::filesystem::create_symlink(elsewhere.path(), root.path("out"));
    const auto told = [&](const std::string& path) {
      const Fault fault = fault_within(root.path(), path);
      expect(fault.code == "media.not_allowed", path + " gave " + fault.code + ": " + fault.detail);
      expect(fault.detail.find(path) == 0, fault.detail);
      return fault.detail.substr(path.size());
    };
    const std::string sentence = told(secret);
    for (const std::string& path :
         {elsewhere.path("nothing.jpg"), elsewhere.path(), root.path("folder/link.jpg"),
          root.path("folder/dangling.jpg"), root.path("out/secret.jpg"), root.path("out/nothing.jpg"), root.path("out"),
          root.path("../secret.jpg"), root.path() + "x"})
      expect(told(path) == sentence, "the sentence differs for " + path);
    expect(fault_within(root.path(), root.path("folder")).code == "media.not_allowed",
           "a folder of nothing but links was read");
    expect(fault_within(root.path(), root.path("nothing.jpg")).code == "camera.missing",
           "what is missing inside is not told");
    return sentence;
  });

  test("a link that is swapped while the pictures play costs that picture", [] {
    const TemporaryFolder root, elsewhere;
    const std::vector<uint8_t> good = jpeg_of_width(32);
    root.write("a.jpg", good);
    root.write("inside", good);
    std::filesystem::create_symlink(root.path("inside"), root.path("b.jpg"));
    const auto source = make_images_source({{root.path()}, 240, true, {}, {root.path()}});
    source->open();
    std::filesystem::remove(root.path("b.jpg"));
    std::filesystem::create_symlink(elsewhere.write("secret.jpg", good), root.path("b.jpg"));
    expect_equal(play(*source, 4), {32, -1, 32, -1});
    return std::string();
  });

  test("pipes, devices, sockets and folders are no pictures, and none of them blocks", [] {
    const TemporaryFolder folder;
    expect(mkfifo(folder.path("a-pipe.png").c_str(), 0600) == 0, "no pipe can be made");
    std::filesystem::create_directory(folder.path("b-folder.png"));
    std::filesystem::create_symlink("/dev/zero", folder.path("c-zero.png"));
    folder.write("d-good.jpg", jpeg_of_width(32));
    const auto source = images({folder.path()}, 240, true);
    source->open();
    expect_equal(play(*source, 5), {-1, -1, -1, 32, -1});
    const Fault pipe = fault_when_opened(folder.path("a-pipe.png"));
    expect(pipe.code == "camera.unreadable" && pipe.detail.find("is not a file of pictures") != std::string::npos,
           pipe.code + ": " + pipe.detail);
    return pipe.detail;
  });

  test("a file of 4 GB and a picture that would unfold to a gigabyte are refused unread", [] {
    const TemporaryFolder folder;
    const std::string large = folder.write("large.jpg", jpeg_of_width(32)),
                      bomb = folder.write("bomb.png", png_header(30'000, 30'000));
    std::filesystem::resize_file(large, 4ull << 30);
    const Fault long_file = fault_when_opened(large), unfolding = fault_when_opened(bomb);
    expect(long_file.detail.find("longer than the 256 MiB") != std::string::npos, long_file.detail);
    expect(unfolding.detail.find("30000x30000 pixels, more than the 64 megapixels") != std::string::npos,
           unfolding.detail);
    return unfolding.detail;
  });

  test("a camera whose files all went bad is lost after one round", [] {
    const TemporaryFolder folder;
    // More than the cache holds, so that the files are read each time.
    std::vector<uint8_t> large = jpeg_of_width(32);
    large.insert(large.begin() + 2, {0xff, 0xfe, 0xff, 0xff});
    large.insert(large.begin() + 6, 0xfffd, ' ');
    large.resize(70u << 20, 0);
    const std::string first = folder.write("a.jpg", large), second = folder.write("b.jpg", large);
    const auto source = images({first, second}, 240, true);
    source->open();
    expect_equal(play(*source, 2), {32, 32});
    std::filesystem::remove(first);
    folder.write("b.jpg", {});
    expect_equal(play(*source, 2), {-1, -1});
    const Fault fault = fault_of([&] { play(*source, 1); });
    expect(fault.code == "camera.lost", "the fault is " + fault.code);
    return fault.detail;
  });

  test("pictures are stamped with the time they were due, a period apart", [] {
    const TemporaryFolder folder;
    const auto source = images({folder.write("a.jpg", jpeg_of_width(32))}, 100, true);
    source->open();
    std::atomic<bool> stopping{false};
    Frame frame;
    Fault fault;
    int64_t last_us = 0;
    for (int64_t i = 0; i < 8; i++) {
      source->next(frame, fault, stopping);
      expect(frame.seq == i && monotonic_us() >= frame.captured_us, "stamped before its time");
      expect(i == 0 || frame.captured_us - last_us >= 9'999,
             text("%lld us after the last", static_cast<long long>(frame.captured_us - last_us)));
      last_us = frame.captured_us;
    }
    return std::string();
  });

  test("waiting for a picture ends when the stream is stopped", [] {
    const TemporaryFolder folder;
    const auto source = images({folder.write("a.jpg", jpeg_of_width(32))}, 0.1, true);
    source->open();
    std::atomic<bool> stopping{false};
    Frame frame;
    Fault fault;
    source->next(frame, fault, stopping);
    std::thread stopper([&] { stopping = true; });
    const Next next = source->next(frame, fault, stopping);
    stopper.join();
    expect(next == Next::stopped, "the next picture was waited for");
    return std::string();
  });
}

}  // namespace vedette::test
