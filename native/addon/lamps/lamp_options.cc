#include "lamp_options.h"

#include <cstdlib>
#include <stdexcept>

#include "strip_bits.h"

namespace vedette::lamps {
namespace {

constexpr unsigned long MAX_PIXELS = 4096, MAX_NUMBER = 65'535;
constexpr size_t MAX_BYTES = 16'384;  // of a frame

/** Reads words one after another. */
class Words {
 public:
  explicit Words(const std::vector<std::string>& all) : all_(all) {}

  bool has_more() const { return at_ < all_.size(); }

  const std::string& next(const std::string& option) {
    if (!has_more()) throw std::invalid_argument(option + " is no option, or something is missing behind it");
    return all_[at_++];
  }

  std::string path(const std::string& option) {
    const std::string& word = next(option);
    if (word.empty() || word[0] != '/') throw std::invalid_argument(option + " takes an absolute path, not " + word);
    return word;
  }

  unsigned number(const std::string& option, unsigned long least, unsigned long most) {
    const std::string& word = next(option);
    char* end = nullptr;
    const unsigned long number = std::strtoul(word.c_str(), &end, 10);
    if (word.empty() || word[0] < '0' || word[0] > '9' || *end != '\0' || number < least || number > most)
      throw std::invalid_argument(option + " takes a whole number of " + std::to_string(least) + " to " +
                                  std::to_string(most) + ", not " + word);
    return static_cast<unsigned>(number);
  }

 private:
  const std::vector<std::string>& all_;
  size_t at_ = 0;
};

/** False: the option names no output. */
bool read_output(const std::string& option, Words& words, OutputOrder& order) {
  if (option == "--led") {
    order.kind = OutputKind::led;
    order.path = words.path(option);
  } else if (option == "--multicolour") {
    order.kind = OutputKind::multicolour;
    order.path = words.path(option);
    order.channels = words.number(option, 3, 4);
  } else if (option == "--line") {
    order.kind = OutputKind::line;
    order.path = words.path(option);
    order.number = words.number(option, 0, MAX_NUMBER);
  } else if (option == "--pwm") {
    order.kind = OutputKind::pwm;
    order.path = words.path(option);
    order.number = words.number(option, 0, MAX_NUMBER);
  } else if (option == "--strip") {
    order.kind = OutputKind::strip;
    order.path = words.path(option);
    order.pixels = words.number(option, 1, MAX_PIXELS);
    order.order = words.next(option);
    order.channels = static_cast<unsigned>(order_of(order.order).size());
  } else {
    return false;
  }
  return true;
}

}  // namespace

LampOptions read_options(const std::vector<std::string>& all) {
  LampOptions found;
  Words words(all);
  OutputOrder next{};
  size_t bytes = 0;
  while (words.has_more()) {
    const std::string option = words.next("");
    if (option == "--max-level") {
      next.max_level = static_cast<uint8_t>(words.number(option, 0, 255));
    } else if (option == "--active-low") {
      next.is_active_low = true;
    } else if (option == "--note") {
      found.note = words.path(option);
    } else if (option == "--put-off") {
      found.task = LampOptions::put_off;
      found.note = words.path(option);
    } else if (option == "--find") {
      found.task = LampOptions::find;
      while (words.has_more()) found.chips.push_back(words.path(option));
    } else if (read_output(option, words, next)) {
      bytes += next.bytes();
      found.outputs.push_back(next);
      next = {};
    } else {
      throw std::invalid_argument("there is no option " + option);
    }
  }
  if (bytes > MAX_BYTES)
    throw std::invalid_argument("all outputs together have " + std::to_string(bytes) + " channels, and at most " +
                                std::to_string(MAX_BYTES) + " can be held");
  if (found.task == LampOptions::hold && found.outputs.empty()) throw std::invalid_argument("there is no output");
  return found;
}

}  // namespace vedette::lamps
