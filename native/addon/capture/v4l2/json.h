// JSON text, put together piece by piece.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace vedette {

/** A text in quotes. What is no UTF-8, which a camera's name may hold, becomes a question mark. */
inline std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (size_t at = 0; at < text.size(); at++) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const size_t following = byte < 0x80                   ? 0
                             : byte >= 0xf0 && byte < 0xf5 ? 3
                             : byte >= 0xe0                ? 2
                             : byte >= 0xc2                ? 1
                                                           : 4;
    bool is_whole = following < 4 && at + following < text.size();
    for (size_t next = 1; is_whole && next <= following; next++)
      is_whole = (static_cast<unsigned char>(text[at + next]) & 0xc0) == 0x80;
    if (!is_whole) {
      out += '?';
    } else if (following > 0) {
      out.append(text, at, following + 1);
      at += following;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      out += escaped;
    } else {
      if (byte == '"' || byte == '\\') out += '\\';
      out += text[at];
    }
  }
  return out + "\"";
}

/** The fields of an object, or the entries of a list: pieces with commas between them. */
class JsonPieces {
 public:
  JsonPieces& add(const std::string& piece) {
    pieces_ += (pieces_.empty() ? "" : ",") + piece;
    return *this;
  }
  JsonPieces& field(const std::string& name, const std::string& json) { return add(json_text(name) + ":" + json); }
  JsonPieces& text(const std::string& name, const std::string& value) { return field(name, json_text(value)); }
  JsonPieces& number(const std::string& name, int64_t value) { return field(name, std::to_string(value)); }
  JsonPieces& boolean(const std::string& name, bool value) { return field(name, value ? "true" : "false"); }

  std::string object() const { return "{" + pieces_ + "}"; }
  std::string list() const { return "[" + pieces_ + "]"; }

 private:
  std::string pieces_;
};

/** A list made of anything. */
template <typename Items, typename Write>
std::string json_list(const Items& items, Write write) {
  JsonPieces pieces;
  for (const auto& item : items) pieces.add(write(item));
  return pieces.list();
}

}  // namespace vedette
