// Cameras on the network, without a network: answers as their bytes come, and kinds of addresses.
#include "address_class.h"
#include "check.h"
#include "jpeg_sequence.h"
#include "multipart.h"
#include "silence.h"
#include "source_clock.h"
#include "suites.h"

namespace vedette::test {
namespace {

/** The pictures that come out of `answer` when it is pushed `step` bytes at a time. */
std::vector<std::string> pictures_of(const std::string& answer, size_t step, const std::string& boundary = "cut") {
  MultipartReader reader(boundary);
  std::vector<std::string> pictures;
  ReceivedPicture picture;
  for (size_t at = 0; at < answer.size(); at += step) {
    reader.push(reinterpret_cast<const uint8_t*>(answer.data()) + at, std::min(step, answer.size() - at));
    if (reader.take(picture)) pictures.emplace_back(picture.jpeg.begin(), picture.jpeg.end());
  }
  return pictures;
}

void expect_both(const std::string& answer, const std::string& boundary = "cut") {
  for (size_t step : {size_t{1}, size_t{2}, size_t{3}, size_t{7}}) {
    const std::vector<std::string> pictures = pictures_of(answer, step, boundary);
    expect(pictures == std::vector<std::string>{"first\r\n--cu", "second"},
           text("%zu pictures, %zu bytes at a time", pictures.size(), step));
  }
}

std::string complaint(const std::string& answer) {
  const Fault fault = fault_of([&] { pictures_of(answer, 4096); });
  expect(fault.code == "camera.unreadable", "it is taken: " + answer.substr(0, 40));
  return fault.detail;
}

std::string with_lengths(const std::string& cut, const std::string& end) {
  const auto part = [&](const std::string& body) {
    return cut + end + "Content-Type: image/jpeg" + end + "content-LENGTH:  " + std::to_string(body.size()) + " " +
           end + "X-Other: x" + end + end + body + end;
  };
  return part("first\r\n--cu") + part("second") + cut + end;
}

std::string without_lengths(const std::string& cut, const std::string& end) {
  const std::string head = cut + end + "Content-Type: image/jpg" + end + end;
  return head + "first\r\n--cu" + end + head + "second" + end + cut + end;
}

}  // namespace

void test_network() {
  test("pictures are read with and without lengths, with and without CR, however the bytes are cut", [] {
    for (const std::string end : {"\r\n", "\n"}) {
      expect_both(with_lengths("--cut", end));
      expect_both(without_lengths("--cut", end));
    }
    return "";
  });

  test("a boundary that was announced with dashes, or not at all, is the one that is sent", [] {
    expect_both(with_lengths("--cut", "\r\n"), "--cut");
    expect_both(without_lengths("----cut", "\r\n"), "--cut");
    expect_both(without_lengths("--cut", "\r\n"), "");
    expect_both("\r\n\r\nwelcome\r\n" + with_lengths("--cut", "\r\n"));
    return "";
  });

  test("another boundary than the announced one is taken, without dashes only the very one", [] {
    expect_both(with_lengths("--other", "\r\n"));
    expect_both(without_lengths("--other", "\r\n"));
    expect_both(with_lengths("cut", "\r\n"));
    expect_both(without_lengths("cut", "\r\n"));
    complaint("other\r\nContent-Length: 3\r\n\r\nxxx\r\n" + std::string(100'000, 'x'));
    return "";
  });

  test("a length that is wrong, no line end behind a picture, and headers that end twice cost no picture", [] {
    const std::string first = "\xff\xd8\xff\x01\n--c first\xff\xd9", second = "\xff\xd8\xff\x02 second\xff\xd9";
    const std::string type = "--cut\r\nContent-Type: image/jpeg\r\n";
    const auto part = [&](const std::string& picture, int wrong, const std::string& end) {
      const int length = static_cast<int>(picture.size()) + wrong;
      return type + "Content-Length: " + std::to_string(length) + "\r\n\r\n" + picture + end;
    };
    const auto twice = [&](const std::string& picture) {
      return type + "\r\nContent-Length: " + std::to_string(picture.size()) + "\r\n\r\n" + picture + "\r\n";
    };
    const auto none = [&](const std::string& picture) { return type + "\r\n" + picture; };
    const std::string answers[] = {
        part(first, 0, "") + part(second, 0, ""),
        part(first, -2, "\r\n") + part(second, -5, "\r\n"),
        part(first, 9, "\r\n") + part(second, 3, "\r\n"),
        twice(first) + twice(second),
        none(first) + none(second),
    };
    const std::vector<std::string> wanted{first, second};
    for (const std::string& answer : answers)
      for (size_t step : {size_t{1}, size_t{3}, size_t{7}}) {
        const std::vector<std::string> pictures = pictures_of(answer + type + "\r\n", step);
        expect(pictures == wanted, text("%zu pictures, %zu bytes at a time: ", pictures.size(), step) + answer);
      }
    return "";
  });

  test("JPEGs that come one behind the other are told apart, whatever lies in them and between them", [] {
    const std::string thumbnail = "\xff\xd8\xff\xd9", table = std::string("\xff\xe1\x00\x06", 4) + thumbnail;
    const std::string scan = std::string("\xff\xda\x00\x04..", 6) + std::string("\xff\x00\xff\xd0 \xff\xff\x00", 8);
    const std::string first = "\xff\xd8" + table + scan + "\xff\xd9";
    const std::string second = "\xff\xd8\xff" + table + scan + scan + "\xff\xd9";
    const std::string broken = "\xff\xd8\xff\xe0" + std::string("\x00\x03xyz", 5);
    const std::string answer = "\r\n" + first + broken + second + std::string(20, '\0') + first;
    for (size_t step : {size_t{1}, size_t{2}, size_t{5}, size_t{31}}) {
      JpegSequenceReader reader;
      std::vector<std::string> pictures;
      ReceivedPicture picture;
      for (size_t at = 0; at < answer.size(); at += step) {
        reader.push(reinterpret_cast<const uint8_t*>(answer.data()) + at, std::min(step, answer.size() - at));
        if (reader.take(picture)) pictures.emplace_back(picture.jpeg.begin(), picture.jpeg.end());
      }
      expect(pictures == std::vector<std::string>{first, second, first} && picture.number == 3,
             text("%zu pictures, %zu bytes at a time", pictures.size(), step));
    }
    JpegSequenceReader endless;
    const std::vector<uint8_t> more(1 << 20, 'x');
    endless.push(reinterpret_cast<const uint8_t*>(first.data()), first.size() - 2);
    const Fault fault = fault_of([&] {
      for (int n = 0; n < 20; n++) endless.push(more.data(), more.size());
    });
    expect(fault.code == "camera.unreadable", "one without an end is taken");
    return "";
  });

  test("only the newest picture is kept, with its number", [] {
    MultipartReader reader("cut");
    const std::string answer = with_lengths("--cut", "\r\n");
    reader.push(reinterpret_cast<const uint8_t*>(answer.data()), answer.size());
    ReceivedPicture picture;
    expect(reader.take(picture) && picture.number == 2 && picture.jpeg.size() == 6, "it is not the second");
    expect(!reader.take(picture), "it is handed out twice");
    return "";
  });

  test("a part that is no picture is left out, and not counted", [] {
    std::string answer = with_lengths("--cut", "\r\n");
    answer.replace(answer.find("image/jpeg"), 10, "text/plain");
    expect(pictures_of(answer, 5) == std::vector<std::string>{"second"}, "it is not");
    MultipartReader reader("cut");
    reader.push(reinterpret_cast<const uint8_t*>(answer.data()), answer.size());
    ReceivedPicture picture;
    expect(reader.take(picture) && picture.number == 1, "the only picture is not the first");
    return "";
  });

  test("when a picture was taken is what its device says of that very one, as far as that is a number", [] {
    const auto taken = [](const std::string& header) {
      MultipartReader reader("cut");
      const std::string answer = "--cut\r\nX-Captured-Us: 17\r\nContent-Length: 3\r\n\r\nold\r\n--cut\r\n" + header +
                                 "Content-Length: 3\r\n\r\nnew\r\n--cut\r\n";
      reader.push(reinterpret_cast<const uint8_t*>(answer.data()), answer.size());
      ReceivedPicture picture;
      expect(reader.take(picture), "there is no picture");
      return picture.taken_us;
    };
    expect(taken("X-Captured-Us: 1234567890123\r\n") == 1'234'567'890'123 && taken("x-captured-us:5\r\n") == 5,
           "it is read as something else");
    expect(taken("") == 0, "a picture that does not say it has the time of the one before");
    for (const char* value : {"", "-5", "0", "x", "5s", "99999999999999999999", "9000000000000001"})
      expect(taken("X-Captured-Us: " + std::string(value) + "\r\n") == 0, value);
    return "";
  });

  test("by a clock that is known a picture was taken before it came, and not long before; else nobody knows", [] {
    constexpr int64_t AHEAD_US = 70'000'000, NOW_US = 50'000'000;
    const ClockOffset ahead{AHEAD_US, 3'000};
    const auto at = [&](int64_t late_us) { return captured_here_us(ahead, NOW_US + AHEAD_US - late_us, NOW_US); };

    expect(at(80'000) == NOW_US - 80'000, "it is not 80 ms before it came");
    expect(at(0) == NOW_US && at(-3'000) == NOW_US, "it is later than it came, by what the clock may be off");
    expect(!at(-3'001) && !at(-AHEAD_US), "one from the future is taken");
    expect(at(5'000'000) == NOW_US - 5'000'000 && !at(5'000'001) && !at(NOW_US + AHEAD_US - 1),
           "one that is too old is taken");
    expect(captured_here_us(ClockOffset{-AHEAD_US, 0}, 1'000, AHEAD_US + 31'000) == AHEAD_US + 1'000,
           "a clock that is behind is read wrongly");
    expect(!captured_here_us({}, NOW_US, NOW_US), "a clock that nobody knows is believed");
    expect(!captured_here_us(ahead, 0, NOW_US), "a picture without a time has one");
    return "";
  });

  test("what is no answer in parts is refused before it fills the memory", [] {
    complaint(std::string(100'000, '\n'));
    complaint(std::string(100'000, 'x'));
    complaint("--cut\r\n" + std::string(100'000, 'x'));
    std::string headers = "--cut\r\n";
    for (int n = 0; n < 2000; n++) headers += "X-A: b\r\n";
    complaint(headers);
    complaint("--cut\r\nContent-Length: 99999999999999999999999\r\n\r\nx");
    complaint("--cut\r\nContent-Type: image/jpeg\r\n\r\n" + std::string(17 << 20, 'x'));
    return "";
  });

  test("a slow camera is not lost between its pictures, and opens before the engine counts as hung", [] {
    expect(
        silence_limit_us(30) == 5'000'000 && silence_limit_us(0.2) == 15'000'000 && silence_limit_us(0.1) == 30'000'000,
        "it does not have three of its frame times");
    expect(opening_limit_us(6'000'000, 30) == 6'000'000 && opening_limit_us(6'000'000, 0.4) == 7'500'000 &&
               opening_limit_us(6'000'000, 0.1) == 9'000'000,
           "its opening has another limit");
    return "";
  });

  test("addresses belong to the device itself, to a private network, or to the world", [] {
    const auto is = [](const char* address, AddressClass wanted) { expect(class_of(address) == wanted, address); };
    for (const char* address : {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"})
      is(address, AddressClass::loopback);
    for (const char* address : {"10.2.54.11", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.7.7", "fd00::1",
                                "fe80::1", "::ffff:10.0.0.1"})
      is(address, AddressClass::private_network);
    for (const char* address : {"172.32.0.1", "172.15.0.1", "11.0.0.1", "192.169.0.1", "8.8.8.8", "2001:db8::1",
                                "::ffff:8.8.8.8", "0.0.0.0", "no address"})
      is(address, AddressClass::elsewhere);
    return "";
  });
}

}  // namespace vedette::test
