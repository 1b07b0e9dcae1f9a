// Asks what is on an I2C bus: `vedette-i2c 1 08= 68=75,0:2 ...`. The number of the bus, then an address each, with the
// registers that are read when something answers there (`:2`: of two bytes, the first one being the high one); all
// addresses and registers are hexadecimal. It tells a line of JSON for each address. Which are asked, and whether the
// bus may be, is decided by who starts it.
//
// What is sent: the read-byte probe alone, which writes nothing; and the number of a register before that is read. The
// bus keeps its settings: the time limit of an adapter is that of all its users.
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "own_process.h"

namespace vedette::i2c {
namespace {

constexpr int STUCK = 75;
constexpr long MAX_ADAPTER = 9999, FIRST_ADDRESS = 0x08, LAST_ADDRESS = 0x77, MAX_REGISTER = 0xff;
constexpr int STUCK_AFTER = 3;    // in a row; each takes as long as the driver waits, a second mostly
constexpr size_t MAX_CHIPS = 64;  // more on one bus are none: a data line that is held low looks as if all answered

/** The bus does not move. */
struct Stuck {};

struct Register {
  unsigned char number;
  bool is_word;
};

struct Question {
  long address;
  std::vector<Register> registers;
};

long number(const std::string& text, int base, long least, long most) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, base);
  if (text.empty() || *end != '\0' || value < least || value > most)
    throw std::invalid_argument("\"" + text + "\" is no number from " + std::to_string(least) + " to " +
                                std::to_string(most));
  return value;
}

/** Of `75`, or `0:2`. */
Register register_in(const std::string& text) {
  const size_t colon = text.find(':');
  const bool is_word = colon != std::string::npos && text.substr(colon) == ":2";
  if (colon != std::string::npos && !is_word) throw std::invalid_argument("\"" + text + "\" is no register");
  return {static_cast<unsigned char>(number(text.substr(0, colon), 16, 0, MAX_REGISTER)), is_word};
}

/** Of `68=75,0:2`. */
Question question_in(const std::string& text) {
  const size_t equals = text.find('=');
  Question question{number(text.substr(0, equals), 16, FIRST_ADDRESS, LAST_ADDRESS), {}};
  if (equals == std::string::npos) return question;
  for (size_t from = equals + 1; from < text.size();) {
    const size_t comma = std::min(text.find(',', from), text.size());
    question.registers.push_back(register_in(text.substr(from, comma - from)));
    from = comma + 1;
  }
  return question;
}

/** Asks the kernel for one reading; the value, or -1 with errno. */
int read_smbus(int bus, unsigned char command, int size) {
  i2c_smbus_data data{};
  i2c_smbus_ioctl_data order{I2C_SMBUS_READ, command, static_cast<__u32>(size), &data};
  if (ioctl(bus, I2C_SMBUS, &order) < 0) return -1;
  return size == I2C_SMBUS_WORD_DATA ? data.word : data.byte;
}

/** What it was given by the wire comes low byte first. */
int read_register(int bus, const Register& which) {
  if (!which.is_word) return read_smbus(bus, which.number, I2C_SMBUS_BYTE_DATA);
  const int value = read_smbus(bus, which.number, I2C_SMBUS_WORD_DATA);
  return value < 0 ? value : ((value & 0xff) << 8) | (value >> 8);
}

/** Whether nobody is there, in the words of any driver. */
bool is_silence(int error) { return error == ENXIO || error == EREMOTEIO || error == EIO || error == ENODEV; }

/** Whether the bus did not move, or somebody else held it for too long. */
bool is_jam(int error) { return error == ETIMEDOUT || error == EAGAIN || error == EBUSY; }

class Scan {
 public:
  explicit Scan(int bus) : bus_(bus) {}

  /** Every address is asked for its byte before any register is: where all seem to answer, nobody is asked more. */
  void ask(const std::vector<Question>& questions) {
    std::vector<Question> there;
    for (const Question& each : questions)
      if (answers(each.address)) there.push_back(each);
    if (there.size() > MAX_CHIPS) throw Stuck{};
    for (const Question& each : there) {
      if (ioctl(bus_, I2C_SLAVE, each.address) < 0) {
        tell(each.address, "failed", errno, {});
        continue;
      }
      std::vector<int> values;
      for (const Register& which : each.registers) values.push_back(read_register(bus_, which));
      tell(each.address, "answers", 0, values);
    }
  }

 private:
  /** Tells of those that do not. */
  bool answers(long address) {
    if (ioctl(bus_, I2C_SLAVE, address) < 0) {
      const bool is_taken = errno == EBUSY;
      tell(address, is_taken ? "has_driver" : "failed", is_taken ? 0 : errno, {});
      return false;
    }
    const bool is_read = read_smbus(bus_, 0, I2C_SMBUS_BYTE) >= 0;
    const int error = is_read ? 0 : errno;
    jams_ = is_jam(error) ? jams_ + 1 : 0;
    if (jams_ == STUCK_AFTER) throw Stuck{};
    if (!is_read) tell(address, is_silence(error) ? "silent" : "failed", is_silence(error) ? 0 : error, {});
    return is_read;
  }

  static void tell(long address, const char* state, int error, const std::vector<int>& values) {
    std::string line = "{\"address\":" + std::to_string(address) + ",\"state\":\"" + state + "\"";
    if (error != 0) line += std::string(",\"trouble\":\"") + std::strerror(error) + "\"";
    line += ",\"values\":[";
    for (size_t at = 0; at < values.size(); at++)
      line += (at == 0 ? "" : ",") + (values[at] < 0 ? "null" : std::to_string(values[at]));
    print_line(line + "]}");
  }

  int bus_;
  int jams_ = 0;
};

/** By its number alone: no other file is opened. */
int open_bus(long adapter) {
  const std::string path = "/dev/i2c-" + std::to_string(adapter);
  const int bus = open(path.c_str(), O_RDWR | O_CLOEXEC);
  const int error = errno;
  const char* way_out = error == EACCES ? "; let the user of this service into the group that owns it" : "";
  if (bus < 0) throw std::runtime_error(path + " cannot be opened: " + std::strerror(error) + way_out);
  unsigned long can = 0;
  if (ioctl(bus, I2C_FUNCS, &can) < 0) throw std::runtime_error(path + " is no I2C bus: " + std::strerror(errno));
  if ((can & I2C_FUNC_SMBUS_READ_BYTE) == 0)
    throw std::runtime_error(path + " cannot read a byte by itself, and nothing else is tried");
  return bus;
}

void run(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (argc < 3) throw std::invalid_argument("usage: vedette-i2c BUS ADDRESS[=REGISTER[:2],...] ...");
  const long adapter = number(argv[1], 10, 0, MAX_ADAPTER);
  std::vector<Question> questions;
  for (int at = 2; at < argc; at++) questions.push_back(question_in(argv[at]));
  Scan scan(open_bus(adapter));
  scan.ask(questions);
}

}  // namespace
}  // namespace vedette::i2c

int main(int argc, char** argv) {
  try {
    return vedette::run_to_end("the scan", [&] { vedette::i2c::run(argc, argv); });
  } catch (const vedette::i2c::Stuck&) {
    std::fprintf(stderr, "the bus does not move\n");
    return vedette::i2c::STUCK;
  }
}
