#include "plugin_values.h"

#include <cmath>
#include <cstdlib>
#include <set>

namespace vedette {

namespace {

constexpr size_t MAX_VALUES = 64, MAX_ENTRIES = 64, MAX_TEXT_BYTES = 200, MAX_NAME = 40, MAX_NUMBER = 40;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/** Reads one record, byte by byte; what does not fit ends it with a sentence. */
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  std::string refusal() {
    try {
      record();
    } catch (const std::string& why) {
      return why;
    }
    return {};
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw why; }
  [[noreturn]] void refuse_json() const { refuse("its values are no JSON, from byte " + std::to_string(at_) + " on"); }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') at_++;
  }
  bool take(char wanted) {
    skip_spaces();
    if (peek() != wanted) return false;
    at_++;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) refuse_json();
  }

  void record() {
    skip_spaces();
    if (peek() != '{') refuse("its values are no JSON object");
    expect('{');
    std::set<std::string> names;
    if (!take('}')) {
      do {
        const std::string name = read_name();
        if (!names.insert(name).second) refuse("it gives the value " + name + " twice");
        if (names.size() > MAX_VALUES) refuse("it gives more than 64 values");
        expect(':');
        read_value(name);
      } while (take(','));
      expect('}');
    }
    skip_spaces();
    if (at_ != text_.size()) refuse_json();
  }

  std::string read_name() {
    skip_spaces();
    const size_t from = at_ + 1;
    read_text("the name of a value");
    const std::string name = text_.substr(from, at_ - from - 1);
    bool is_name = !name.empty() && name.size() <= MAX_NAME && !is_digit(name[0]);
    for (const char each : name) is_name = is_name && (is_letter(each) || is_digit(each));
    if (!is_name) refuse("it calls a value by what is no name: 1 to 40 letters, digits and _, no digit in front");
    return name;
  }

  void read_value(const std::string& name) {
    skip_spaces();
    if (peek() != '[') return read_single(name);
    expect('[');
    if (take(']')) return;
    size_t entries = 0;
    do {
      if (++entries > MAX_ENTRIES) refuse("its value " + name + " has more than 64 entries");
      read_single(name);
    } while (take(','));
    expect(']');
  }

  void read_single(const std::string& name) {
    skip_spaces();
    if (peek() == '"') return read_text("its value " + name);
    if (peek() == '-' || is_digit(peek())) return read_number(name);
    for (const char* word : {"true", "false"})
      if (text_.compare(at_, std::string(word).size(), word) == 0) {
        at_ += std::string(word).size();
        return;
      }
    refuse("its value " + name + " is neither a number nor a text, true, false, or a list of them");
  }

  void read_digits() {
    if (!is_digit(peek())) refuse_json();
    while (is_digit(peek())) at_++;
  }

  void read_number(const std::string& name) {
    const size_t from = at_;
    if (peek() == '-') at_++;
    if (peek() == '0') at_++;
    else read_digits();
    if (peek() == '.') at_++, read_digits();
    if (peek() == 'e' || peek() == 'E') {
      at_++;
      if (peek() == '+' || peek() == '-') at_++;
      read_digits();
    }
    const std::string number = text_.substr(from, at_ - from);
    if (number.size() > MAX_NUMBER || !std::isfinite(std::strtod(number.c_str(), nullptr)))
      refuse("its value " + name + " is no number that can be told");
  }

  /** A text in UTF-8. */
  void read_text(const std::string& what) {
    if (peek() != '"') refuse_json();
    const size_t from = ++at_;
    while (peek() != '"') {
      if (at_ - from > MAX_TEXT_BYTES) refuse(what + " is longer than 200 bytes");
      read_letter();
    }
    at_++;
  }

  void read_letter() {
    const auto first = static_cast<unsigned char>(peek());
    if (at_ >= text_.size() || first < ' ') refuse_json();
    if (first == '\\') return read_escape();
    at_++;
    if (first < 0x80) return;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4) refuse_json();
    for (int i = 0; i < more; i++) {
      const auto next = static_cast<unsigned char>(peek());
      if (i == 0 && ((first == 0xe0 && next < 0xa0) || (first == 0xed && next > 0x9f) ||
                     (first == 0xf0 && next < 0x90) || (first == 0xf4 && next > 0x8f)))
        refuse_json();
      if (next < 0x80 || next > 0xbf) refuse_json();
      at_++;
    }
  }

  void read_escape() {
    at_++;
    const char kind = peek();
    if (at_ >= text_.size() || std::string("\"\\/bfnrtu").find(kind) == std::string::npos) refuse_json();
    at_++;
    if (kind != 'u') return;
    for (int i = 0; i < 4; i++, at_++) {
      const char each = peek();
      if (!is_digit(each) && !(each >= 'a' && each <= 'f') && !(each >= 'A' && each <= 'F')) refuse_json();
    }
  }

  const std::string& text_;
  size_t at_ = 0;
};

}  // namespace

std::string values_refusal(const std::string& text) {
  if (text.size() > MAX_VALUES_BYTES)
    return "its values are too long; " + std::to_string(MAX_VALUES_BYTES) + " bytes of JSON at most";
  return Reader(text).refusal();
}

}  // namespace vedette
